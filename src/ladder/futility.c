// SPDX-License-Identifier: GPL-3.0-or-later
/* futility.c -- with one or two plies to go, a quiet move cannot gain more than a margin. Where the
 * static value and that margin together do not reach alpha, quiet moves are futile: skip them and
 * search only captures, promotions and checks. The first move is always searched, so that the node
 * has a value. */
#include "ladder/search.h"

enum { FUTILITY_DEPTH = 2, FUTILITY_MARGIN = 150 };

bool futility_skips(const Search *s, const Node *n)
{
    return uses(s, FUTILITY) && n->depth <= FUTILITY_DEPTH && !n->pv && !n->in_check &&
           n->alpha > -MATE_BOUND && n->eval + FUTILITY_MARGIN * n->depth <= n->alpha;
}
