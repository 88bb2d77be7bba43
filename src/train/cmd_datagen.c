// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_datagen.c -- `samara-train datagen` and `rescore`: the two commands that let the engine
 * search. */
#include "train/commands.h"

#include "train/args.h"
#include "train/datagen.h"
#include "train/parallel_map.h"
#include "train/progress.h"

#include <signal.h>
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

static void catch_signals(void)
{
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
}

static int complain(const char *command, const Error *err)
{
    fprintf(stderr, "samara-train %s: %s\n", command, err->text);
    return 1;
}

/* --- datagen --- */

int datagen_main(int argc, char **argv)
{
    const SelfplayRules defaults = selfplay_defaults;
    const char *out = NULL, *net = NULL;
    int64_t games = 100000, threads = thread_cpu_count(), seed = 1, nodes = defaults.soft_nodes,
            hard = 0, hash = 8;
    int64_t chess960 = defaults.chess960_percent, twice = defaults.double_percent;
    int64_t plies = defaults.random_plies, opening = defaults.max_opening_score;
    bool classical = false;
    const ArgSpec specs[] = {
        {"out", ARG_TEXT, &out, 0, 0, "file of games; an unfinished one is continued"},
        {"games", ARG_INT, &games, 1, 1e12, "games in the file in the end"},
        {"nodes", ARG_INT, &nodes, 1, 1e9, "nodes per move: stop at the end of the iteration"},
        {"hard-nodes", ARG_INT, &hard, 0, 1e9,
         "and at once at this many; 0: one and a half times --nodes"},
        {"net", ARG_TEXT, &net, 0, 0, "network file; default: the one built in"},
        {"classical", ARG_FLAG, &classical, 0, 0, "play with the classical evaluation"},
        {"threads", ARG_INT, &threads, 1, DATAGEN_MAX_THREADS, "games at a time"},
        {"seed", ARG_INT, &seed, 0, 1e18, "same seed, settings and engine: same file"},
        {"chess960", ARG_INT, &chess960, 0, 100, "percent of games from Chess960 arrays"},
        {"double", ARG_INT, &twice, 0, 100, "percent of games from two different arrays"},
        {"random-plies", ARG_INT, &plies, 0, 60, "random moves at the beginning, or one more"},
        {"opening-score", ARG_INT, &opening, 1, 30000, "drop openings that are further from level"},
        {"hash", ARG_INT, &hash, 1, 4096, "megabytes of table for each game"},
    };
    const Command command = {
        "datagen --out FILE [options]",
        "Lets the engine play against itself and keeps the games for training.", specs,
        sizeof specs / sizeof *specs, false};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    if (!out || chess960 + twice > 100) {
        fprintf(stderr, "samara-train datagen: %s\n",
                out ? "the percentages sum to more than 100" : "--out FILE is missing");
        return 2;
    }
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
    catch_signals();
    return datagen_run(&job, NULL, &err) ? 0 : complain(argv[0], &err);
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

int rescore_main(int argc, char **argv)
{
    const char *out = NULL, *net = NULL;
    int64_t threads = thread_cpu_count(), nodes = 300, hard = 0, hash = 4;
    bool classical = false;
    const ArgSpec specs[] = {
        {"out", ARG_TEXT, &out, 0, 0, "new file of games; an unfinished one is continued"},
        {"nodes", ARG_INT, &nodes, 1, 1e9, "nodes per position: stop at the end of the iteration"},
        {"hard-nodes", ARG_INT, &hard, 0, 1e9,
         "and at once at this many; 0: one and a half times --nodes"},
        {"net", ARG_TEXT, &net, 0, 0, "network file; default: the one built in"},
        {"classical", ARG_FLAG, &classical, 0, 0, "judge with the classical evaluation"},
        {"threads", ARG_INT, &threads, 1, DATAGEN_MAX_THREADS, "games at a time"},
        {"hash", ARG_INT, &hash, 1, 4096, "megabytes of table for each game"},
    };
    const Command command = {
        "rescore FILE --out FILE [options]",
        "Searches the positions of old games again, with a better network for instance, and\n"
        "replaces their scores. Moves and results stay.",
        specs, sizeof specs / sizeof *specs, true};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    if (files != 1 || !out) {
        fprintf(stderr, "samara-train rescore: one file to read and --out FILE are needed\n");
        return 2;
    }
    if (classical)
        net = "";
    Error err;
    Rescore r = {.soft_nodes = (uint32_t)nodes,
                 .hard_nodes = (uint32_t)(hard ? hard : nodes + nodes / 2)};
    if (!crew_create(&r.crew, (int)threads, net, (int)hash, &err))
        return complain(argv[0], &err);
    catch_signals();
    const bool ok = rescore_run(&r, argv[1], out, net, &err);
    record_close(r.reader);
    crew_free(&r.crew);
    return ok ? 0 : complain(argv[0], &err);
}
