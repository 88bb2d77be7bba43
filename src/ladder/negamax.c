// SPDX-License-Identifier: GPL-3.0-or-later
/* negamax.c -- what is good for one side is as bad for the other, so one function serves both. And
 * the order of moves decides how much alpha-beta can cut: captures come first, of the most valuable
 * man by the least valuable one. */
#include "ladder/climb.h"

#include <stddef.h>

int capture_order(const Position *p, Move m)
{
    const Piece victim = pos_captured(p, m);
    if (victim == NO_PIECE)
        return 0;
    return 8 * (piece_type(victim) + 1) - piece_type(pos_piece_on(p, move_from(m)));
}

/* Moves the best of the rest to place i. */
static void pick(const Position *p, MoveList *moves, int i)
{
    int best = i;
    for (int k = i + 1; k < moves->count; k++)
        if (capture_order(p, moves->moves[k]) > capture_order(p, moves->moves[best]))
            best = k;
    const Move picked = moves->moves[best];
    moves->moves[best] = moves->moves[i];
    moves->moves[i] = picked;
}

static int negamax(Climb *c, int alpha, int beta, int depth, int ply)
{
    c->nodes++;
    if (depth == 0)
        return climb_leaf(c);
    MoveList moves;
    gen_legal(&c->pos, &moves);
    if (moves.count == 0)
        return climb_no_move(c, ply);

    int best = -LADDER_INFINITY;
    for (int i = 0; i < moves.count && alpha < beta; i++) {
        pick(&c->pos, &moves, i);
        Undo undo;
        pos_make(&c->pos, moves.moves[i], &undo, NULL);
        const int value = -negamax(c, -beta, -alpha, depth - 1, ply + 1);
        pos_unmake(&c->pos, moves.moves[i], &undo);
        if (value > best) {
            best = value;
            if (ply == 0)
                c->best = moves.moves[i];
        }
        if (best > alpha)
            alpha = best;
    }
    return best;
}

int negamax_search(Climb *c, int depth)
{
    return negamax(c, -LADDER_INFINITY, LADDER_INFINITY, depth, 0);
}
