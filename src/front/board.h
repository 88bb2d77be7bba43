// SPDX-License-Identifier: GPL-3.0-or-later
/* board.h -- positions for the eye. */
#ifndef SAMARA_FRONT_BOARD_H
#define SAMARA_FRONT_BOARD_H

#include "base/text.h"
#include "samara.h"

void board_draw(const SamaraPosition *position, Buffer *out); /* with letters, White below */
/* For a player: his side below; on a terminal with figures on coloured squares, the last move
 * marked. */
void board_paint(const SamaraPosition *position, bool black_below, bool colour, Buffer *out);
/* Colours exchanged and the board turned upside down: the same game from the other side. */
void board_flip(SamaraFields *fields);
void board_describe(const SamaraPosition *position,
                    Buffer *out); /* board, FEN, key, legal moves, state */
/* The static evaluation, term by term. */
void board_explain(const Samara *engine, const SamaraPosition *position,
                   SamaraEvaluation evaluation, bool colour, Buffer *out);

#endif
