// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/ordered.h"

#include "queue/client.h"
#include <stdio.h>
#include <stdlib.h>

enum { LOOK_MS = 200 };

/* One job under way. */
typedef struct Place {
    struct Run *run;
    uint64_t number, ticket;
    bool ended, dead;
    Buffer text;
} Place;

typedef struct Run {
    const OrderedJobs *jobs;
    QueueClient *client;
    Mutex lock;
    Cond news;
    uint64_t next, deliver; /* the number to send, the number to put */
    int window;
    bool over; /* there are no more */
    Place *places;
} Run;

/* Writes the result down; the caller of ordered_run() delivers it. */
static void on_ticket(void *user, TicketEvent event, Str text)
{
    Place *place = user;
    if (event == TICKET_PART)
        return;
    mutex_lock(&place->run->lock);
    place->ended = true;
    place->dead = event != TICKET_DONE;
    buffer_append(&place->text, text.ptr, text.len);
    cond_signal(&place->run->news);
    mutex_unlock(&place->run->lock);
}

/* Sends the next job. Patient: a broker that is away is waited for. */
static bool send_next(Run *run, Error *err)
{
    Job job = {0};
    Buffer payload = {0};
    Place *place = &run->places[run->next % (uint64_t)run->window];
    if (!run->jobs->make(run->jobs->user, run->next, &job, &payload)) {
        run->over = true;
        buffer_free(&payload);
        return true;
    }
    job.payload = (Str){buffer_text(&payload), payload.len};
    job_name(&job);
    *place = (Place){.run = run, .number = run->next};
    place->ticket =
        payload.failed ? 0 : queue_client_submit(run->client, &job, true, on_ticket, place, err);
    if (payload.failed)
        error_set(err, "not enough memory");
    buffer_free(&payload);
    run->next += place->ticket != 0;
    return place->ticket != 0;
}

static bool bury(const Run *run, const Place *place, Error *err)
{
    const OrderedJobs *jobs = run->jobs;
    const char *why = buffer_text(&place->text);
    return (jobs->dead && jobs->dead(jobs->user, place->number, why)) ||
           error_set(err, "job %llu failed: %.180s", (unsigned long long)place->number, why);
}

/* Puts everything that is next in order. */
static bool put_ended(Run *run, Error *err)
{
    while (run->deliver < run->next) {
        Place *place = &run->places[run->deliver % (uint64_t)run->window];
        mutex_lock(&run->lock);
        const bool ended = place->ended;
        mutex_unlock(&run->lock);
        if (!ended)
            return true;
        const Str text = {buffer_text(&place->text), place->text.len};
        const bool ok = place->dead ? bury(run, place, err)
                                    : run->jobs->put(run->jobs->user, place->number, text, err);
        buffer_free(&place->text);
        run->deliver++;
        if (!ok)
            return false;
    }
    return true;
}

static bool stopped(const Run *run)
{
    return run->jobs->stopped && run->jobs->stopped(run->jobs->user);
}

/* Fills the window, waits for news, delivers; until all is done. */
static bool run_all(Run *run, Error *err)
{
    bool ok = true;
    while (ok && !stopped(run) && !(run->over && run->deliver == run->next)) {
        while (ok && !run->over && run->next - run->deliver < (uint64_t)run->window)
            ok = send_next(run, err);
        mutex_lock(&run->lock);
        const Place *first = &run->places[run->deliver % (uint64_t)run->window];
        if (ok && run->deliver < run->next && !first->ended)
            cond_wait_for(&run->news, &run->lock, LOOK_MS);
        mutex_unlock(&run->lock);
        ok = ok && put_ended(run, err);
    }
    while (run->deliver < run->next) /* nobody waits for the rest */
        queue_client_leave(run->client, run->places[run->deliver++ % (uint64_t)run->window].ticket);
    return ok;
}

/* All jobs through one client of the queue. */
bool ordered_run(Queue *queue, const OrderedJobs *jobs, uint64_t first, int window, Error *err)
{
    Run run = {.jobs = jobs, .next = first, .deliver = first, .window = window};
    run.places = calloc((size_t)window, sizeof *run.places);
    if (!run.places)
        return error_set(err, "not enough memory");
    mutex_init(&run.lock);
    cond_init(&run.news);
    run.client = queue_client_start(queue, NULL, NULL, err);
    const bool ok = run.client && run_all(&run, err);
    queue_client_stop(run.client);
    for (int i = 0; i < window; i++)
        buffer_free(&run.places[i].text);
    cond_destroy(&run.news);
    mutex_destroy(&run.lock);
    free(run.places);
    return ok;
}
