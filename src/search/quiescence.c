// SPDX-License-Identifier: GPL-3.0-or-later
/* Beyond the depth: captures and checks until the evaluation can be trusted. */
#include "search/node.h"

#include <assert.h>

/* Quiescence: resolve captures (and, in check, everything) until the evaluation can be trusted. Its
 * first ply (depth 0) also tries quiet checks. Standing pat is allowed because some quiet move is
 * nearly always at least as good as the best capture that fails. */
HOT Score quiescence_node(Worker *w, const bool pv, int ply, Score alpha, Score beta, int depth)
{
    Node n = {.pv = pv,
              .ply = ply,
              .depth = depth,
              .alpha = alpha,
              .beta = beta,
              .frame = worker_frame(w, ply)};
    if (pv) {
        w->pv_length[ply] = 0;
        w->seldepth = max_int(w->seldepth, ply);
    }
    assert(alpha >= -SCORE_INF && alpha < beta && beta <= SCORE_INF);
    assert((pv || alpha == beta - 1) && ply >= 0 && ply < MAX_PLY);
    if (must_stop(w))
        return 0;
    claim_upcoming_draw(w, &n);
    if (n.alpha >= n.beta)
        return n.alpha;
    if (is_draw(w, ply))
        return draw_score(w);
    n.in_check = pos_in_check(&w->pos);
    n.bare = classical_may_know(&w->pos);
    if (ply >= MAX_PLY - 1 || depth <= -qs_max_depth)
        return n.in_check ? SCORE_DRAW : evaluate(&w->evaluator, &w->pos);

    /* Evasions are searched in full at any depth, so their results hold for depth 0 too. */
    const int level = n.in_check || depth >= 0 ? 0 : -1;
    table_probe(w, &n);
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
    PickContext context;
    Picker picker;
    Move m, best_move = MOVE_NONE;
    int number = 0;
    bool skip_quiets = false;
    pos_check_info(&w->pos, &checks);
    fill_context(w, &n, &checks, &context);
    if (n.in_check) /* quiet evasions are ordered like quiet moves elsewhere */
        map_threats(&w->pos, &context);
    picker_quiescence(&picker, &context, n.table_move, use_qs_checks && depth >= 0);
    while ((m = picker_next(&picker, skip_quiets))) {
        number++;
        table_prefetch(w, m);
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
    table_store(w, &n, best, best >= n.beta ? BOUND_LOWER : BOUND_UPPER, level, best_move);
    return best;
}

NOINLINE Score quiescence_pv(Worker *w, int ply, Score alpha, Score beta, int depth)
{
    return quiescence_node(w, true, ply, alpha, beta, depth);
}

NOINLINE Score quiescence_zero(Worker *w, int ply, Score beta, int depth)
{
    return quiescence_node(w, false, ply, beta - 1, beta, depth);
}