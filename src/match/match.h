// SPDX-License-Identifier: GPL-3.0-or-later
/* match.h -- plays all games of a schedule, several at a time, and keeps the score.
 *
 * Games are counted, written and judged (SPRT) strictly in the order of the schedule, whichever
 * finishes first: a test that took short games early would be biased, and a run could not be
 * repeated. */
#ifndef SAMARA_MATCH_MATCH_H
#define SAMARA_MATCH_MATCH_H

#include "match/config.h"

typedef enum MatchEnd {
    MATCH_RUNNING,
    MATCH_COMPLETE,
    MATCH_DECIDED,
    MATCH_INTERRUPTED,
    MATCH_FAILED
} MatchEnd;

typedef struct MatchState {
    const MatchConfig *config;
    Score score;
    double llr;
    SprtVerdict verdict;
    MatchEnd end;
    int64_t started, wall; /* microseconds; of this run only */
    uint64_t resumed;      /* games that an earlier run had played */
    Error failure;         /* if end is MATCH_FAILED */
} MatchState;

/* Called one at a time, from any thread. */
typedef struct MatchEvents {
    void *user;
    void (*game)(void *user, const MatchState *state); /* a game was counted */
    void (*note)(void *user, const char *text);        /* a fault; one line */
} MatchEvents;

/* `interrupt` may be raised from outside to end the match early; the match raises it itself to end
 * running games. False if it could not begin (then *err says why); how it went is in state->end.
 * match_state_free in any case. */
bool match_run(const MatchConfig *config, Guard *guard, const Interrupt *interrupt,
               const MatchEvents *events, MatchState *state, Error *err);
void match_state_free(MatchState *state);

#endif
