// SPDX-License-Identifier: GPL-3.0-or-later
/* terms.h -- the words in which an evaluation is explained. */
#ifndef SAMARA_CLASSICAL_TERMS_H
#define SAMARA_CLASSICAL_TERMS_H

#include <stdbool.h>

typedef enum ClassicalTerm {
    TERM_MATERIAL,
    TERM_PLACEMENT,
    TERM_PAWNS,
    TERM_PASSED,
    TERM_KNIGHTS,
    TERM_BISHOPS,
    TERM_ROOKS,
    TERM_QUEENS,
    TERM_MOBILITY,
    TERM_KING_SAFETY,
    TERM_THREATS,
    TERM_CENTRE,
    TERM_SPACE,
    TERM_INITIATIVE,
    TERM_TEMPO,
    TERM_COUNT
} ClassicalTerm;

typedef struct ClassicalTrace {
    struct {
        int mg, eg;
    } term[TERM_COUNT][2]; /* [term][colour], each colour's own credit */
    int phase;             /* 24 = all pieces on the board, 0 = none */
    int scale;             /* of the endgame part, 64 = full */
    bool known;            /* an ending judged as a whole: the terms do not add up to the total */
    int total;             /* White's point of view; equals classical_evaluate up to sign */
} ClassicalTrace;

#endif
