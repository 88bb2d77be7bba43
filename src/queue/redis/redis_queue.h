// SPDX-License-Identifier: GPL-3.0-or-later
/* redis_queue.h -- the queue on Redis. All that must be one step is a Lua script (lua/, with a
 * drawing of the keys in common.lua); the clock is that of Redis. */
#ifndef SAMARA_QUEUE_REDIS_REDIS_QUEUE_H
#define SAMARA_QUEUE_REDIS_REDIS_QUEUE_H

#include "queue/address.h"
#include "queue/queue.h"

/* Does not connect yet: the first call does. NULL: no memory. */
Queue *redis_queue_open(const BrokerAddress *address, const QueueRules *rules, Error *err);
bool redis_queue_is(const Queue *q); /* whether it is one */
/* What a person should know about this Redis before trusting it with jobs: no persistence, jobs
 * that may be evicted. "" if nothing. */
bool redis_queue_advice(Queue *q, char *out, size_t size, Error *err);

#endif
