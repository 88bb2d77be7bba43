// SPDX-License-Identifier: GPL-3.0-or-later
/* late_pruning.c -- near the leaves late quiet moves are not even searched: after (3 + d * d) / 3
 * moves without success, at depth d, the rest is taken for hopeless. Only where the score is a
 * yes or no (no open window), never in check, and not while the node is being mated. */
#include "ladder/search.h"

enum { LMP_DEPTH = 3 };

bool late_pruning_skips(const Search *s, const Node *n, int index)
{
    return uses(s, LATE_MOVE_PRUNING) && n->depth <= LMP_DEPTH && !n->pv && !n->in_check &&
           n->alpha > -MATE_BOUND && index > (3 + n->depth * n->depth) / 3;
}
