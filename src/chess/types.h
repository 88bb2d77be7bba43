// SPDX-License-Identifier: GPL-3.0-or-later
/* types.h -- the words of chess: colours, pieces, squares, moves. */
#ifndef SAMARA_CHESS_TYPES_H
#define SAMARA_CHESS_TYPES_H

#include "base/compiler.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard; /* bit 0 = a1, bit 7 = h1, bit 63 = h8 */
typedef uint64_t Key;

typedef int Color;
enum { WHITE, BLACK };

typedef int PieceType;
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_PIECE_TYPE };

/* 0 to 11, white even: type * 2 + colour. A table over pieces has 12 rows. */
typedef int Piece;
// clang-format off
enum {
    WHITE_PAWN, BLACK_PAWN, WHITE_KNIGHT, BLACK_KNIGHT, WHITE_BISHOP, BLACK_BISHOP,
    WHITE_ROOK, BLACK_ROOK, WHITE_QUEEN, BLACK_QUEEN, WHITE_KING, BLACK_KING, NO_PIECE
};
// clang-format on
enum { PIECE_COUNT = 12 };

typedef int Square;
// clang-format off
enum {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
    NO_SQUARE
};
// clang-format on

/* Limits of chess, not of reachable chess: boards may hold up to 64 men. */
enum { MAX_MOVES = 512, MAX_MEN = 64 };

/* The four castling rights; side 0 is the king's (towards the h-file), side 1 the queen's. */
enum { CASTLE_SHORT, CASTLE_LONG };
#define CASTLE_INDEX(color, side) ((color)*2 + (side)) /* 0..3 */
#define CASTLE_RIGHT(color, side) (1 << CASTLE_INDEX(color, side))

/* 16 bits: 0-5 from, 6-11 to, 12-13 promotion piece (N B R Q), 14-15 kind.
 * Castling is written king takes own rook, so that Chess960 needs no case of its own. */
typedef uint16_t Move;
enum { MOVE_NONE = 0, MOVE_NULL = 65 /* b1b1 */ };
enum { NORMAL = 0, PROMOTION = 1 << 14, EN_PASSANT = 2 << 14, CASTLING = 3 << 14 };

ALWAYS_INLINE Color color_flip(Color c) { return c ^ 1; }
ALWAYS_INLINE Piece piece_make(Color c, PieceType t) { return t * 2 + c; }
ALWAYS_INLINE PieceType piece_type(Piece p) { return p >> 1; } /* NO_PIECE gives NO_PIECE_TYPE */
ALWAYS_INLINE Color piece_color(Piece p) { return p & 1; }

ALWAYS_INLINE Square square_make(int file, int rank) { return rank * 8 + file; }
ALWAYS_INLINE int square_file(Square s) { return s & 7; }
ALWAYS_INLINE int square_rank(Square s) { return s >> 3; }
ALWAYS_INLINE Square square_flip(Square s) { return s ^ 56; }  /* a1 <-> a8 */
ALWAYS_INLINE Square square_mirror(Square s) { return s ^ 7; } /* a1 <-> h1 */
ALWAYS_INLINE Square square_relative(Color c, Square s) { return s ^ (c * 56); }
ALWAYS_INLINE int rank_relative(Color c, Square s) { return square_rank(s) ^ (c * 7); }

ALWAYS_INLINE Move move_make(Square from, Square to) { return (Move)(from | to << 6); }
ALWAYS_INLINE Move move_make_kind(Square from, Square to, int kind)
{
    return (Move)(from | to << 6 | kind);
}
ALWAYS_INLINE Move move_make_promotion(Square from, Square to, PieceType t)
{
    return (Move)(from | to << 6 | (t - KNIGHT) << 12 | PROMOTION);
}
ALWAYS_INLINE Square move_from(Move m) { return m & 63; }
ALWAYS_INLINE Square move_to(Move m) { return m >> 6 & 63; }
ALWAYS_INLINE int move_kind(Move m) { return m & 3 << 14; }
ALWAYS_INLINE PieceType move_promotion(Move m)
{
    return (m >> 12 & 3) + KNIGHT;
} /* of a PROMOTION */

#endif
