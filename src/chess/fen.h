// SPDX-License-Identifier: GPL-3.0-or-later
/* fen.h -- positions as text: FEN, X-FEN and Shredder-FEN.
 * Refused is what cannot be a position; mended is what careless programs write; odd but playable
 * boards, up to 64 men, are taken as they are. */
#ifndef SAMARA_CHESS_FEN_H
#define SAMARA_CHESS_FEN_H

#include "base/error.h"
#include "base/text.h"
#include "chess/position.h"

enum {
    FEN_SIZE = 128,              /* enough for any FEN that fen_write makes, NUL included */
    FEN_MAX_LENGTH = 1024,       /* longer texts are refused unread */
    FEN_MAX_RULE50 = 32767,      /* half-move clock */
    FEN_MAX_MOVE_NUMBER = 100000 /* full moves */
};
#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* How to read the castling field. */
typedef enum FenMode {
    FEN_STANDARD, /* king e-file, rooks a/h; rights that need Chess960 are dropped with a warning */
    FEN_960,      /* any right that exists; the position speaks Chess960 */
} FenMode;

/* Reads 2 to 6 fields: "- - 0 1" stands for missing ones. False leaves *p untouched and says in
 * *err field, reason and column, with one of these codes:
 *   LENGTH FIELDS BYTES BOARD_CHAR DIGIT BOARD_ROWS BOARD_WIDTH SIDE CASTLING EP HALFMOVE FULLMOVE
 *   KING_COUNT PAWN_RANK OPP_IN_CHECK
 * *warning tells what was mended, CASTLING (a right without its king or rook: dropped) or EP (no
 * pawn can just have passed that square: dropped), or cannot arise in a game and is kept,
 * PIECE_COUNT or PROMO_COUNT (such a board may also have a king in check out of turn, which is
 * refused elsewhere); code and text are "" if there is nothing to say. It is silent where
 * writers merely differ: an en-passant square that nobody can use, the order of the castling
 * letters, missing fields, surplus blanks, move number 0. err and warning may be NULL. */
bool fen_parse(Position *p, Str text, FenMode mode, Error *err, Error *warning);

/* Whether the castling field has Shredder letters, which only Chess960 needs. */
bool fen_speaks_chess960(Str fen);

/* The en-passant square is written only if a legal capture exists. Castling: KQkq, or Shredder
 * letters if p->chess960. Counters beyond what fen_parse takes are written as its maximum. */
void fen_write(const Position *p, char out[FEN_SIZE]);
/* The same, but with the en-passant square whenever `last`, the move that led here, was a double
 * step: the convention of the PGN standard of 1994. */
void fen_write_with_ep(const Position *p, Move last, char out[FEN_SIZE]);

#endif
