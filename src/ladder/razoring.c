// SPDX-License-Identifier: GPL-3.0-or-later
/* razoring.c -- near the leaves, a position that stands far below alpha will not get there by quiet
 * moves. Drop into the quiescence search: if no capture helps, that is the answer. The margin grows
 * with the square of the depth, since more moves can mend more. */
#include "ladder/search.h"

enum { RAZOR_DEPTH = 3, RAZOR_BASE = 250, RAZOR_PER_DEPTH_SQUARED = 60 };

bool try_razoring(Search *s, const Node *n, int *score)
{
    if (!uses(s, RAZORING) || n->depth > RAZOR_DEPTH || n->pv || n->in_check ||
        n->eval >= n->alpha - RAZOR_BASE - RAZOR_PER_DEPTH_SQUARED * n->depth * n->depth)
        return false;
    *score = quiescence(s, n->alpha, n->beta, n->ply);
    return *score <= n->alpha;
}
