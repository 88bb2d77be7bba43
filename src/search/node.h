// SPDX-License-Identifier: GPL-3.0-or-later
/* node.h -- what the files of one node share. Private to search/.
 *
 * node.c is the table of contents of a node, quiescence.c that of a node beyond the depth. The
 * ideas that they name live in table.c (what the table knows), static_eval.c (what the position
 * is worth), prune.c (what need not be searched), reduce.c (what is searched less or more deeply)
 * and learn.c (what is remembered for next time). Most are HOT_EXTERN: inlined into the node, which
 * is compiled once for PV nodes and once for the others. */
#ifndef SAMARA_SEARCH_NODE_H
#define SAMARA_SEARCH_NODE_H

#include "search/picker.h"
#include "search/worker.h"
#include <string.h>

enum {
    MAX_QUIETS = 64, /* tried moves that are remembered for the malus */
    MAX_CAPTURES = 32,
    LMR = 1024, /* one ply of reduction */
};

/* What a node knows of itself. Lives on the stack of its function. */
typedef struct Node {
    bool pv, root, cut; /* cut: expected to fail high */
    bool in_check, improving, opponent_worsening;
    bool
        bare; /* a known ending, or nearly one: the evaluation leads to mate, and margins mislead */
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

/* A move under consideration. */
typedef struct Candidate {
    Move move;
    bool noisy, check, bad_noisy;
    int number; /* 1 for the first that is searched */
    int cell;   /* piece_square() */
    int history;
} Candidate;

/* Moves that were searched and did not become best. */
typedef struct Tried {
    int quiet_count, capture_count;
    Move quiets[MAX_QUIETS], captures[MAX_CAPTURES];
} Tried;

ALWAYS_INLINE int min_int(int a, int b) { return a < b ? a : b; }
ALWAYS_INLINE int max_int(int a, int b) { return a > b ? a : b; }

/* --- node.c --- */

/* The window of a zero-window search is [beta - 1, beta]. Depth 0 and below is quiescence. */
Score search_pv(Worker *w, int ply, Score alpha, Score beta, int depth);
Score search_zero(Worker *w, int ply, Score beta, int depth, bool cut);
void map_threats(const Position *p, PickContext *c); /* fills in the four sets of threats */

/* --- quiescence.c: depth 0 at its first ply, then -1, -2, ... --- */

Score quiescence_pv(Worker *w, int ply, Score alpha, Score beta, int depth);
Score quiescence_zero(Worker *w, int ply, Score beta, int depth);

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

/* What the picker needs to know, but for the threats (map_threats). */
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
    c->depth = max_int(n->depth, 0);
}

/* A new best line: this move, then the line of the child. */
HOT void copy_pv(Worker *w, int ply, Move m)
{
    const int n = min_int(w->pv_length[ply + 1], MAX_PLY);
    w->pv[ply][0] = m;
    memcpy(&w->pv[ply][1], w->pv[ply + 1], (size_t)n * sizeof(Move));
    w->pv_length[ply] = n + 1;
}

/* --- table.c --- */

void table_prefetch(const Worker *w, Move m);
void table_probe(const Worker *w, Node *n); /* fills in all that the table knows of the node */
void table_store(Worker *w, const Node *n, Score score, Bound bound, int depth, Move best);
bool table_cuts(Worker *w, Node *n); /* with n->table_score */

HOT bool table_bound_fits(const Node *n, Score limit)
{
    return n->table.bound & (n->table_score >= limit ? BOUND_LOWER : BOUND_UPPER);
}

/* --- static_eval.c --- */

void evaluate_node(Worker *w, Node *n);
void judge_trend(Node *n);

/* --- prune.c: the whole node. True: it may end with *score, or must, when stopped. --- */

bool tablebase_cuts(Worker *w, Node *n, Score *score, Score *best, Score *max_score);
bool razoring_cuts(Worker *w, const Node *n, Score *score);
bool reverse_futility_cuts(const Node *n, Score *score);
bool null_move_cuts(Worker *w, const Node *n, Score *score);
bool probcut_cuts(Worker *w, Node *n, const PickContext *context, Score *score);
bool table_probcut_cuts(const Node *n, Score *score);

/* --- prune.c: one move. `reduction` is what the late-move reduction would take off. --- */

bool move_is_hopeless(const Worker *w, const Node *n, const Candidate *c, int reduction,
                      Score *best, bool *skip_quiets);
bool capture_is_hopeless(const Worker *w, const Node *n, Move m, bool check, Score reach,
                         int number, Score *best);

/* --- reduce.c --- */

void adjust_depth_in_hindsight(Node *n, int prior_reduction);
void reduce_without_table_move(Node *n);
int base_reduction(const Worker *w, const Node *n, const Candidate *c); /* 1/1024 ply */
int adjust_reduction(const Node *n, const Candidate *c, int reduction);
/* The extension in plies; *cut says that the node may end with *score. */
int singular_extension(Worker *w, const Node *n, const Candidate *c, bool *cut, Score *score);

/* --- learn.c --- */

HOT int bonus_for(int depth) { return min_int(bonus_slope * depth, bonus_max); }
HOT int malus_for(int depth) { return min_int(malus_slope * depth, malus_max); }
void learn_continuation(Frame *f, int cell, int bonus);
void learn_quiet(Worker *w, Frame *f, int ply, Move m, int bonus);
void punish_previous_quiet(Frame *f, int malus);
void reward_previous_quiet(Worker *w, const Node *n, Score best);
void learn_from_best(Worker *w, const Node *n, Move best, Score score, const Tried *tried);
void learn_from_static_eval(Worker *w, const Node *n);
void learn_correction(Worker *w, const Node *n, Score best, Move best_move);

HOT void remember_tried(Tried *t, Move m, bool noisy)
{
    if (noisy && t->capture_count < MAX_CAPTURES)
        t->captures[t->capture_count++] = m;
    else if (!noisy && t->quiet_count < MAX_QUIETS)
        t->quiets[t->quiet_count++] = m;
}

#endif
