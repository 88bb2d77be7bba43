// SPDX-License-Identifier: GPL-3.0-or-later
/* timeman.h -- how long to think. Pure functions over clocks: no time is read here. */
#ifndef SAMARA_SEARCH_TIMEMAN_H
#define SAMARA_SEARCH_TIMEMAN_H

#include "search/limits.h"
#include "search/score.h"

/* How much of the clock one move may use. Without a time limit `timed` is false. */
typedef struct TimeBudget {
    bool timed;
    bool flexible; /* soft may be stretched and shrunk by what the search sees; not with movetime */
    int64_t soft_us; /* between iterations: enough, if nothing is unclear */
    int64_t hard_us; /* inside the tree: now, whatever happens */
} TimeBudget;

/* legal_moves: of the root; a forced move needs no thought. */
TimeBudget time_budget(const Limits *limits, Color us, int legal_moves);

/* What the search has seen after an iteration. */
typedef struct TimeSignals {
    int depth;
    int stable;              /* iterations since the best move last changed */
    double best_share;       /* part of all nodes that the best root move took, 0 to 1 */
    Score score;             /* now */
    Score previous_score;    /* one iteration ago, SCORE_NONE if none */
    Score last_search_score; /* at the end of the search before this one, SCORE_NONE if none */
} TimeSignals;

/* Factor for the soft limit: below 1 when the move is clear, above when it is not. */
double time_factor(const TimeSignals *signals);

#endif
