// SPDX-License-Identifier: GPL-3.0-or-later
/* turns.h -- who may be answered where the request was read. An event loop that searches answers
 * nobody else meanwhile; so while several clients ask, each gets one such answer per round of the
 * loop, and the rest of its questions go to the fair queue. A client that is alone gets all. */
#ifndef SAMARA_FRONT_HTTP_TURNS_H
#define SAMARA_FRONT_HTTP_TURNS_H

#include "front/http/client.h"

enum { TURNS_REMEMBERED = 64, TURNS_ALONE_MS = 1000 };

/* Of one event loop. Begin with zeros. */
typedef struct Turns {
    ClientId last;                     /* who asked last */
    int64_t crowd_ms;                  /* until then several clients count as present */
    ClientId served[TURNS_REMEMBERED]; /* in this round */
    int count;
} Turns;

void turns_next_round(Turns *turns);
/* Whether this client may have its answer at once; counted if so. */
bool turns_take(Turns *turns, ClientId client, int64_t now_ms);

#endif
