// SPDX-License-Identifier: GPL-3.0-or-later
/* classical.h -- the hand-written evaluation, term by term.
 *
 * Each term has a name that a player understands; the same code evaluates, traces (for
 * explanations) and yields coefficients (for the tuner, see weights.h), so that the three cannot
 * disagree. */
#ifndef SAMARA_CLASSICAL_CLASSICAL_H
#define SAMARA_CLASSICAL_CLASSICAL_H

#include "chess/position.h"

/* Idempotent and safe from any thread; must have returned before anything else here is used. Calls
 * attacks_init(). */
void classical_init(void);

/* Remembers what pawns and kings alone decide. One per thread; NULL is allowed everywhere and
 * merely slower. */
typedef struct PawnTable PawnTable;
PawnTable *pawn_table_create(void); /* NULL if memory is short */
void pawn_table_destroy(PawnTable *table);
void pawn_table_clear(PawnTable *table);

enum { CLASSICAL_MAX = 10000 };

/* From the side to move's point of view, in the units of search/score.h (sigmoid(score / 400) is
 * the expected result), within +-CLASSICAL_MAX. Not meant for positions in check, but safe there.
 */
int classical_evaluate(const Position *p, PawnTable *table);

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
    } term[TERM_COUNT][2]; /* [term][colour]; units of the evaluation; the colour's own credit, so
                              both may be positive */
    int phase;             /* 24 = all pieces on the board, 0 = none */
    int scale;             /* of the endgame part, 64 = full */
    bool known; /* an ending judged as a whole (KPK, mate with a lone king...): the terms do not add
                   up to the total */
    int total;  /* White's point of view; equals classical_evaluate up to sign */
} ClassicalTrace;

void classical_trace(const Position *p, ClassicalTrace *trace);
const char *classical_term_name(ClassicalTerm term); /* "King safety" */

#endif
