// SPDX-License-Identifier: GPL-3.0-or-later
/* think.h -- searching on behalf of a request. All scores go out in White's view. */
#ifndef SAMARA_FRONT_HTTP_THINK_H
#define SAMARA_FRONT_HTTP_THINK_H

#include "front/http/request.h"

/* Sets the position as the request says. False: *reply says what is wrong. */
bool think_prepare(Slot *slot, const Params *params, Reply *reply);
json_t *think_score(const SamaraScore *score, bool white_to_move); /* {"cp": 35} or {"mate": -3} */
/* {"status": "game_over", ...} if the game is over, else NULL */
json_t *think_finished(const SamaraPosition *position);

/* Analyses the slot's position as the request says; NULL: *reply says why not. */
json_t *think_here(Request *r, Slot *slot, Reply *reply);

void think_move(Task *task, Slot *slot);     /* POST /move */
bool think_move_now(Request *r, Slot *slot); /* the same; false: takes longer, not answered */
void think_analyse(Task *task, Slot *slot);  /* GET, POST /api/v1/analyse */
void think_stream(Task *task, Slot *slot);   /* GET /api/v1/stream */

#endif
