// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.h -- POST /api/v1/explain: why a move is good or bad, or what a position is about. */
#ifndef SAMARA_FRONT_HTTP_EXPLAIN_H
#define SAMARA_FRONT_HTTP_EXPLAIN_H

#include "front/http/request.h"
#include "review/say.h"

void explain_route(Task *task, Slot *slot);
/* The language and level that a request asks for. False: *reply says what is wrong. */
bool explain_speech(const Params *params, Speech *out, Reply *reply);

#endif
