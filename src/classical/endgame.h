// SPDX-License-Identifier: GPL-3.0-or-later
/* endgame.h -- endings that are known outright, and those in which an advantage is worth less than
 * it looks. */
#ifndef SAMARA_CLASSICAL_ENDGAME_H
#define SAMARA_CLASSICAL_ENDGAME_H

#include "chess/position.h"
#include "classical/weights.h"

void endgame_init(void); /* called by classical_init */

/* Judges as a whole what a lone king faces: draws, king and pawn (exactly), and wins, which then
 * reward progress towards mate; queen against rook likewise. *score is White's. False: the ordinary evaluation applies, and
 * *score is untouched. */
bool endgame_known(const Position *p, int *score);

/* How much of an endgame advantage of `strong` counts, 0 to SCALE_FULL. */
int endgame_scale(const Position *p, Color strong, Bitboard passed);

/* King and pawn against king, exactly. */
bool kpk_is_win(Color strong, Square king, Square pawn, Square enemy_king, Color turn);

#endif
