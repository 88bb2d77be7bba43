// SPDX-License-Identifier: GPL-3.0-or-later
/* limits.h -- when a search ends. The first limit that is reached counts; zero means no such limit.
 */
#ifndef SAMARA_SEARCH_LIMITS_H
#define SAMARA_SEARCH_LIMITS_H

#include "chess/movegen.h"

typedef struct Limits {
    int64_t start_us;    /* clock_us() when the request arrived */
    int depth;           /* plies */
    int mate;            /* moves */
    uint64_t nodes;      /* exact with one thread */
    uint64_t soft_nodes; /* stop after the iteration that passes it (self-play) */
    int64_t movetime_ms;
    bool has_clock; /* the next four are meant, whatever their values (they may be negative) */
    int64_t time_ms[2], inc_ms[2];
    int movestogo;         /* 0: sudden death */
    int64_t overhead_ms;   /* kept back for the way to the client */
    bool infinite, ponder; /* do not end before stop (or ponderhit) */
    bool plain;            /* prune no single moves: short searches then give truer scores */
    int search_move_count; /* 0: all */
    Move search_moves[MAX_MOVES];
} Limits;

#endif
