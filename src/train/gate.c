// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/gate.h"

#include "train/datagen.h"
#include "train/parallel_map.h"

#include <math.h>
#include <stdlib.h>

typedef struct Run {
    const GateJob *job;
    SelfplayRules rules;
    Crew fresh, old;
    int pending;       /* half points of the first game of a pair */
    uint64_t pairs[5]; /* by half points of the new one */
    int wins, losses, draws;
} Run;

static bool run_begin(void *user, uint64_t number, GameRecord *game)
{
    const Run *run = user;
    (void)game;
    if (run->job->wait)
        run->job->wait(run->job->user);
    return number < 2 * (uint64_t)run->job->pairs;
}

/* Even games: the new one has White. The same opening for both games of a pair. */
static bool run_work(void *user, int thread, uint64_t number, GameRecord *game, Error *err)
{
    const Run *run = user;
    Player *fresh = run->fresh.players[thread], *old = run->old.players[thread];
    const bool white = number % 2 == 0;
    return selfplay_duel(white ? fresh : old, white ? old : fresh, old, &run->rules, number / 2,
                         game, err);
}

/* Even numbers are played with one colour and odd ones with the other: two make a pair. */
static bool run_put(void *user, uint64_t number, const GameRecord *game, Error *err)
{
    Run *run = user;
    (void)err;
    const int points = number % 2 == 0 ? game->result : 2 - game->result;
    run->wins += points == 2;
    run->draws += points == 1;
    run->losses += points == 0;
    if (number % 2 == 0)
        run->pending = points;
    else
        run->pairs[run->pending + points]++;
    return true;
}

static double elo_of(double score)
{
    const double inside = fmin(fmax(score, 0.001), 0.999);
    return -400 * log10(1 / inside - 1);
}

/* The two games of a pair share their opening, so pairs are the independent trials. */
GateResult gate_result(const uint64_t pairs[5], int wins, int losses, int draws)
{
    double n = 0, sum = 0, squares = 0;
    for (int i = 0; i < 5; i++) {
        const double score = i / 4.0, count = (double)pairs[i];
        n += count;
        sum += count * score;
        squares += count * score * score;
    }
    GateResult r = {.wins = wins, .losses = losses, .draws = draws, .score = 0.5};
    if (n == 0)
        return r;
    r.score = sum / n;
    const double deviation = sqrt(fmax(squares / n - r.score * r.score, 0) / n);
    r.elo = elo_of(r.score);
    r.error = (elo_of(r.score + 1.96 * deviation) - elo_of(r.score - 1.96 * deviation)) / 2;
    return r;
}

/* A match without a clock: equal nodes, each opening twice with colours exchanged. */
bool gate_run(const GateJob *job, GateResult *result, Error *err)
{
    Run *run = calloc(1, sizeof *run);
    if (!run)
        return error_set(err, "there is not enough memory for a match");
    run->job = job;
    run->rules = selfplay_defaults;
    run->rules.seed = job->seed;
    run->rules.soft_nodes = 0;
    run->rules.hard_nodes = job->nodes;
    run->rules.plain = false;
    run->rules.chess960_percent = run->rules.double_percent = 0;
    run->rules.max_opening_score = 250;
    const ParallelMap map = {run, run_begin, run_work, run_put};
    const bool ok = crew_create(&run->fresh, job->threads, job->new_net, job->hash_mb, err) &&
                    crew_create(&run->old, job->threads, job->old_net, job->hash_mb, err) &&
                    parallel_map(&map, job->threads, 0, job->stop, err);
    *result = gate_result(run->pairs, run->wins, run->losses, run->draws);
    crew_free(&run->fresh);
    crew_free(&run->old);
    free(run);
    return ok;
}
