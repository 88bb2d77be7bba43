// SPDX-License-Identifier: GPL-3.0-or-later
/* look.h -- questions that need no search: legal moves, counts, the static evaluation, options,
 * health. */
#ifndef SAMARA_FRONT_HTTP_LOOK_H
#define SAMARA_FRONT_HTTP_LOOK_H

#include "front/http/request.h"

void look_legal(Task *task, Slot *slot);
void look_perft(Task *task, Slot *slot);
void look_eval(Task *task, Slot *slot);
/* These need no engine and answer at once. */
void look_status(Request *r);
void look_health(Request *r);
void look_options(Request *r);
void look_metrics(Request *r);

#endif
