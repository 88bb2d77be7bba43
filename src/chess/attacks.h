// SPDX-License-Identifier: GPL-3.0-or-later
/* attacks.h -- where each piece may go on an otherwise given board.
 * Sliders by perfect hashing of the blockers: multiplication ("magic") or, where the build says
 * that the processor is fast at it, PEXT. The tables are filled once by attacks_init() and constant
 * from then on. */
#ifndef SAMARA_CHESS_ATTACKS_H
#define SAMARA_CHESS_ATTACKS_H

#include "chess/bitboard.h"

/* Idempotent and safe from any thread; must have returned before anything else of chess/ is used.
 */
void attacks_init(void);

typedef struct Slider {
    Bitboard mask, magic;
    const Bitboard *table;
    int shift;
} Slider;

extern Slider slider_bishop[64], slider_rook[64];
extern Bitboard attack_pawn[2][64], attack_knight[64], attack_king[64];
extern Bitboard ray_bishop[64], ray_rook[64]; /* attacks on the empty board */
extern Bitboard between_table[64][64], line_table[64][64];

#ifdef SAMARA_PEXT
#include <immintrin.h>
#define SLIDER_INDEX(s, occupied) _pext_u64((occupied), (s)->mask)
#else
#define SLIDER_INDEX(s, occupied) ((((occupied) & (s)->mask) * (s)->magic) >> (s)->shift)
#endif

ALWAYS_INLINE Bitboard bishop_attacks(Square s, Bitboard occupied)
{
    return slider_bishop[s].table[SLIDER_INDEX(&slider_bishop[s], occupied)];
}
ALWAYS_INLINE Bitboard rook_attacks(Square s, Bitboard occupied)
{
    return slider_rook[s].table[SLIDER_INDEX(&slider_rook[s], occupied)];
}
ALWAYS_INLINE Bitboard queen_attacks(Square s, Bitboard occupied)
{
    return bishop_attacks(s, occupied) | rook_attacks(s, occupied);
}

/* Any piece but a pawn. */
ALWAYS_INLINE Bitboard piece_attacks(PieceType t, Square s, Bitboard occupied)
{
    switch (t) {
    case KNIGHT:
        return attack_knight[s];
    case BISHOP:
        return bishop_attacks(s, occupied);
    case ROOK:
        return rook_attacks(s, occupied);
    case QUEEN:
        return queen_attacks(s, occupied);
    default:
        return attack_king[s];
    }
}

/* Squares strictly between a and b on a rank, file or diagonal; empty if there is none. */
ALWAYS_INLINE Bitboard bb_between(Square a, Square b) { return between_table[a][b]; }
/* The whole rank, file or diagonal through both, edge to edge; empty if there is none. */
ALWAYS_INLINE Bitboard bb_line(Square a, Square b) { return line_table[a][b]; }

/* The same as queen_attacks(), square by square along the rays: the slow way, to compare with. */
Bitboard queen_attacks_by_rays(Square s, Bitboard occupied);

/* King moves apart: max of file and rank distance. */
int square_distance(Square a, Square b);

#endif
