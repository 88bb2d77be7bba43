// SPDX-License-Identifier: GPL-3.0-or-later
/* negamax.c -- what is good for one side is as bad for the other, so one function serves both:
 * it always maximises for the side to move, and its caller turns the sign and the window around.
 * Alpha is what I have, beta is what my opponent allows.
 *
 * It visits the same nodes as alpha-beta. It is here because half the code has half the bugs, and
 * because every technique above it needs to be written only once.
 *
 * The trap of this form: the evaluation must be the side to move's, not White's. A program that
 * forgets it plays well with White and badly with Black, or the other way round. */
#include "ladder/search.h"

/* Both sides maximise: the score of a child is negated. With a full window this is plain minimax.
 * */
static int negamax(Search *s, int alpha, int beta, int depth, int ply)
{
    if (search_stops(s) || search_is_draw(s, ply))
        return 0;
    if (depth == DEPTH_OF_A_LEAF)
        return search_leaf(s);
    MoveList moves;
    gen_legal(&s->pos, &moves);
    if (moves.count == 0)
        return search_no_move(s, ply);

    int best = -INFINITY_SCORE;
    for (int i = 0; i < moves.count && alpha < beta; i++) {
        Undo undo;
        search_make(s, moves.moves[i], ply, &undo);
        const int value = -negamax(s, -beta, -alpha, depth - 1, ply + 1);
        search_unmake(s, moves.moves[i], &undo);
        if (value > best) {
            best = value;
            if (ply == 0)
                s->best = moves.moves[i];
        }
        if (best > alpha)
            alpha = best;
    }
    return best;
}

int negamax_search(Search *s, int depth)
{
    return negamax(s, -INFINITY_SCORE, INFINITY_SCORE, depth, 0);
}
