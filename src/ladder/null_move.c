// SPDX-License-Identifier: GPL-3.0-or-later
/* null_move.c -- let the side to move pass. If its position is still too good for the opponent
 * (>= beta) after a shallower search of that, some real move will be good enough, too: cut.
 *
 * It is a bet: there are positions in which every move is worse than passing (zugzwang). Without
 * pieces beside king and pawns they are common, so the bet is off. Elsewhere verification pays a
 * little to be safe: the node itself is searched to the reduced depth, without passing, and the cut
 * stands only if that agrees. In check passing is illegal, and two passes in a row prove nothing.
 */
#include "ladder/search.h"

enum { NULL_MIN_DEPTH = 3, VERIFY_MIN_DEPTH = 4 };

static bool may_pass(const Search *s, const Node *n)
{
    return uses(s, NULL_MOVE) && n->depth >= NULL_MIN_DEPTH && n->ply > 0 && !n->in_check &&
           !s->verifying && n->beta < MATE_SCORE - 1000 && s->played[n->ply - 1] != MOVE_NULL &&
           pos_has_pieces(&s->pos, s->pos.turn);
}

static bool verified(Search *s, const Node *n, int depth)
{
    if (!uses(s, VERIFICATION) || n->depth < VERIFY_MIN_DEPTH)
        return true;
    s->verifying = true;
    const int value = node_search(s, n->beta - 1, n->beta, depth, n->ply);
    s->verifying = false;
    return value >= n->beta;
}

int null_move_reduction(const Values *v, int depth)
{
    return depth >= v->null_deep_from ? v->null_deep_r : v->null_r;
}

/* If passing still reaches beta, a real move will too. Zugzwang is the exception: may_pass() and
 * the verification guard against it. */
bool try_null_move(Search *s, const Node *n, int *score)
{
    if (!may_pass(s, n))
        return false;
    const int depth = n->depth - 1 - null_move_reduction(s->values, n->depth);
    Undo undo;
    search_make_null(s, n->ply, &undo);
    const int value = -node_search(s, -n->beta, -n->beta + 1, depth, n->ply + 1);
    search_unmake_null(s, &undo);
    *score = n->beta; /* not more: a mate seen after a pass is none */
    return !s->stopped && value >= n->beta && verified(s, n, depth);
}
