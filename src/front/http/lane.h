// SPDX-License-Identifier: GPL-3.0-or-later
/* lane.h -- engines that work for many: a few threads with an engine each, and a bounded queue
 * before them. Different kinds of work have lanes of their own, so that a long analysis never
 * stands before a short question. */
#ifndef SAMARA_FRONT_HTTP_LANE_H
#define SAMARA_FRONT_HTTP_LANE_H

#include "base/thread.h"
#include "samara.h"

typedef struct Lane Lane;
typedef struct Task Task;

/* One engine and what it is set to, so that unchanged options are not set again. */
typedef struct Slot {
    Samara *engine;
    int multipv, elo; /* elo 0: full strength */
    bool chess960, analysing;
    const AtomicFlag *closing; /* of the lane */
} Slot;

bool slot_open(Slot *slot, int hash_mb, const AtomicFlag *closing, SamaraError *err);
void slot_close(Slot *slot); /* opened or not */

/* Embedded in whatever is to be done. The lane owns it from lane_submit() until run() is called,
 * and does not touch it after run() has returned: run() may free it. */
struct Task {
    void (*run)(
        Task *task,
        Slot *slot);  /* called exactly once, also when the lane closes (cancelled is set then) */
    uint64_t client;  /* who asks: waiting clients take turns */
    uint64_t session; /* its last engine is preferred: warm hash table; 0 for none */
    AtomicFlag cancelled; /* nobody waits for the result any more */
    Slot *slot;           /* the rest is the lane's */
    Task *next;
};

typedef struct LaneConfig {
    int workers, queue; /* queue: most tasks that may wait */
    int hash_mb;
} LaneConfig;

Lane *lane_create(const LaneConfig *config, SamaraError *err);
bool lane_submit(Lane *lane, Task *task); /* false: the queue is full, or the lane closes */
bool lane_cancelled(const Task *task);    /* from inside run(): end soon, nobody waits */
/* Stops the task's search if it runs. The caller makes sure that the task still lives. */
void lane_cancel(Lane *lane, Task *task);
void lane_close(Lane *lane);   /* cancels what runs and what waits; returns when all is done */
void lane_destroy(Lane *lane); /* closed before; NULL is fine */
int lane_waiting(Lane *lane);
int lane_running(Lane *lane);
int lane_workers(const Lane *lane);

#endif
