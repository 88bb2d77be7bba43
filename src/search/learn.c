// SPDX-License-Identifier: GPL-3.0-or-later
/* What a node teaches: which moves were good here, which were tried in vain, and how far the
 * evaluation was off. */
#include "search/node.h"

/* To the continuation tables of the moves 1, 2, 4 and 6 plies ago: what answers, follows up, or
 * belongs to a plan. */
HOT_EXTERN void learn_continuation(Frame *f, int cell, int bonus)
{
    if (f[-1].moved >= 0)
        gravity_add(&f[-1].follow[cell], bonus, CONTINUATION_LIMIT);
    if (f[-2].moved >= 0)
        gravity_add(&f[-2].follow[cell], bonus, CONTINUATION_LIMIT);
    if (f->in_check)
        return;
    if (f[-4].moved >= 0)
        gravity_add(&f[-4].follow[cell], bonus * far_bonus / 100, CONTINUATION_LIMIT);
    if (f[-6].moved >= 0)
        gravity_add(&f[-6].follow[cell], bonus * far_bonus / 100, CONTINUATION_LIMIT);
}

/* The move that cut gets the bonus in every table that orders quiet moves; those tried before it
 * get a malus by the same way. */
HOT_EXTERN void learn_quiet(Worker *w, Frame *f, int ply, Move m, int bonus)
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
HOT_EXTERN void punish_previous_quiet(Frame *f, int malus)
{
    if (f[-1].moved >= 0 && !f[-1].noisy && f[-1].move_count <= early_moves)
        learn_continuation(f - 1, f[-1].moved, -malus);
}
/* The best move of a node is worth trying earlier next time, those that were tried in vain later. A
 * quiet move that cuts at once near the leaves tells nothing new. */
void learn_from_best(Worker *w, const Node *n, Move best, Score score, const Tried *tried)
{
    Frame *f = n->frame;
    const int depth = n->depth + (score > n->beta + bonus_surprise);
    const int bonus = bonus_for(depth), malus = malus_for(depth);

    if (!pos_is_noisy(&w->pos, best)) {
        if (score >= n->beta) {
            f->killer = best;
            if (f[-1].moved >= 0)
                w->history->counter[f[-1].moved] = best;
        }
        if (depth > bonus_depth || tried->quiet_count > 0)
            learn_quiet(w, f, n->ply, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++)
            learn_quiet(w, f, n->ply, tried->quiets[i], -malus);
    } else {
        learn_capture(w, best, bonus);
    }
    for (int i = 0; i < tried->capture_count; i++)
        learn_capture(w, tried->captures[i], -malus);
    if (f[-1].move_count == 1 + (f[-1].table_hit ? 1 : 0))
        punish_previous_quiet(f, malus * early_malus / 100);
}

/* Nothing here beats alpha: the enemy's last move did its work. */
HOT_EXTERN void reward_previous_quiet(Worker *w, const Node *n, Score best)
{
    Frame *f = n->frame;
    if (!use_prior_bonus || f[-1].moved < 0)
        return;
    const Move m = f[-1].move;
    if (f[-1].noisy) {
        return;
    }
    int percent = prior_bonus + prior_bonus_deep * (n->depth > prior_bonus_depth) +
                  prior_bonus_late * (f[-1].move_count > prior_bonus_moves);
    if (!n->in_check && best <= n->static_eval - prior_bonus_margin)
        percent += prior_bonus_fall;
    const int bonus = bonus_for(n->depth) * percent / 100;
    learn_continuation(f - 1, f[-1].moved, bonus);
    gravity_add(&w->history->butterfly[!w->pos.turn][threat_index(f[-1].threats, m)][from_to(m)],
                bonus * prior_butterfly / 100, BUTTERFLY_LIMIT);
}

/* How this and the enemy's last position were judged says at once whether the move between them was
 * good. */
HOT_EXTERN void learn_from_static_eval(Worker *w, const Node *n)
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
HOT_EXTERN void learn_correction(Worker *w, const Node *n, Score best, Move best_move)
{
    if (!use_correction || n->in_check || n->excluded || n->bare ||
        (best_move && pos_is_noisy(&w->pos, best_move)))
        return;
    if ((best >= n->beta && best <= n->static_eval) || (!best_move && best >= n->static_eval))
        return;
    correction_learn(w->shared->correction, &w->pos, n->frame[-2].moved, n->frame[-1].moved,
                     best - n->static_eval, n->depth);
}
