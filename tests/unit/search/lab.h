// SPDX-License-Identifier: GPL-3.0-or-later
/* lab.h -- one worker without threads and one node at a time, so that a test can ask a single idea
 * of the search what it decides. */
#ifndef SAMARA_TESTS_SEARCH_LAB_H
#define SAMARA_TESTS_SEARCH_LAB_H

#include "search/node.h"
#include "support.h"

enum { LAB_PLY = 2 }; /* where the nodes stand: with two moves behind them */

typedef struct Lab {
    Shared shared;
    Worker *w;
    Worker *list[1];
} Lab;

static inline int lab_open(void **state)
{
    static Lab lab;
    attacks_init();
    classical_init();
    lab.shared.tt = tt_create(1, NULL);
    lab.shared.correction = correction_create();
    lab.w = lab.list[0] = worker_create(0, &lab.shared);
    lab.shared.workers = lab.list;
    lab.shared.worker_count = 1;
    lab.shared.multipv = 1;
    *state = &lab;
    return lab.shared.tt && lab.shared.correction && lab.w ? 0 : -1;
}

static inline int lab_close(void **state)
{
    Lab *lab = *state;
    worker_destroy(lab->w);
    correction_destroy(lab->shared.correction);
    tt_destroy(lab->shared.tt);
    return 0;
}

/* A clean slate and a board. */
static inline Worker *lab_set(Lab *lab, const char *fen)
{
    Shared *s = &lab->shared;
    MoveList list;
    tt_clear(s->tt, 1);
    tt_new_search(s->tt);
    correction_clear(s->correction);
    worker_clear(lab->w);
    s->root = position_of(fen);
    gen_legal(&s->root, &list);
    s->root_count = list.count;
    memcpy(s->root_list, list.moves, (size_t)list.count * sizeof *list.moves);
    relaxed_store(&s->stop, false);
    worker_begin(lab->w);
    lab->w->root_depth = 12;
    return lab->w;
}

/* A null-window node of the kind that is expected to fail high, evaluated. */
static inline Node lab_node(Worker *w, Score beta, int depth)
{
    Node n = {.ply = LAB_PLY,
              .depth = depth,
              .alpha = beta - 1,
              .beta = beta,
              .cut = true,
              .frame = worker_frame(w, LAB_PLY)};
    n.in_check = pos_in_check(&w->pos);
    n.bare = classical_may_know(&w->pos);
    table_probe(w, &n);
    evaluate_node(w, &n);
    judge_trend(&n);
    return n;
}

/* The same with an entry of the table: what an earlier visit has left. */
static inline Node lab_node_known(Worker *w, Score beta, int depth, Move move, Score score,
                                  Bound bound, int table_depth)
{
    Node n = lab_node(w, beta, depth);
    table_store(w, &n, score, bound, table_depth, move);
    table_probe(w, &n);
    return n;
}

static inline Candidate lab_candidate(const Worker *w, Move m, int number)
{
    CheckInfo checks;
    pos_check_info(&w->pos, &checks);
    return (Candidate){.move = m,
                       .number = number,
                       .noisy = pos_is_noisy(&w->pos, m),
                       .check = pos_gives_check(&w->pos, &checks, m),
                       .cell = piece_square(w->pos.board[move_from(m)], move_to(m))};
}

#define QUIET_BOARD "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"

#endif
