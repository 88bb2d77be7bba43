// SPDX-License-Identifier: GPL-3.0-or-later
/* What is searched less deeply than its parent asked for, and what more deeply. */
#include "search/node.h"

#include <stdlib.h>

/* Hindsight: the reduction that led here was decided before this position was seen. If the enemy is
 * not worse off than it thought, look closer; if it is quite well off, the rest can be shallower.
 */
HOT_EXTERN void adjust_depth_in_hindsight(Node *n, int prior_reduction)
{
    if (!use_hindsight || n->in_check || n->excluded || n->root)
        return;
    if (prior_reduction >= hindsight_deeper * LMR && !n->opponent_worsening)
        n->depth++;
    else if (prior_reduction >= hindsight_shallower * LMR && n->depth >= 2 &&
             n->frame[-1].static_eval != SCORE_NONE &&
             n->static_eval + n->frame[-1].static_eval > hindsight_margin)
        n->depth--;
}

/* Internal iterative reduction: without a move from the table this node is a stranger; a shallower
 * search now leaves a move for the next iteration. */
HOT_EXTERN void reduce_without_table_move(Node *n)
{
    if (use_internal_reduction && (n->pv || n->cut) && !n->table_move && n->depth >= iir_depth)
        n->depth--;
}

/* Late-move reduction: moves late in a good order are rarely best, so they are first searched less
 * deeply. Grows with the logarithms of depth and move number. */
HOT_EXTERN int base_reduction(const Worker *w, const Node *n, const Candidate *c)
{
    const int product =
        w->ln[min_int(n->depth, LN_SIZE - 1)] * w->ln[min_int(c->number, LN_SIZE - 1)] / 1024;
    return c->noisy ? lmr_noisy_base + product * 100 / lmr_noisy_div
                    : lmr_quiet_base + product * 100 / lmr_quiet_div;
}

/* Singular extension: if, without the table's move, everything falls well below what that move
 * scores, then the position hangs on it and it deserves more depth. If the rest reaches beta as
 * well, many moves cut and one of them will (multi-cut). If neither, the move is not that special
 * and gets less. Returns the extension; *cut says that *score may be returned at once. */
HOT_EXTERN int singular_extension(Worker *w, const Node *n, const Candidate *c, bool *cut,
                                  Score *score)
{
    *cut = false;
    if (!use_singular || n->root || n->excluded || c->move != n->table_move ||
        n->depth < singular_depth + n->table_pv ||
        n->table.depth < n->depth - singular_table_depth || !(n->table.bound & BOUND_LOWER) ||
        n->table_score == SCORE_NONE || score_is_decisive(n->table_score) ||
        n->ply >= 2 * w->root_depth)
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
        return -negative_beta + n->pv;
    return n->cut ? -negative_cut : 0;
}

/* What is known beyond depth and number, in 1/1024 ply. */
HOT_EXTERN int adjust_reduction(const Node *n, const Candidate *c, int reduction)
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
    if (use_lmr_cutoffs && f[1].cutoffs > lmr_cutoff_count)
        reduction += lmr_cutoffs;
    if (use_lmr_history)
        reduction -= c->history * LMR / (c->noisy ? lmr_capture_div : lmr_history_div);
    return reduction;
}
