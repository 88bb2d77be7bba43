// SPDX-License-Identifier: GPL-3.0-or-later
/* multi_cut.c -- where one move cuts, often several would. Search the first few moves to a reduced
 * depth: if three of them reach beta, the node is good enough in more ways than one, and a deep
 * search would hardly refute all of them. A single promising move proves nothing, three do not
 * depend on one tactical accident. Only where a yes or no is asked for, and not in check. */
#include "ladder/search.h"

enum { MULTI_MIN_DEPTH = 5, MULTI_REDUCTION = 2, MULTI_TRIED = 6, MULTI_NEEDED = 3 };

/* If several of the first moves beat beta in a shallower search, one of them very likely does in a
 * full one. */
bool try_multi_cut(Search *s, Node *n, int *score)
{
    if (!uses(s, MULTI_CUT) || n->depth < MULTI_MIN_DEPTH || n->pv || n->in_check || s->verifying ||
        n->beta >= MATE_BOUND)
        return false;
    int cuts = 0;
    *score = n->beta;
    for (int i = 0; i < n->moves.count && i < MULTI_TRIED && !s->stopped; i++) {
        const Move m = order_next(n, i);
        Undo undo;
        search_make(s, m, n->ply, &undo);
        s->extensions[n->ply + 1] = s->extensions[n->ply];
        const int value =
            -node_search(s, -n->beta, -n->beta + 1, n->depth - 1 - MULTI_REDUCTION, n->ply + 1);
        search_unmake(s, m, &undo);
        if (value >= n->beta && ++cuts == MULTI_NEEDED)
            return !s->stopped;
    }
    return false;
}
