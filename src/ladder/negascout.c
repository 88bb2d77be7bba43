// SPDX-License-Identifier: GPL-3.0-or-later
/* negascout.c -- if the first move is the best, the others only have to be shown worse, and a
 * window without width shows that fastest. What makes the first move the best: a table of earlier
 * results, searched to growing depths, and killers, the quiet moves that refuted a neighbour. With
 * null moves on, a side that may pass and still stands too well is cut: a bet, and no longer exact.
 */
#include "ladder/climb.h"

#include <string.h>

enum { NULL_MOVE_REDUCTION = 2, NULL_MOVE_DEPTH = 3, TABLE_FIRST = 1000, KILLER_FIRST = 1 };

/* --- the table --- */

static TableEntry *entry_of(const Climb *c) { return &c->table[c->pos.st.key & (TABLE_SIZE - 1)]; }

/* A mate is counted from the root; in the table, from the node. */
static int to_table(int score, int ply)
{
    return score > LADDER_MATE - 1000    ? score + ply
           : score < -LADDER_MATE + 1000 ? score - ply
                                         : score;
}

static int from_table(int score, int ply)
{
    return score > LADDER_MATE - 1000    ? score - ply
           : score < -LADDER_MATE + 1000 ? score + ply
                                         : score;
}

/* Only an entry of exactly this depth says what this search would find. */
static bool table_answers(const TableEntry *e, Key key, int depth, int ply, int alpha, int beta,
                          int *score)
{
    if (e->bound == TABLE_EMPTY || e->key != key || e->depth != depth)
        return false;
    *score = from_table(e->score, ply);
    return e->bound == TABLE_EXACT || (e->bound == TABLE_LOWER && *score >= beta) ||
           (e->bound == TABLE_UPPER && *score <= alpha);
}

static void store(const Climb *c, int depth, int ply, int alpha, int beta, int best, Move move)
{
    const TableBound bound = best >= beta ? TABLE_LOWER : best <= alpha ? TABLE_UPPER : TABLE_EXACT;
    *entry_of(c) = (TableEntry){c->pos.st.key, (int16_t)to_table(best, ply), move, (uint8_t)depth,
                                (uint8_t)bound};
}

/* --- the order --- */

static int order(const Climb *c, Move m, Move table_move, int ply)
{
    if (m == table_move)
        return TABLE_FIRST;
    const int capture = capture_order(&c->pos, m);
    if (capture > 0)
        return capture + KILLER_FIRST;
    return m == c->killers[ply][0] || m == c->killers[ply][1] ? KILLER_FIRST : 0;
}

static void sort_moves(const Climb *c, MoveList *moves, Move table_move, int ply)
{
    int value[MAX_MOVES];
    for (int i = 0; i < moves->count; i++) {
        const Move m = moves->moves[i];
        const int v = order(c, m, table_move, ply);
        int at = i;
        for (; at > 0 && value[at - 1] < v; at--) {
            value[at] = value[at - 1];
            moves->moves[at] = moves->moves[at - 1];
        }
        value[at] = v;
        moves->moves[at] = m;
    }
}

static void remember_killer(Climb *c, Move m, int ply)
{
    if (pos_is_noisy(&c->pos, m) || c->killers[ply][0] == m)
        return;
    c->killers[ply][1] = c->killers[ply][0];
    c->killers[ply][0] = m;
}

/* --- the search --- */

static int negascout(Climb *c, int alpha, int beta, int depth, int ply);

static bool null_move_cuts(Climb *c, int beta, int depth, int ply)
{
    if (!c->null_moves || depth < NULL_MOVE_DEPTH || ply == 0 || pos_in_check(&c->pos) ||
        !pos_has_pieces(&c->pos, c->pos.turn) || beta > LADDER_MATE - 1000)
        return false;
    Undo undo;
    pos_make_null(&c->pos, &undo);
    const int value = -negascout(c, -beta, -beta + 1, depth - 1 - NULL_MOVE_REDUCTION, ply + 1);
    pos_unmake_null(&c->pos, &undo);
    return value >= beta;
}

/* First move: the whole window. Others: a window of no width, and again if one turns out better. */
static int search_child(Climb *c, int alpha, int beta, int depth, int ply, bool first)
{
    if (first)
        return -negascout(c, -beta, -alpha, depth - 1, ply + 1);
    const int value = -negascout(c, -alpha - 1, -alpha, depth - 1, ply + 1);
    return value > alpha && value < beta ? -negascout(c, -beta, -alpha, depth - 1, ply + 1) : value;
}

static int negascout(Climb *c, int alpha, int beta, int depth, int ply)
{
    c->nodes++;
    if (depth <= 0)
        return climb_leaf(c);
    int score;
    const TableEntry *entry = entry_of(c);
    const Move table_move = entry->key == c->pos.st.key ? entry->move : MOVE_NONE;
    if (ply > 0 && table_answers(entry, c->pos.st.key, depth, ply, alpha, beta, &score))
        return score;
    MoveList moves;
    gen_legal(&c->pos, &moves);
    if (moves.count == 0)
        return climb_no_move(c, ply);
    if (null_move_cuts(c, beta, depth, ply))
        return beta;

    sort_moves(c, &moves, table_move, ply);
    const int old_alpha = alpha;
    int best = -LADDER_INFINITY;
    Move best_move = MOVE_NONE;
    for (int i = 0; i < moves.count && alpha < beta; i++) {
        const Move m = moves.moves[i];
        Undo undo;
        pos_make(&c->pos, m, &undo, NULL);
        const int value = search_child(c, alpha, beta, depth, ply, i == 0);
        pos_unmake(&c->pos, m, &undo);
        if (value > best) {
            best = value;
            best_move = m;
        }
        if (best > alpha)
            alpha = best;
    }
    if (best >= beta)
        remember_killer(c, best_move, ply);
    store(c, depth, ply, old_alpha, beta, best, best_move);
    if (ply == 0)
        c->best = best_move;
    return best;
}

/* Each depth leaves its best moves in the table for the next. */
int negascout_search(Climb *c, int depth)
{
    int score = 0;
    memset(c->killers, 0, sizeof c->killers);
    for (int d = 1; d <= depth; d++)
        score = negascout(c, -LADDER_INFINITY, LADDER_INFINITY, d, 0);
    return score;
}
