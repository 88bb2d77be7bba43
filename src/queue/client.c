// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/client.h"

#include "base/clock.h"
#include "queue/open.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 4096,
    SEND_BATCH = 64,
    TOUCH_MS = 1000,
    PATIENCE_MS = 700, /* of clients that wait, while the broker is away */
    LISTEN_MS = 500,
    AWAY_MS = 30,
};

typedef struct Ticket {
    struct Ticket *next; /* of the bucket */
    uint64_t number;
    Job job; /* its texts are ours */
    char *needs, *owner, *payload;
    TicketListener listener;
    void *user;
    bool patient;
    bool fresh; /* not yet enqueued, or lost by the broker */
    bool busy;  /* the sender uses its texts without the lock */
    bool left;  /* to be freed by the sender */
} Ticket;

struct QueueClient {
    Queue *send, *listen;
    Thread sender, listener;
    void (*on_new_broker)(void *user);
    void *user;
    char front[QUEUE_NAME_SIZE], born[33];
    Mutex lock; /* of all below */
    Cond wake;
    bool closing, ended;
    uint64_t last_number;
    size_t count, fresh;
    int64_t away_ms; /* since when; 0: it is there */
    char why[ERROR_TEXT_SIZE];
    char leaving[QUEUE_BATCH][JOB_ID_SIZE]; /* told to the broker soon; what does not fit lapses */
    size_t leaving_count;
    Ticket *buckets[BUCKETS];
};

/* --- tickets; all of this with the lock --- */

static unsigned bucket_of(const char *id)
{
    unsigned value = 0;
    for (int i = 0; i < 3; i++)
        value = value * 16 + (unsigned)(id[i] <= '9' ? id[i] - '0' : id[i] - 'a' + 10);
    return value % BUCKETS;
}

static void ticket_free(Ticket *t)
{
    free(t->needs);
    free(t->owner);
    free(t->payload);
    free(t);
}

/* Copies all texts: the caller's may go before the job is sent. */
static Ticket *ticket_create(const Job *job)
{
    Ticket *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->job = *job;
    t->needs = str_duplicate(str_from(job->needs));
    t->owner = str_duplicate(str_from(job->owner));
    t->payload = str_duplicate(job->payload);
    if (!t->needs || !t->owner || !t->payload) {
        ticket_free(t);
        return NULL;
    }
    t->job.needs = t->needs;
    t->job.owner = t->owner;
    t->job.payload.ptr = t->payload;
    return t;
}

/* Out of its bucket; the sender frees what it uses just now. */
static void retire(QueueClient *c, Ticket *t)
{
    Ticket **link = &c->buckets[bucket_of(t->job.id)];
    while (*link != t)
        link = &(*link)->next;
    *link = t->next;
    c->count--;
    c->fresh -= t->fresh;
    if (t->busy)
        t->left = true;
    else
        ticket_free(t);
}

static void end_ticket(QueueClient *c, Ticket *t, TicketEvent event, Str text)
{
    t->listener(t->user, event, text);
    retire(c, t);
}

static void make_fresh(QueueClient *c, Ticket *t)
{
    c->fresh += !t->fresh;
    t->fresh = true;
}

/* What became of a job, for one ticket. True: the ticket is gone. */
static bool tell_state(QueueClient *c, Ticket *t, const JobNews *news)
{
    const Str text = {buffer_text(&news->text), news->text.len};
    switch (news->state) {
    case JOB_DONE:
        end_ticket(c, t, TICKET_DONE, text);
        return true;
    case JOB_DEAD:
        end_ticket(c, t, TICKET_DEAD, text);
        return true;
    case JOB_FULL:
        end_ticket(c, t, TICKET_FULL, STR("too many jobs wait"));
        return true;
    case JOB_OWNER_FULL:
        end_ticket(c, t, TICKET_FULL, STR("too many of your jobs wait"));
        return true;
    case JOB_GONE:
        make_fresh(c, t);
        return false;
    case JOB_READY:
    case JOB_LEASED:
        break;
    }
    return false;
}

static bool any_ticket_of(const QueueClient *c, const char *id)
{
    for (const Ticket *t = c->buckets[bucket_of(id)]; t; t = t->next)
        if (strcmp(t->job.id, id) == 0)
            return true;
    return false;
}

/* --- the broker comes and goes; with the lock --- */

static void broker_here(QueueClient *c) { c->away_ms = 0; }

/* since_ms: when the call began that failed. */
static void broker_away(QueueClient *c, int64_t since_ms, const Error *err)
{
    if (c->away_ms == 0)
        c->away_ms = since_ms;
    str_copy(c->why, sizeof c->why, str_from(err->text));
    if (clock_ms() - c->away_ms < PATIENCE_MS)
        return;
    for (int i = 0; i < BUCKETS; i++)
        for (Ticket *t = c->buckets[i], *next; t; t = next) {
            next = t->next;
            if (!t->patient)
                end_ticket(c, t, TICKET_AWAY, str_from(c->why));
        }
}

/* --- the sender --- */

/* Hands fresh tickets over, some at a time. With the lock, which it gives up in between. */
static bool send_fresh(QueueClient *c)
{
    Ticket *batch[SEND_BATCH];
    Job jobs[SEND_BATCH];
    JobNews news[SEND_BATCH] = {0};
    size_t count = 0;
    for (int i = 0; i < BUCKETS && count < SEND_BATCH && c->fresh > 0; i++)
        for (Ticket *t = c->buckets[i]; t && count < SEND_BATCH; t = t->next)
            if (t->fresh) {
                t->busy = true;
                jobs[count] = t->job;
                batch[count++] = t;
            }
    Error err;
    const int64_t start = clock_ms();
    mutex_unlock(&c->lock);
    const bool ok = queue_enqueue(c->send, c->front, jobs, count, news, &err);
    mutex_lock(&c->lock);
    for (size_t i = 0; i < count; i++) {
        Ticket *t = batch[i];
        t->busy = false;
        if (t->left) {
            ticket_free(t);
        } else if (ok) {
            c->fresh--;
            t->fresh = false;
            tell_state(c, t, &news[i]);
        }
        buffer_free(&news[i].text);
    }
    if (ok)
        broker_here(c);
    else
        broker_away(c, start, &err);
    return ok;
}

/* Tells the broker which jobs nobody wants any more. */
static bool send_leaving(QueueClient *c)
{
    char ids[QUEUE_BATCH][JOB_ID_SIZE];
    const char *list[QUEUE_BATCH];
    size_t count = 0;
    for (size_t i = 0; i < c->leaving_count; i++)
        if (!any_ticket_of(c, c->leaving[i])) {
            memcpy(ids[count], c->leaving[i], JOB_ID_SIZE);
            list[count] = ids[count];
            count++;
        }
    c->leaving_count = 0;
    if (count == 0)
        return true;
    Error err;
    const int64_t start = clock_ms();
    mutex_unlock(&c->lock);
    const bool ok = queue_leave(c->send, c->front, list, count, &err);
    mutex_lock(&c->lock);
    if (!ok)
        broker_away(c, start, &err); /* they lapse by themselves */
    return ok;
}

/* Ids of tickets that wait, from a bucket on. Returns the next bucket. */
static int collect(const QueueClient *c, int bucket, char ids[QUEUE_BATCH][JOB_ID_SIZE],
                   size_t *count)
{
    for (*count = 0; bucket < BUCKETS; bucket++) {
        size_t here = 0;
        for (const Ticket *t = c->buckets[bucket]; t; t = t->next)
            here += !t->fresh;
        if (*count + here > QUEUE_BATCH && *count > 0)
            return bucket;
        for (const Ticket *t = c->buckets[bucket]; t && *count < QUEUE_BATCH; t = t->next)
            if (!t->fresh)
                memcpy(ids[(*count)++], t->job.id, JOB_ID_SIZE);
    }
    return bucket;
}

static void apply_news(QueueClient *c, const char *id, const JobNews *news)
{
    for (Ticket *t = c->buckets[bucket_of(id)], *next; t; t = next) {
        next = t->next;
        if (!t->fresh && strcmp(t->job.id, id) == 0)
            tell_state(c, t, news);
    }
}

/* Says which jobs are still wanted, from a bucket on, and hears what became of them: events may have
 * been missed. With nothing to ask it is a look whether the broker is there. Some at a time, so that
 * new jobs need not wait for the end of it. */
static bool touch_some(QueueClient *c, int *bucket)
{
    char ids[QUEUE_BATCH][JOB_ID_SIZE], born[33];
    const char *list[QUEUE_BATCH];
    JobNews news[QUEUE_BATCH] = {0};
    size_t count;
    *bucket = collect(c, *bucket, ids, &count);
    for (size_t i = 0; i < count; i++)
        list[i] = ids[i];
    Error err;
    const int64_t start = clock_ms();
    mutex_unlock(&c->lock);
    const bool ok = queue_touch(c->send, c->front, list, count, born, news, &err);
    const bool renamed = ok && strcmp(born, c->born) != 0; /* only this thread writes it */
    if (renamed && c->on_new_broker)
        c->on_new_broker(c->user);
    mutex_lock(&c->lock);
    if (renamed)
        memcpy(c->born, born, sizeof born);
    if (ok)
        broker_here(c);
    else
        broker_away(c, start, &err);
    for (size_t i = 0; i < count; i++) {
        if (ok)
            apply_news(c, ids[i], &news[i]);
        buffer_free(&news[i].text);
    }
    return ok;
}

/* New jobs first, then those that nobody wants; between them, once a second, a look at all. */
static void *send_all(void *arg)
{
    QueueClient *c = arg;
    int64_t touch = 0, round = 0;
    int bucket = 0;
    bool ok = true;
    mutex_lock(&c->lock);
    while (!c->closing) {
        const int64_t now = clock_ms();
        if (!ok)
            cond_wait_for(&c->wake, &c->lock, AWAY_MS);
        else if (c->fresh == 0 && c->leaving_count == 0 && now < touch)
            cond_wait_for(&c->wake, &c->lock, touch - now);
        if (c->closing)
            break;
        ok = c->fresh == 0 || send_fresh(c);
        ok = ok && (c->leaving_count == 0 || send_leaving(c));
        if (!ok || clock_ms() < touch)
            continue;
        if (bucket == 0)
            round = clock_ms();
        ok = touch_some(c, &bucket);
        if (ok && bucket == BUCKETS) {
            bucket = 0;
            touch = round + TOUCH_MS;
        }
    }
    if (c->leaving_count > 0 && c->away_ms == 0)
        send_leaving(c);
    mutex_unlock(&c->lock);
    return NULL;
}

/* --- the listener --- */

/* Hands an event to every ticket of the job; the last event takes the ticket away. */
static void on_event(void *user, const char *id, QueueEvent event, Str text)
{
    QueueClient *c = user;
    mutex_lock(&c->lock);
    for (Ticket *t = c->buckets[bucket_of(id)], *next; t; t = next) {
        next = t->next;
        if (c->closing || strcmp(t->job.id, id) != 0)
            continue;
        if (event == EVENT_PART)
            t->listener(t->user, TICKET_PART, text);
        else
            end_ticket(c, t, event == EVENT_DONE ? TICKET_DONE : TICKET_DEAD, text);
    }
    mutex_unlock(&c->lock);
}

/* Events come by a connection of their own; a lost one is opened again. */
static void *listen_all(void *arg)
{
    QueueClient *c = arg;
    Error err;
    for (;;) {
        mutex_lock(&c->lock);
        const bool closing = c->closing;
        mutex_unlock(&c->lock);
        if (closing)
            return NULL;
        if (!queue_watch(c->listen, c->front, LISTEN_MS, on_event, c, &err))
            clock_sleep_ms(AWAY_MS);
    }
}

/* --- for everybody --- */

/* Two connections, two threads; all or nothing. */
QueueClient *queue_client_start(Queue *queue, void (*on_new_broker)(void *user), void *user,
                                Error *err)
{
    QueueClient *c = calloc(1, sizeof *c);
    if (!c) {
        error_set(err, "not enough memory");
        return NULL;
    }
    mutex_init(&c->lock);
    cond_init(&c->wake);
    c->on_new_broker = on_new_broker;
    c->user = user;
    queue_make_name(c->front, "f");
    c->send = queue_clone(queue, err);
    c->listen = c->send ? queue_clone(queue, err) : NULL;
    if (c->listen && thread_start(&c->sender, send_all, c)) {
        if (thread_start(&c->listener, listen_all, c))
            return c;
        mutex_lock(&c->lock);
        c->closing = true;
        cond_signal(&c->wake);
        mutex_unlock(&c->lock);
        thread_join(c->sender);
    }
    if (c->listen)
        error_set(err, "the system has no thread left");
    queue_close(c->send);
    queue_close(c->listen);
    free(c);
    return NULL;
}

/* Ends both threads, then forgets the tickets without a word. */
void queue_client_stop(QueueClient *c)
{
    if (!c)
        return;
    mutex_lock(&c->lock);
    c->closing = true;
    cond_signal(&c->wake);
    mutex_unlock(&c->lock);
    thread_join(c->sender);
    thread_join(c->listener);
    for (int i = 0; i < BUCKETS; i++)
        while (c->buckets[i])
            retire(c, c->buckets[i]);
    queue_close(c->send);
    queue_close(c->listen);
    cond_destroy(&c->wake);
    mutex_destroy(&c->lock);
    free(c);
}

/* Refuses at once while the broker is known to be away. */
uint64_t queue_client_submit(QueueClient *c, const Job *job, bool patient, TicketListener listener,
                             void *user, Error *err)
{
    assert(strlen(job->id) == JOB_ID_SIZE - 1);
    Ticket *t = ticket_create(job);
    if (!t) {
        error_set(err, "not enough memory");
        return 0;
    }
    mutex_lock(&c->lock);
    if (c->ended || (!patient && c->away_ms != 0 && clock_ms() - c->away_ms >= PATIENCE_MS)) {
        error_code(err, QUEUE_AWAY, 0, "%s", c->why);
        mutex_unlock(&c->lock);
        ticket_free(t);
        return 0;
    }
    const uint64_t number = t->number = ++c->last_number;
    t->listener = listener;
    t->user = user;
    t->patient = patient;
    Ticket **bucket = &c->buckets[bucket_of(job->id)];
    t->next = *bucket;
    *bucket = t;
    c->count++;
    make_fresh(c, t);
    cond_signal(&c->wake);
    mutex_unlock(&c->lock);
    return number;
}

void queue_client_end(QueueClient *c, const char *why)
{
    mutex_lock(&c->lock);
    c->ended = true;
    str_copy(c->why, sizeof c->why, str_from(why));
    for (int i = 0; i < BUCKETS; i++)
        while (c->buckets[i])
            end_ticket(c, c->buckets[i], TICKET_AWAY, str_from(c->why));
    mutex_unlock(&c->lock);
}

/* The job itself ends when no other front door wants it. */
bool queue_client_leave(QueueClient *c, uint64_t ticket)
{
    mutex_lock(&c->lock);
    for (int i = 0; ticket != 0 && i < BUCKETS; i++)
        for (Ticket *t = c->buckets[i]; t; t = t->next)
            if (t->number == ticket) {
                char id[JOB_ID_SIZE];
                memcpy(id, t->job.id, sizeof id);
                retire(c, t);
                if (c->leaving_count < QUEUE_BATCH)
                    memcpy(c->leaving[c->leaving_count++], id, sizeof id);
                cond_signal(&c->wake);
                mutex_unlock(&c->lock);
                return true;
            }
    mutex_unlock(&c->lock);
    return false;
}

bool queue_client_ready(QueueClient *c, Error *err)
{
    mutex_lock(&c->lock);
    const bool ready = c->away_ms == 0 && c->born[0];
    if (!ready)
        error_code(err, QUEUE_AWAY, 0, "%s", c->why[0] ? c->why : "the queue was not reached yet");
    mutex_unlock(&c->lock);
    return ready;
}

size_t queue_client_waiting(QueueClient *c)
{
    mutex_lock(&c->lock);
    const size_t count = c->count;
    mutex_unlock(&c->lock);
    return count;
}
