// SPDX-License-Identifier: GPL-3.0-or-later
/* reductions.c -- if the order is good, moves at the end of the list are seldom best. Search them a
 * ply or two less deep; the few that beat alpha all the same are searched again to the full depth
 * (scout.c). Of all techniques that may err this one pays most, because its errors are found out.
 *
 * Not for captures, promotions, checks, killers, nor in check: those are not late by accident. */
#include "ladder/search.h"

#include <math.h>

enum { LMR_MIN_DEPTH = 3, LMR_FIRST = 4, LMR_SECOND = 8, LMR_SECOND_DEPTH = 4 };

static int by_log(int depth, int number)
{
    const int r = (int)(log(depth) * log(number) / 2);
    return r < 1 ? 1 : r > depth - 1 ? depth - 1 : r;
}

/* For a quiet move that gives no check; index counts from 0. */
int late_reduction(const Search *s, const Node *n, Move m, int index)
{
    if (!uses(s, LATE_MOVE_REDUCTIONS) || n->depth < LMR_MIN_DEPTH || index < LMR_FIRST ||
        n->in_check || is_killer(s, n->ply, m))
        return 0;
    switch (s->values->reduction) {
    case REDUCE_BY_LOG:
        return n->pv ? 0 : by_log(n->depth, index + 1);
    case REDUCE_BY_STEPS:
        return index >= LMR_SECOND && n->depth >= LMR_SECOND_DEPTH ? 2 : 1;
    default:
        return 1;
    }
}
