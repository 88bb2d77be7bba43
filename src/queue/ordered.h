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
    /* A job that is a dead letter. False, or NULL: the run fails. */
    bool (*dead)(void *user, uint64_t number, const char *why);
    bool (*stopped)(void *user); /* asked some times a second; NULL: never */
} OrderedJobs;

/* At most `window` jobs are in the queue at a time. Runs until make() says no, stopped() says yes or
 * something fails. Jobs that were sent before and are live are taken back then; others stay in the
 * queue, and the next run finds their results for a while. */
bool ordered_run(Queue *queue, const OrderedJobs *jobs, uint64_t first, int window, Error *err);

#endif
