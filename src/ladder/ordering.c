// SPDX-License-Identifier: GPL-3.0-or-later
/* ordering.c -- alpha-beta cuts as soon as it has seen a move that is good enough, so the best move
 * should come first. A cheap guess does: most bad moves are refuted by taking something, so try
 * captures first, the most valuable victim before others, and among equals the least valuable
 * attacker (MVV-LVA).
 *
 * Later pages add better guesses: the move that the table remembers, killers, counter moves,
 * history, and the exact count of an exchange. The order never changes the score, only how soon it
 * is found.
 *
 * One report's author sorted his moves and became slower. Two things matter: a number is computed
 * once per move, not once per comparison, and the list is not sorted at all. order_next() picks the
 * best of the rest when it is needed; most nodes cut after a move or two. */
#include "ladder/search.h"

enum { BAD_CAPTURE = -20000, MVV_LVA_SCALE = 8 };

int victim_order(const Position *p, Move m)
{
    const Piece victim = pos_captured(p, m);
    if (victim == NO_PIECE)
        return 0;
    return MVV_LVA_SCALE * (piece_type(victim) + 1) - piece_type(pos_piece_on(p, move_from(m)));
}

static int capture_order(const Search *s, Move m)
{
    const Values *v = s->values;
    const int victim = v->order_victims ? victim_order(&s->pos, m) : 0;
    if (!uses(s, STATIC_EXCHANGE))
        return v->order_capture + victim;
    const int gain = exchange_value(&s->pos, m);
    if (gain < 0 && v->bad_captures_last)
        return BAD_CAPTURE + gain;
    return v->order_capture + (v->bad_captures_last ? victim : gain);
}

/* What is likely to cut comes first: table move, captures, promotions, killers, counters, history.
 * */
static int move_order(const Search *s, const Node *n, Move m)
{
    const Values *v = s->values;
    if (m == n->table_move && v->order_table > 0)
        return v->order_table;
    if (!uses(s, CAPTURES_FIRST))
        return 0;
    if (pos_captured(&s->pos, m) != NO_PIECE)
        return capture_order(s, m);
    if (move_kind(m) == PROMOTION)
        return move_promotion(m) == QUEEN ? v->order_promotion : BAD_CAPTURE;
    if (is_killer(s, n->ply, m))
        return v->order_killer;
    if (is_counter(s, n->ply, m))
        return v->order_killer - 1;
    return history_order(s, m);
}

void order_moves(const Search *s, Node *n)
{
    for (int i = 0; i < n->moves.count; i++)
        n->order[i] = move_order(s, n, n->moves.moves[i]);
}

/* Equals stay in the order of generation: the rest moves up by one place. */
Move order_next(Node *n, int index)
{
    int best = index;
    for (int k = index + 1; k < n->moves.count; k++)
        if (n->order[k] > n->order[best])
            best = k;
    const Move m = n->moves.moves[best];
    const int order = n->order[best];
    for (int k = best; k > index; k--) {
        n->moves.moves[k] = n->moves.moves[k - 1];
        n->order[k] = n->order[k - 1];
    }
    n->moves.moves[index] = m;
    n->order[index] = order;
    return m;
}
