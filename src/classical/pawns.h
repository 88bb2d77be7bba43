// SPDX-License-Identifier: GPL-3.0-or-later
/* pawns.h -- what pawns and kings alone decide: structure, passed pawns, the pawns before a king.
 * Changes rarely, so it is remembered in a table. */
#ifndef SAMARA_CLASSICAL_PAWNS_H
#define SAMARA_CLASSICAL_PAWNS_H

#include "chess/position.h"
#include "classical/weights.h"

/* One cache line. */
typedef struct PawnEntry {
    Key key;
    Packed score;            /* White minus Black */
    Packed danger[2];        /* units against the king of this colour */
    Bitboard passed;         /* of both colours */
    Bitboard attack_span[2]; /* what pawns of this colour attack or may come to attack */
    uint64_t padding;
} PawnEntry;

/* Half a megabyte: more would drive other things out of the cache. */
enum { PAWN_TABLE_SIZE = 1 << 13 };

typedef struct PawnTable {
    PawnEntry entries[PAWN_TABLE_SIZE];
} PawnTable;

/* The entry of p, from the table if it is there. Without a table, or with a tally, `scratch` is
 * filled and returned. */
const PawnEntry *pawns_evaluate(const Position *p, PawnTable *table, Tally *tally,
                                PawnEntry *scratch);

/* Squares in front of s on its file, as seen by c. */
ALWAYS_INLINE Bitboard file_ahead(Color c, Square s)
{
    return c == WHITE ? FILE_A << 8 << s : FILE_H >> 8 >> (63 - s);
}
/* The files left and right of s. */
ALWAYS_INLINE Bitboard files_beside(Square s)
{
    const Bitboard file = bb_file(square_file(s));
    return bb_east(file) | bb_west(file);
}
/* All ranks in front of s, as seen by c. */
ALWAYS_INLINE Bitboard ranks_ahead(Color c, Square s)
{
    return c == WHITE ? ~0ULL << 8 << (s & 56) : ~0ULL >> 8 >> (56 - (s & 56));
}
ALWAYS_INLINE Bitboard fill_forward(Color c, Bitboard b)
{
    if (c == WHITE)
        return b |= b << 8, b |= b << 16, b | b << 32;
    return b |= b >> 8, b |= b >> 16, b | b >> 32;
}
/* 0 on the edge files to 3 on the centre files. */
ALWAYS_INLINE int edge_distance(int file) { return file < 4 ? file : 7 - file; }
/* A square as c sees it from its own side, mirrored so that `king` stands on the right wing. */
ALWAYS_INLINE Square wing_square(Color c, Square s, Square king)
{
    return square_relative(c, s) ^ (square_file(king) < 4 ? 7 : 0);
}
/* King moves from a to b on an empty board. */
ALWAYS_INLINE int king_steps(Square a, Square b)
{
    const int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    const int f = files < 0 ? -files : files, r = ranks < 0 ? -ranks : ranks;
    return f > r ? f : r;
}

#endif
