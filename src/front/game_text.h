// SPDX-License-Identifier: GPL-3.0-or-later
/* game_text.h -- a played game as PGN. */
#ifndef SAMARA_FRONT_GAME_TEXT_H
#define SAMARA_FRONT_GAME_TEXT_H

#include "base/error.h"
#include "base/text.h"
#include "samara.h"

/* Tags and moves of the game behind the position. players: White, then Black; result: "1-0", "0-1",
 * "1/2-1/2" or "*". */
bool game_write(const SamaraPosition *position, const char *players[2], const char *result,
                Buffer *out, Error *err);
/* Appends it to a file, as PGN files are kept. */
bool game_save(const SamaraPosition *position, const char *players[2], const char *result,
               const char *path, Error *err);

#endif
