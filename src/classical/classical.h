// SPDX-License-Identifier: GPL-3.0-or-later
/* classical.h -- the hand-written evaluation, term by term.
 *
 * Each term has a name that a player understands; the same code evaluates, traces (for
 * explanations) and yields coefficients (for the tuner, see weights.h), so that the three cannot
 * disagree. */
#ifndef SAMARA_CLASSICAL_CLASSICAL_H
#define SAMARA_CLASSICAL_CLASSICAL_H

#include "chess/position.h"
#include "classical/terms.h"

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

/* Cheap enough for every node: is this perhaps a known ending? */
ALWAYS_INLINE bool classical_may_know(const Position *p)
{
    return pos_has_lone_king(p) || bb_count(pos_occupied(p)) == 4;
}

/* That number where it is exact knowledge: where the ending is known outright (endgame.h).
 * False elsewhere, and *score is untouched. */
bool classical_knows(const Position *p, int *score);

void classical_trace(const Position *p, ClassicalTrace *trace);
const char *classical_term_name(ClassicalTerm term); /* "King safety" */

/* How often p uses each weight (weights.h), for the tuner. Fills all of *trace but the terms. */
typedef struct Tally Tally;
void classical_tally(const Position *p, Tally *tally, ClassicalTrace *trace);

#endif
