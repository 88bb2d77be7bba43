// SPDX-License-Identifier: GPL-3.0-or-later
/* game_lines.h -- a judged game for a person at a terminal. */
#ifndef SAMARA_FRONT_GAME_LINES_H
#define SAMARA_FRONT_GAME_LINES_H

#include "review/review.h"
#include "review/speech.h"

/* One line per move, then the figures of both players. */
void game_lines_write(const Review *review, const Speech *speech, Buffer *out);

#endif
