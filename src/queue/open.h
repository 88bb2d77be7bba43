// SPDX-License-Identifier: GPL-3.0-or-later
/* open.h -- from the words of a command line to a queue. */
#ifndef SAMARA_QUEUE_OPEN_H
#define SAMARA_QUEUE_OPEN_H

#include "queue/queue.h"

typedef struct BrokerWords {
    const char *url;           /* queue/address.h; or sqlite:FILE, memory: */
    const char *password_file; /* NULL: none */
    bool exposed;              /* without a password on a network: that is meant */
} BrokerWords;

/* Does not wait for the broker: a handle comes back even while it is away. NULL: the words are
 * wrong, or this build has no such back end. rules NULL: the usual ones. */
Queue *queue_open(const BrokerWords *words, const QueueRules *rules, Error *err);
/* A sentence that a person should read about the broker, or "". False: it is away. */
bool queue_advice(Queue *q, char *out, size_t size, Error *err);
/* host-process-number, for workers and front doors. */
void queue_make_name(char out[QUEUE_NAME_SIZE], const char *role);

#endif
