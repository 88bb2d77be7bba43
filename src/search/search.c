// SPDX-License-Identifier: GPL-3.0-or-later
/* One node of the search. search_node() and quiescence_node() are tables of contents; every idea is
 * a function of its own above them that says why it is sound and when it is not. What each is
 * worth: docs/SEARCH.md. */
#include "search/worker.h"

#include "chess/see.h"
#include "chess/zobrist.h"
#include "probe/syzygy.h"
#include "search/judgement.h"
#include "search/picker.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_QUIETS = 64, /* tried moves that are remembered for the malus */
    MAX_CAPTURES = 32,
    TABLE_RULE50 =
        90, /* near the fifty-move limit the table, which does not know the clock, is not trusted */
    LMR = 1024, /* one ply of reduction */
};

/* What a node knows of itself. Lives on the stack of its function. */
typedef struct Node {
    bool pv, root, cut; /* cut: expected to fail high */
    bool in_check, improving, worsening;
    bool table_hit, table_pv, table_noisy;
    int ply, depth;
    Score alpha, beta;
    Score raw_eval;    /* as evaluated, for the table */
    Score static_eval; /* corrected by what was learned */
    Score eval;        /* best guess, the table's score included */
    int correction;
    Score table_score; /* counted from the root, SCORE_NONE if none */
    Move table_move, excluded;
    Key key;
    TTData table;
    Frame *frame;
} Node;

static Score search_pv(Worker *w, int ply, Score alpha, Score beta, int depth);
static Score search_zero(Worker *w, int ply, Score beta, int depth, bool cut);
static Score quiescence_pv(Worker *w, int ply, Score alpha, Score beta, int depth);
static Score quiescence_zero(Worker *w, int ply, Score beta, int depth);

ALWAYS_INLINE int min_int(int a, int b) { return a < b ? a : b; }
ALWAYS_INLINE int max_int(int a, int b) { return a > b ? a : b; }

/* --- the beginning of a node --- */

/* True when the search must unwind. The flag is looked at in every node; clock and counters now and
 * then. */
HOT bool must_stop(Worker *w)
{
    if (UNLIKELY(worker_nodes(w) >= w->next_check))
        worker_check_limits(w);
    return worker_stopped(w);
}

/* A draw is worth nothing, give or take a unit that changes from node to node: lines that all lead
 * to a draw then differ a little, and the search does not settle on the first one blindly. */
HOT Score draw_score(const Worker *w)
{
    return use_draw_jitter ? SCORE_DRAW - 1 + (Score)(worker_nodes(w) & 2) : SCORE_DRAW;
}

/* By the rules; one repetition inside the tree is enough, since who could avoid the second can
 * avoid the first. */
HOT bool is_draw(const Worker *w, int ply)
{
    const Position *p = &w->pos;
    return pos_fifty_moves(p) || pos_is_repetition(p, w->keys, w->key_count, ply) ||
           pos_insufficient_material(p);
}

/* Upcoming repetition: the side to move has a move that repeats an earlier position, so it need not
 * accept less than a draw. Raises alpha. */
HOT void claim_upcoming_draw(const Worker *w, Node *n)
{
    if (!use_upcoming_draw || n->alpha >= SCORE_DRAW)
        return;
    if (pos_can_repeat(&w->pos, w->keys, w->key_count, n->ply))
        n->alpha = max_int(n->alpha, draw_score(w));
}

/* Mate distance: no line from here is better than mating now or worse than being mated now. */
HOT void bound_by_mate_distance(Node *n)
{
    if (!use_mate_distance)
        return;
    n->alpha = max_int(n->alpha, score_mated(n->ply));
    n->beta = min_int(n->beta, score_mate(n->ply + 1));
}

/* --- the table --- */

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

HOT void prefetch_child(const Worker *w, Move m)
{
    const Position *p = &w->pos;
    const bool zeroing =
        piece_type(p->board[move_from(m)]) == PAWN || pos_captured(p, m) != NO_PIECE;
    const Key key =
        table_key(pos_key_after(p, m), color_flip(p->turn), zeroing ? 0 : p->st.rule50 + 1);
    tt_prefetch(w->shared->tt, key);
}

/* An entry whose move cannot be played belongs to another position: no hit. */
HOT void probe_table(const Worker *w, Node *n)
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
    n->table_noisy = n->table_move && pos_is_noisy(p, n->table_move);
}

HOT void store_table(Worker *w, const Node *n, Score score, Bound bound, int depth, Move best)
{
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

HOT bool table_bound_fits(const Node *n, Score limit)
{
    return n->table.bound & (n->table_score >= limit ? BOUND_LOWER : BOUND_UPPER);
}

/* --- learning --- */

HOT int bonus_for(int depth) { return min_int(bonus_slope * depth, bonus_max); }
HOT int malus_for(int depth) { return min_int(malus_slope * depth, malus_max); }

/* To the continuation tables of the moves 1, 2, 4 and 6 plies ago: what answers, follows up, or
 * belongs to a plan. */
HOT void learn_continuation(Frame *f, int cell, int bonus)
{
    if (f[-1].moved >= 0)
        gravity_add(&f[-1].follow[cell], bonus, CONTINUATION_LIMIT);
    if (f[-2].moved >= 0)
        gravity_add(&f[-2].follow[cell], bonus, CONTINUATION_LIMIT);
    if (f->in_check)
        return;
    if (f[-4].moved >= 0)
        gravity_add(&f[-4].follow[cell], bonus / 2, CONTINUATION_LIMIT);
    if (f[-6].moved >= 0)
        gravity_add(&f[-6].follow[cell], bonus / 2, CONTINUATION_LIMIT);
}

HOT void learn_quiet(Worker *w, Frame *f, int ply, Move m, int bonus)
{
    History *h = w->history;
    const Position *p = &w->pos;
    const int cell = piece_square(p->board[move_from(m)], move_to(m));
    gravity_add(&h->butterfly[p->turn][threat_index(f->threats, m)][from_to(m)], bonus,
                BUTTERFLY_LIMIT);
    gravity_add(&h->pawn[pawn_row(p)][cell], bonus, PAWN_LIMIT);
    learn_continuation(f, cell, bonus);
    if (ply < LOW_PLIES)
        gravity_add(&h->low_ply[ply][from_to(m)], bonus, LOW_PLY_LIMIT);
}

HOT void learn_capture(Worker *w, Move m, int bonus)
{
    const Position *p = &w->pos;
    const int cell = piece_square(p->board[move_from(m)], move_to(m));
    gravity_add(&w->history->capture[cell][victim_index(p, m)], bonus, CAPTURE_LIMIT);
}

/* An early quiet move of the enemy that is refuted at once was not as good as its place in the
 * order said. */
HOT void punish_previous_quiet(Frame *f, int malus)
{
    if (f[-1].moved >= 0 && !f[-1].noisy && f[-1].move_count <= 3)
        learn_continuation(f - 1, f[-1].moved, -malus);
}

/* Moves that were searched and did not become best. */
typedef struct Tried {
    int quiet_count, capture_count;
    Move quiets[MAX_QUIETS], captures[MAX_CAPTURES];
} Tried;

HOT void remember_tried(Tried *t, Move m, bool noisy)
{
    if (noisy && t->capture_count < MAX_CAPTURES)
        t->captures[t->capture_count++] = m;
    else if (!noisy && t->quiet_count < MAX_QUIETS)
        t->quiets[t->quiet_count++] = m;
}

/* The best move of a node is worth trying earlier next time, those that were tried in vain later. A
 * quiet move that cuts at once near the leaves tells nothing new. */
static void learn_from_best(Worker *w, const Node *n, Move best, Score score, const Tried *tried)
{
    Frame *f = n->frame;
    const int depth = n->depth + (score > n->beta + 90);
    const int bonus = bonus_for(depth), malus = malus_for(depth);

    if (!pos_is_noisy(&w->pos, best)) {
        if (score >= n->beta) {
            f->killer = best;
            if (f[-1].moved >= 0)
                w->history->counter[f[-1].moved] = best;
        }
        if (depth > 2 || tried->quiet_count > 0)
            learn_quiet(w, f, n->ply, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++)
            learn_quiet(w, f, n->ply, tried->quiets[i], -malus);
    } else {
        learn_capture(w, best, bonus);
    }
    for (int i = 0; i < tried->capture_count; i++)
        learn_capture(w, tried->captures[i], -malus);
    if (f[-1].move_count == 1 + (f[-1].table_hit ? 1 : 0))
        punish_previous_quiet(f, malus / 2);
}

/* Nothing here beats alpha: the enemy's last move did its work. */
HOT void reward_previous_quiet(Worker *w, const Node *n, Score best)
{
    Frame *f = n->frame;
    if (!use_prior_bonus || f[-1].moved < 0)
        return;
    const Move m = f[-1].move;
    if (f[-1].noisy) {
        return;
    }
    int percent = prior_bonus + 10 * (n->depth > 5) + 30 * (f[-1].move_count > 8);
    if (!n->in_check && best <= n->static_eval - 100)
        percent += 30;
    const int bonus = bonus_for(n->depth) * percent / 100;
    learn_continuation(f - 1, f[-1].moved, bonus);
    gravity_add(&w->history->butterfly[!w->pos.turn][threat_index(f[-1].threats, m)][from_to(m)],
                bonus / 2, BUTTERFLY_LIMIT);
}

/* How this and the enemy's last position were judged says at once whether the move between them was
 * good. */
HOT void learn_from_static_eval(Worker *w, const Node *n)
{
    Frame *f = n->frame;
    if (!use_static_learning || f[-1].moved < 0 || f[-1].noisy || f[-1].in_check || n->in_check ||
        n->excluded || f[-1].static_eval == SCORE_NONE)
        return;
    const int bonus = clamp_int(-static_learning * (f[-1].static_eval + n->static_eval),
                                -static_learning_max, static_learning_max);
    const Move m = f[-1].move;
    gravity_add(&w->history->butterfly[!w->pos.turn][threat_index(f[-1].threats, m)][from_to(m)],
                bonus, BUTTERFLY_LIMIT);
}

/* Correction history: remembers, per pawn structure and placement of pieces, how far the evaluation
 * was off. Only where the result says something about a quiet position: no captures, no checks, no
 * bound that merely agrees. */
HOT void learn_correction(Worker *w, const Node *n, Score best, Move best_move)
{
    if (!use_correction || n->in_check || n->excluded ||
        (best_move && pos_is_noisy(&w->pos, best_move)))
        return;
    if ((best >= n->beta && best <= n->static_eval) || (!best_move && best >= n->static_eval))
        return;
    correction_learn(w->shared->correction, &w->pos, n->frame[-2].moved, n->frame[-1].moved,
                     best - n->static_eval, n->depth);
}

/* --- evaluation --- */

static Score evaluate(Worker *w, Score alpha, Score beta)
{
    const Position *p = &w->pos;
    int known;
    if (!w->net)
        return score_clamp_eval(classical_evaluate(p, w->pawns));
    if (UNLIKELY(pos_has_lone_king(p)) && classical_knows(p, &known))
        return score_clamp_eval(known);
    const int judged = judgement_network(p, acc_evaluate(w->acc, p));
    if (!w->both || judgement_is_clear(judged, alpha, beta))
        return score_clamp_eval(judged);
    return score_clamp_eval(judgement_both(judged, classical_evaluate(p, w->pawns)));
}

/* Raw evaluation to what is believed: nearer to a draw the longer nothing has happened, and shifted
 * by what was learned about similar positions. */
HOT Score adjust_eval(const Worker *w, Score raw, int correction)
{
    const int rule50 = min_int(w->pos.st.rule50, 100);
    const Score scaled = use_fifty_scaling ? raw * (200 - rule50) / 200 : raw;
    return score_clamp_eval(scaled + correction);
}

/* Static evaluation of the node, from the table if it is there. The table's score, where its bound
 * allows it, is a better guess than the evaluation. */
HOT void evaluate_node(Worker *w, Node *n)
{
    Frame *f = n->frame;
    f->in_check = n->in_check;
    n->correction = 0;
    if (n->in_check) {
        n->raw_eval = n->static_eval = n->eval = SCORE_NONE;
        f->static_eval = f[-2].static_eval;
        return;
    }
    if (use_correction)
        n->correction = correction_value(w->shared->correction, &w->pos, f[-2].moved, f[-1].moved);
    const bool known = n->table_hit && n->table.eval != SCORE_NONE;
    n->raw_eval = known ? n->table.eval : evaluate(w, n->alpha, n->beta);
    n->static_eval = n->eval = f->static_eval = adjust_eval(w, n->raw_eval, n->correction);
    if (!n->table_hit && !n->excluded)
        store_table(w, n, SCORE_NONE, BOUND_NONE, TT_DEPTH_NONE, MOVE_NONE);
    if (use_table_eval && n->table_score != SCORE_NONE && !score_is_decisive(n->table_score) &&
        table_bound_fits(n, n->eval + 1) && !n->excluded)
        n->eval = n->table_score;
}

/* Is our side doing better than two plies ago (or four, if we were in check then)? */
HOT void judge_trend(Node *n)
{
    const Frame *f = n->frame;
    n->improving = n->worsening = false;
    if (n->in_check)
        return;
    if (f[-2].static_eval != SCORE_NONE)
        n->improving = n->static_eval > f[-2].static_eval;
    else if (f[-4].static_eval != SCORE_NONE)
        n->improving = n->static_eval > f[-4].static_eval;
    if (f[-1].static_eval != SCORE_NONE)
        n->worsening = n->static_eval > -f[-1].static_eval;
}

/* --- ideas for the whole node: each says whether the node may end with *score, or must, when
 * stopped --- */

/* The table knows the answer: deep enough, on the right side of the window, and of the kind that
 * was expected here. Never in PV nodes, whose line would be lost. */
HOT bool table_cuts(Worker *w, Node *n)
{
    if (!use_table_cut || n->pv || n->excluded || n->table_score == SCORE_NONE ||
        n->table.depth < n->depth + (n->table_score > n->beta) || !table_bound_fits(n, n->beta) ||
        (n->cut != (n->table_score >= n->beta) && n->depth <= 5) ||
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

/* Tablebases: the result is known for certain. Only right after a capture or pawn move, because the
 * tables do not know the clock. In PV nodes a win or loss bounds the score and the search goes on
 * to find the way. */
HOT bool tablebase_cuts(Worker *w, Node *n, Score *score, Score *best, Score *max_score)
{
    const Shared *s = w->shared;
    const Position *p = &w->pos;
    const int limit = s->tb_probe_limit;
    if (LIKELY(limit == 0) || n->root || n->excluded || p->st.rule50 != 0 || p->st.castling)
        return false;
    const int men = bb_count(pos_occupied(p));
    Wdl wdl;
    if (men > limit || (men == limit && n->depth < s->tb_probe_depth) || !syzygy_wdl(p, &wdl))
        return false;
    relaxed_store(&w->tbhits, relaxed_load(&w->tbhits) + 1);

    const int draw_range = s->tb_rule50 ? 1 : 0; /* cursed wins and blessed losses are draws */
    Bound bound = BOUND_EXACT;
    *score = SCORE_DRAW + 2 * wdl * draw_range;
    if (wdl > draw_range) {
        *score = SCORE_TB_WIN - n->ply;
        bound = BOUND_LOWER;
    } else if (wdl < -draw_range) {
        *score = -SCORE_TB_WIN + n->ply;
        bound = BOUND_UPPER;
    }
    if (bound == BOUND_EXACT || (bound == BOUND_LOWER ? *score >= n->beta : *score <= n->alpha)) {
        n->raw_eval = SCORE_NONE;
        store_table(w, n, *score, bound, min_int(n->depth + 6, MAX_PLY), MOVE_NONE);
        return true;
    }
    if (n->pv && bound == BOUND_LOWER) {
        *best = *score;
        n->alpha = max_int(n->alpha, *score);
    } else if (n->pv) {
        *max_score = *score;
    }
    return false;
}

/* Hindsight: the reduction that led here was decided before this position was seen. If the enemy is
 * not worse off than it thought, look closer; if it is quite well off, the rest can be shallower.
 */
HOT void adjust_depth_in_hindsight(Node *n, int prior_reduction)
{
    if (!use_hindsight || n->in_check || n->excluded || n->root)
        return;
    if (prior_reduction >= 3 * LMR && !n->worsening)
        n->depth++;
    else if (prior_reduction >= 2 * LMR && n->depth >= 2 &&
             n->frame[-1].static_eval != SCORE_NONE &&
             n->static_eval + n->frame[-1].static_eval > hindsight_margin)
        n->depth--;
}

/* Razoring: so far below alpha with so little depth left, only captures can help; see whether they
 * do. */
HOT bool razoring_cuts(Worker *w, const Node *n, Score *score)
{
    if (!use_razoring || n->pv || n->in_check || n->excluded || n->depth > razor_depth ||
        n->eval >= n->alpha - razor_margin * n->depth || score_is_decisive(n->alpha))
        return false;
    *score = quiescence_zero(w, n->ply, n->alpha + 1, 0);
    return worker_stopped(w) || *score <= n->alpha;
}

/* Reverse futility: so far above beta that the enemy cannot come back within the depth left. Not if
 * the table has a quiet move, which promises more than the evaluation does. */
HOT bool reverse_futility_cuts(const Node *n, Score *score)
{
    if (!use_reverse_futility || n->pv || n->in_check || n->excluded || n->table_pv ||
        n->depth > rfp_depth || (n->table_move && !n->table_noisy) || score_is_loss(n->beta) ||
        score_is_win(n->eval))
        return false;
    const int margin =
        max_int(rfp_margin * (n->depth - n->improving) - rfp_worsening * n->worsening, 20);
    if (n->eval - margin < n->beta)
        return false;
    *score = (n->eval + n->beta) / 2;
    return true;
}

/* Null move: if we can pass and still reach beta, some real move will too. King and pawns alone may
 * be in zugzwang, where passing is a privilege, so we require a piece; deep down, where much
 * depends on it, the claim is verified by a search without null moves. */
HOT bool null_move_cuts(Worker *w, const Node *n, Score *score)
{
    const Frame *f = n->frame;
    if (!use_null_move || n->pv || !n->cut || n->in_check || n->excluded ||
        f[-1].move == MOVE_NULL || n->eval < n->beta ||
        n->static_eval < n->beta + nmp_static_base - nmp_static_depth * n->depth ||
        n->ply < w->null_min_ply || score_is_loss(n->beta) || !pos_has_pieces(&w->pos, w->pos.turn))
        return false;

    const int reduction = nmp_base / LMR + n->depth / nmp_depth_div +
                          min_int((n->eval - n->beta) / nmp_eval_div, nmp_eval_max) +
                          n->table_noisy;
    const int depth = n->depth - reduction;
    Undo undo;
    worker_make_null(w, n->ply, &undo);
    *score = -search_zero(w, n->ply + 1, -n->beta + 1, depth, false);
    worker_unmake_null(w, &undo);
    if (worker_stopped(w))
        return true;
    if (*score < n->beta)
        return false;

    if (score_is_win(*score))
        *score = n->beta; /* passing proves no mate */
    if (!use_null_verification || n->depth < nmp_verify_depth || w->null_min_ply > 0)
        return true;
    w->null_min_ply = n->ply + 3 * depth / 4;
    const Score verified = search_zero(w, n->ply, n->beta, depth, false);
    w->null_min_ply = 0;
    return worker_stopped(w) || verified >= n->beta;
}

/* Internal iterative reduction: without a move from the table this node is a stranger; a shallower
 * search now leaves a move for the next iteration. */
HOT void reduce_without_table_move(Node *n)
{
    if (use_internal_reduction && (n->pv || n->cut) && !n->table_move && n->depth >= iir_depth)
        n->depth--;
}

/* ProbCut: a capture that wins enough to be far above beta in a shallow search will be above beta
 * in a deep one. */
HOT bool probcut_cuts(Worker *w, Node *n, const PickContext *context, Score *score)
{
    const Score goal = n->beta + probcut_margin - probcut_improving * n->improving;
    if (!use_probcut || n->pv || n->in_check || n->excluded || n->depth < probcut_depth ||
        score_is_decisive(n->beta) ||
        (n->table_score != SCORE_NONE && n->table.depth >= n->depth - 3 && n->table_score < goal))
        return false;

    Picker picker;
    picker_probcut(&picker, context, n->table_move, (goal - n->static_eval) * 16 / see_unit);
    Move m;
    while ((m = picker_next(&picker, true))) {
        Undo undo;
        prefetch_child(w, m);
        worker_make(w, n->ply, m, &undo);
        *score = -quiescence_zero(w, n->ply + 1, -goal + 1, 0);
        if (*score >= goal)
            *score = -search_zero(w, n->ply + 1, -goal + 1, n->depth - 4, !n->cut);
        worker_unmake(w, m, &undo);
        if (worker_stopped(w))
            return true;
        if (*score >= goal) {
            store_table(w, n, *score, BOUND_LOWER, n->depth - 3, m);
            if (!score_is_decisive(*score))
                *score -= goal - n->beta;
            return true;
        }
    }
    return false;
}

/* The same with nothing but the table: it has seen a score far above beta at nearly this depth. */
HOT bool table_probcut_cuts(const Node *n, Score *score)
{
    *score = n->beta + table_probcut_margin;
    return use_table_probcut && !n->pv && !n->excluded && n->table_score != SCORE_NONE &&
           (n->table.bound & BOUND_LOWER) && n->table.depth >= n->depth - 4 &&
           n->table_score >= *score && !score_is_decisive(n->beta) &&
           !score_is_decisive(n->table_score);
}

/* --- ideas for one move --- */

/* What a capture takes, in evaluation units, which are smaller than those of exchanges. */
HOT Score victim_worth(const Position *p, Move m)
{
    return see_value[victim_index(p, m)] * see_unit / 16;
}

/* A move under consideration. */
typedef struct Candidate {
    Move move;
    bool noisy, check, bad_noisy;
    int number; /* 1 for the first that is searched */
    int cell;   /* piece_square() */
    int history;
} Candidate;

HOT void describe_move(const Worker *w, const Node *n, const CheckInfo *checks, Candidate *c)
{
    const Position *p = &w->pos;
    const History *h = w->history;
    const Frame *f = n->frame;
    const Move m = c->move;
    c->noisy = pos_is_noisy(p, m);
    c->check = pos_gives_check(p, checks, m);
    c->cell = piece_square(p->board[move_from(m)], move_to(m));
    if (c->noisy)
        c->history = h->capture[c->cell][victim_index(p, m)];
    else
        c->history = h->butterfly[p->turn][threat_index(f->threats, m)][from_to(m)] +
                     f[-1].follow[c->cell] + f[-2].follow[c->cell];
}

/* Late-move reduction: moves late in a good order are rarely best, so they are first searched less
 * deeply. Grows with the logarithms of depth and move number. */
HOT int base_reduction(const Worker *w, const Node *n, const Candidate *c)
{
    const int product =
        w->ln[min_int(n->depth, LN_SIZE - 1)] * w->ln[min_int(c->number, LN_SIZE - 1)] / 1024;
    return c->noisy ? lmr_noisy_base + product * 100 / lmr_noisy_div
                    : lmr_quiet_base + product * 100 / lmr_quiet_div;
}

/* Pruning of quiet moves by number, record, distance to alpha and exchange. `reduced` is the depth
 * that the move would be searched with. */
HOT bool quiet_is_hopeless(const Worker *w, const Node *n, const Candidate *c, int reduced,
                           Score *best, bool *skip_quiets)
{
    if (use_late_move_pruning && c->number >= (lmp_base + n->depth * n->depth) / (2 - n->improving))
        *skip_quiets = true;
    if (use_history_pruning && reduced < history_prune_depth &&
        c->history < -history_prune * n->depth)
        return true;

    reduced = max_int(reduced + c->history / history_depth_div, 0);
    if (use_futility && !n->in_check && reduced <= futility_max_depth) {
        const Score reach = n->static_eval + futility_base + futility_depth * reduced;
        if (reach <= n->alpha) {
            if (*best <= reach && !score_is_decisive(*best) && !score_is_win(reach))
                *best = reach;
            return true;
        }
    }
    return use_quiet_see && !see_at_least(&w->pos, c->move, -quiet_see * reduced * reduced);
}

/* Captures and checks are pruned only if they lose material for sure, or win far too little. */
HOT bool noisy_is_hopeless(const Worker *w, const Node *n, const Candidate *c, int reduced)
{
    if (use_capture_futility && c->noisy && !c->check && !n->in_check && reduced < 7) {
        const Score reach = n->static_eval + capture_futility_base +
                            capture_futility_depth * reduced + victim_worth(&w->pos, c->move) +
                            c->history / 8;
        if (reach <= n->alpha)
            return true;
    }
    const int margin = capture_see * n->depth + (c->noisy ? c->history / capture_see_history : 0);
    return use_capture_see && !see_at_least(&w->pos, c->move, -max_int(margin, 0));
}

/* Only when something that does not lose has been found, and never with king and pawns alone, where
 * a quiet move in zugzwang may be the only one. */
HOT bool move_is_hopeless(const Worker *w, const Node *n, const Candidate *c, int reduction,
                          Score *best, bool *skip_quiets)
{
    if (n->root || score_is_loss(*best) || !pos_has_pieces(&w->pos, w->pos.turn))
        return false;
    const int reduced = max_int(n->depth - 1 - reduction / LMR, 0);
    if (c->noisy || c->check)
        return noisy_is_hopeless(w, n, c, reduced);
    return quiet_is_hopeless(w, n, c, reduced, best, skip_quiets);
}

/* Singular extension: if, without the table's move, everything falls well below what that move
 * scores, then the position hangs on it and it deserves more depth. If the rest reaches beta as
 * well, many moves cut and one of them will (multi-cut). If neither, the move is not that special
 * and gets less. Returns the extension; *cut says that *score may be returned at once. */
HOT int singular_extension(Worker *w, const Node *n, const Candidate *c, bool *cut, Score *score)
{
    *cut = false;
    if (!use_singular || n->root || n->excluded || c->move != n->table_move ||
        n->depth < singular_depth + n->table_pv || n->table.depth < n->depth - 3 ||
        !(n->table.bound & BOUND_LOWER) || n->table_score == SCORE_NONE ||
        score_is_decisive(n->table_score) || n->ply >= 2 * w->root_depth)
        return 0;

    const int slope = singular_margin * (1 + (n->table_pv && !n->pv));
    const Score goal = n->table_score - slope * n->depth / 64;
    n->frame->excluded = c->move;
    *score = search_zero(w, n->ply, goal, (n->depth - 1) / 2, n->cut);
    n->frame->excluded = MOVE_NONE;

    if (*score < goal) {
        if (!use_double_extension || n->pv)
            return 1;
        return 1 + (*score < goal - double_margin) + (!c->noisy && *score < goal - triple_margin);
    }
    if (use_multi_cut && goal >= n->beta && !score_is_decisive(*score)) {
        *cut = true;
        return 0;
    }
    if (!use_negative_extension)
        return 0;
    if (n->table_score >= n->beta)
        return -3 + n->pv;
    return n->cut ? -2 : 0;
}

/* What is known beyond depth and number, in 1/1024 ply. */
HOT int adjust_reduction(const Worker *w, const Node *n, const Candidate *c, int reduction)
{
    const Frame *f = n->frame;
    if (n->cut)
        reduction += lmr_cut;
    if (n->table_pv)
        reduction -=
            lmr_table_pv + (n->table_hit && n->table.depth >= n->depth ? lmr_table_depth : 0);
    if (n->pv)
        reduction -= lmr_pv;
    if (!n->improving)
        reduction += lmr_not_improving;
    if (n->table_noisy && !c->noisy)
        reduction += lmr_table_noisy;
    if (c->check)
        reduction -= lmr_check;
    if (c->move == f->killer)
        reduction -= lmr_killer;
    if (use_lmr_correction)
        reduction -= abs(n->correction) * LMR / lmr_correction_div;
    if (use_lmr_cutoffs && f[1].cutoffs > 2)
        reduction += lmr_cutoffs;
    if (use_lmr_history)
        reduction -= c->history * LMR / (c->noisy ? lmr_capture_div : lmr_history_div);
    (void)w;
    return reduction;
}

/* --- the search of a move --- */

HOT void copy_pv(Worker *w, int ply, Move m)
{
    const int n = min_int(w->pv_length[ply + 1], MAX_PLY);
    w->pv[ply][0] = m;
    memcpy(&w->pv[ply][1], w->pv[ply + 1], (size_t)n * sizeof(Move));
    w->pv_length[ply] = n + 1;
}

/* Principal variation search: the first move gets the full window, the others must first show with
 * a null window that they are better. Late moves do so at reduced depth; if one surprises, it is
 * searched again at full depth, a little deeper or shallower by how much it surprised. */
HOT Score search_move(Worker *w, Node *n, const Candidate *c, int reduction, int new_depth,
                      Score best)
{
    Frame *f = n->frame;
    Score score = -SCORE_INF;
    if (use_late_move_reduction && n->depth >= 2 && c->number > 1 + n->root) {
        const int reduced = clamp_int(new_depth - reduction / LMR, 1, max_int(new_depth, 1) + 1);
        f->reduction = (new_depth - reduced) * LMR;
        score = -search_zero(w, n->ply + 1, -n->alpha, reduced, true);
        f->reduction = 0;
        if (score > n->alpha && reduced < new_depth && !worker_stopped(w)) {
            if (use_deeper) {
                new_depth += score > best + deeper_base + deeper_depth * new_depth;
                new_depth -= score < best + shallower_margin;
            }
            if (new_depth > reduced)
                score = -search_zero(w, n->ply + 1, -n->alpha, new_depth, !n->cut);
            if (!c->noisy && (score <= n->alpha || score >= n->beta) && !worker_stopped(w))
                learn_continuation(f, c->cell,
                                   score >= n->beta ? bonus_for(new_depth) : -malus_for(new_depth));
        }
    } else if (!n->pv || c->number > 1) {
        score = -search_zero(w, n->ply + 1, -n->alpha, new_depth, !n->cut);
    }
    if (n->pv && (c->number == 1 || score > n->alpha)) {
        /* Do not let the line that we follow end in quiescence if the table has seen further. */
        if (c->move == n->table_move && n->table_hit && n->table.depth > 1 && w->root_depth > 6)
            new_depth = max_int(new_depth, 1);
        score = -search_pv(w, n->ply + 1, -n->beta, -n->alpha, new_depth);
    }
    return score;
}

/* --- the root --- */

static RootMove *find_root_move(Worker *w, Move m)
{
    for (int i = w->pv_index; i < w->root_count; i++)
        if (w->root_moves[i].move == m)
            return &w->root_moves[i];
    return NULL;
}

/* Says which root move is being searched, once the search has become slow enough to want to know.
 */
HOT void announce_root_move(Worker *w, const Node *n, const Candidate *c)
{
    const Shared *s = w->shared;
    if (w->id == 0 && s->events.current_move && shared_elapsed_us(s) > 1000000)
        s->events.current_move(s->events.user, n->depth, c->move, c->number + w->pv_index);
}

/* Only the first move and those that beat it have a score worth the name; the others keep their
 * place in the order of the last iteration. */
static void note_root_move(Worker *w, const Node *n, const Candidate *c, Score score,
                           uint64_t nodes)
{
    RootMove *rm = find_root_move(w, c->move);
    rm->nodes += nodes;
    w->searched = true;
    if (c->number > 1 && score <= n->alpha) {
        rm->score = -SCORE_INF;
        return;
    }
    rm->score = score;
    rm->bound = score >= n->beta ? BOUND_LOWER : score <= n->alpha ? BOUND_UPPER : BOUND_EXACT;
    rm->average = rm->average == -SCORE_INF ? score : (rm->average + score) / 2;
    rm->seldepth = w->seldepth;
    const int length = min_int(w->pv_length[1], MAX_PLY);
    memcpy(&rm->pv[1], w->pv[1], (size_t)length * sizeof(Move));
    rm->pv_length = 1 + length;
}

/* --- the node --- */

/* Squares where a piece of each worth is in danger of being taken by a lesser man. */
HOT void map_threats(const Position *p, PickContext *c)
{
    const Color them = color_flip(p->turn);
    const Bitboard occupied = pos_occupied(p);
    Bitboard minors = 0, rooks = 0;
    for (Bitboard b = pos_pieces(p, them, KNIGHT); b;)
        minors |= attack_knight[bb_pop(&b)];
    for (Bitboard b = pos_pieces(p, them, BISHOP); b;)
        minors |= bishop_attacks(bb_pop(&b), occupied);
    for (Bitboard b = pos_pieces(p, them, ROOK); b;)
        rooks |= rook_attacks(bb_pop(&b), occupied);
    c->pawn_threats = bb_pawn_attacks(them, pos_pieces(p, them, PAWN));
    c->minor_threats = c->pawn_threats | minors;
    c->rook_threats = c->minor_threats | rooks;
    c->threats = c->rook_threats | attack_king[pos_king(p, them)];
    for (Bitboard b = pos_pieces(p, them, QUEEN); b;)
        c->threats |= queen_attacks(bb_pop(&b), occupied);
}

HOT void fill_context(Worker *w, const Node *n, const CheckInfo *checks, PickContext *c)
{
    const Frame *f = n->frame;
    c->pos = &w->pos;
    c->history = w->history;
    c->follow[0] = f[-1].follow;
    c->follow[1] = f[-2].follow;
    c->follow[2] = f[-4].follow;
    c->follow[3] = f[-6].follow;
    c->checks = checks;
    c->ply = n->ply;
    c->depth = n->depth;
}

/* The window of a zero-window search is [beta - 1, beta]; a PV node has room between the two. */
HOT Score search_node(Worker *w, const bool pv, int ply, Score alpha, Score beta, int depth,
                      bool cut)
{
    Node n = {.pv = pv,
              .root = pv && ply == 0,
              .cut = cut,
              .ply = ply,
              .depth = min_int(depth, MAX_PLY - 1),
              .alpha = alpha,
              .beta = beta,
              .frame = worker_frame(w, ply)};
    Frame *f = n.frame;
    Score score = SCORE_NONE, best = -SCORE_INF, max_score = SCORE_INF;

    if (pv) {
        w->pv_length[ply] = 0;
        w->seldepth = max_int(w->seldepth, ply);
    }
    if (must_stop(w))
        return 0;
    n.in_check = pos_in_check(&w->pos);
    if (!n.root) {
        claim_upcoming_draw(w, &n);
        if (n.alpha >= n.beta)
            return n.alpha;
        if (is_draw(w, ply))
            return draw_score(w);
        if (ply >= MAX_PLY - 1)
            return n.in_check ? SCORE_DRAW : evaluate(w, n.alpha, n.beta);
        bound_by_mate_distance(&n);
        if (n.alpha >= n.beta)
            return n.alpha;
    }

    n.excluded = f->excluded;
    const int prior_reduction = f[-1].reduction;
    f[-1].reduction = 0;
    f[1].killer = MOVE_NONE;
    f[1].excluded = MOVE_NONE;
    f[2].cutoffs = 0;

    probe_table(w, &n);
    n.table_pv = n.excluded ? f->table_pv : pv || (n.table_hit && n.table.pv);
    f->table_pv = n.table_pv;
    f->table_hit = n.table_hit;
    if (table_cuts(w, &n))
        return n.table_score;
    if (tablebase_cuts(w, &n, &score, &best, &max_score))
        return score;

    evaluate_node(w, &n);
    judge_trend(&n);
    learn_from_static_eval(w, &n);
    adjust_depth_in_hindsight(&n, prior_reduction);

    if (razoring_cuts(w, &n, &score) || reverse_futility_cuts(&n, &score) ||
        null_move_cuts(w, &n, &score))
        return worker_stopped(w) ? 0 : score;
    reduce_without_table_move(&n);

    CheckInfo checks;
    PickContext context;
    pos_check_info(&w->pos, &checks);
    map_threats(&w->pos, &context);
    f->threats = context.threats;
    fill_context(w, &n, &checks, &context);
    if (probcut_cuts(w, &n, &context, &score) || table_probcut_cuts(&n, &score))
        return worker_stopped(w) ? 0 : score;

    Picker picker;
    Tried tried; /* its lists stay as they are: clearing them would cost every node */
    tried.quiet_count = tried.capture_count = 0;
    Move best_move = MOVE_NONE;
    Candidate c = {0};
    bool skip_quiets = false;
    const Move counter =
        use_counter && f[-1].moved >= 0 ? w->history->counter[f[-1].moved] : MOVE_NONE;
    const Score old_alpha = n.alpha;
    picker_all(&picker, &context, n.table_move, use_killer ? f->killer : MOVE_NONE, counter);

    while ((c.move = picker_next(&picker, skip_quiets))) {
        if (c.move == n.excluded || (n.root && !find_root_move(w, c.move)))
            continue;
        f->move_count = ++c.number;
        if (n.root)
            announce_root_move(w, &n, &c);
        describe_move(w, &n, &checks, &c);
        int reduction = base_reduction(w, &n, &c);
        if (move_is_hopeless(w, &n, &c, reduction, &best, &skip_quiets))
            continue;

        bool multi_cut;
        const int extension = singular_extension(w, &n, &c, &multi_cut, &score);
        if (worker_stopped(w))
            return 0;
        if (multi_cut)
            return score;
        f->move_count = c.number;

        Undo undo;
        const uint64_t nodes_before = worker_nodes(w);
        reduction = adjust_reduction(w, &n, &c, reduction);
        prefetch_child(w, c.move);
        worker_make(w, ply, c.move, &undo);
        score = search_move(w, &n, &c, reduction, n.depth - 1 + extension, best);
        worker_unmake(w, c.move, &undo);
        if (worker_stopped(w))
            return 0;

        if (n.root)
            note_root_move(w, &n, &c, score, worker_nodes(w) - nodes_before);
        if (score > best) {
            best = score;
            if (score > n.alpha) {
                best_move = c.move;
                if (pv && !n.root)
                    copy_pv(w, ply, c.move);
                if (score >= n.beta) {
                    f->cutoffs++;
                    break;
                }
                n.alpha = score;
                /* Something good has been found; finding something better still is less likely. */
                if (use_alpha_reduction && n.depth > 2 && n.depth < 13 && !score_is_decisive(score))
                    n.depth -= 1;
            }
        }
        if (c.move != best_move)
            remember_tried(&tried, c.move, c.noisy);
    }

    if (c.number == 0)
        return n.excluded ? n.alpha : n.in_check ? score_mated(ply) : SCORE_DRAW;
    if (use_smoothing && best >= n.beta && !score_is_decisive(best) && !score_is_decisive(n.beta))
        best = (best * n.depth + n.beta) / (n.depth + 1);
    if (best_move)
        learn_from_best(w, &n, best_move, best, &tried);
    else
        reward_previous_quiet(w, &n, best);
    best = min_int(best, max_score);

    if (best <= old_alpha)
        n.table_pv = n.table_pv || (f[-1].table_pv && n.depth > 3);
    if (!n.excluded && !(n.root && w->pv_index > 0)) {
        const Bound bound = best >= n.beta    ? BOUND_LOWER
                            : pv && best_move ? BOUND_EXACT
                                              : BOUND_UPPER;
        store_table(w, &n, best, bound, n.depth, best_move);
    }
    learn_correction(w, &n, best, best_move);
    return best;
}

static NOINLINE Score search_pv(Worker *w, int ply, Score alpha, Score beta, int depth)
{
    return depth <= 0 ? quiescence_pv(w, ply, alpha, beta, 0)
                      : search_node(w, true, ply, alpha, beta, depth, false);
}

static NOINLINE Score search_zero(Worker *w, int ply, Score beta, int depth, bool cut)
{
    return depth <= 0 ? quiescence_zero(w, ply, beta, 0)
                      : search_node(w, false, ply, beta - 1, beta, depth, cut);
}

Score search_root(Worker *w, Score alpha, Score beta, int depth)
{
    return search_pv(w, 0, alpha, beta, depth);
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

/* --- quiescence --- */

/* Futility and exchange: a move that cannot lift us to alpha, or that loses material, is not tried.
 * Checks, recaptures and promotions may do more than their victim is worth. */
HOT bool capture_is_hopeless(const Worker *w, const Node *n, Move m, bool check, Score reach,
                             int number, Score *best)
{
    const Position *p = &w->pos;
    const Frame *f = n->frame;
    const bool recapture = f[-1].moved >= 0 && move_to(m) == (f[-1].moved & 63);
    if (!recapture && !check && move_kind(m) != PROMOTION && !n->in_check) {
        if (use_qs_limit && number > qs_moves)
            return true;
        if (use_qs_futility) {
            const Score value = reach + victim_worth(p, m);
            if (value <= n->alpha) {
                *best = max_int(*best, value);
                return true;
            }
            if (reach <= n->alpha && !see_at_least(p, m, 1)) {
                *best = max_int(*best, reach);
                return true;
            }
        }
    }
    return use_qs_see && !see_at_least(p, m, qs_see);
}

/* Quiescence: resolve captures (and, in check, everything) until the evaluation can be trusted. Its
 * first ply (depth 0) also tries quiet checks. Standing pat is allowed because some quiet move is
 * nearly always at least as good as the best capture that fails. */
HOT Score quiescence_node(Worker *w, const bool pv, int ply, Score alpha, Score beta, int depth)
{
    Node n = {.pv = pv, .ply = ply, .alpha = alpha, .beta = beta, .frame = worker_frame(w, ply)};
    if (pv) {
        w->pv_length[ply] = 0;
        w->seldepth = max_int(w->seldepth, ply);
    }
    if (must_stop(w))
        return 0;
    claim_upcoming_draw(w, &n);
    if (n.alpha >= n.beta)
        return n.alpha;
    if (is_draw(w, ply))
        return draw_score(w);
    n.in_check = pos_in_check(&w->pos);
    if (ply >= MAX_PLY - 1)
        return n.in_check ? SCORE_DRAW : evaluate(w, n.alpha, n.beta);

    /* Evasions are searched in full at any depth, so their results hold for depth 0 too. */
    const int level = n.in_check || depth >= 0 ? 0 : -1;
    probe_table(w, &n);
    n.table_pv = pv || (n.table_hit && n.table.pv);
    if (!pv && use_table_cut && n.table_score != SCORE_NONE && n.table.depth >= level &&
        table_bound_fits(&n, n.beta))
        return n.table_score;

    evaluate_node(w, &n);
    Score best = -SCORE_INF, reach = -SCORE_INF;
    if (!n.in_check) {
        best = n.eval;
        if (best >= n.beta)
            return (best + n.beta) / 2;
        n.alpha = max_int(n.alpha, best);
        reach = n.static_eval + qs_futility;
    }

    CheckInfo checks;
    PickContext context = {0};
    Picker picker;
    Move m, best_move = MOVE_NONE;
    int number = 0;
    bool skip_quiets = false;
    pos_check_info(&w->pos, &checks);
    fill_context(w, &n, &checks, &context);
    picker_quiescence(&picker, &context, n.table_move, use_qs_checks && depth >= 0);
    while ((m = picker_next(&picker, skip_quiets))) {
        number++;
        if (!score_is_loss(best)) {
            const bool noisy = pos_is_noisy(&w->pos, m);
            if (n.in_check && !noisy) {
                skip_quiets = true; /* one evasion that does not lose is enough */
                if (number > 1)
                    continue;
            } else if (capture_is_hopeless(w, &n, m, pos_gives_check(&w->pos, &checks, m), reach,
                                           number, &best)) {
                continue;
            }
        }
        Undo undo;
        prefetch_child(w, m);
        worker_make(w, ply, m, &undo);
        const Score score = pv ? -quiescence_pv(w, ply + 1, -n.beta, -n.alpha, depth - 1)
                               : -quiescence_zero(w, ply + 1, -n.alpha, depth - 1);
        worker_unmake(w, m, &undo);
        if (worker_stopped(w))
            return 0;
        if (score > best) {
            best = score;
            if (score > n.alpha) {
                best_move = m;
                if (pv)
                    copy_pv(w, ply, m);
                if (score >= n.beta)
                    break;
                n.alpha = score;
            }
        }
    }

    if (n.in_check && number == 0)
        return score_mated(ply);
    if (best >= n.beta && !score_is_decisive(best) && !score_is_decisive(n.beta))
        best = (best + n.beta) / 2;
    store_table(w, &n, best, best >= n.beta ? BOUND_LOWER : BOUND_UPPER, level, best_move);
    return best;
}

static NOINLINE Score quiescence_pv(Worker *w, int ply, Score alpha, Score beta, int depth)
{
    return quiescence_node(w, true, ply, alpha, beta, depth);
}

static NOINLINE Score quiescence_zero(Worker *w, int ply, Score beta, int depth)
{
    return quiescence_node(w, false, ply, beta - 1, beta, depth);
}
