// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.h -- why a move is what its verdict says: claims, each with its proof. */
#ifndef SAMARA_REVIEW_EXPLAIN_H
#define SAMARA_REVIEW_EXPLAIN_H

#include "review/claim.h"
#include "review/judge.h"

/* What is known about a move when the question why is asked. */
typedef struct Question {
    const SamaraPosition *position; /* before the move */
    Move move;
    bool fault; /* explain what it spoils; else what it achieves */
    Worth best, played;
    const ReviewLine *best_line, *played_line; /* both from before the move */
    bool only, sacrifice;
    bool quickly; /* the lines come from small searches: long proofs would cost more than they */
} Question;

void explain(const Question *question, ClaimList *out);

#endif
