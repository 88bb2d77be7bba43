// SPDX-License-Identifier: GPL-3.0-or-later
/* quiescence.c -- a search that stops at a fixed depth may stop in the middle of an exchange, and
 * take a queen that is lost next move for a queen that is won (the horizon effect). So at depth 0
 * captures go on until the position is quiet. Nobody is forced to take: the side to move may also
 * stand pat, that is, take the static value for a lower bound.
 *
 * Two prunings keep it small. A capture that loses material by the static exchange is left out
 * (exchange.c), and so is one that cannot lift the score to alpha even if it wins what it takes and
 * a margin (delta pruning). */
#include "ladder/search.h"

enum { DELTA_MARGIN = 200 };

/* The captures with their order, or with what they win if that is known. */
static void list_captures(const Search *s, Node *n)
{
    gen_noisy(&s->pos, &n->moves);
    for (int i = 0; i < n->moves.count; i++) {
        const Move m = n->moves.moves[i];
        n->order[i] =
            uses(s, STATIC_EXCHANGE) ? exchange_value(&s->pos, m) : victim_order(&s->pos, m);
    }
}

/* All later captures are skipped with this one: they win no more. */
static bool is_hopeless(const Search *s, const Node *n, int stand, int gain)
{
    if (!uses(s, STATIC_EXCHANGE) || pos_in_check(&s->pos))
        return false;
    return gain < 0 || (uses(s, DELTA_PRUNING) && stand + gain + DELTA_MARGIN < n->alpha);
}

/* Captures only, until the position is quiet; the side to move may always decline and keep the
 * static score. */
int quiescence(Search *s, int alpha, int beta, int ply)
{
    if (search_stops(s))
        return 0;
    const int stand = search_leaf(s);
    if (stand >= beta)
        return stand;
    Node n;
    node_open(&n, stand > alpha ? stand : alpha, beta, DEPTH_OF_A_LEAF, ply);
    list_captures(s, &n);
    int best = stand;
    for (int i = 0; i < n.moves.count && n.alpha < beta; i++) {
        const Move m = order_next(&n, i);
        if (is_hopeless(s, &n, stand, n.order[i]))
            break;
        Undo undo;
        pos_make(&s->pos, m, &undo, NULL);
        const int value = -quiescence(s, -beta, -n.alpha, ply + 1);
        pos_unmake(&s->pos, m, &undo);
        if (s->stopped)
            return 0;
        if (value > best)
            best = value;
        if (best > n.alpha)
            n.alpha = best;
    }
    return best;
}
