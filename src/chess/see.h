// SPDX-License-Identifier: GPL-3.0-or-later
/* see.h -- static exchange evaluation: what a series of captures on one square is worth. */
#ifndef SAMARA_CHESS_SEE_H
#define SAMARA_CHESS_SEE_H

#include "chess/position.h"

extern const int see_value[7]; /* by PieceType; king 0, NO_PIECE_TYPE 0 */

/* Does m win at least `threshold` (in see_value units) if both sides then take on its square as
 * they like? Pinned men stay out while their pinner stands, x-rays join in, promotions and en
 * passant count exactly. */
bool see_at_least(const Position *p, Move m, int threshold);

#endif
