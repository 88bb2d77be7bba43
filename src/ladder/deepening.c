// SPDX-License-Identifier: GPL-3.0-or-later
/* deepening.c -- search to depth 1, then 2, then 3. That looks like waste, but each depth costs
 * several times the one before, so all the earlier ones together cost little; and they leave their
 * best moves in the table, in the killers and in the history, which orders the moves of the next.
 * Alone it gains nothing. It is also what makes a clock possible: whenever the time is up, the last
 * finished depth has an answer. */
#include "ladder/search.h"

static int search_once(Search *s, int depth, int guess)
{
    if (!uses(s, ALPHA_BETA))
        return minimax_search(s, depth);
    if (!uses(s, NEGAMAX))
        return alpha_beta_search(s, depth);
    if (s->techniques == (TECHNIQUE(ALPHA_BETA) | TECHNIQUE(NEGAMAX)))
        return negamax_search(s, depth);
    return aspiration_search(s, depth, guess);
}

/* One ply more each time, so that the hash table and the last score help the next iteration. */
int deepening_search(Search *s, int depth, bool always_deepen, int *score)
{
    const bool deepen = always_deepen || uses(s, ITERATIVE_DEEPENING);
    Move best = MOVE_NONE;
    int finished = 0, guess = search_leaf(s);
    *score = 0;
    for (int d = deepen ? 1 : depth; d <= depth; d++) {
        const int value = search_once(s, d, guess);
        if (s->stopped)
            break;
        *score = guess = value;
        best = s->best;
        finished = d;
        if (deepen && best == MOVE_NONE)
            break; /* no legal move: deeper is the same */
    }
    s->best = best;
    return finished;
}
