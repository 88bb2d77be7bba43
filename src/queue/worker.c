// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/worker.h"

#include "base/clock.h"
#include "queue/open.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICK_MS = 100,      /* partial results */
    RENEW_MS = 500,     /* leases: so an unwanted job ends within a second */
    HELLO_MS = 3000,    /* for `samara queue status` */
    ASK_MS = 1000,      /* how long an idle thread waits for a job */
    AWAY_MS = 50,       /* between attempts while the broker is away */
    DELIVER_LEASES = 6, /* a result is offered for so many times the length of a lease */
};

typedef struct Crew Crew;

struct Work {
    Crew *crew;
    Thread thread;
    Queue *queue;
    Taker taker;
    void *tools[WORKER_MAX_KINDS];
    Mutex lock; /* of the rest, for the thread that keeps leases */
    Lease lease;
    bool busy;
    AtomicFlag unwanted; /* its job should end, */
    bool returned;       /* because the worker does */
    Buffer part;         /* not yet sent; empty: nothing new */
    const WorkKind *kind;
};

struct Crew {
    const WorkerConfig *config;
    char name[QUEUE_NAME_SIZE];
    AtomicFlag quit;  /* not all threads could be started */
    AtomicFlag ended; /* all threads have left */
    AtomicU64 done, late, failed, returned;
    int count;
    Work work[];
};

static bool draining(const Crew *crew)
{
    return atomic_load(crew->config->drain) || atomic_load(&crew->quit);
}

static void say(const Crew *crew, const char *format, const char *a, const char *b)
{
    char text[512];
    if (!crew->config->say)
        return;
    snprintf(text, sizeof text, format, a, b);
    crew->config->say(crew->config->user, text);
}

Str work_payload(const Work *work)
{
    return (Str){buffer_text(&work->lease.payload), work->lease.payload.len};
}

bool work_wanted(const Work *work) { return !atomic_load(&work->unwanted); }

void work_tell(Work *work, Str text)
{
    mutex_lock(&work->lock);
    buffer_clear(&work->part);
    buffer_append(&work->part, text.ptr, text.len);
    mutex_unlock(&work->lock);
}

/* --- one job --- */

/* The tools of this kind, opened by the first job that needs them. */
static void *tools_of(Work *w, Error *err)
{
    const int i = (int)(w->kind - w->crew->config->kinds);
    if (!w->tools[i])
        w->tools[i] = w->kind->open(w->kind->user, err);
    return w->tools[i];
}

static const WorkKind *kind_named(const WorkerConfig *config, const char *name)
{
    for (int i = 0; i < config->kind_count; i++)
        if (strcmp(config->kinds[i].kind, name) == 0)
            return &config->kinds[i];
    return NULL;
}

/* Offers the result until the broker takes it. Nobody waits for ever: the lease is lost by then, and
 * another worker has the job. */
static void deliver(Work *w, const WorkResult *result)
{
    const int64_t end = clock_ms() + (int64_t)DELIVER_LEASES * w->queue->rules.lease_ms;
    const Outcome outcome = {
        {buffer_text(&result->text), result->text.len}, result->positions, result->nodes};
    bool counts = false;
    Error err = {0};
    while (!queue_finish(w->queue, &w->taker, &w->lease, &outcome, &counts, &err)) {
        if (strcmp(err.code, QUEUE_AWAY) != 0 || clock_ms() > end) {
            say(w->crew, "a result of job %s is lost: %s", w->lease.id, err.text);
            relaxed_add(&w->crew->failed, 1);
            return;
        }
        clock_sleep_ms(AWAY_MS);
    }
    relaxed_add(counts ? &w->crew->done : &w->crew->late, 1);
}

/* Tries for the length of a lease; after that it comes back by itself. */
static void hand_back(Work *w, bool failed, const char *reason)
{
    const int64_t end = clock_ms() + w->queue->rules.lease_ms;
    Error err = {0};
    while (!queue_give_back(w->queue, &w->lease, failed, reason, &err) && clock_ms() < end)
        clock_sleep_ms(AWAY_MS);
    relaxed_add(failed ? &w->crew->failed : &w->crew->returned, 1);
}

/* Runs it and answers for it: delivered, given back, or dropped as unwanted. */
static void do_job(Work *w)
{
    WorkResult result = {0};
    Error err = {0};
    void *tools = w->kind ? tools_of(w, &err) : NULL;
    const bool ok = tools && w->kind->run(tools, w, &result, &err);
    mutex_lock(&w->lock);
    buffer_clear(&w->part);
    const bool returned = w->returned;
    mutex_unlock(&w->lock);
    if (ok && !result.text.failed)
        deliver(w, &result);
    else if (returned)
        hand_back(w, false, "its worker ended");
    else if (work_wanted(w)) {
        const char *why = err.text[0] ? err.text : "not enough memory";
        say(w->crew, "job %s failed: %s", w->lease.id, why);
        hand_back(w, true, why);
    }
    buffer_free(&result.text);
    mutex_lock(&w->lock);
    w->busy = false; /* until here the lease was kept: the broker may have been away */
    mutex_unlock(&w->lock);
}

/* One thread: takes a job, does it, takes the next. */
static void *work(void *arg)
{
    Work *w = arg;
    Lease lease = {0};
    Error err;
    while (!draining(w->crew)) {
        if (!queue_acquire(w->queue, &w->taker, ASK_MS, &lease, &err)) {
            clock_sleep_ms(AWAY_MS);
            continue;
        }
        if (!lease.id[0])
            continue;
        mutex_lock(&w->lock);
        const Lease old = w->lease;
        w->lease = lease;
        lease = old; /* its memory serves the next one */
        w->kind = kind_named(w->crew->config, w->lease.kind);
        atomic_store(&w->unwanted, false);
        w->returned = false;
        w->busy = !draining(w->crew);
        mutex_unlock(&w->lock);
        if (draining(w->crew)) /* it came while we waited */
            hand_back(w, false, "its worker ended");
        else
            do_job(w);
    }
    buffer_free(&lease.payload);
    return NULL;
}

/* --- keeping leases --- */

/* Marks the job and pokes whatever works on it. */
static void stop_work(Work *w, bool returned)
{
    mutex_lock(&w->lock);
    if (w->busy && !atomic_load(&w->unwanted)) {
        w->returned = returned;
        atomic_store(&w->unwanted, true);
    }
    /* Again each time: a search that is told to stop before it begins does not hear it. */
    const int i = w->kind ? (int)(w->kind - w->crew->config->kinds) : 0;
    if (w->busy && w->kind && w->kind->stop && w->tools[i])
        w->kind->stop(w->tools[i]);
    mutex_unlock(&w->lock);
}

/* Copies what is needed of the jobs that run, so that no lock is held on the way to the broker. */
static void renew_all(Crew *crew, Queue *queue)
{
    Lease copies[WORKER_MAX_THREADS] = {0};
    const Lease *leases[WORKER_MAX_THREADS];
    Work *owners[WORKER_MAX_THREADS];
    bool held[WORKER_MAX_THREADS];
    size_t count = 0;
    for (int i = 0; i < crew->count; i++) {
        Work *w = &crew->work[i];
        mutex_lock(&w->lock);
        if (w->busy && !atomic_load(&w->unwanted)) {
            memcpy(copies[count].id, w->lease.id, sizeof w->lease.id);
            copies[count].epoch = w->lease.epoch;
            leases[count] = &copies[count];
            owners[count++] = w;
        }
        mutex_unlock(&w->lock);
    }
    Error err;
    if (count == 0 || !queue_renew(queue, leases, count, held, &err))
        return;
    for (size_t i = 0; i < count; i++) {
        mutex_lock(&owners[i]->lock);
        const bool same = strcmp(owners[i]->lease.id, copies[i].id) == 0 &&
                          owners[i]->lease.epoch == copies[i].epoch;
        mutex_unlock(&owners[i]->lock);
        if (!held[i] && same)
            stop_work(owners[i], false);
    }
}

/* Takes each newest part out under the lock and sends it without. */
static void send_parts(Crew *crew, Queue *queue)
{
    for (int i = 0; i < crew->count; i++) {
        Work *w = &crew->work[i];
        Buffer part = {0};
        Lease lease = {0};
        mutex_lock(&w->lock);
        if (w->busy && w->part.len > 0) {
            part = w->part;
            w->part = (Buffer){0};
            memcpy(lease.id, w->lease.id, sizeof lease.id);
            lease.epoch = w->lease.epoch;
        }
        mutex_unlock(&w->lock);
        Error err;
        if (part.len > 0)
            queue_tell(queue, &lease, (Str){part.data, part.len}, &err); /* the next one is newer */
        buffer_free(&part);
    }
}

static void stop_all(Crew *crew, bool returned)
{
    for (int i = 0; i < crew->count; i++)
        if (returned || !work_wanted(&crew->work[i]))
            stop_work(&crew->work[i], returned);
}

/* One line for `samara queue status`. */
static void greet(Crew *crew, Queue *queue)
{
    char text[512];
    int used = snprintf(text, sizeof text, "threads=%d done=%llu kinds=", crew->count,
                        (unsigned long long)relaxed_load(&crew->done));
    for (int i = 0; i < crew->config->kind_count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", i > 0 ? "," : "",
                         crew->config->kinds[i].kind);
    snprintf(text + used, sizeof text - (size_t)used, " engine=%.150s", crew->config->engine);
    Error err;
    queue_hello(queue, crew->name, text, &err);
}

/* Keeps leases alive until all threads have left. */
static void *keep_leases(void *arg)
{
    Crew *crew = arg;
    Error err;
    Queue *queue = queue_clone(crew->config->queue, &err);
    const int third = crew->config->queue->rules.lease_ms / 3;
    const int renew_every = third < RENEW_MS ? third : RENEW_MS;
    int64_t renew = 0, hello = 0, drain = 0;
    while (queue && !atomic_load(&crew->ended)) {
        const int64_t now = clock_ms();
        send_parts(crew, queue);
        if (now >= renew) {
            renew_all(crew, queue);
            stop_all(crew, false);
            renew = now + renew_every;
        }
        if (now >= hello) {
            greet(crew, queue);
            hello = now + HELLO_MS;
        }
        if (draining(crew) && drain == 0)
            drain = now + crew->config->drain_ms;
        if (drain != 0 && now >= drain)
            stop_all(crew, true);
        clock_sleep_ms(TICK_MS);
    }
    queue_close(queue);
    return NULL;
}

/* --- all of it --- */

/* Each kind for the worker's engine and for any, or for the engines that it names itself. */
static bool add_lanes(const WorkerConfig *config, Taker *taker, Error *err)
{
    bool ok = true;
    for (int i = 0; i < config->kind_count && ok; i++) {
        const WorkKind *kind = &config->kinds[i];
        for (int k = 0; ok && kind->needs && kind->needs[k]; k++)
            ok = taker_add(taker, kind->kind, kind->needs[k]);
        if (!kind->needs)
            ok = taker_add(taker, kind->kind, config->engine) && taker_add(taker, kind->kind, "");
    }
    return ok || error_set(err, "too many engines, or a name of one is too long");
}

/* A thread with a connection of its own. */
static bool open_work(Crew *crew, Work *w, int number, Error *err)
{
    const WorkerConfig *config = crew->config;
    w->crew = crew;
    mutex_init(&w->lock);
    snprintf(w->taker.name, sizeof w->taker.name, "%.80s.%d", crew->name, number);
    w->queue = add_lanes(config, &w->taker, err) ? queue_clone(config->queue, err) : NULL;
    if (w->queue && thread_start(&w->thread, work, w))
        return true;
    if (w->queue)
        error_set(err, "the system has no thread left");
    queue_close(w->queue);
    mutex_destroy(&w->lock);
    return false;
}

static void close_work(Work *w)
{
    for (int i = 0; i < w->crew->config->kind_count; i++)
        if (w->tools[i])
            w->crew->config->kinds[i].close(w->tools[i]);
    queue_close(w->queue);
    buffer_free(&w->lease.payload);
    buffer_free(&w->part);
    mutex_destroy(&w->lock);
}

/* The threads end when *drain is set; the keeper of leases after them. */
static bool run_crew(Crew *crew, Error *err)
{
    Thread keeper;
    bool ok = true;
    while (ok && crew->count < crew->config->threads) {
        ok = open_work(crew, &crew->work[crew->count], crew->count, err);
        crew->count += ok;
    }
    if (ok && !thread_start(&keeper, keep_leases, crew))
        ok = error_set(err, "the system has no thread left");
    if (!ok)
        atomic_store(&crew->quit, true);
    for (int i = 0; i < crew->count; i++)
        thread_join(crew->work[i].thread);
    atomic_store(&crew->ended, true);
    if (ok)
        thread_join(keeper);
    return ok;
}

/* Returns when every thread has answered for its job. */
bool worker_run(const WorkerConfig *config, WorkerTotals *totals, Error *err)
{
    Crew *crew = calloc(1, sizeof *crew + (size_t)config->threads * sizeof *crew->work);
    if (!crew)
        return error_set(err, "not enough memory");
    crew->config = config;
    queue_make_name(crew->name, "w");
    const bool ok = run_crew(crew, err);
    for (int i = 0; i < crew->count; i++)
        close_work(&crew->work[i]);
    if (totals)
        *totals = (WorkerTotals){relaxed_load(&crew->done), relaxed_load(&crew->late),
                                 relaxed_load(&crew->failed), relaxed_load(&crew->returned)};
    free(crew);
    return ok;
}
