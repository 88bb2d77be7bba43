// SPDX-License-Identifier: GPL-3.0-or-later
/* events.h -- what a search tells while it runs and when it ends. */
#ifndef SAMARA_SEARCH_EVENTS_H
#define SAMARA_SEARCH_EVENTS_H

#include "chess/types.h"
#include "search/score.h"

/* One line of analysis. */
typedef struct SearchInfo {
    int depth, seldepth, multipv; /* multipv counts from 1 */
    Score score;                  /* side to move at the root */
    Bound bound;
    uint64_t nodes, tbhits;
    int64_t time_us;
    int hashfull; /* permille */
    int pv_length;
    const Move *pv;
} SearchInfo;

typedef struct SearchResult {
    Move best, ponder; /* MOVE_NONE: no legal move; no guess */
    Score score;
    int depth;
    uint64_t nodes;
    int64_t time_us;
} SearchResult;

typedef struct SearchEvents {
    void *user;
    void (*info)(void *user, const SearchInfo *info);
    void (*current_move)(void *user, int depth, Move m, int number); /* after the first second */
    void (*done)(void *user, const SearchResult *result);            /* exactly once per search */
} SearchEvents; /* every function may be NULL */

#endif
