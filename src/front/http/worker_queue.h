// SPDX-License-Identifier: GPL-3.0-or-later
/* worker_queue.h -- engines that work for many: a few threads with an engine each, and a bounded
 * queue before them. Different kinds of work have queues of their own, so that a long analysis
 * never stands before a short question.
 *
 * Clients share fairly. Whoever has used the least engine time goes first; within a client its
 * sessions take turns. A client that has nothing running also gets one of a few spare engines, so
 * it need not wait for the end of another's long search. In a full queue the client that has most
 * waiting loses its newest task to one that has fewer. Work without a natural end (live analysis)
 * is cut short where another client waits and has less. */
#ifndef SAMARA_FRONT_HTTP_WORKER_QUEUE_H
#define SAMARA_FRONT_HTTP_WORKER_QUEUE_H

#include "base/thread.h"
#include "samara.h"

typedef struct WorkerQueue WorkerQueue;
typedef struct Task Task;

/* One engine, and a position to work on. */
typedef struct Slot {
    Samara *engine;
    SamaraPosition *position;
    const AtomicFlag *closing; /* of the queue */
    AtomicFlag hurried;        /* what runs should come to an end, see task_should_end() */
} Slot;

bool slot_open(Slot *slot, const SamaraConfig *config, const AtomicFlag *closing, SamaraError *err);
void slot_close(Slot *slot); /* opened or not */

/* Embedded in whatever is to be done. The queue owns it from worker_queue_submit() until run() or
 * push_out() is called, and does not touch it after that returned: both may free it. */
struct Task {
    /* Called once, also when the queue closes (cancelled is set then), */
    void (*run)(Task *task, Slot *slot);
    /* or instead of run(): another client needs the place. NULL: the task stays. */
    void (*push_out)(Task *task);
    uint64_t client;      /* who asks */
    uint64_t session;     /* its last engine is preferred: warm hash table; 0 for none */
    AtomicFlag cancelled; /* nobody waits for the result any more */
    Slot *slot;           /* the rest is the queue's */
    struct Share *share;
    Task *next;
};

typedef struct WorkerQueueConfig {
    int workers, spare; /* spare: further ones, for clients that have nothing running */
    int capacity;       /* most tasks that may wait */
    SamaraConfig engine;
    bool shortens;   /* a client that waits and has less may cut short what runs of another */
    bool background; /* long work: its threads let those of other queues go first */
} WorkerQueueConfig;

WorkerQueue *worker_queue_create(const WorkerQueueConfig *config, SamaraError *err);
/* False: all places are taken, by clients that have no more than this one; or it closes. */
bool worker_queue_submit(WorkerQueue *queue, Task *task);
bool task_cancelled(const Task *task); /* from inside run(): end soon, nobody waits */
/* The same, or another client waits: what is found so far is the result. To be asked now and then:
 * a search that is told to stop before it begins does not hear it. */
bool task_should_end(const Task *task);
/* Stops the task's search if it runs; what was found so far is its result. The caller makes sure
 * that the task still lives. */
void worker_queue_cancel(WorkerQueue *queue, Task *task);
/* The same, but a task that waits leaves the queue: true, and run() is not called. */
bool worker_queue_withdraw(WorkerQueue *queue, Task *task);
/* Cancels what runs and what waits; returns when all is done. */
void worker_queue_close(WorkerQueue *queue);
void worker_queue_destroy(WorkerQueue *queue); /* closed before; NULL is fine */
int worker_queue_waiting(WorkerQueue *queue);
int worker_queue_running(WorkerQueue *queue);
int worker_queue_workers(const WorkerQueue *queue); /* without the spare ones */

#endif
