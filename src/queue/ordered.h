// SPDX-License-Identifier: GPL-3.0-or-later
/* ordered.h -- many numbered jobs for the queue, and their results in the order of the numbers: what
 * comes out does not depend on who did which. */
#ifndef SAMARA_QUEUE_ORDERED_H
#define SAMARA_QUEUE_ORDERED_H

#include "base/thread.h"
#include "queue/queue.h"

typedef struct OrderedJobs {
    void *user;
    /* Fills in everything but the id; texts must live until the next call. The payload goes into
     * the buffer, which is empty. False: there are no more. */
    bool (*make)(void *user, uint64_t number, Job *job, Buffer *payload);
    bool (*put)(void *user, uint64_t number, Str result, Error *err);
} OrderedJobs;

/* At most `window` jobs are in the queue at a time. Runs until make() says no, *stop becomes true
 * (may be NULL) or something fails: a job that became a dead letter, or put(). Jobs that were sent
 * before a stop stay in the queue; the next run finds their results for a while. */
bool ordered_run(Queue *queue, const OrderedJobs *jobs, uint64_t first, int window,
                 const AtomicFlag *stop, Error *err);

#endif
