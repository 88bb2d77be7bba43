// SPDX-License-Identifier: GPL-3.0-or-later
/* bitboard.h -- sets of squares. */
#ifndef SAMARA_CHESS_BITBOARD_H
#define SAMARA_CHESS_BITBOARD_H

#include "chess/types.h"

#define FILE_A 0x0101010101010101ULL
#define FILE_H 0x8080808080808080ULL
#define RANK_1 0x00000000000000FFULL
#define RANK_8 0xFF00000000000000ULL
#define DARK_SQUARES 0xAA55AA55AA55AA55ULL

ALWAYS_INLINE Bitboard bb_square(Square s) { return 1ULL << s; }
ALWAYS_INLINE Bitboard bb_file(int file) { return FILE_A << file; }
ALWAYS_INLINE Bitboard bb_rank(int rank) { return RANK_1 << 8 * rank; }
ALWAYS_INLINE Bitboard bb_relative_rank(Color c, int rank) { return bb_rank(rank ^ c * 7); }
ALWAYS_INLINE bool bb_has(Bitboard b, Square s) { return b >> s & 1; }
ALWAYS_INLINE bool bb_several(Bitboard b) { return (b & (b - 1)) != 0; }
ALWAYS_INLINE int bb_count(Bitboard b) { return bits_count(b); }
ALWAYS_INLINE Square bb_first(Bitboard b) { return bits_lowest(b); } /* b != 0 */

/* The board turned upside down: colours seen from the other side. */
ALWAYS_INLINE Bitboard bb_flip(Bitboard b) { return bits_swap_bytes(b); }

/* Removes and returns the lowest square: while (b) { Square s = bb_pop(&b); ... } */
ALWAYS_INLINE Square bb_pop(Bitboard *b)
{
    const Square s = bits_lowest(*b);
    *b &= *b - 1;
    return s;
}

ALWAYS_INLINE Bitboard bb_north(Bitboard b) { return b << 8; }
ALWAYS_INLINE Bitboard bb_south(Bitboard b) { return b >> 8; }
ALWAYS_INLINE Bitboard bb_east(Bitboard b) { return (b & ~FILE_H) << 1; }
ALWAYS_INLINE Bitboard bb_west(Bitboard b) { return (b & ~FILE_A) >> 1; }
ALWAYS_INLINE Bitboard bb_forward(Color c, Bitboard b) { return c == WHITE ? b << 8 : b >> 8; }

/* All squares attacked by a set of pawns. */
ALWAYS_INLINE Bitboard bb_pawn_attacks(Color c, Bitboard pawns)
{
    const Bitboard forward = bb_forward(c, pawns);
    return bb_east(forward) | bb_west(forward);
}

enum { BB_TEXT_SIZE = 8 * 9 + 1 };
void bb_draw(Bitboard b, char out[BB_TEXT_SIZE]); /* eight lines of '#' and '.', rank 8 first */

#endif
