// SPDX-License-Identifier: GPL-3.0-or-later
/* evaluate.h -- what a leaf is worth: the evaluations that the reports began with, or Samara's
 * classical one. */
#ifndef SAMARA_LADDER_EVALUATE_H
#define SAMARA_LADDER_EVALUATE_H

#include "base/text.h"
#include "chess/position.h"

typedef enum Evaluation {
    EVAL_MATERIAL,  /* first report, last values: 100 320 330 500 900, 10 for the side to move */
    EVAL_FIRST,     /* its first phase: 10 30 32 50 90 */
    EVAL_SECOND,    /* its second phase: 100 300 320 500 900, 10 for the side to move */
    EVAL_POINTS,    /* fourth report: 1 3 3 5 8; 2 for a man that gives check, 1 for one in the
                       centre, 1 for one in the enemy's half */
    EVAL_CLASSICAL, /* Samara's own, piece-square tables included */
    EVALUATION_COUNT,
} Evaluation;

const char *evaluation_name(Evaluation e);
bool evaluation_named(Str name, Evaluation *out);

/* Side to move's view. `squares`: with piece-square tables; no effect on the classical evaluation,
 * which has its own. Never in the range of mate scores. */
int leaf_value(Evaluation e, bool squares, const Position *p);

int piece_squares(const Position *p, Color c); /* the tables' sum for one side, in centipawns */

#endif
