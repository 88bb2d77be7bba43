// SPDX-License-Identifier: GPL-3.0-or-later
/* techniques.h -- the ideas of the classic chess program, one bit each, in the order in which the
 * ladder adds them. The empty set is plain minimax. */
#ifndef SAMARA_LADDER_TECHNIQUES_H
#define SAMARA_LADDER_TECHNIQUES_H

#include "base/text.h"

typedef enum Technique {
    ALPHA_BETA,
    NEGAMAX, /* from here on every technique builds on the ones above it */
    CAPTURES_FIRST,
    ITERATIVE_DEEPENING,
    TRANSPOSITION_TABLE,
    KILLER_MOVES,
    NEGASCOUT,
    NULL_MOVE,
    VERIFICATION, /* of the null move */
    QUIESCENCE,
    STATIC_EXCHANGE,
    DELTA_PRUNING,
    HISTORY,
    COUNTER_MOVES,
    PIECE_SQUARES,
    RAZORING,
    FUTILITY,
    LATE_MOVE_REDUCTIONS,
    LATE_MOVE_PRUNING,
    CHECK_EXTENSION,
    ASPIRATION,
    INTERNAL_DEEPENING,
    MULTI_CUT,
    TECHNIQUE_COUNT,
} Technique;

typedef uint32_t TechniqueSet;
#define TECHNIQUE(t) ((TechniqueSet)1 << (t))

enum { RUNG_COUNT = TECHNIQUE_COUNT + 1 }; /* rung 0 is plain minimax */

typedef struct TechniqueSpec {
    const char *name;
    const char *page;             /* its source file in src/ladder/ */
    bool exact;                   /* the score stays that of plain minimax */
    double claim_low, claim_high; /* speed-up over the rung before that a report claims; 0: none */
} TechniqueSpec;

const TechniqueSpec *technique_spec(Technique t);
TechniqueSet rung_techniques(int rung); /* minimax and the first `rung` techniques */
const char *rung_name(int rung);
bool rung_named(Str name, int *rung); /* by name or by number from 1 */

#endif
