// SPDX-License-Identifier: GPL-3.0-or-later
/* minimax.c -- the beginning: look at every line. White takes the largest value, Black the
 * smallest. */
#include "ladder/climb.h"

#include <stddef.h>

static int white_view(const Climb *c, int value) { return c->pos.turn == WHITE ? value : -value; }

/* White's view. */
static int minimax(Climb *c, int depth, int ply)
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
    for (int i = 0; i < moves.count; i++) {
        Undo undo;
        pos_make(&c->pos, moves.moves[i], &undo, NULL);
        const int value = minimax(c, depth - 1, ply + 1);
        pos_unmake(&c->pos, moves.moves[i], &undo);
        if (maximise ? value > best : value < best) {
            best = value;
            if (ply == 0)
                c->best = moves.moves[i];
        }
    }
    return best;
}

int minimax_search(Climb *c, int depth) { return white_view(c, minimax(c, depth, 0)); }
