// SPDX-License-Identifier: GPL-3.0-or-later
/* games.h -- the library of games, and their analysis as jobs that survive a restart. */
#ifndef SAMARA_FRONT_HTTP_GAMES_H
#define SAMARA_FRONT_HTTP_GAMES_H

#include "front/http/request.h"

typedef struct Games Games;

Games *
games_create(App *app); /* NULL: no memory. Takes up what an earlier process left unfinished. */
void games_destroy(Games *games); /* the queues are closed before; NULL is fine */

void games_quiet(
    Games
        *games); /* the server ends: so do the streams of those who follow a report; NULL is fine */

void games_post(Task *task, Slot *slot);
void games_list(Task *task, Slot *slot);
void games_get(Task *task, Slot *slot);
void games_pgn(Task *task, Slot *slot);
void games_follow(Task *task, Slot *slot); /* GET /api/v1/games/{id}/stream */
void games_delete(Task *task, Slot *slot);

#endif
