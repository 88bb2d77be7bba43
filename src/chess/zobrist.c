// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/zobrist.h"

#include "base/rng.h"
#include <assert.h>
#include <stdlib.h>

Key zobrist_piece[PIECE_COUNT][64], zobrist_castling[16], zobrist_ep[8], zobrist_turn;
Key cuckoo_key[CUCKOO_SIZE];
Move cuckoo_move[CUCKOO_SIZE];

/* Cuckoo hashing: a newcomer takes its place and drives the old tenant to the tenant's other slot,
 * until somebody finds an empty one. */
static void cuckoo_insert(Key key, Move move)
{
    int slot = CUCKOO_SLOT_1(key);
    for (;;) {
        const Key evicted_key = cuckoo_key[slot];
        const Move evicted_move = cuckoo_move[slot];
        cuckoo_key[slot] = key;
        cuckoo_move[slot] = move;
        if (evicted_move == MOVE_NONE)
            return;
        key = evicted_key;
        move = evicted_move;
        slot = slot == CUCKOO_SLOT_1(key) ? CUCKOO_SLOT_2(key) : CUCKOO_SLOT_1(key);
    }
}

/* Could a piece go from a to b on the empty board? Told by geometry, so that keys need no attack
 * tables. */
static bool reaches(PieceType t, Square a, Square b)
{
    const int files = abs(square_file(a) - square_file(b));
    const int ranks = abs(square_rank(a) - square_rank(b));
    const bool straight = !files || !ranks, diagonal = files == ranks;
    switch (t) {
    case KNIGHT:
        return files * ranks == 2;
    case BISHOP:
        return diagonal;
    case ROOK:
        return straight;
    case QUEEN:
        return straight || diagonal;
    default:
        return files <= 1 && ranks <= 1;
    }
}

/* Every reversible move of a piece other than a pawn changes the key by a known number; the table
 * finds the move by that number. There are 3668 of them on an empty board. */
static void init_cuckoo(void)
{
    int count = 0;
    for (Piece piece = WHITE_KNIGHT; piece <= BLACK_KING; piece++)
        for (Square a = A1; a <= H8; a++)
            for (Square b = a + 1; b <= H8; b++)
                if (reaches(piece_type(piece), a, b)) {
                    cuckoo_insert(zobrist_piece[piece][a] ^ zobrist_piece[piece][b] ^ zobrist_turn,
                                  move_make(a, b));
                    count++;
                }
    assert(count == 3668);
    (void)count;
}

/* The keys of Black are those of White with the halves swapped, so a mirrored position has the
 * swapped key. */
void zobrist_init(void)
{
    Rng rng;
    rng_seed(&rng, 0x53616d617261); /* "Samara" */
    for (Piece piece = WHITE_PAWN; piece < PIECE_COUNT; piece += 2)
        for (Square s = A1; s <= H8; s++) {
            const Key key = rng_next(&rng);
            zobrist_piece[piece][s] = key;
            zobrist_piece[piece ^ 1][square_flip(s)] = bits_swap_halves(key);
        }

    /* One number per right; a set of rights has the sum of its members. */
    Key right[4];
    for (int side = CASTLE_SHORT; side <= CASTLE_LONG; side++) {
        right[CASTLE_INDEX(WHITE, side)] = rng_next(&rng);
        right[CASTLE_INDEX(BLACK, side)] = bits_swap_halves(right[CASTLE_INDEX(WHITE, side)]);
    }
    for (int set = 0; set < 16; set++)
        for (int i = 0; i < 4; i++)
            if (set >> i & 1)
                zobrist_castling[set] ^= right[i];

    for (int file = 0; file < 8; file++)
        zobrist_ep[file] = (rng_next(&rng) >> 32) * 0x100000001ULL;
    zobrist_turn = rng_next(&rng);
    init_cuckoo();
}
