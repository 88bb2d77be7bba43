// SPDX-License-Identifier: GPL-3.0-or-later
/* evaluate.h -- the one place that decides which evaluation applies to a position: a known ending,
 * the network, or the classical evaluation. */
#ifndef SAMARA_SEARCH_EVALUATE_H
#define SAMARA_SEARCH_EVALUATE_H

#include "classical/classical.h"
#include "nnue/accumulator.h"
#include "search/params.h"
#include "search/score.h"

/* What to evaluate with. */
typedef struct Evaluator {
    const Net *net;   /* NULL: classical evaluation only */
    AccStack *acc;    /* up to date with the position; NULL: computed afresh, which is slower */
    PawnTable *pawns; /* NULL is merely slower */
} Evaluator;

/* From the side to move's point of view, without anything that a search has learned. Not for
 * positions in check. */
Score evaluate(const Evaluator *e, const Position *p);

#endif
