// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/worker_queue.h"

#include "base/clock.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* What a client has here now. One with nothing running and nothing waiting is forgotten. */
typedef struct Share {
    struct Share *next;
    uint64_t client, last_session;
    int running, waiting;
    int64_t used_us; /* engine time, on a scale that all clients share */
} Share;

typedef struct Worker {
    WorkerQueue *queue;
    Thread thread;
    Cond wake;
    Slot slot;
    Task *task;       /* given to this worker, maybe freed already; NULL: it waits */
    Share *share;     /* of that task */
    uint64_t session; /* whose game its table knows */
    int64_t start_us;
    bool started;
} Worker;

struct WorkerQueue {
    Mutex lock; /* guards everything below */
    WorkerQueueConfig config;
    int waiting, count;  /* count: of all workers */
    int64_t used_us;     /* of the client that was served last: newcomers begin here */
    AtomicFlag closing;  /* read without the lock too */
    Task *first, **last; /* the queue, oldest first */
    Share *shares;
    Worker worker[];
};

/* --- shares; all of this with the lock --- */

/* A newcomer begins where the client stands that was served last: it cannot save up time. */
static Share *find_share(WorkerQueue *queue, uint64_t client)
{
    for (Share *s = queue->shares; s; s = s->next)
        if (s->client == client)
            return s;
    Share *share = calloc(1, sizeof *share);
    if (!share)
        return NULL;
    *share = (Share){.next = queue->shares, .client = client, .used_us = queue->used_us};
    queue->shares = share;
    return share;
}

static void forget_if_idle(WorkerQueue *queue, Share *share)
{
    if (share->running > 0 || share->waiting > 0)
        return;
    Share **link = &queue->shares;
    while (*link != share)
        link = &(*link)->next;
    *link = share->next;
    free(share);
}

/* --- the queue; all of this with the lock --- */

static void append(WorkerQueue *queue, Task *task)
{
    task->next = NULL;
    *queue->last = task;
    queue->last = &task->next;
    queue->waiting++;
    task->share->waiting++;
}

/* Where the task waits; NULL: it does not. */
static Task **place_of(WorkerQueue *queue, const Task *task)
{
    Task **at = &queue->first;
    while (*at && *at != task)
        at = &(*at)->next;
    return *at ? at : NULL;
}

static Task *unlink_at(WorkerQueue *queue, Task **at)
{
    Task *task = *at;
    *at = task->next;
    if (queue->last == &task->next)
        queue->last = at;
    queue->waiting--;
    task->share->waiting--;
    return task;
}

/* How many engines work for this session of this client. */
static int session_running(const WorkerQueue *queue, const Task *task)
{
    int count = 0;
    for (int i = 0; i < queue->count; i++) {
        const Worker *w = &queue->worker[i];
        count += w->task && w->share == task->share && w->session == task->session;
    }
    return count;
}

/* Whether a is to be served before b, which is older. */
static bool goes_first(const WorkerQueue *queue, const Task *a, const Task *b)
{
    if (a->share != b->share) {
        if (a->share->running != b->share->running)
            return a->share->running < b->share->running;
        return a->share->used_us < b->share->used_us;
    }
    const int more = session_running(queue, a) - session_running(queue, b);
    if (more != 0)
        return more < 0;
    return a->session != a->share->last_session && b->session == b->share->last_session;
}

/* Whose turn it is. only_idle: a spare engine asks. */
static Task **next_task(WorkerQueue *queue, bool only_idle)
{
    Task **best = NULL;
    for (Task **at = &queue->first; *at; at = &(*at)->next)
        if (!(only_idle && (*at)->share->running > 0) && (!best || goes_first(queue, *at, *best)))
            best = at;
    return best;
}

/* A worker that waits, best the one that knows the session, a spare one last. */
static Worker *idle_worker(WorkerQueue *queue, uint64_t session, bool *is_spare)
{
    Worker *found = NULL;
    *is_spare = false;
    for (int i = 0; i < queue->count; i++) {
        Worker *w = &queue->worker[i];
        const bool spare = i >= queue->config.workers;
        if (w->task || (spare && found))
            continue;
        *is_spare = spare;
        if (session != 0 && w->session == session)
            return w;
        if (!found || w->session == 0)
            found = w;
    }
    return found;
}

/* Gives tasks to workers while there are both. */
static void deal(WorkerQueue *queue)
{
    bool spare;
    while (idle_worker(queue, 0, &spare)) {
        Task **at = next_task(queue, spare && !queue->closing);
        if (!at)
            return;
        Task *task = unlink_at(queue, at);
        Worker *w = idle_worker(queue, task->session, &spare);
        w->task = task;
        w->start_us = clock_us();
        atomic_store(&w->slot.hurried, false);
        w->share = task->share;
        w->share->running++;
        w->share->last_session = w->session = task->session;
        if (w->share->used_us > queue->used_us)
            queue->used_us = w->share->used_us;
        cond_signal(&w->wake);
    }
}

/* The newest task of the client that has most waiting, if it has more than `share`. */
static Task **victim(WorkerQueue *queue, const Share *share)
{
    Task **found = NULL;
    int most = share->waiting + 1;
    for (Task **at = &queue->first; *at; at = &(*at)->next)
        if ((*at)->push_out && (*at)->share->waiting >= most) {
            found = at; /* of equals the last: it is the newest */
            most = (*at)->share->waiting;
        }
    return found;
}

/* Ends the oldest search of the client that has most running, if that is two more than `share`
 * has: afterwards both are better off than before, or equal. */
static void cut_short(WorkerQueue *queue, const Share *share)
{
    Worker *oldest = NULL;
    int most = share->running + 2;
    for (int i = 0; i < queue->count; i++) {
        Worker *w = &queue->worker[i];
        if (!w->task || atomic_load(&w->slot.hurried) || w->share->running < most)
            continue;
        if (!oldest || w->share->running > most || w->start_us < oldest->start_us)
            oldest = w;
        most = w->share->running;
    }
    if (!oldest)
        return;
    atomic_store(&oldest->slot.hurried, true);
    samara_stop(oldest->slot.engine);
}

/* --- workers --- */

static void wake_all(WorkerQueue *queue)
{
    for (int i = 0; i < queue->count; i++)
        cond_signal(&queue->worker[i].wake);
}

/* Takes what deal() gives it. The task may be freed by its run(), so nothing of it is looked at
 * after. */
static void *work(void *arg)
{
    Worker *w = arg;
    WorkerQueue *queue = w->queue;
    if (queue->config.background)
        thread_low_priority();
    mutex_lock(&queue->lock);
    for (;;) {
        Task *task = w->task;
        if (!task && queue->closing && !queue->first)
            break;
        if (!task) {
            cond_wait(&w->wake, &queue->lock);
            continue;
        }
        task->slot = &w->slot;
        if (queue->closing)
            atomic_store(&task->cancelled, true);
        mutex_unlock(&queue->lock);
        task->run(task, &w->slot);
        mutex_lock(&queue->lock);
        w->share->running--;
        w->share->used_us += clock_us() - w->start_us;
        w->task = NULL;
        forget_if_idle(queue, w->share);
        deal(queue);
        if (queue->closing)
            wake_all(queue);
    }
    mutex_unlock(&queue->lock);
    return NULL;
}

bool slot_open(Slot *slot, const SamaraConfig *config, const AtomicFlag *closing, SamaraError *err)
{
    *slot = (Slot){.position = samara_position_new(), .closing = closing};
    if (!slot->position)
        snprintf(err->text, sizeof err->text, "not enough memory for the engines");
    else
        slot->engine = samara_new(config, err);
    return slot->engine != NULL;
}

void slot_close(Slot *slot)
{
    samara_free(slot->engine);
    samara_position_free(slot->position);
}

static bool start_worker(WorkerQueue *queue, Worker *w, SamaraError *err)
{
    w->queue = queue;
    w->started = slot_open(&w->slot, &queue->config.engine, &queue->closing, err) &&
                 thread_start(&w->thread, work, w);
    return w->started;
}

/* All engines are made before the first request: memory that is short is noticed at the start. */
WorkerQueue *worker_queue_create(const WorkerQueueConfig *config, SamaraError *err)
{
    const int count = config->workers + config->spare;
    WorkerQueue *queue = calloc(1, sizeof *queue + (size_t)count * sizeof *queue->worker);
    if (!queue) {
        snprintf(err->text, sizeof err->text, "not enough memory for the engines");
        return NULL;
    }
    mutex_init(&queue->lock);
    queue->config = *config;
    queue->last = &queue->first;
    queue->count = count;
    for (int i = 0; i < count; i++)
        cond_init(&queue->worker[i].wake);
    for (int i = 0; i < count; i++)
        if (!start_worker(queue, &queue->worker[i], err)) {
            worker_queue_close(queue);
            worker_queue_destroy(queue);
            return NULL;
        }
    return queue;
}

/* --- for everybody --- */

/* With the lock. *pushed: who has to make room; its push_out() is called without the lock. */
static bool submit(WorkerQueue *queue, Task *task, Task **pushed)
{
    Share *share = queue->closing ? NULL : find_share(queue, task->client);
    if (!share)
        return false;
    task->slot = NULL;
    task->share = share;
    append(queue, task);
    deal(queue);
    if (queue->config.shortens && share->waiting > 0)
        cut_short(queue, share);
    if (queue->waiting <= queue->config.capacity)
        return true;
    Task **at = victim(queue, share);
    if (at) {
        *pushed = unlink_at(queue, at);
        return true;
    }
    at = place_of(queue, task);
    if (at)
        unlink_at(queue, at);
    forget_if_idle(queue, share);
    return false;
}

bool worker_queue_submit(WorkerQueue *queue, Task *task)
{
    Task *pushed = NULL;
    mutex_lock(&queue->lock);
    const bool taken = submit(queue, task, &pushed);
    mutex_unlock(&queue->lock);
    if (pushed)
        pushed->push_out(pushed);
    return taken;
}

bool task_cancelled(const Task *task)
{
    return atomic_load(&task->cancelled) || (task->slot && atomic_load(task->slot->closing));
}

bool task_should_end(const Task *task)
{
    return task_cancelled(task) || (task->slot && atomic_load(&task->slot->hurried));
}

/* With the lock. */
static void stop_search(WorkerQueue *queue, const Task *task)
{
    for (int i = 0; i < queue->count; i++)
        if (queue->worker[i].task == task)
            samara_stop(queue->worker[i].slot.engine);
}

void worker_queue_cancel(WorkerQueue *queue, Task *task)
{
    atomic_store(&task->cancelled, true);
    mutex_lock(&queue->lock);
    stop_search(queue, task);
    mutex_unlock(&queue->lock);
}

/* False: it runs already; its search is stopped and run() ends by itself. */
bool worker_queue_withdraw(WorkerQueue *queue, Task *task)
{
    atomic_store(&task->cancelled, true);
    mutex_lock(&queue->lock);
    Task **at = place_of(queue, task);
    const bool waits = at != NULL;
    if (at) {
        unlink_at(queue, at);
        forget_if_idle(queue, task->share);
    } else {
        stop_search(queue, task);
    }
    mutex_unlock(&queue->lock);
    return waits;
}

/* What waits is run as cancelled, so that every task hears of the end. */
void worker_queue_close(WorkerQueue *queue)
{
    mutex_lock(&queue->lock);
    queue->closing = true;
    for (int i = 0; i < queue->count; i++) {
        Worker *w = &queue->worker[i];
        if (w->task)
            samara_stop(w->slot.engine);
    }
    deal(queue);
    wake_all(queue);
    mutex_unlock(&queue->lock);
    for (int i = 0; i < queue->count; i++)
        if (queue->worker[i].started) {
            thread_join(queue->worker[i].thread);
            queue->worker[i].started = false;
        }
}

/* Every task has gone, and with it every client's share. */
void worker_queue_destroy(WorkerQueue *queue)
{
    if (!queue)
        return;
    assert(!queue->shares);
    for (int i = 0; i < queue->count; i++) {
        slot_close(&queue->worker[i].slot);
        cond_destroy(&queue->worker[i].wake);
    }
    mutex_destroy(&queue->lock);
    free(queue);
}

int worker_queue_waiting(WorkerQueue *queue)
{
    mutex_lock(&queue->lock);
    const int waiting = queue->waiting;
    mutex_unlock(&queue->lock);
    return waiting;
}

int worker_queue_running(WorkerQueue *queue)
{
    int running = 0;
    mutex_lock(&queue->lock);
    for (int i = 0; i < queue->count; i++)
        running += queue->worker[i].task != NULL;
    mutex_unlock(&queue->lock);
    return running;
}

int worker_queue_workers(const WorkerQueue *queue) { return queue->config.workers; }
