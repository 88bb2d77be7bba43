// SPDX-License-Identifier: GPL-3.0-or-later
/* history.c -- killers know one distance from the root; the history knows the whole tree. Each
 * quiet move that was good enough earns depth * depth points for its two squares ("butterfly
 * board"): deep cuts save more than shallow ones. Quiet moves are tried in the order of their
 * points.
 *
 * When a number grows too large all are halved: what happened lately counts more. */
#include "ladder/search.h"

enum { DIVISOR = 32, LIMIT = 28000 }; /* LIMIT / DIVISOR stays below the killers' number */

static int *points(Learned *l, Color c, Move m) { return &l->history[c][move_from(m)][move_to(m)]; }

static void halve(Learned *l)
{
    int *all = &l->history[0][0][0];
    for (size_t i = 0; i < sizeof l->history / sizeof *all; i++)
        all[i] /= 2;
}

void history_learn(Search *s, const Node *n, Move m)
{
    if (!uses(s, HISTORY))
        return;
    int *p = points(&s->learned, s->pos.turn, m);
    *p += n->depth * n->depth;
    if (*p > LIMIT)
        halve(&s->learned);
}

int history_order(const Search *s, Move m)
{
    return uses(s, HISTORY) ? s->learned.history[s->pos.turn][move_from(m)][move_to(m)] / DIVISOR
                            : 0;
}
