// SPDX-License-Identifier: GPL-3.0-or-later
/* The static evaluation of a node: what the position is worth by itself, corrected by what was
 * learned, and whether that is better than before. */
#include "search/node.h"

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
HOT_EXTERN void evaluate_node(Worker *w, Node *n)
{
    Frame *f = n->frame;
    f->in_check = n->in_check;
    n->correction = 0;
    if (n->in_check) {
        n->raw_eval = n->static_eval = n->eval = SCORE_NONE;
        f->static_eval = f[-2].static_eval;
        return;
    }
    if (use_correction && !n->bare)
        n->correction = correction_value(w->shared->correction, &w->pos, f[-2].moved, f[-1].moved);
    const bool known = n->table_hit && n->table.eval != SCORE_NONE;
    n->raw_eval = known ? n->table.eval : evaluate(&w->evaluator, &w->pos);
    n->static_eval = n->eval = f->static_eval =
        n->bare ? n->raw_eval : adjust_eval(w, n->raw_eval, n->correction);
    if (!n->table_hit && !n->excluded)
        table_store(w, n, SCORE_NONE, BOUND_NONE, TT_DEPTH_NONE, MOVE_NONE);
    if (use_table_eval && n->table_score != SCORE_NONE && !score_is_decisive(n->table_score) &&
        table_bound_fits(n, n->eval + 1) && !n->excluded)
        n->eval = n->table_score;
}

/* Is our side doing better than two plies ago (or four, if we were in check then)? */
HOT_EXTERN void judge_trend(Node *n)
{
    const Frame *f = n->frame;
    n->improving = n->opponent_worsening = false;
    if (n->in_check)
        return;
    if (f[-2].static_eval != SCORE_NONE)
        n->improving = n->static_eval > f[-2].static_eval;
    else if (f[-4].static_eval != SCORE_NONE)
        n->improving = n->static_eval > f[-4].static_eval;
    if (f[-1].static_eval != SCORE_NONE)
        n->opponent_worsening = n->static_eval > -f[-1].static_eval;
}
