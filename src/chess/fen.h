// SPDX-License-Identifier: GPL-3.0-or-later
/* fen.h -- positions as text: FEN, X-FEN and Shredder-FEN. */
#ifndef SAMARA_CHESS_FEN_H
#define SAMARA_CHESS_FEN_H

#include "base/error.h"
#include "base/text.h"
#include "chess/position.h"

enum { FEN_SIZE = 128 }; /* enough for any FEN that fen_write makes, NUL included */
#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* How to read the castling field. */
typedef enum FenMode {
    FEN_STANDARD, /* king e-file, rooks a/h; rights that need Chess960 are dropped with a warning */
    FEN_960,      /* any right that exists; the position speaks Chess960 */
} FenMode;

/* Reads 2 to 6 fields. False leaves *p untouched and says code, field, reason and column in *err.
 * What can be mended (impossible castling rights or en-passant square, odd material) is mended or kept and
 * told in *warning (text "" if there was nothing to say). err and warning may be NULL. */
bool fen_parse(Position *p, Str text, FenMode mode, Error *err, Error *warning);

/* The ep field: written only when a legal capture exists (the default), or after every double step, given
 * the last move. Castling: KQkq, or Shredder letters if p->chess960. */
void fen_write(const Position *p, char out[FEN_SIZE]);
/* As fen_write, but with the en-passant square after every double step `last` (the mission's convention). */
void fen_write_with_ep(const Position *p, Move last, char out[FEN_SIZE]);

#endif
