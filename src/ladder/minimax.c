// SPDX-License-Identifier: GPL-3.0-or-later
/* minimax.c -- look at every line. White takes the largest value, Black the smallest; a leaf is
 * worth what the evaluation says. The game is solved if the depth suffices, and that is all there
 * is to it: every other page of this folder only gets to the same answer sooner, or nearly the same
 * answer much sooner.
 *
 * With b moves in a position, depth d costs b^d leaves: about 35^d. */
#include "ladder/search.h"

/* White's view. The root knows the value of every move. */
static int minimax(Search *s, int depth, int ply)
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
    for (int i = 0; i < moves.count; i++) {
        Undo undo;
        search_make(s, moves.moves[i], ply, &undo);
        const int value = minimax(s, depth - 1, ply + 1);
        search_unmake(s, moves.moves[i], &undo);
        if (maximise ? value > best : value < best) {
            best = value;
            if (ply == 0)
                s->best = moves.moves[i];
        }
    }
    return best;
}

int minimax_search(Search *s, int depth) { return white_view(s, minimax(s, depth, 0)); }
