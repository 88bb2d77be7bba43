// SPDX-License-Identifier: GPL-3.0-or-later
/* features.h -- which inputs of the network a board switches on. Used by inference and training
 * alike. */
#ifndef SAMARA_NNUE_FEATURES_H
#define SAMARA_NNUE_FEATURES_H

#include "chess/position.h"
#include "nnue/arch.h"

/* How one side looks at the board: its own first rank at the bottom, its own king on files a to d,
 * and which king bucket that king stands in. The low six bits of a view are the number to XOR a
 * square with, those above are the bucket. */
typedef int View;

/* King buckets by the king's square as its own side sees it, files a to d: the corner where a
 * castled king stands, the middle of the first rank, the second rank, and the open board. */
ALWAYS_INLINE int king_bucket(Square king)
{
    const int rank = king >> 3;
    return rank == 0 ? (king & 7) >> 1 : rank == 1 ? 2 : 3;
}

/* kings: how many king buckets the network has, 1 or NN_MAX_KINGS. */
ALWAYS_INLINE View view_from(Color side, Square own_king, int kings)
{
    const int flip = side * 56 ^ (own_king & 4 ? 7 : 0);
    return kings == 1 ? flip : flip | king_bucket(own_king ^ flip) << 6;
}

/* Own men come first: [king bucket][own, enemy][type][square]. */
ALWAYS_INLINE int feature_index(Color side, View view, Piece piece, Square s)
{
    return (view >> 6) * NN_INPUTS + (piece_color(piece) ^ side) * 384 + piece_type(piece) * 64 +
           (s ^ (view & 63));
}

/* Which input rows enter and leave an accumulator. */
typedef struct RowChange {
    int adds, subs;
    uint16_t add[MAX_MEN], sub[MAX_MEN];
} RowChange;

#endif
