// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_datagen.c -- `samara-train datagen` and `rescore`: the two commands that let the engine
 * search. */
#include "train/commands.h"

#include "base/app.h"
#include "queue/open.h"
#include "train/words.h"
#include "train/datagen.h"
#include "train/parallel_map.h"
#include "train/progress.h"

#include <stdio.h>
#include <stdlib.h>

/* Set by Ctrl-C: the games under way are finished, written, and the next run goes on behind them.
 */
static AtomicFlag interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

/* --- datagen --- */

/* Settings of self-play from the command line; an unfinished file is continued with the same
 * settings. */
int datagen_main(int argc, char **argv)
{
    const SelfplayRules defaults = selfplay_defaults;
    const char *out = NULL, *net = NULL;
    int64_t games = 100000, threads = thread_cpu_count(), seed = 1, nodes = defaults.soft_nodes,
            hard = 0, hash = 8;
    int64_t chess960 = defaults.chess960_percent, twice = defaults.double_percent;
    int64_t plies = defaults.random_plies, opening = defaults.max_opening_score;
    bool classical = false;
    BrokerWords broker = {0};
    const ArgSpec specs[] = {
        ARGS_NEEDED("out", &out, "FILE", "file of games; an unfinished one is continued"),
        ARGS_LONG("games", &games, 1, 1e12, "N", "games in the file in the end"),
        ARGS_LONG("nodes", &nodes, 1, 1e9, "N", "nodes per move: stop at the end of the iteration"),
        ARGS_LONG("hard-nodes", &hard, 0, 1e9, "N",
                  "and at once at this many; 0: one and a half times --nodes"),
        ARGS_TEXT("net", &net, "FILE", "network file; default: the one built in"),
        ARGS_FLAG("classical", &classical, "play with the classical evaluation"),
        ARGS_LONG_USUAL("threads", &threads, 1, DATAGEN_MAX_THREADS, "N", "games at a time",
                        "one per core"),
        ARGS_LONG("seed", &seed, 0, 1e18, "N", "same seed, settings and engine: same file"),
        ARGS_LONG("chess960", &chess960, 0, 100, "N", "percent of games from Chess960 arrays"),
        ARGS_LONG("double", &twice, 0, 100, "N", "percent of games from two different arrays"),
        ARGS_LONG("random-plies", &plies, 0, 60, "N", "random moves at the beginning, or one more"),
        ARGS_LONG("opening-score", &opening, 1, 30000, "N",
                  "drop openings that are further from level"),
        ARGS_LONG("hash", &hash, 1, 4096, "MB", "transposition table for each game"),
        ARGS_TEXT(
            "broker", &broker.url, "URL",
            "let workers (samara work) play: redis://host:port/db or unix:/path; --threads is "
            "then how many jobs of 16 games are in the queue at a time"),
        ARGS_TEXT("broker-password-file", &broker.password_file, "FILE",
                  "the broker's password (or $SAMARA_BROKER_PASSWORD)"),
        ARGS_FLAG("broker-exposed", &broker.exposed,
                  "the broker has no password and is not on this machine: that is meant"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "datagen",
        .summary = "Lets the engine play against itself and keeps the games for training.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    if (chess960 + twice > 100)
        return train_refuse(argv[0], "--chess960 and --double sum to more than 100");
    if (classical)
        net = "";
    DatagenJob job = {.path = out,
                      .net = net,
                      .rules = defaults,
                      .games = (uint64_t)games,
                      .threads = (int)threads,
                      .hash_mb = (int)hash,
                      .stop = &interrupted};
    job.rules.seed = (uint64_t)seed;
    job.rules.soft_nodes = (uint32_t)nodes;
    job.rules.hard_nodes = (uint32_t)(hard ? hard : nodes + nodes / 2);
    job.rules.chess960_percent = (int)chess960;
    job.rules.double_percent = (int)twice;
    job.rules.random_plies = (int)plies;
    job.rules.max_opening_score = (int)opening;
    Error err;
    if (broker.url && classical)
        return train_refuse(argv[0],
                            "workers play with a network; --classical is for this machine");
    if (broker.url && !(job.queue = queue_open(&broker, NULL, &err)))
        return train_fail(argv[0], &err);
    app_on_interrupt(interrupt);
    const bool ok = datagen_run(&job, NULL, &err);
    queue_close(job.queue);
    return ok ? 0 : train_fail(argv[0], &err);
}

/* --- rescore --- */

typedef struct Rescore {
    Crew crew;
    uint32_t soft_nodes, hard_nodes;
    RecordReader *reader;
    RecordWriter *writer;
    Progress progress;
    uint64_t plies;
} Rescore;

static bool rescore_begin(void *user, uint64_t number, GameRecord *game)
{
    (void)number;
    return record_next(((Rescore *)user)->reader, game);
}

static bool rescore_work(void *user, int thread, uint64_t number, GameRecord *game, Error *err)
{
    const Rescore *r = user;
    (void)number;
    return selfplay_rescore(r->crew.players[thread], r->soft_nodes, r->hard_nodes, game, err);
}

static void rescore_show(const Rescore *r)
{
    progress_show(&r->progress, "%.2f M positions searched again  %.0f/s", (double)r->plies / 1e6,
                  (double)r->plies / progress_seconds(&r->progress));
}

static bool rescore_put(void *user, uint64_t number, const GameRecord *game, Error *err)
{
    Rescore *r = user;
    (void)number;
    r->plies += (uint64_t)(game->count - game->opening);
    if (progress_due(&r->progress))
        rescore_show(r);
    return record_put(r->writer, game, err);
}

/* Goes on behind the games that an earlier run finished. */
static bool rescore_run(Rescore *r, const char *from, const char *to, const char *net, Error *err)
{
    r->reader = record_open(from, err);
    if (!r->reader)
        return false;
    RecordHeader header = *record_header(r->reader);
    header.soft_nodes = r->soft_nodes;
    header.hard_nodes = r->hard_nodes;
    uint64_t done = 0;
    if (!describe_player(header.maker, net, err))
        return false;
    r->writer = record_resume(to, &header, &done, err);
    if (!r->writer)
        return false;
    GameRecord *skipped = malloc(sizeof *skipped);
    bool ok = skipped != NULL || error_set(err, "there is not enough memory for a game");
    for (uint64_t i = 0; ok && i < done; i++)
        ok = record_next(r->reader, skipped) ||
             error_set(err, "'%s' has more games than '%s'", to, from);
    free(skipped);
    const ParallelMap job = {r, rescore_begin, rescore_work, rescore_put};
    progress_begin(&r->progress);
    ok = ok && parallel_map(&job, r->crew.threads, done, &interrupted, err);
    ok = record_finish(r->writer, ok ? err : NULL) && ok;
    rescore_show(r);
    progress_end(&r->progress);
    return ok;
}

/* Searches old games with a new network: cheaper than playing new ones. */
int rescore_main(int argc, char **argv)
{
    const char *out = NULL, *net = NULL;
    int64_t threads = thread_cpu_count(), nodes = 300, hard = 0, hash = 4;
    bool classical = false;
    const ArgSpec specs[] = {
        ARGS_NEEDED("out", &out, "FILE", "new file of games; an unfinished one is continued"),
        ARGS_LONG("nodes", &nodes, 1, 1e9, "N",
                  "nodes per position: stop at the end of the iteration"),
        ARGS_LONG("hard-nodes", &hard, 0, 1e9, "N",
                  "and at once at this many; 0: one and a half times --nodes"),
        ARGS_TEXT("net", &net, "FILE", "network file; default: the one built in"),
        ARGS_FLAG("classical", &classical, "judge with the classical evaluation"),
        ARGS_LONG_USUAL("threads", &threads, 1, DATAGEN_MAX_THREADS, "N", "games at a time",
                        "one per core"),
        ARGS_LONG("hash", &hash, 1, 4096, "MB", "transposition table for each game"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "rescore",
        .operands = "GAMES",
        .least = 1,
        .most = 1,
        .summary = "Searches the positions of old games again, with a better network for instance, "
                   "and replaces their scores. Moves and results stay.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    if (classical)
        net = "";
    Error err;
    Rescore r = {.soft_nodes = (uint32_t)nodes,
                 .hard_nodes = (uint32_t)(hard ? hard : nodes + nodes / 2)};
    if (!crew_create(&r.crew, (int)threads, net, (int)hash, &err))
        return train_fail(argv[0], &err);
    app_on_interrupt(interrupt);
    const bool ok = rescore_run(&r, argv[1], out, net, &err);
    record_close(r.reader);
    crew_free(&r.crew);
    return ok ? 0 : train_fail(argv[0], &err);
}
