// SPDX-License-Identifier: GPL-3.0-or-later
/* picker.h -- gives the moves of a node one by one, the promising ones first, and generates only
 * what is asked for: most nodes end after a move or two.
 *
 * Order: table move, good captures, killer, counter move, good quiet moves, bad captures, bad quiet
 * moves. Ties are broken by the move itself as its mover sees it, never by the order of generation,
 * so that a position and its colour-flipped twin are searched alike. */
#ifndef SAMARA_SEARCH_PICKER_H
#define SAMARA_SEARCH_PICKER_H

#include "chess/movegen.h"
#include "search/history.h"

enum { FOLLOWED = 4 }; /* moves ago: 1, 2, 4, 6 */

/* What the node knows that helps to order its moves. Must outlive the picker. */
typedef struct PickContext {
    const Position *pos;
    const History *history;
    const int16_t *follow[FOLLOWED];                    /* continuation rows of earlier moves */
    const CheckInfo *checks;                            /* NULL: checks are not preferred */
    Bitboard threats;                                   /* squares that the enemy attacks */
    Bitboard pawn_threats, minor_threats, rook_threats; /* by men of at most that worth */
    int ply, depth;
} PickContext;

typedef enum PickStage {
    PICK_TABLE,
    PICK_NOISY_INIT,
    PICK_GOOD_NOISY,
    PICK_KILLER,
    PICK_COUNTER,
    PICK_QUIET_INIT,
    PICK_GOOD_QUIET,
    PICK_BAD_NOISY,
    PICK_BAD_QUIET,
    PICK_CHECKS, /* quiescence: quiet moves that give check */
    PICK_DONE,
} PickStage;

typedef struct Picker {
    const PickContext *context;
    PickStage stage;
    Move table, killer, counter; /* each legal here or MOVE_NONE */
    bool noisy_only;             /* quiescence, ProbCut */
    bool lazy_see;     /* good and bad captures are told apart; quiescence judges for itself */
    bool quiet_checks; /* quiescence at its first ply */
    int threshold;     /* ProbCut: captures that win less are not given at all */
    int next, noisy_end, bad_end, good_end, end;
    int64_t moves[MAX_MOVES]; /* score << 16 | move as its mover sees it */
} Picker;

/* All moves. `table` is legal or MOVE_NONE; killer and counter may be any 16 bits: what is not
 * legal and quiet here is ignored. */
void picker_all(Picker *p, const PickContext *context, Move table, Move killer, Move counter);
/* Captures and promotions, then (only with context->checks) quiet moves that give check; in check
 * everything. `table` is legal or MOVE_NONE; what is not of these kinds is ignored. */
void picker_quiescence(Picker *p, const PickContext *context, Move table, bool quiet_checks);
/* Captures and promotions that win at least `threshold` by exchange. `table` is legal or MOVE_NONE.
 */
void picker_probcut(Picker *p, const PickContext *context, Move table, int threshold);

Move picker_next(Picker *p, bool skip_quiets); /* MOVE_NONE: no more */
/* The last move given came from the losing captures. */
ALWAYS_INLINE bool picker_in_bad_noisy(const Picker *p) { return p->stage == PICK_BAD_NOISY; }

bool move_is_playable(const Position *p, Move m); /* any 16 bits: legal? */

#endif
