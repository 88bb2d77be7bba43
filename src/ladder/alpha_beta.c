// SPDX-License-Identifier: GPL-3.0-or-later
/* alpha_beta.c -- minimax that remembers what both sides already have: White at least alpha, Black
 * at most beta. A line outside of it will never be played, so the rest of its moves need not be
 * looked at. */
#include "ladder/climb.h"

#include <stddef.h>

static int white_view(const Climb *c, int value) { return c->pos.turn == WHITE ? value : -value; }

/* White's view. */
static int alpha_beta(Climb *c, int alpha, int beta, int depth, int ply)
{
    c->nodes++;
    if (depth == 0)
        return white_view(c, climb_leaf(c));
    MoveList moves;
    gen_legal(&c->pos, &moves);
    if (moves.count == 0)
        return white_view(c, climb_no_move(c, ply));

    const bool maximise = c->pos.turn == WHITE;
    int best = maximise ? -LADDER_INFINITY : LADDER_INFINITY;
    for (int i = 0; i < moves.count && alpha < beta; i++) {
        Undo undo;
        pos_make(&c->pos, moves.moves[i], &undo, NULL);
        const int value = alpha_beta(c, alpha, beta, depth - 1, ply + 1);
        pos_unmake(&c->pos, moves.moves[i], &undo);
        if (maximise ? value > best : value < best) {
            best = value;
            if (ply == 0)
                c->best = moves.moves[i];
        }
        if (maximise && best > alpha)
            alpha = best;
        if (!maximise && best < beta)
            beta = best;
    }
    return best;
}

int alpha_beta_search(Climb *c, int depth)
{
    return white_view(c, alpha_beta(c, -LADDER_INFINITY, LADDER_INFINITY, depth, 0));
}
