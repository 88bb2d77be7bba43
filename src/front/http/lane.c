// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/lane.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Worker {
    Lane *lane;
    Thread thread;
    Cond wake;
    Slot slot;
    Task *task;       /* given to this worker; NULL: it waits */
    uint64_t session; /* whose game its table knows */
    uint64_t client;  /* of the task that runs or ran last */
    bool busy, started;
} Worker;

struct Lane {
    Mutex lock; /* guards everything below */
    int workers, queue, waiting;
    AtomicFlag closing;  /* read without the lock too */
    Task *first, **last; /* the queue, oldest first */
    Worker worker[];
};

/* How many workers serve this client now or served it last: those who had less go first. */
static int served(const Lane *lane, uint64_t client)
{
    int count = 0;
    for (int i = 0; i < lane->workers; i++)
        count += lane->worker[i].client == client;
    return count;
}

/* The oldest task of the client that was served least; the own session breaks ties. Called with
 * the lock. */
static Task *take(Lane *lane, const Worker *w)
{
    Task **best = NULL;
    int best_rank = 0;
    for (Task **at = &lane->first; *at; at = &(*at)->next) {
        const bool known = (*at)->session != 0 && (*at)->session == w->session;
        const int rank = 2 * served(lane, (*at)->client) + !known;
        if (!best || rank < best_rank) {
            best = at;
            best_rank = rank;
        }
    }
    if (!best)
        return NULL;
    Task *task = *best;
    *best = task->next;
    if (lane->last == &task->next)
        lane->last = best;
    lane->waiting--;
    return task;
}

static void *work(void *arg)
{
    Worker *w = arg;
    Lane *lane = w->lane;
    mutex_lock(&lane->lock);
    for (;;) {
        Task *task = w->task ? w->task : take(lane, w);
        if (!task && lane->closing)
            break;
        if (!task) {
            w->busy = false;
            cond_wait(&w->wake, &lane->lock);
            continue;
        }
        w->task = task;
        w->busy = true;
        w->client = task->client;
        w->session = task->session;
        task->slot = &w->slot;
        if (lane->closing)
            atomic_store(&task->cancelled, true);
        mutex_unlock(&lane->lock);
        task->run(task, &w->slot);
        mutex_lock(&lane->lock);
        w->task = NULL;
        w->busy = false;
    }
    mutex_unlock(&lane->lock);
    return NULL;
}

bool slot_open(Slot *slot, int hash_mb, const AtomicFlag *closing, SamaraError *err)
{
    char megabytes[16];
    snprintf(megabytes, sizeof megabytes, "%d", hash_mb);
    *slot = (Slot){.engine = samara_new(err), .multipv = 1, .closing = closing};
    return slot->engine && samara_set_option(slot->engine, "Hash", megabytes, err);
}

void slot_close(Slot *slot) { samara_free(slot->engine); }

static bool start_worker(Lane *lane, Worker *w, int hash_mb, SamaraError *err)
{
    w->lane = lane;
    w->started =
        slot_open(&w->slot, hash_mb, &lane->closing, err) && thread_start(&w->thread, work, w);
    return w->started;
}

Lane *lane_create(const LaneConfig *config, SamaraError *err)
{
    Lane *lane = calloc(1, sizeof *lane + (size_t)config->workers * sizeof *lane->worker);
    if (!lane) {
        snprintf(err->text, sizeof err->text, "not enough memory for the engines");
        return NULL;
    }
    mutex_init(&lane->lock);
    lane->queue = config->queue;
    lane->last = &lane->first;
    lane->workers = config->workers;
    for (int i = 0; i < lane->workers; i++)
        cond_init(&lane->worker[i].wake);
    for (int i = 0; i < lane->workers; i++)
        if (!start_worker(lane, &lane->worker[i], config->hash_mb, err)) {
            lane_close(lane);
            lane_destroy(lane);
            return NULL;
        }
    return lane;
}

/* A worker that waits, best the one that knows the session. Called with the lock. */
static Worker *idle_worker(Lane *lane, uint64_t session)
{
    Worker *found = NULL;
    for (int i = 0; i < lane->workers; i++) {
        Worker *w = &lane->worker[i];
        if (w->busy || w->task)
            continue;
        if (session != 0 && w->session == session)
            return w;
        if (!found || w->session == 0)
            found = w;
    }
    return found;
}

bool lane_submit(Lane *lane, Task *task)
{
    mutex_lock(&lane->lock);
    task->slot = NULL;
    task->next = NULL;
    Worker *w = idle_worker(lane, task->session);
    const bool taken = !lane->closing && (w || lane->waiting < lane->queue);
    if (taken && w) {
        w->task = task;
        w->busy = true;
        w->client = task->client;
        cond_signal(&w->wake);
    } else if (taken) {
        *lane->last = task;
        lane->last = &task->next;
        lane->waiting++;
    }
    mutex_unlock(&lane->lock);
    return taken;
}

bool lane_cancelled(const Task *task)
{
    return atomic_load(&task->cancelled) || (task->slot && atomic_load(task->slot->closing));
}

void lane_cancel(Lane *lane, Task *task)
{
    atomic_store(&task->cancelled, true);
    mutex_lock(&lane->lock);
    if (task->slot)
        samara_stop(task->slot->engine);
    mutex_unlock(&lane->lock);
}

void lane_close(Lane *lane)
{
    mutex_lock(&lane->lock);
    lane->closing = true;
    for (int i = 0; i < lane->workers; i++) {
        Worker *w = &lane->worker[i];
        if (w->busy)
            samara_stop(w->slot.engine);
        cond_signal(&w->wake);
    }
    mutex_unlock(&lane->lock);
    for (int i = 0; i < lane->workers; i++)
        if (lane->worker[i].started) {
            thread_join(lane->worker[i].thread);
            lane->worker[i].started = false;
        }
}

void lane_destroy(Lane *lane)
{
    if (!lane)
        return;
    for (int i = 0; i < lane->workers; i++) {
        slot_close(&lane->worker[i].slot);
        cond_destroy(&lane->worker[i].wake);
    }
    mutex_destroy(&lane->lock);
    free(lane);
}

int lane_waiting(Lane *lane)
{
    mutex_lock(&lane->lock);
    const int waiting = lane->waiting;
    mutex_unlock(&lane->lock);
    return waiting;
}

int lane_running(Lane *lane)
{
    int running = 0;
    mutex_lock(&lane->lock);
    for (int i = 0; i < lane->workers; i++)
        running += lane->worker[i].busy;
    mutex_unlock(&lane->lock);
    return running;
}

int lane_workers(const Lane *lane) { return lane->workers; }
