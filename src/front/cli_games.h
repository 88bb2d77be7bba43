// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_games.h -- samara analyse GAMES.pgn: every move judged and explained; as text, as JSON, or as
 * an annotated file that can be resumed. */
#ifndef SAMARA_FRONT_CLI_GAMES_H
#define SAMARA_FRONT_CLI_GAMES_H

#include "base/text.h"
#include "queue/queue.h"
#include "review/report.h"

typedef struct GamesPlan {
    ReviewEffort effort;
    Speech speech;
    const char *pgn; /* annotated games go into this file, or NULL */
    bool resume;     /* it may hold some already: those are kept, and not analysed again */
    bool json, progress;
    Queue *queue; /* workers do it; NULL: we do. With a queue, effort has neither book nor tables */
} GamesPlan;

int games_analyse(const GamesPlan *plan, Str text); /* the exit code */

#endif
