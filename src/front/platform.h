// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.h -- the small line protocol of a teaching platform for game programs.
 *
 * In: `BOARD:<fen>` sets up a position, `RESET:` starts a new game, `MOVE:<uci>` is the opponent's
 * move, `PLAY:` asks for ours. Out: `MOVE:<uci>`. Every other line out is log. */
#ifndef SAMARA_FRONT_PLATFORM_H
#define SAMARA_FRONT_PLATFORM_H

#include "front/console.h"
#include "samara.h"

enum { PLATFORM_THINK_MS = 1000 }; /* for a move, unless the user says otherwise */

/* Until `quit` or the end of input. `limits` hold for each of our moves. */
void platform_run(Console *console, Samara *engine, SamaraPosition *position,
                  const SamaraLimits *limits);

#endif
