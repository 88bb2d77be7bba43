// SPDX-License-Identifier: GPL-3.0-or-later
/* alpha_beta.c -- minimax that remembers what both sides already have elsewhere: White at least
 * alpha, Black at most beta. A line outside of that window will never be played, because one of
 * them turns off before it, so its other moves need not be looked at.
 *
 * The score is that of minimax. With the best move first everywhere, depth d costs about
 * 2 * sqrt(b^d) leaves: twice the depth in the same time. With the worst first it saves nothing. */
#include "ladder/search.h"

/* White's view. */
static int alpha_beta(Search *s, int alpha, int beta, int depth, int ply)
{
    if (search_stops(s) || search_is_draw(s, ply))
        return 0;
    if (depth == DEPTH_OF_A_LEAF)
        return white_view(s, search_leaf(s));
    MoveList moves;
    gen_legal(&s->pos, &moves);
    if (moves.count == 0)
        return white_view(s, search_no_move(s, ply));

    const bool maximise = s->pos.turn == WHITE;
    int best = maximise ? -INFINITY_SCORE : INFINITY_SCORE;
    for (int i = 0; i < moves.count && alpha < beta; i++) {
        Undo undo;
        search_make(s, moves.moves[i], ply, &undo);
        const int value = alpha_beta(s, alpha, beta, depth - 1, ply + 1);
        search_unmake(s, moves.moves[i], &undo);
        if (maximise ? value > best : value < best) {
            best = value;
            if (ply == 0)
                s->best = moves.moves[i];
        }
        if (maximise && best > alpha)
            alpha = best;
        if (!maximise && best < beta)
            beta = best;
    }
    return best;
}

int alpha_beta_search(Search *s, int depth)
{
    return white_view(s, alpha_beta(s, -INFINITY_SCORE, INFINITY_SCORE, depth, 0));
}
