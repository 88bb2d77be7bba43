// SPDX-License-Identifier: GPL-3.0-or-later
/* zobrist.h -- random numbers that name positions. Filled once, by attacks_init(), from a fixed
 * seed.
 *
 * Exchanging the colours and turning the board exchanges the halves of every number (the side to
 * move apart): the key of a colour-flipped position is known, and a search can treat both alike. */
#ifndef SAMARA_CHESS_ZOBRIST_H
#define SAMARA_CHESS_ZOBRIST_H

#include "chess/types.h"

extern Key zobrist_piece[PIECE_COUNT][64], zobrist_castling[16], zobrist_ep[8], zobrist_turn;

/* Every reversible move of a piece, findable by the difference of keys that it makes (see
 * pos_can_repeat). */
enum { CUCKOO_SIZE = 8192 };
extern Key cuckoo_key[CUCKOO_SIZE];
extern Move cuckoo_move[CUCKOO_SIZE];
#define CUCKOO_SLOT_1(key) ((int)((key) & (CUCKOO_SIZE - 1)))
#define CUCKOO_SLOT_2(key) ((int)((key) >> 16 & (CUCKOO_SIZE - 1)))

void zobrist_init(void); /* called by attacks_init */

#endif
