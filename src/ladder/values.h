// SPDX-License-Identifier: GPL-3.0-or-later
/* values.h -- the numbers of the old programs, where their reports give them and do not agree.
 * What only one of them gives, or none, stands on the page of its technique. */
#ifndef SAMARA_LADDER_VALUES_H
#define SAMARA_LADDER_VALUES_H

#include <stdbool.h>

/* How many plies late moves lose. */
typedef enum ReductionForm {
    REDUCE_BY_STEPS, /* first report: 1 from the fifth move, 2 from the ninth at depth 4 and more */
    REDUCE_BY_LOG,   /* third report: ln(depth) * ln(move number) / 2 */
    REDUCE_BY_ONE,   /* fifth report: 1 from the fifth move */
} ReductionForm;

typedef struct Values {
    /* Null move: searched to depth - 1 - R. */
    int null_r, null_deep_r, null_deep_from; /* R; from this depth on the larger one */
    /* Move ordering: the larger number comes first. */
    int order_table, order_capture, order_promotion, order_killer;
    bool order_victims;     /* captures by most valuable victim, least valuable attacker */
    bool bad_captures_last; /* captures that lose material (needs the static exchange) */
    ReductionForm reduction;
    /* Negascout: search again between the score found and beta, not between alpha and beta. */
    bool research_from_score;
    /* The table answers only with results of exactly this depth. Deeper ones are better, but only
     * equal ones keep the score of plain minimax: for proofs. */
    bool equal_depth_only;
} Values;

extern const Values values_ladder; /* of the rungs: the best of the reports */
extern const Values values_proof;  /* the same with equal_depth_only */
extern const Values values_first_middle, values_first_final, values_third, values_fifth;

#endif
