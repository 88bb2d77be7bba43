// SPDX-License-Identifier: GPL-3.0-or-later
/* app.h -- what all parts of the server share. Written before the first request, then only its
 * parts change, each under a lock of its own. */
#ifndef SAMARA_FRONT_HTTP_APP_H
#define SAMARA_FRONT_HTTP_APP_H

#include "front/http/client.h"
#include "front/http/guard.h"
#include "front/http/worker_queue.h"
#include "front/http/metrics.h"
#include "front/http/quick.h"
#include "front/http/quota.h"
#include "front/http/store.h"

typedef enum QueueName {
    QUEUE_NONE,   /* answered where it was read */
    QUEUE_SHORT,  /* short questions: rules, library */
    QUEUE_SEARCH, /* a move, an analysis */
    QUEUE_STREAM, /* streams: minutes */
    QUEUE_REPORT, /* whole games, one at a time */
    QUEUE_COUNT
} QueueName;

struct Request;

typedef struct App {
    Guard guard;
    Proxies proxies;
    Quota *connections, *bodies; /* bodies: large ones, in memory now */
    Metrics metrics;
    WorkerQueue *queue[QUEUE_COUNT]; /* queue[QUEUE_NONE] is NULL */
    Quick *quick;
    Store *store;
    struct Games *games;
    struct Broker *broker;                   /* NULL: all work is done here */
    bool (*leave_broker)(struct Request *r); /* broker_leave(), for those below it */
    int64_t max_time_ms;                     /* of one search */
    int64_t max_stream_ms;                   /* of one live analysis */
    int hash_mb;      /* of each engine, unless a live analysis asks for more, */
    int most_threads; /* up to this */
    int most_hash_mb;
    int table_men; /* of the largest endgame table; 0: there are none */
    bool has_book;
    bool stored; /* on disk, not only in memory */
} App;

#endif
