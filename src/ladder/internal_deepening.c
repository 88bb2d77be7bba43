// SPDX-License-Identifier: GPL-3.0-or-later
/* internal_deepening.c -- on the principal variation the first move decides how expensive the node
 * will be. Where the table has none, a search of two plies less finds one: cheap beside what a bad
 * first move costs. */
#include "ladder/search.h"

enum { INTERNAL_MIN_DEPTH = 4, INTERNAL_REDUCTION = 2 };

void internal_deepening(Search *s, Node *n)
{
    if (!uses(s, INTERNAL_DEEPENING) || !s->table || !n->pv || n->ply == 0 ||
        n->depth < INTERNAL_MIN_DEPTH || n->table_move != MOVE_NONE)
        return;
    int score;
    node_search(s, n->alpha, n->beta, n->depth - INTERNAL_REDUCTION, n->ply);
    try_table(s, n, &score); /* for its move: the depth does not suffice to cut */
}
