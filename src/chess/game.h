// SPDX-License-Identifier: GPL-3.0-or-later
/* game.h -- a start position and the moves played from it: repetition, results, take-back. */
#ifndef SAMARA_CHESS_GAME_H
#define SAMARA_CHESS_GAME_H

#include "base/error.h"
#include "chess/position.h"

typedef struct GamePly {
    Move move;
    Undo undo;
} GamePly;

typedef struct Game {
    Position start, pos; /* where it began, where it stands */
    GamePly *plies;      /* count of them; grows as needed */
    Key *keys;           /* keys[i]: key before plies[i]; with pos, what pos_repetitions() wants */
    int count, capacity;
} Game;

typedef enum GameEnd {
    GAME_ON,
    END_CHECKMATE, /* the side to move is mated */
    END_STALEMATE,
    END_REPETITION, /* third occurrence */
    END_FIFTY_MOVES,
    END_MATERIAL,
} GameEnd;

void game_init(Game *g);                         /* standard start position; no memory yet */
void game_reset(Game *g, const Position *start); /* keeps the memory */
void game_free(Game *g);                         /* game_init before using it again */
bool game_play(Game *g, Move m, Error *err);     /* m legal; false only if memory is short */
bool game_undo(Game *g);                         /* false at the start */
/* The first reason that holds, in the order of the enum: mate and stalemate come before the draws.
 */
GameEnd game_end(const Game *g);
const char *game_end_name(GameEnd end); /* "checkmate", "threefold repetition", ... */

#endif
