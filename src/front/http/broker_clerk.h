// SPDX-License-Identifier: GPL-3.0-or-later
/* broker_clerk.h -- what a front door does beside its requests: keeps results of positions in Redis
 * and in the store, gives them back to a Redis that was wiped, and looks how the queue does. */
#ifndef SAMARA_FRONT_HTTP_BROKER_CLERK_H
#define SAMARA_FRONT_HTTP_BROKER_CLERK_H

#include "front/http/params.h"
#include "front/http/store.h"
#include "queue/queue.h"

typedef struct Clerk Clerk;

Clerk *clerk_start(Queue *queue, Store *store, Error *err); /* the queue is cloned */
void clerk_stop(Clerk *clerk);                              /* NULL is fine */

/* Copies; key: think_memory_key(). Done later by a thread of its own. key "": nothing is kept. */
void clerk_remember(Clerk *clerk, const char *key, int lines, const char *json);
/* From Redis, or else from the store; NULL: not known. To be freed. */
char *clerk_recall(Clerk *clerk, const char *key, int lines);
void clerk_restore(Clerk *clerk); /* Redis has forgotten */

void clerk_metrics(Clerk *clerk, Buffer *out);
void clerk_status(Clerk *clerk, Reply *reply);
void clerk_act(Clerk *clerk, const Params *params, Reply *reply);

#endif
