// SPDX-License-Identifier: GPL-3.0-or-later
/* scout.c -- if the order is good, the first move is the best, and the others only have to be shown
 * to be no better. A window of no width (alpha, alpha + 1) asks just that, and cuts more than an
 * open one. Only a move that turns out better is searched again for its value. Known as negascout
 * or principal variation search.
 *
 * The score is that of alpha-beta. With a poor order it loses time: every surprise is searched
 * twice.
 *
 * Late move reductions share this page, since they ask the same question with less depth first:
 * a late move must beat alpha in a shallow search to earn a deep one. */
#include "ladder/search.h"

static int child(Search *s, const Node *n, int alpha, int beta, int depth)
{
    return -node_search(s, -beta, -alpha, depth, n->ply + 1);
}

/* The value of the move just made, the index-th of its node; depth is that of the child. */
int scout_child(Search *s, const Node *n, int index, int depth, int reduction)
{
    const bool scout = uses(s, NEGASCOUT) && index > 0;
    const int beta = scout ? n->alpha + 1 : n->beta;
    int value = child(s, n, n->alpha, beta, depth - reduction);
    if (value > n->alpha && reduction > 0)
        value = child(s, n, n->alpha, beta, depth);
    if (scout && value > n->alpha && value < n->beta && n->pv)
        value = child(s, n, s->values->research_from_score ? value : n->alpha, n->beta, depth);
    return value;
}
