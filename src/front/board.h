// SPDX-License-Identifier: GPL-3.0-or-later
/* board.h -- positions for the eye, made from a FEN that the library wrote. */
#ifndef SAMARA_FRONT_BOARD_H
#define SAMARA_FRONT_BOARD_H

#include "base/text.h"
#include "samara.h"

void board_draw(const char *fen, Buffer *out); /* ten lines, White below */
/* Colours exchanged and the board turned upside down: the same game from the other side. */
void board_flip(const char *fen, char out[SAMARA_FEN_SIZE]);
void board_describe(const Samara *engine, Buffer *out); /* board, FEN, key, legal moves, state */
void board_explain(Samara *engine, bool colour,
                   Buffer *out); /* the static evaluation, term by term */

#endif
