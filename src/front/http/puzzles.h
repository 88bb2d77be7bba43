// SPDX-License-Identifier: GPL-3.0-or-later
/* puzzles.h -- mistakes as exercises: made on request, kept in the store with what a trainer
 * remembers about each. */
#ifndef SAMARA_FRONT_HTTP_PUZZLES_H
#define SAMARA_FRONT_HTTP_PUZZLES_H

#include "front/http/request.h"

void puzzles_post(Task *task, Slot *slot);   /* POST /api/v1/puzzles */
void puzzles_list(Task *task, Slot *slot);   /* GET /api/v1/puzzles */
void puzzles_get(Task *task, Slot *slot);    /* GET /api/v1/puzzles/{id} */
void puzzles_learn(Task *task, Slot *slot);  /* POST /api/v1/puzzles/{id} */
void puzzles_delete(Task *task, Slot *slot); /* DELETE /api/v1/puzzles/{id} */
void puzzles_pgn(Task *task, Slot *slot);    /* GET /api/v1/puzzles.pgn */
void puzzles_epd(Task *task, Slot *slot);    /* GET /api/v1/puzzles.epd */

#endif
