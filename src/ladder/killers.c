// SPDX-License-Identifier: GPL-3.0-or-later
/* killers.c -- a quiet move that refuted one line often refutes its neighbours: the threat that it
 * makes is still there. Two such moves are kept for each distance from the root and tried right
 * after the captures.
 *
 * Captures stay out, they come first anyway. A killer is tried only if it is among the legal moves
 * of the node, so nothing can go wrong. */
#include "ladder/search.h"

void killers_learn(Search *s, const Node *n, Move m)
{
    Move *slots = s->learned.killers[n->ply];
    if (!uses(s, KILLER_MOVES) || slots[0] == m)
        return;
    for (int i = KILLER_SLOTS - 1; i > 0; i--)
        slots[i] = slots[i - 1];
    slots[0] = m;
}

bool is_killer(const Search *s, int ply, Move m)
{
    for (int i = 0; i < KILLER_SLOTS; i++)
        if (s->learned.killers[ply][i] == m)
            return true;
    return false;
}
