// SPDX-License-Identifier: GPL-3.0-or-later
/* tune.h -- plays a tuning session: the games behind spsa.h, several pairs at a time.
 *
 * The values of iteration k contain the results of all iterations up to k - TUNE_LAG * concurrency
 * and of no other, so that a session can be repeated whichever pair finishes first. The journal is
 * the list of results; a session that finds one goes on from it. */
#ifndef SAMARA_MATCH_TUNE_H
#define SAMARA_MATCH_TUNE_H

#include "match/play.h"
#include "match/spsa.h"

enum { TUNE_LAG = 2 };

typedef struct TuneConfig {
    SpsaConfig spsa;
    const EngineSpec *engine;
    OpeningConfig openings;
    Adjudication rules;
    int concurrency;
    bool pin;
    const char *journal_path; /* NULL: none */
} TuneConfig;

typedef enum TuneEnd { TUNE_RUNNING, TUNE_COMPLETE, TUNE_INTERRUPTED, TUNE_FAILED } TuneEnd;

typedef struct TuneState {
    const TuneConfig *config;
    double *values;        /* one per parameter */
    uint64_t iterations;   /* done, in all runs */
    uint64_t resumed;      /* of which in earlier ones */
    uint64_t counts[5];    /* pairs by outcome, the worst for the plus side first */
    int64_t started, wall; /* microseconds; of this run */
    TuneEnd end;
    Error failure; /* if end is TUNE_FAILED */
} TuneState;

/* Called one at a time, after each iteration; `note` with a sentence about a fault. */
typedef struct TuneEvents {
    void *user;
    void (*step)(void *user, const TuneState *state);
    void (*note)(void *user, const char *text);
} TuneEvents;

/* False if it could not begin (*err says why). tune_state_free in any case. */
bool tune_run(const TuneConfig *config, Guard *guard, const Interrupt *interrupt,
              const TuneEvents *events, TuneState *state, Error *err);
void tune_state_free(TuneState *state);

/* Asks the engine for its options and writes those that are numbers, as a file for -params. */
bool tune_list(const EngineSpec *engine, Guard *guard, const Interrupt *interrupt, Buffer *out,
               Error *err);

#endif
