// SPDX-License-Identifier: GPL-3.0-or-later
/* broker.h -- this server as one of several front doors: analyses go to the queue, and workers on
 * any machine do them. Rules, moves of levels and everything short stay here.
 *
 * While the broker is away clients hear 503 and why, or are served by this server's own engines if
 * that was allowed; it comes back by itself. */
#ifndef SAMARA_FRONT_HTTP_BROKER_H
#define SAMARA_FRONT_HTTP_BROKER_H

#include "front/http/request.h"
#include "queue/client.h"
#include "queue/open.h"

typedef struct Broker Broker;

/* local: serve from our own engines while it is away. on_new: see queue/client.h. */
Broker *broker_create(App *app, const BrokerWords *words, bool local, Error *err);
void broker_quiet(Broker *broker);   /* no request hears of it any more */
void broker_destroy(Broker *broker); /* quiet before; NULL is fine */

/* Whether the request is one for the queue; then broker_run() is to be its task. */
bool broker_takes(const Request *r);
void broker_run(Task *task, Slot *slot);
/* The client of the request is gone. True: its hold is the caller's to drop, by request_done(). */
bool broker_leave(Request *r);

QueueClient *broker_client(Broker *broker);
const char *broker_engine(const Broker *broker);
/* What Prometheus reads, as it was a moment ago. */
void broker_metrics(Broker *broker, Buffer *out);
bool broker_ready(Broker *broker, Error *err);

void broker_status_route(Task *task, Slot *slot); /* GET /api/v1/queue */
void broker_act_route(Task *task, Slot *slot);    /* POST /api/v1/queue */

#endif
