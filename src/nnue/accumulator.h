// SPDX-License-Identifier: GPL-3.0-or-later
/* accumulator.h -- the network's first layer along the search path, brought up to date only when
 * asked.
 *
 * A push only notes what the move changed; acc_evaluate() walks back to the last entry that was
 * computed and forward again. When a king crosses the middle of the board or enters another king
 * bucket all inputs of its side change: then the entry is made from the last one seen with that
 * king there, by the difference of the two boards. */
#ifndef SAMARA_NNUE_ACCUMULATOR_H
#define SAMARA_NNUE_ACCUMULATOR_H

#include "chess/position.h"
#include "nnue/net.h"

typedef struct AccStack AccStack; /* one per worker */

AccStack *acc_create(int max_plies); /* NULL if memory is short */
void acc_destroy(AccStack *stack);   /* NULL is fine */
void acc_reset(AccStack *stack, const Net *net,
               const Position *root); /* ply 0; forgets everything, also caches if net changed */
void acc_push(AccStack *stack, const Delta *delta); /* after pos_make (null moves too) */
void acc_pop(AccStack *stack);
/* Evaluation of `p` (the position of the top entry) for the side to move, in the units of
 * search/score.h. */
int acc_evaluate(AccStack *stack, const Position *p);
/* The same from nothing: for tests and single positions. */
int net_evaluate(const Net *net, const Position *p);
int net_bucket(const Net *net, const Position *p); /* the output that it uses there */

#endif
