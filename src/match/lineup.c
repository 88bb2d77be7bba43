// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/lineup.h"

#include "base/parallel.h"
#include "base/thread.h"
#include <stdlib.h>

/* A result that waits for an earlier one. */
typedef struct Waiting {
    struct Waiting *next;
    uint64_t item;
    void *result;
} Waiting;

typedef struct Lineup {
    const LineupJob *job;
    Mutex lock;
    Cond taken_one;
    uint64_t next, taken; /* item to be begun; items below this were taken */
    bool stopping, failed;
    Error failure;    /* the first */
    Waiting *waiting; /* sorted by item */
} Lineup;

typedef struct LineupWorker {
    Lineup *lineup;
    int number;
    void *state; /* of job->open */
} LineupWorker;

static void stop(Lineup *l, const Error *why)
{
    if (why && !l->stopping) {
        l->failed = true;
        l->failure = *why;
    }
    l->stopping = true;
    cond_broadcast(&l->taken_one);
}

static bool may_begin(const Lineup *l)
{
    return !l->job->window || l->next < l->taken + l->job->window;
}

static bool begin_item(Lineup *l, uint64_t *item)
{
    mutex_lock(&l->lock);
    while (!l->stopping && l->next < l->job->end && !may_begin(l))
        cond_wait(&l->taken_one, &l->lock);
    const bool any = !l->stopping && l->next < l->job->end;
    *item = any ? l->next++ : 0;
    mutex_unlock(&l->lock);
    return any;
}

/* Puts the result in its place and lets go all that are next in line. */
static void hand_in(Lineup *l, Waiting *entry)
{
    Waiting **place = &l->waiting;
    while (*place && (*place)->item < entry->item)
        place = &(*place)->next;
    entry->next = *place;
    *place = entry;
    while (l->waiting && l->waiting->item == l->taken && !l->stopping) {
        Waiting *first = l->waiting;
        l->waiting = first->next;
        l->taken++;
        if (!l->job->take(l->job->user, first->item, first->result))
            stop(l, NULL);
        free(first);
    }
    cond_broadcast(&l->taken_one);
}

/* One worker: opens its state and works until nothing is left. It has a thread of its own, because it
 * may bind that thread to a core: part 0, in the caller's thread, does nothing. */
static void work(void *user, int part)
{
    if (part == 0)
        return;
    LineupWorker *w = (LineupWorker *)user + part - 1;
    Lineup *l = w->lineup;
    Error err;
    uint64_t item;
    w->state = l->job->open(l->job->user, w->number, &err);
    bool ok = w->state != NULL;
    while (ok && begin_item(l, &item)) {
        Waiting *entry = calloc(1, sizeof *entry);
        ok = entry ? l->job->work(l->job->user, w->state, item, &entry->result, &err)
                   : error_code(&err, "NO_MEMORY", 0, "out of memory");
        if (!ok) {
            free(entry);
            break;
        }
        entry->item = item;
        mutex_lock(&l->lock);
        hand_in(l, entry);
        mutex_unlock(&l->lock);
    }
    if (!ok) {
        mutex_lock(&l->lock);
        stop(l, &err);
        mutex_unlock(&l->lock);
    }
}

static void drop_waiting(Lineup *l)
{
    while (l->waiting) {
        Waiting *first = l->waiting;
        l->waiting = first->next;
        l->job->drop(first->result);
        free(first);
    }
}

/* Workers take items as they become free; results are handed on in the order of the items, whoever
 * finishes first. */
bool lineup_run(const LineupJob *job, Error *err)
{
    Lineup l = {.job = job, .next = job->first, .taken = job->first};
    LineupWorker *workers = calloc((size_t)job->workers, sizeof *workers);
    if (!workers)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    mutex_init(&l.lock);
    cond_init(&l.taken_one);
    for (int i = 0; i < job->workers; i++)
        workers[i] = (LineupWorker){.lineup = &l, .number = i};
    parallel_for(job->workers + 1, work, workers);
    for (int i = 0; i < job->workers; i++)
        if (workers[i].state)
            job->close(job->user, workers[i].state);
    drop_waiting(&l);
    cond_destroy(&l.taken_one);
    mutex_destroy(&l.lock);
    free(workers);
    return !l.failed || error_code(err, l.failure.code, 0, "%s", l.failure.text);
}
