// SPDX-License-Identifier: GPL-3.0-or-later
/* movegen.h -- legal moves, in stages. Everything generated is fully legal; in check only evasions
 * come. */
#ifndef SAMARA_CHESS_MOVEGEN_H
#define SAMARA_CHESS_MOVEGEN_H

#include "chess/position.h"

typedef struct MoveList {
    int count;
    Move moves[MAX_MOVES];
} MoveList;

/* Each appends to the list (set list->count = 0 first). Noisy: captures, en passant and every
 * promotion. Quiet: the rest, castling included. The two together are exactly the legal moves. */
void gen_noisy(const Position *p, MoveList *list);
void gen_quiet(const Position *p, MoveList *list);
void gen_legal(const Position *p, MoveList *list); /* both, after resetting count */
int gen_count(const Position *p); /* how many gen_legal would give, without listing them */
bool list_has(const MoveList *list, Move m);

bool pos_has_legal_move(const Position *p);
/* Draw by the fifty-move rule: a hundred quiet plies, unless the last one mated. */
bool pos_fifty_moves(const Position *p);

#endif
