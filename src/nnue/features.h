// SPDX-License-Identifier: GPL-3.0-or-later
/* features.h -- which inputs of the network a board switches on. Used by inference and training
 * alike. */
#ifndef SAMARA_NNUE_FEATURES_H
#define SAMARA_NNUE_FEATURES_H

#include "chess/position.h"
#include "nnue/arch.h"

/* How one side looks at the board: its own first rank at the bottom, its own king on files a to d.
 * A view is the number to XOR a square with. */
typedef int View;

ALWAYS_INLINE View view_from(Color side, Square own_king)
{
    return side * 56 ^ (own_king & 4 ? 7 : 0);
}

/* Does a king that moves so change its side's view? Then all its inputs change. */
ALWAYS_INLINE bool view_changes(Square king_from, Square king_to)
{
    return ((king_from ^ king_to) & 4) != 0;
}

/* Own men come first: [own, enemy][type][square]. */
ALWAYS_INLINE int feature_index(Color side, View view, Piece piece, Square s)
{
    return (piece_color(piece) ^ side) * 384 + piece_type(piece) * 64 + (s ^ view);
}

/* Which input rows enter and leave an accumulator. */
typedef struct RowChange {
    int adds, subs;
    uint16_t add[MAX_MEN], sub[MAX_MEN];
} RowChange;

#endif
