// SPDX-License-Identifier: GPL-3.0-or-later
/* node.c -- one node of the classic search: a table of contents. Each line is a page of this
 * folder, and does nothing if its technique is not in the set. The order is that of the reports:
 * table, pruning, move ordering, reductions, cut-offs, learning from them. */
#include "ladder/search.h"

static bool wants_eval(const Search *s) { return uses(s, RAZORING) || uses(s, FUTILITY); }

/* Field by field: wiping the lists at every node would cost more than the search. */
void node_open(Node *n, int alpha, int beta, int depth, int ply)
{
    n->alpha = alpha;
    n->beta = beta;
    n->depth = depth;
    n->ply = ply;
    n->pv = beta - alpha > 1;
    n->in_check = false;
    n->eval = 0;
    n->table_move = MOVE_NONE;
    n->moves.count = 0;
}

/* What the quiet move that cut teaches. */
static void learn(Search *s, const Node *n, Move m)
{
    if (pos_is_noisy(&s->pos, m))
        return;
    killers_learn(s, n, m);
    history_learn(s, n, m);
    counters_learn(s, n, m);
}

/* One move: skipped (false), or searched to a value. */
static bool search_move(Search *s, const Node *n, const CheckInfo *checks, Move m, int index,
                        int *value)
{
    const bool check = pos_gives_check(&s->pos, checks, m);
    const bool late = index > 0 && !check && !pos_is_noisy(&s->pos, m);
    if (late && (futility_skips(s, n) || late_pruning_skips(s, n, index)))
        return false;
    const int extension = check ? check_extension(s, n) : 0;
    const int reduction = late ? late_reduction(s, n, m, index) : 0;
    Undo undo;
    s->extensions[n->ply + 1] = s->extensions[n->ply] + extension;
    search_make(s, m, n->ply, &undo);
    *value = scout_child(s, n, index, n->depth - 1 + extension, reduction);
    search_unmake(s, m, &undo);
    return true;
}

/* The move loop: the best score so far is alpha for the next move, and a move that reaches beta
 * ends it. */
static int search_moves(Search *s, Node *n)
{
    const int alpha = n->alpha;
    int best = -INFINITY_SCORE;
    Move best_move = MOVE_NONE;
    CheckInfo checks;
    pos_check_info(&s->pos, &checks);
    for (int i = 0; i < n->moves.count && n->alpha < n->beta; i++) {
        const Move m = order_next(n, i);
        int value;
        if (!search_move(s, n, &checks, m, i, &value))
            continue;
        if (s->stopped)
            return 0;
        if (value > best) {
            best = value;
            best_move = m;
        }
        if (best > n->alpha)
            n->alpha = best;
    }
    if (best >= n->beta)
        learn(s, n, best_move);
    table_keep(s, n, alpha, best, best_move);
    if (n->ply == 0)
        s->best = best_move;
    return best;
}

/* The node as a table of contents: each line is a technique with a file of its own, and does
 * nothing where the program lacks it. */
int node_search(Search *s, int alpha, int beta, int depth, int ply)
{
    if (depth <= DEPTH_OF_A_LEAF && uses(s, QUIESCENCE))
        return search_is_draw(s, ply) ? 0 : quiescence(s, alpha, beta, ply);
    if (search_stops(s) || search_is_draw(s, ply))
        return 0;
    if (depth <= DEPTH_OF_A_LEAF || ply == MAX_PLY)
        return search_leaf(s);

    Node n;
    node_open(&n, alpha, beta, depth, ply);
    int score;
    if (try_table(s, &n, &score))
        return score;
    gen_legal(&s->pos, &n.moves);
    if (n.moves.count == 0)
        return search_no_move(s, ply);
    n.in_check = pos_in_check(&s->pos);
    if (wants_eval(s) && !table_has_eval(s, &n.eval))
        n.eval = search_leaf(s);

    if (try_razoring(s, &n, &score) || try_null_move(s, &n, &score))
        return score;
    internal_deepening(s, &n);
    order_moves(s, &n);
    if (try_multi_cut(s, &n, &score))
        return score;
    return search_moves(s, &n);
}

int window_search(Search *s, int alpha, int beta, int depth)
{
    return node_search(s, alpha, beta, depth, 0);
}
