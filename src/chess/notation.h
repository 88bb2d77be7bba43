// SPDX-License-Identifier: GPL-3.0-or-later
/* notation.h -- moves as text: UCI coordinates and SAN. Writing is strict, reading liberal. */
#ifndef SAMARA_CHESS_NOTATION_H
#define SAMARA_CHESS_NOTATION_H

#include "base/text.h"
#include "chess/position.h"

enum { UCI_MOVE_SIZE = 6, SAN_SIZE = 12 };

/* Castling is e1g1 in standard chess and e1h1 (king takes rook) if chess960. MOVE_NONE and
 * MOVE_NULL: "0000". */
void move_to_uci(Move m, bool chess960, char out[UCI_MOVE_SIZE]);
/* A legal move of p or MOVE_NONE. A plain move comes first; castling is then taken in either
 * spelling, king takes rook or king to its castled square two files off or more. */
Move move_from_uci(const Position *p, Str text);

/* m is legal: with + or #, and no more origin than other legal moves make necessary. MOVE_NULL:
 * "--". */
void move_to_san(const Position *p, Move m, char out[SAN_SIZE]);
/* SAN in all its dialects, long algebraic, UCI: a legal move of p, MOVE_NULL for a written null
 * move (--, Z0, 0000, @@@@; whether one is allowed here is the caller's question), or MOVE_NONE if
 * nothing or more than one thing fits. */
Move move_from_san(const Position *p, Str text);

#endif
