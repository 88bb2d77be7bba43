// SPDX-License-Identifier: GPL-3.0-or-later
/* The transposition table as a node sees it: the key of a position, what an entry says here, and
 * when it says enough. */
#include "search/node.h"

#include "chess/zobrist.h"
#include <assert.h>

enum {
    /* Near the fifty-move limit the table, which does not know the clock, is not trusted. */
    TABLE_RULE50 = 90,
};

/* The key as the mover sees it, so that colour-flipped twins share their entry, and late in a run
 * of quiet moves a different one every eight plies, because a won position is not won when the
 * fifty moves are nearly over. */
HOT Key table_key(Key key, Color turn, int rule50)
{
    key = turn == WHITE ? key : bits_swap_halves(key ^ zobrist_turn);
    return rule50 < 14 ? key : key ^ (Key)((rule50 - 6) / 8) * 0x9E3779B97F4A7C15ULL;
}

HOT Move table_move_flip(Move m, Color turn)
{
    return turn == WHITE || m == MOVE_NONE ? m : m ^ (56 | 56 << 6);
}

HOT_EXTERN void table_prefetch(const Worker *w, Move m)
{
    const Position *p = &w->pos;
    const bool zeroing =
        piece_type(p->board[move_from(m)]) == PAWN || pos_captured(p, m) != NO_PIECE;
    const Key key =
        table_key(pos_key_after(p, m), color_flip(p->turn), zeroing ? 0 : p->st.rule50 + 1);
    tt_prefetch(w->shared->tt, key);
}

/* An entry whose move cannot be played belongs to another position: no hit. */
HOT_EXTERN void table_probe(const Worker *w, Node *n)
{
    const Position *p = &w->pos;
    n->key = table_key(p->st.key, p->turn, p->st.rule50);
    n->table_hit = tt_probe(w->shared->tt, n->key, &n->table);
    n->table_move = n->table_hit ? table_move_flip(n->table.move, p->turn) : MOVE_NONE;
    if (n->table_move && !move_is_playable(p, n->table_move)) {
        n->table_hit = false;
        n->table_move = MOVE_NONE;
    }
    n->table_score = n->table_hit ? tt_score_out(n->table.score, n->ply, p->st.rule50) : SCORE_NONE;
    if (n->root)
        n->table_move = w->root_moves[w->pv_index].move;
    assert(!n->table_move || move_is_playable(p, n->table_move));
    assert(n->table_score == SCORE_NONE ||
           (n->table_score > -SCORE_INF && n->table_score < SCORE_INF));
    n->table_noisy = n->table_move && pos_is_noisy(p, n->table_move);
}

/* Moves are stored from White's point of view, since mirrored positions share an entry; mate scores
 * count from this node. */
HOT_EXTERN void table_store(Worker *w, const Node *n, Score score, Bound bound, int depth,
                            Move best)
{
    assert(best == MOVE_NONE || move_is_playable(&w->pos, best));
    assert(score == SCORE_NONE || (score > -SCORE_INF && score < SCORE_INF));
    const TTData data = {
        .move = table_move_flip(best, w->pos.turn),
        .score = score == SCORE_NONE ? SCORE_NONE : tt_score_in(score, n->ply),
        .eval = (int16_t)n->raw_eval,
        .depth = min_int(depth, MAX_PLY),
        .bound = bound,
        .pv = n->table_pv,
    };
    tt_store(w->shared->tt, n->key, &data);
}

/* The table knows the answer: deep enough, on the right side of the window, and of the kind that
 * was expected here. Never in PV nodes, whose line would be lost. */
HOT_EXTERN bool table_cuts(Worker *w, Node *n)
{
    if (!use_table_cut || n->pv || n->excluded || n->table_score == SCORE_NONE ||
        n->table.depth < n->depth + (n->table_score > n->beta) || !table_bound_fits(n, n->beta) ||
        (n->cut != (n->table_score >= n->beta) && n->depth <= table_kind_depth) ||
        w->pos.st.rule50 >= TABLE_RULE50)
        return false;
    if (n->table_move && n->table_score >= n->beta) {
        if (!n->table_noisy) {
            n->frame->threats = pos_threats(&w->pos, color_flip(w->pos.turn));
            n->frame->in_check = n->in_check;
            learn_quiet(w, n->frame, n->ply, n->table_move, bonus_for(n->depth));
        }
        punish_previous_quiet(n->frame, malus_for(n->depth + 1));
    }
    return true;
}

void search_teach(TTable *tt, const Position *p, Score score, int depth)
{
    const TTData data = {
        .move = MOVE_NONE,
        .score = tt_score_in(score, 0),
        .eval = SCORE_NONE,
        .depth = clamp_int(depth, 1, MAX_PLY),
        .bound = BOUND_EXACT,
    };
    tt_store(tt, table_key(p->st.key, p->turn, p->st.rule50), &data);
}

Move search_expected_reply(const Worker *w, Move m)
{
    Position p = w->shared->root;
    Undo undo;
    TTData data;
    pos_make(&p, m, &undo, NULL);
    if (!tt_probe(w->shared->tt, table_key(p.st.key, p.turn, p.st.rule50), &data))
        return MOVE_NONE;
    const Move reply = table_move_flip(data.move, p.turn);
    return move_is_playable(&p, reply) ? reply : MOVE_NONE;
}
