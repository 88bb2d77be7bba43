// SPDX-License-Identifier: GPL-3.0-or-later
/* What need not be searched: whole nodes that end without a look at their moves, then single moves
 * that are not tried. */
#include "search/node.h"

#include "chess/see.h"
#include "probe/syzygy.h"

/* --- the whole node --- */

/* Tablebases: the result is known for certain. Only right after a capture or pawn move, because the
 * tables do not know the clock. In PV nodes a win or loss bounds the score and the search goes on
 * to find the way. */
HOT_EXTERN bool tablebase_cuts(Worker *w, Node *n, Score *score, Score *best, Score *max_score)
{
    const Shared *s = w->shared;
    const Position *p = &w->pos;
    const int limit = s->tb_probe_limit;
    if (LIKELY(limit == 0) || n->root || n->excluded || p->st.rule50 != 0 || p->st.castling)
        return false;
    const int men = bb_count(pos_occupied(p));
    Wdl wdl;
    if (men > limit || (men == limit && n->depth < s->tb_probe_depth) ||
        !syzygy_wdl(s->tables, p, &wdl))
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
        table_store(w, n, *score, bound, min_int(n->depth + tablebase_depth, MAX_PLY), MOVE_NONE);
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

/* Razoring: so far below alpha with so little depth left, only captures can help; see whether they
 * do. */
HOT_EXTERN bool razoring_cuts(Worker *w, const Node *n, Score *score)
{
    if (!use_razoring || n->pv || n->in_check || n->excluded || n->bare || n->depth > razor_depth ||
        n->eval >= n->alpha - razor_margin * n->depth || score_is_decisive(n->alpha))
        return false;
    *score = quiescence_zero(w, n->ply, n->alpha + 1, 0);
    return worker_stopped(w) || *score <= n->alpha;
}

/* Reverse futility: so far above beta that the enemy cannot come back within the depth left. Not if
 * the table has a quiet move, which promises more than the evaluation does. */
HOT_EXTERN bool reverse_futility_cuts(const Node *n, Score *score)
{
    if (!use_reverse_futility || n->pv || n->in_check || n->excluded || n->table_pv || n->bare ||
        n->depth > rfp_depth || (n->table_move && !n->table_noisy) || score_is_loss(n->beta) ||
        score_is_win(n->eval))
        return false;
    const int margin = max_int(
        rfp_margin * (n->depth - n->improving) - rfp_worsening * n->opponent_worsening, rfp_least);
    if (n->eval - margin < n->beta)
        return false;
    *score = (n->eval + n->beta) / 2;
    return true;
}

/* Null move: if we can pass and still reach beta, some real move will too. King and pawns alone may
 * be in zugzwang, where passing is a privilege, so we require a piece; deep down, where much
 * depends on it, the claim is verified by a search without null moves. */
HOT_EXTERN bool null_move_cuts(Worker *w, const Node *n, Score *score)
{
    const Frame *f = n->frame;
    if (!use_null_move || n->pv || !n->cut || n->in_check || n->excluded || n->bare ||
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

/* ProbCut: a capture that wins enough to be far above beta in a shallow search will be above beta
 * in a deep one. */
HOT_EXTERN bool probcut_cuts(Worker *w, Node *n, const PickContext *context, Score *score)
{
    const Score goal = n->beta + probcut_margin - probcut_improving * n->improving;
    if (!use_probcut || n->pv || n->in_check || n->excluded || n->depth < probcut_depth ||
        score_is_decisive(n->beta) ||
        (n->table_score != SCORE_NONE && n->table.depth >= n->depth - probcut_reduction + 1 &&
         n->table_score < goal))
        return false;

    Picker picker;
    picker_probcut(&picker, context, n->table_move, (goal - n->static_eval) * 16 / see_unit);
    Move m;
    while ((m = picker_next(&picker, true))) {
        Undo undo;
        table_prefetch(w, m);
        worker_make(w, n->ply, m, &undo);
        *score = -quiescence_zero(w, n->ply + 1, -goal + 1, 0);
        if (*score >= goal)
            *score = -search_zero(w, n->ply + 1, -goal + 1, n->depth - probcut_reduction, !n->cut);
        worker_unmake(w, m, &undo);
        if (worker_stopped(w))
            return true;
        if (*score >= goal) {
            table_store(w, n, *score, BOUND_LOWER, n->depth - probcut_reduction + 1, m);
            if (!score_is_decisive(*score))
                *score -= goal - n->beta;
            return true;
        }
    }
    return false;
}

/* The same with nothing but the table: it has seen a score far above beta at nearly this depth. */
HOT_EXTERN bool table_probcut_cuts(const Node *n, Score *score)
{
    *score = n->beta + table_probcut_margin;
    return use_table_probcut && !n->pv && !n->excluded && n->table_score != SCORE_NONE &&
           (n->table.bound & BOUND_LOWER) && n->table.depth >= n->depth - table_probcut_depth &&
           n->table_score >= *score && !score_is_decisive(n->beta) &&
           !score_is_decisive(n->table_score);
}

/* --- one move --- */

/* What a capture takes, in evaluation units. A pawn is 100 exchange units and about 180 of the
 * network's, so `see_unit` near 28 would be true to scale; games do not tell 16 from 28. */
HOT Score victim_worth(const Position *p, Move m)
{
    return see_value[victim_index(p, m)] * see_unit / 16;
}

/* Pruning of quiet moves by number, record, distance to alpha and exchange. `reduced` is the depth
 * that the move would be searched with. In check a man that steps between may be lost and still be
 * the only defence, so exchanges do not count there. */
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
    return use_quiet_see && !n->in_check &&
           !see_at_least(&w->pos, c->move, -quiet_see * reduced * reduced);
}

/* Captures and checks are pruned only if they lose material for sure, or win far too little. */
HOT bool noisy_is_hopeless(const Worker *w, const Node *n, const Candidate *c, int reduced)
{
    if (use_capture_futility && c->noisy && !c->check && !n->in_check &&
        reduced < capture_futility_max_depth) {
        const Score reach = n->static_eval + capture_futility_base +
                            capture_futility_depth * reduced + victim_worth(&w->pos, c->move) +
                            c->history / capture_futility_history;
        if (reach <= n->alpha)
            return true;
    }
    const int margin = capture_see * n->depth + (c->noisy ? c->history / capture_see_history : 0);
    return use_capture_see && !see_at_least(&w->pos, c->move, -max_int(margin, 0));
}

/* Only when something that does not lose has been found, and never with king and pawns alone, where
 * a quiet move in zugzwang may be the only one. A plain search prunes no moves: these prunings rely
 * on deeper iterations to correct them, which a search of some hundred nodes never reaches. */
HOT_EXTERN bool move_is_hopeless(const Worker *w, const Node *n, const Candidate *c, int reduction,
                                 Score *best, bool *skip_quiets)
{
    if (n->root || w->plain || n->bare || score_is_loss(*best) ||
        !pos_has_pieces(&w->pos, w->pos.turn))
        return false;
    const int reduced = max_int(n->depth - 1 - reduction / LMR, 0);
    if (c->noisy || c->check)
        return noisy_is_hopeless(w, n, c, reduced);
    return quiet_is_hopeless(w, n, c, reduced, best, skip_quiets);
}

/* Futility and exchange: a move that cannot lift us to alpha, or that loses material, is not tried.
 * Checks, recaptures and promotions may do more than their victim is worth, but only for some
 * plies: on a crowded board every capture is one of them, and there would be no end. */
HOT_EXTERN bool capture_is_hopeless(const Worker *w, const Node *n, Move m, bool check, Score reach,
                                    int number, Score *best)
{
    const Position *p = &w->pos;
    const Frame *f = n->frame;
    const bool recapture = f[-1].moved >= 0 && move_to(m) == (f[-1].moved & 63);
    if (n->depth <= -qs_forcing_depth &&
        number > max_int(qs_moves + qs_forcing_depth + n->depth, 1))
        return true;
    if (!n->in_check && !check && !recapture && move_kind(m) != PROMOTION) {
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
