// SPDX-License-Identifier: GPL-3.0-or-later
/* counters.c -- many moves have one natural answer, wherever in the tree they are played. For each
 * move (by its two squares) the last quiet refutation is kept, and tried after the killers. */
#include "ladder/search.h"

static Move move_before(const Search *s, int ply)
{
    return ply > 0 ? s->played[ply - 1] : MOVE_NONE;
}

void counters_learn(Search *s, const Node *n, Move m)
{
    const Move before = move_before(s, n->ply);
    if (uses(s, COUNTER_MOVES) && before != MOVE_NONE)
        s->learned.counters[move_from(before)][move_to(before)] = m;
}

bool is_counter(const Search *s, int ply, Move m)
{
    const Move before = move_before(s, ply);
    return uses(s, COUNTER_MOVES) && before != MOVE_NONE &&
           s->learned.counters[move_from(before)][move_to(before)] == m;
}
