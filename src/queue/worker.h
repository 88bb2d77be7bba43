// SPDX-License-Identifier: GPL-3.0-or-later
/* worker.h -- threads that take jobs, do them, and answer for them.
 *
 * Each thread has one job at a time. Another one keeps their leases alive, carries partial results
 * out and tells a thread when its job is unwanted. A broker that is away is waited for: a finished
 * result is kept and delivered when it is back. */
#ifndef SAMARA_QUEUE_WORKER_H
#define SAMARA_QUEUE_WORKER_H

#include "base/thread.h"
#include "queue/queue.h"

typedef struct Work Work; /* the job that a thread has */

Str work_payload(const Work *work);
/* Whether to go on. To be asked now and then, where stop() cannot reach. */
bool work_wanted(const Work *work);
/* A partial result. Only the newest is sent, some times a second. */
void work_tell(Work *work, Str text);

/* What a worker writes about a finished job. */
typedef struct WorkResult {
    Buffer text;
    int64_t positions, nodes;
} WorkResult;

/* One sort of job. */
typedef struct WorkKind {
    const char *kind;
    void *user;
    void *(*open)(void *user, Error *err); /* tools of one thread, opened when first needed */
    void (*close)(void *tools);
    /* False: *err says why it cannot be done, unless it was unwanted. */
    bool (*run)(void *tools, Work *work, WorkResult *result, Error *err);
    void (*stop)(void *tools); /* from another thread: what runs should end; may be NULL */
    /* Engines that its jobs may need, if it is not the worker's own or any; NULL ends the list. */
    const char *const *needs;
} WorkKind;

enum { WORKER_MAX_THREADS = QUEUE_BATCH, WORKER_MAX_KINDS = 8 };

typedef struct WorkerConfig {
    Queue *queue;       /* cloned for each thread */
    const char *engine; /* version and network */
    const WorkKind *kinds;
    int kind_count, threads;
    int drain_ms; /* so long may a job last after *drain; then it is given back */
    const AtomicFlag *drain;
    void (*say)(void *user, const char *text); /* for a person; any thread; may be NULL */
    void *user;
} WorkerConfig;

typedef struct WorkerTotals {
    uint64_t done, late, failed, returned; /* late: finished by another one first */
} WorkerTotals;

/* Works until *drain is set. False: it could not start. */
bool worker_run(const WorkerConfig *config, WorkerTotals *totals, Error *err);

#endif
