// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/remote_games.h"

#include "base/clock.h"
#include "front/http/broker.h"
#include "front/review_job.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 1000, LOOK_MS = 5000, RETRY_MS = 1000 };

/* A game in the queue. */
typedef struct RemoteJob {
    struct RemoteJob *next;
    RemoteGames *games;
    int64_t id;
    uint64_t ticket;
    size_t plies, done, total;
    Buffer part;    /* the report as far as it is known */
    bool ended, ok; /* result has the text, or says why not */
    Buffer result;
    char trouble[256]; /* it cannot be stored yet; "": it can, or runs */
} RemoteJob;

struct RemoteGames {
    App *app;
    RemoteGamesEvents events;
    Thread thread;
    Mutex lock; /* of all below */
    Cond wake;
    bool closing;
    RemoteJob *jobs;
    int count;
    int64_t last; /* the newest game that was sent */
};

/* --- the queue's events --- */

/* Called with the client's lock: it only writes down what happened. */
static void on_ticket(void *user, TicketEvent event, Str text)
{
    RemoteJob *job = user;
    RemoteGames *games = job->games;
    Str report;
    mutex_lock(&games->lock);
    if (event == TICKET_PART) {
        if (review_part_read(text, &job->done, &job->total, &report)) {
            buffer_clear(&job->part);
            buffer_append(&job->part, report.ptr, report.len);
        }
    } else if (event != TICKET_AWAY && event != TICKET_FULL) {
        job->ended = true;
        job->ok = event == TICKET_DONE;
        buffer_append(&job->result, text.ptr, text.len);
    } else {
        job->ticket = 0; /* sent again by and by */
    }
    cond_signal(&games->wake);
    mutex_unlock(&games->lock);
}

/* --- the thread --- */

static void job_free(RemoteJob *job)
{
    buffer_free(&job->part);
    buffer_free(&job->result);
    free(job);
}

static void unlink_job(RemoteGames *games, RemoteJob *job)
{
    RemoteJob **link = &games->jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    games->count--;
}

/* Hands the game over. False: the store has it no more. */
static bool submit(RemoteGames *games, RemoteJob *job)
{
    StoredGame stored;
    ReviewEffort effort;
    Speech speech;
    char owner[24];
    Error err;
    if (store_get(games->app->store, job->id, &stored, NULL) != STORE_FOUND)
        return false;
    Buffer payload = {0};
    games->events.effort(games->events.user, stored.limits, &effort, &speech);
    review_job_write(&effort.limits, &speech, str_from(stored.pgn), &payload);
    job->plies = (size_t)stored.plies;
    snprintf(owner, sizeof owner, "%016llx", (unsigned long long)stored.owner);
    stored_game_free(&stored);
    Job sent = {.kind = REVIEW_JOB_KIND,
                .needs = broker_engine(games->app->broker),
                .owner = owner,
                .priority = JOB_SOON,
                .cost_ms = review_job_cost_ms(&effort.limits, job->plies),
                .payload = {buffer_text(&payload), payload.len}};
    job_name(&sent);
    const uint64_t ticket = payload.failed ? 0
                                           : queue_client_submit(broker_client(games->app->broker),
                                                                 &sent, true, on_ticket, job, &err);
    buffer_free(&payload);
    mutex_lock(&games->lock);
    if (!job->ended)
        job->ticket = ticket;
    mutex_unlock(&games->lock);
    return true;
}

/* Into the store. False: it cannot be written now, and is kept. */
static bool save(RemoteGames *games, RemoteJob *job)
{
    Store *store = games->app->store;
    Error err = {0};
    ReviewResult parts;
    const Str result = {buffer_text(&job->result), job->result.len};
    bool ok;
    if (job->ok && !job->result.failed && review_result_read(result, &parts)) {
        char *a = str_duplicate(parts.report), *b = str_duplicate(parts.pgn);
        ok = a && b && store_finish(store, job->id, GAME_DONE, a, b, NULL, &err);
        free(a);
        free(b);
    } else {
        ok = store_finish(store, job->id, GAME_FAILED, NULL, NULL,
                          job->ok ? "the worker's answer cannot be read" : result.ptr, &err);
        job->ok = false;
    }
    mutex_lock(&games->lock);
    snprintf(job->trouble, sizeof job->trouble, "%.160s%s", ok ? "" : err.text,
             ok ? "" : "; it is kept and stored when that works");
    mutex_unlock(&games->lock);
    return ok;
}

/* Stores what has ended. False: the disk is full, or the like. With the lock. */
static bool save_ended(RemoteGames *games)
{
    for (RemoteJob *job = games->jobs, *next; job; job = next) {
        next = job->next;
        if (!job->ended)
            continue;
        mutex_unlock(&games->lock);
        const bool ok = save(games, job); /* only this thread frees jobs */
        mutex_lock(&games->lock);
        if (!ok)
            return false;
        const int64_t id = job->id;
        const bool done = job->ok;
        const size_t plies = job->plies;
        next = job->next;
        unlink_job(games, job);
        mutex_unlock(&games->lock);
        job_free(job);
        if (done)
            relaxed_add(&games->app->metrics.reports, 1);
        games->events.progress(games->events.user, id, done ? "done" : "failed", plies, plies);
        mutex_lock(&games->lock);
    }
    return true;
}

/* Sends games of the store that are not in the queue, oldest first. With the lock. */
static void fill(RemoteGames *games)
{
    for (RemoteJob *job = games->jobs, *next; job; job = next) {
        next = job->next;
        if (job->ticket != 0 || job->ended)
            continue;
        mutex_unlock(&games->lock);
        const bool there = submit(games, job);
        mutex_lock(&games->lock);
        next = job->next;
        if (!there) {
            unlink_job(games, job);
            job_free(job);
        }
    }
    while (games->count < MOST_JOBS && !games->closing) {
        mutex_unlock(&games->lock);
        const int64_t id = store_queued_after(games->app->store, games->last);
        RemoteJob *job = id != 0 ? calloc(1, sizeof *job) : NULL;
        if (job) {
            job->games = games;
            job->id = id;
        }
        mutex_lock(&games->lock);
        if (!job)
            return;
        games->last = id;
        job->next = games->jobs;
        games->jobs = job;
        games->count++;
        mutex_unlock(&games->lock);
        const bool there = submit(games, job);
        mutex_lock(&games->lock);
        if (!there) {
            unlink_job(games, job);
            job_free(job);
        }
    }
}

static void tell_running(RemoteGames *games)
{
    for (RemoteJob *job = games->jobs; job; job = job->next)
        if (!job->ended && job->total > 0)
            games->events.progress(games->events.user, job->id, "running", job->done, job->total);
}

/* Stores, sends, tells; then sleeps until something happens. */
static void *work(void *arg)
{
    RemoteGames *games = arg;
    mutex_lock(&games->lock);
    while (!games->closing) {
        const bool saved = save_ended(games);
        fill(games);
        tell_running(games);
        if (!games->closing)
            cond_wait_for(&games->wake, &games->lock, saved ? LOOK_MS : RETRY_MS);
    }
    mutex_unlock(&games->lock);
    return NULL;
}

/* --- for others --- */

/* The thread looks into the store by itself. */
RemoteGames *remote_games_start(App *app, const RemoteGamesEvents *events)
{
    RemoteGames *games = calloc(1, sizeof *games);
    if (!games)
        return NULL;
    games->app = app;
    games->events = *events;
    mutex_init(&games->lock);
    cond_init(&games->wake);
    if (thread_start(&games->thread, work, games))
        return games;
    free(games);
    return NULL;
}

/* What is unfinished stays queued in the store. */
void remote_games_stop(RemoteGames *games)
{
    if (!games)
        return;
    mutex_lock(&games->lock);
    games->closing = true;
    cond_signal(&games->wake);
    mutex_unlock(&games->lock);
    thread_join(games->thread);
    while (games->jobs) {
        RemoteJob *job = games->jobs;
        games->jobs = job->next;
        job_free(job);
    }
    cond_destroy(&games->wake);
    mutex_destroy(&games->lock);
    free(games);
}

void remote_games_wake(RemoteGames *games)
{
    mutex_lock(&games->lock);
    cond_signal(&games->wake);
    mutex_unlock(&games->lock);
}

/* The worker may finish what it has; its result finds no game and is dropped by the store. */
void remote_games_forget(RemoteGames *games, int64_t id)
{
    uint64_t ticket = 0;
    mutex_lock(&games->lock);
    for (RemoteJob *job = games->jobs; job; job = job->next)
        if (job->id == id && !job->ended)
            ticket = job->ticket;
    mutex_unlock(&games->lock);
    if (ticket == 0 || !queue_client_leave(broker_client(games->app->broker), ticket))
        return;
    mutex_lock(&games->lock);
    for (RemoteJob *job = games->jobs; job; job = job->next)
        if (job->id == id) {
            job->ended = true; /* no event comes any more: the thread drops it */
            job->ok = false;
            buffer_puts(&job->result, "it was deleted");
        }
    cond_signal(&games->wake);
    mutex_unlock(&games->lock);
}

/* Copies under the lock; the report may be long, but it is asked for seldom. */
bool remote_games_look(RemoteGames *games, int64_t id, size_t *done, size_t *total, Buffer *report,
                       char trouble[256])
{
    bool found = false;
    mutex_lock(&games->lock);
    for (const RemoteJob *job = games->jobs; job && !found; job = job->next) {
        found = job->id == id && (job->trouble[0] || job->part.len > 0);
        if (!found)
            continue;
        memcpy(trouble, job->trouble, sizeof job->trouble);
        *done = job->done;
        *total = job->total;
        buffer_append(report, job->part.data, job->part.len);
    }
    mutex_unlock(&games->lock);
    return found;
}
