// SPDX-License-Identifier: GPL-3.0-or-later
/* position.h -- what a SamaraPosition is made of, and moves as the public header writes them. For
 * this folder, and for self-play, which knows both sides of the header. */
#ifndef SAMARA_ENGINE_POSITION_H
#define SAMARA_ENGINE_POSITION_H

#include "chess/game.h"
#include "samara.h"

struct SamaraPosition {
    Game game;
    Game spare;      /* a new game is built here and swapped in when it is whole */
    Square start_ep; /* as the FEN of the start said it, capture or not */
};

const Position *position_board(const SamaraPosition *position);
/* The square that the last move's pawn passed, capture or not: what a Polyglot key wants. */
Square position_passed_square(const SamaraPosition *position);

/* Starts anew from `start` and plays these moves of it. False leaves the position as it was. */
bool position_replay(SamaraPosition *position, const Position *start, const SamaraMove *moves,
                     size_t count, SamaraError *err);

/* m is legal in p, or MOVE_NONE, which gives a move with code 0 and empty words. */
void move_export(const Position *p, Move m, SamaraMove *out);
/* The legal move of p that a code names, or MOVE_NONE. */
Move move_import(const Position *p, const SamaraMove *move);

bool engine_fail(SamaraError *out, const Error *err); /* copies, returns false */
bool engine_refuse(SamaraError *out, const char *code, const char *text); /* returns false */

#endif
