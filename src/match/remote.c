// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/remote.h"

#include "base/clock.h"
#include "base/rng.h"
#include "match/identity.h"
#include "match/match_job.h"
#include "queue/open.h"
#include "queue/ordered.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_MS = 10000, IMPATIENT_MS = 10000 };

typedef struct Run {
    const RemoteGames *games;
    EngineIdentity *identities; /* one per engine */
    uint64_t run;               /* tells this match from others, unless its games are equal */
    bool over, heard, warned;
    int64_t began;
    char needs[PAIR_SIZE]; /* of the last job made */
    char owner[QUEUE_NAME_SIZE];
} Run;

/* --- before the first game --- */

/* Texts among the options name files of this machine: each worker has its own. */
static void tell_options(const EngineSpec *spec, const EngineIdentity *identity, const Run *run)
{
    char line[256];
    for (int i = 0; i < spec->option_count && run->games->note; i++)
        if (!identity_takes_option(identity, &spec->options[i])) {
            snprintf(line, sizeof line,
                     "%.60s: option %.60s stays here; workers need it in their --engine",
                     spec->name, spec->options[i].name);
            run->games->note(run->games->user, line);
        }
}

/* Each engine is started here once: workers must have the same one. */
static bool identify_all(Run *run, Error *err)
{
    const RemoteGames *g = run->games;
    char line[256];
    for (int i = 0; i < g->config->engine_count; i++) {
        const EngineSpec *spec = &g->config->engines[i];
        if (!engine_identify(spec, true, g->guard, g->interrupt, &run->identities[i], err))
            return false;
        tell_options(spec, &run->identities[i], run);
        snprintf(line, sizeof line, "workers play with %.60s = %s", spec->name,
                 run->identities[i].text);
        if (g->note)
            g->note(g->user, line);
    }
    return true;
}

/* Games that are limited by nodes or depth alone are equal whenever they are played. */
static bool repeatable(const MatchConfig *config)
{
    for (int i = 0; i < config->engine_count; i++) {
        const TimeControl *tc = &config->engines[i].tc;
        if (tc->base || tc->increment || tc->move_time)
            return false;
    }
    return true;
}

/* --- jobs --- */

/* The engine with those of its options that travel; borrows everything but the list of them. */
static EngineSpec travelling(const Run *run, int engine, EngineOption *options)
{
    EngineSpec spec = run->games->config->engines[engine];
    int count = 0;
    for (int i = 0; i < spec.option_count; i++)
        if (identity_takes_option(&run->identities[engine], &spec.options[i]))
            options[count++] = spec.options[i];
    spec.options = options;
    spec.option_count = count;
    return spec;
}

/* The job of a game, and its text. False: no memory. */
static bool describe(const Run *run, uint64_t index, MatchJob *job, Buffer *payload)
{
    const MatchConfig *config = run->games->config;
    const Fixture f = schedule_fixture(&config->schedule, index);
    const Opening opening = openings_get(run->games->openings, f.opening);
    const int white_count = config->engines[f.white].option_count;
    EngineOption *options =
        malloc(sizeof *options * (size_t)(white_count + config->engines[f.black].option_count + 1));
    if (!options || opening.count > MATCH_JOB_BOOK) {
        free(options);
        return false;
    }
    const EngineSpec white = travelling(run, f.white, options),
                     black = travelling(run, f.black, options + white_count);
    *job = (MatchJob){.seed = config->openings.seed,
                      .game = index,
                      .run = run->run,
                      .start = opening.start,
                      .book_count = opening.count,
                      .rules = config->rules,
                      .white = &white,
                      .black = &black};
    if (opening.count > 0)
        memcpy(job->book, opening.moves, sizeof *opening.moves * (size_t)opening.count);
    match_job_write(job, payload);
    job->white = job->black = NULL; /* written, and gone with this function */
    free(options);
    return !payload->failed;
}

/* Live: when this program ends, its games end. */
static bool make(void *user, uint64_t number, Job *job, Buffer *payload)
{
    Run *run = user;
    const MatchConfig *config = run->games->config;
    if (number >= run->games->end || run->over)
        return false;
    const Fixture f = schedule_fixture(&config->schedule, number);
    const char *names[2] = {config->engines[f.white].name, config->engines[f.black].name};
    const char *identities[2] = {run->identities[f.white].text, run->identities[f.black].text};
    MatchJob *game = malloc(sizeof *game);
    payload->failed = !game || !describe(run, number, game, payload) ||
                      !identity_pair(names, identities, run->needs);
    free(game);
    *job = (Job){.kind = MATCH_JOB_KIND,
                 .needs = run->needs,
                 .owner = run->owner,
                 .priority = JOB_BULK,
                 .cost_ms = GAME_MS,
                 .live = true};
    return true;
}

/* The question is written again: the answer's checksum covers both. */
static bool put(void *user, uint64_t number, Str result, Error *err)
{
    Run *run = user;
    MatchJob *job = malloc(sizeof *job);
    Buffer payload = {0};
    GameRecord record;
    record_init(&record);
    bool ok = (job && describe(run, number, job, &payload)) || error_set(err, "out of memory");
    ok = ok && match_result_read((Str){payload.data, payload.len}, job, result, &record, err);
    run->heard = true;
    if (ok && !run->over)
        run->over = !run->games->take(run->games->user, number, &record);
    record_free(&record);
    buffer_free(&payload);
    free(job);
    return ok;
}

/* Somebody who waits for workers that are not there should hear which are missing. */
static bool stopped(void *user)
{
    Run *run = user;
    char line[PAIR_SIZE + 80];
    if (!run->heard && !run->warned && clock_ms() - run->began > IMPATIENT_MS) {
        run->warned = true;
        snprintf(line, sizeof line, "no game came back yet; is there a worker with %s?",
                 run->needs);
        if (run->games->note)
            run->games->note(run->games->user, line);
    }
    return run->over || interrupt_raised(run->games->interrupt);
}

bool remote_run(const RemoteGames *games, Error *err)
{
    const MatchConfig *config = games->config;
    Run run = {.games = games, .began = clock_ms()};
    const OrderedJobs jobs = {.user = &run, .make = make, .put = put, .stopped = stopped};
    queue_make_name(run.owner, "match");
    if (!repeatable(config))
        run.run = hash_bytes(run.owner, strlen(run.owner)) & INT64_MAX;
    run.identities = calloc((size_t)config->engine_count, sizeof *run.identities);
    if (!run.identities)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    const bool ok = identify_all(&run, err) &&
                    ordered_run(config->queue, &jobs, games->first, config->concurrency, err);
    for (int i = 0; i < config->engine_count; i++)
        identity_free(&run.identities[i]);
    free(run.identities);
    return ok;
}
