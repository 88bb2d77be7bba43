// SPDX-License-Identifier: GPL-3.0-or-later
/* attacks.h -- where each piece may go on an otherwise given board.
 * Sliders by perfect hashing of the blockers: multiplication ("magic"), or PEXT where the processor
 * is quick at it. A build for one machine knows which (SAMARA_PEXT, SAMARA_MAGIC); one for all x86
 * machines chooses at start. The tables are filled once by attacks_init() and constant from then
 * on. */
#ifndef SAMARA_CHESS_ATTACKS_H
#define SAMARA_CHESS_ATTACKS_H

#include "chess/bitboard.h"

/* Idempotent and safe from any thread; must have returned before anything else of chess/ is used.
 */
void attacks_init(void);
bool attacks_use_pext(void); /* after that: how the sliders' tables are indexed */

typedef struct Slider {
    Bitboard mask, magic;
    const Bitboard *table;
    int shift;
} Slider;

extern Slider slider_bishop[64], slider_rook[64];
extern Bitboard attack_pawn[2][64], attack_knight[64], attack_king[64];
extern Bitboard ray_bishop[64], ray_rook[64]; /* attacks on the empty board */
extern Bitboard between_table[64][64], line_table[64][64];

#if defined(SAMARA_PEXT)
#define SLIDERS_BY_PEXT true
#elif defined(__x86_64__) && !defined(SAMARA_MAGIC)
#define SLIDERS_CHOOSE
extern bool sliders_by_pext; /* as attacks_init() chose */
#define SLIDERS_BY_PEXT sliders_by_pext
#else
#define SLIDERS_BY_PEXT false
#endif

ALWAYS_INLINE uint64_t slider_index(const Slider *s, Bitboard occupied)
{
    return SLIDERS_BY_PEXT ? bits_extract(occupied, s->mask)
                           : ((occupied & s->mask) * s->magic) >> s->shift;
}

ALWAYS_INLINE Bitboard bishop_attacks(Square s, Bitboard occupied)
{
    return slider_bishop[s].table[slider_index(&slider_bishop[s], occupied)];
}
ALWAYS_INLINE Bitboard rook_attacks(Square s, Bitboard occupied)
{
    return slider_rook[s].table[slider_index(&slider_rook[s], occupied)];
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
