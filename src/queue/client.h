// SPDX-License-Identifier: GPL-3.0-or-later
/* client.h -- a front door's side of the queue: hands jobs over and says what becomes of them,
 * whatever happens to the broker in between.
 *
 * Every job that was submitted gets any number of parts and then exactly one of the other events.
 * Jobs that the broker lost are enqueued again. Jobs whose client does not wait are told AWAY when
 * the broker is away for a second; the others stay until it is back. */
#ifndef SAMARA_QUEUE_CLIENT_H
#define SAMARA_QUEUE_CLIENT_H

#include "base/thread.h"
#include "queue/queue.h"

typedef enum TicketEvent {
    TICKET_PART, /* a partial result; all others are the last */
    TICKET_DONE,
    TICKET_DEAD, /* failed too often; the text is the reason */
    TICKET_FULL, /* refused; the text says who is full */
    TICKET_AWAY  /* the broker is away; the text says why */
} TicketEvent;

/* Called by a thread of the client, with its lock: it must be quick and must not call the client. */
typedef void (*TicketListener)(void *user, TicketEvent event, Str text);

typedef struct QueueClient QueueClient;

/* queue: cloned. on_new_broker (may be NULL): the broker was reached for the first time, or has
 * lost its memory; called without the lock by a thread of the client. */
QueueClient *queue_client_start(Queue *queue, void (*on_new_broker)(void *user), void *user,
                                Error *err);
void queue_client_stop(QueueClient *client); /* no event comes after this; NULL is fine */

/* Copies the job. patient: it is never told AWAY. 0: refused, the broker is away; *err says why. */
uint64_t queue_client_submit(QueueClient *client, const Job *job, bool patient,
                             TicketListener listener, void *user, Error *err);
/* Nobody waits any more; no event comes after this. False: there is no such ticket, any more. */
bool queue_client_leave(QueueClient *client, uint64_t ticket);
/* Tells all AWAY, those who are patient too, and refuses new ones. */
void queue_client_end(QueueClient *client, const char *why);
/* Whether the broker can be reached; *err (may be NULL) says why not. */
bool queue_client_ready(QueueClient *client, Error *err);
size_t queue_client_waiting(QueueClient *client);

#endif
