// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/queue.h"

#include "base/sha256.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

const QueueRules queue_rules = {.most_waiting = 1000000,
                                .most_per_owner = 200000,
                                .attempts = 3,
                                .lease_ms = 10000,
                                .interest_ms = 15000,
                                .keep_s = 3600,
                                .kept_bytes = (int64_t)256 << 20,
                                .remember_s = 30 * 86400,
                                .most_positions = 200000};

/* Each part with its length before it, so that no two jobs have the same bytes. */
static void add_part(Sha256 *sha, Str part)
{
    const uint64_t len = part.len;
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(len >> (8 * i));
    sha256_add(sha, bytes, sizeof bytes);
    sha256_add(sha, part.ptr, part.len);
}

/* 160 bits of the hash of what decides the result: not the owner, nor the class. */
void job_name(Job *job)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t hash[SHA256_SIZE];
    Sha256 sha;
    sha256_begin(&sha);
    add_part(&sha, str_from(job->kind));
    add_part(&sha, str_from(job->needs));
    add_part(&sha, job->payload);
    sha256_end(&sha, hash);
    for (int i = 0; i < (JOB_ID_SIZE - 1) / 2; i++) {
        job->id[2 * i] = digits[hash[i] >> 4];
        job->id[2 * i + 1] = digits[hash[i] & 15];
    }
    job->id[JOB_ID_SIZE - 1] = '\0';
}

bool taker_add(Taker *taker, const char *kind, const char *needs)
{
    if (taker->lane_count == QUEUE_MAX_LANES)
        return false;
    const int len =
        snprintf(taker->lanes[taker->lane_count], QUEUE_LANE_SIZE, "%s|%s", kind, needs);
    const bool fits = len > 0 && len < QUEUE_LANE_SIZE;
    taker->lane_count += fits;
    return fits;
}

void taker_lines(const Taker *taker, Buffer *out)
{
    buffer_putc(out, '\n');
    for (int i = 0; i < taker->lane_count; i++)
        buffer_printf(out, "%s\n", taker->lanes[i]);
}

static const char *const state_names[] = {"gone", "ready", "leased",    "done",
                                          "dead", "full",  "owner_full"};
enum { STATE_COUNT = sizeof state_names / sizeof *state_names };

const char *job_state_name(JobState state) { return state_names[state]; }

bool job_state_named(Str name, JobState *out)
{
    for (int i = 0; i < STATE_COUNT; i++)
        if (str_is(name, state_names[i])) {
            *out = (JobState)i;
            return true;
        }
    return false;
}

/* --- the back end does it --- */

Queue *queue_clone(Queue *q, Error *err) { return q->ops->clone(q, err); }

void queue_close(Queue *q)
{
    if (q)
        q->ops->close(q);
}

bool queue_enqueue(Queue *q, const char *front, const Job *jobs, size_t count, JobNews *news,
                   Error *err)
{
    return q->ops->enqueue(q, front, jobs, count, news, err);
}

bool queue_touch(Queue *q, const char *front, const char *const *ids, size_t count, char born[33],
                 JobNews *news, Error *err)
{
    assert(count <= QUEUE_BATCH);
    return q->ops->touch(q, front, ids, count, born, news, err);
}

bool queue_leave(Queue *q, const char *front, const char *const *ids, size_t count, Error *err)
{
    assert(count <= QUEUE_BATCH);
    return q->ops->leave(q, front, ids, count, err);
}

bool queue_watch(Queue *q, const char *front, int wait_ms, QueueListener listener, void *user,
                 Error *err)
{
    return q->ops->watch(q, front, wait_ms, listener, user, err);
}

bool queue_acquire(Queue *q, const Taker *taker, int wait_ms, Lease *lease, Error *err)
{
    assert(taker->lane_count > 0);
    return q->ops->acquire(q, taker, wait_ms, lease, err);
}

bool queue_renew(Queue *q, const Lease *const *leases, size_t count, bool *held, Error *err)
{
    assert(count <= QUEUE_BATCH);
    return q->ops->renew(q, leases, count, held, err);
}

bool queue_tell(Queue *q, const Lease *lease, Str text, Error *err)
{
    return q->ops->tell(q, lease, text, err);
}

bool queue_finish(Queue *q, const Taker *taker, const Lease *lease, const Outcome *outcome,
                  bool *counts, Error *err)
{
    return q->ops->finish(q, taker, lease, outcome, counts, err);
}

bool queue_give_back(Queue *q, const Lease *lease, bool failed, const char *reason, Error *err)
{
    return q->ops->give_back(q, lease, failed, reason, err);
}

bool queue_hello(Queue *q, const char *worker, const char *what, Error *err)
{
    return q->ops->hello(q, worker, what, err);
}

bool queue_status(Queue *q, QueuePut put, void *user, Error *err)
{
    return q->ops->status(q, put, user, err);
}

bool queue_list(Queue *q, JobState state, int most, QueuePutJob put, void *user, Error *err)
{
    return q->ops->list(q, state, most, put, user, err);
}

bool queue_retry(Queue *q, const char *id, int64_t *count, Error *err)
{
    return q->ops->retry(q, id, count, err);
}

bool queue_drop(Queue *q, const char *id, int64_t *count, Error *err)
{
    return q->ops->drop(q, id, count, err);
}

bool queue_remember(Queue *q, const char *position, int lines, int depth, Str text, Error *err)
{
    return q->ops->remember(q, position, lines, depth, text, err);
}

bool queue_recall(Queue *q, const char *position, int lines, Buffer *text, Error *err)
{
    return q->ops->recall(q, position, lines, text, err);
}
