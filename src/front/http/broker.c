// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/broker.h"

#include "base/clock.h"
#include "front/http/analyse_job.h"
#include "front/http/broker_clerk.h"
#include "front/http/think.h"
#include "front/review_job.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Broker {
    App *app;
    QueueClient *client;
    Clerk *clerk;
    bool local;
    char engine[QUEUE_NAME_SIZE];
};

QueueClient *broker_client(Broker *broker) { return broker->client; }
const char *broker_engine(const Broker *broker) { return broker->engine; }
void broker_metrics(Broker *broker, Buffer *out) { clerk_metrics(broker->clerk, out); }
bool broker_ready(Broker *broker, Error *err) { return queue_client_ready(broker->client, err); }

/* --- answers --- */

static void reply_away(Request *r, Str why)
{
    relaxed_add(&r->app->metrics.refused, 1);
    reply_error(&r->reply, 503, "queue_away", NULL, 0, "%.*s; try again soon.", (int)why.len,
                why.ptr);
    r->reply.retry_after = 1;
}

/* An error inside a stream. */
static void stream_error(Request *r, const char *code, Str message)
{
    json_t *json = json_pack("{s:s, s:{s:s, s:s%}}", "status", "error", "error", "code", code,
                             "message", message.ptr, message.len);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    request_event(r, "error", text ? text : "{\"status\":\"error\"}");
    free(text);
    json_decref(json);
}

/* The worker's answer, with its own status. */
static void deliver_result(Request *r, Str result)
{
    int status;
    Str body;
    char *text = NULL;
    if (!analyse_result_read(result, &status, &body) || !(text = str_duplicate(body))) {
        status = 500;
    } else if (status == 200) {
        clerk_remember(r->app->broker->clerk, r->remote.key, r->remote.lines, text);
    }
    relaxed_add(&r->app->metrics.searches, 1);
    if (r->remote.streams)
        request_event(r, status == 200 ? "done" : "error", text ? text : "{}");
    else if (text)
        reply_text(&r->reply, status, "application/json", text);
    else
        reply_error(&r->reply, 500, "job_failed", NULL, 0, "The worker's answer cannot be read.");
    free(text);
}

static void refuse(Request *r, int status, const char *code, Str why)
{
    if (r->remote.streams)
        stream_error(r, code, why);
    else if (status == 503 && strcmp(code, "queue_away") == 0)
        reply_away(r, why);
    else
        reply_error(&r->reply, status, code, NULL, 0, "%.*s.", (int)why.len, why.ptr);
}

/* With our own engines, as if there were no broker. */
static void search_here(Request *r)
{
    r->task.run = r->remote.run;
    request_again(r, r->remote.queue);
}

/* Called by the queue's client: parts, then one event that ends the request. */
static void on_ticket(void *user, TicketEvent event, Str text)
{
    Request *r = user;
    char *line;
    switch (event) {
    case TICKET_PART:
        if (r->remote.streams && (line = str_duplicate(text))) {
            request_event(r, "info", line);
            free(line);
        }
        return;
    case TICKET_DONE:
        deliver_result(r, text);
        break;
    case TICKET_DEAD:
        refuse(r, 500, "job_failed", text);
        break;
    case TICKET_FULL:
        relaxed_add(&r->app->metrics.refused, 1);
        refuse(r, 503, "busy", text);
        break;
    case TICKET_AWAY:
        if (r->app->broker->local && !r->remote.streams) {
            search_here(r);
            return;
        }
        refuse(r, 503, "queue_away", text);
        break;
    }
    request_done(r);
}

/* --- requests --- */

bool broker_takes(const Request *r)
{
    return r->app->broker && (r->remote.run == think_analyse || r->remote.run == think_stream);
}

static bool is_stream(const Request *r) { return r->remote.run == think_stream; }

static bool check_search_moves(const Params *p, const SamaraPosition *position, Reply *reply)
{
    SamaraError err = {0};
    SamaraMove move;
    for (size_t i = 0; i < p->search_moves.count; i++)
        if (!samara_position_read_move(position, p->search_moves.words[i], &move, &err)) {
            reply_error(reply, 422, "illegal_move", "searchmoves", 0, "%s.", err.text);
            return false;
        }
    return true;
}

/* The front door's own limits hold for workers, too. */
static bool check_sizes(Request *r)
{
    const App *app = r->app;
    const Params *p = &r->params;
    if (p->threads <= app->most_threads && p->hash_mb <= app->most_hash_mb)
        return true;
    const bool threads = p->threads > app->most_threads;
    reply_error(&r->reply, 400, "out_of_range", threads ? "threads" : "hash", 0,
                "%s must be between 1 and %d here.", threads ? "threads" : "hash",
                threads ? app->most_threads : app->most_hash_mb);
    return false;
}

/* Who asks for a depth and nothing else is served by whatever is known as deep. */
static bool answer_from_memory(Request *r)
{
    const Params *p = &r->params;
    if ((p->given & (FIELDS_LIMITS | FIELD_CLOCK | FIELD_ELO)) != FIELD_DEPTH || !r->remote.key[0])
        return false;
    if (!broker_ready(r->app->broker, NULL))
        return false;
    char *text = clerk_recall(r->app->broker->clerk, r->remote.key, r->remote.lines);
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    const bool deep = json && json_object_get(json, "bestmove") &&
                      json_integer_value(json_object_get(json, "depth")) >= p->depth;
    if (deep && is_stream(r)) {
        r->remote.streams = true;
        request_begin_stream(r);
        request_event(r, "done", text);
    } else if (deep) {
        reply_text(&r->reply, 200, "application/json", text);
    }
    json_decref(json);
    free(text);
    return deep;
}

bool broker_leave(Request *r)
{
    const uint64_t ticket = atomic_load(&r->remote.ticket);
    return ticket != 0 && queue_client_leave(r->app->broker->client, ticket);
}

/* Into the hands of the queue's client; false: it is away. From then on on_ticket() answers. */
static bool hand_over(Request *r, const SamaraPosition *position)
{
    Broker *broker = r->app->broker;
    const bool live = is_stream(r);
    const int64_t max_ms = live ? r->app->max_stream_ms : r->app->max_time_ms;
    char owner[24];
    snprintf(owner, sizeof owner, "%016llx", (unsigned long long)r->client);
    char *payload = analyse_job_write(&r->params, position, r->app->hash_mb, max_ms, live);
    Error err = {0};
    if (!payload) {
        reply_error(&r->reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
        request_done(r);
        return true;
    }
    Job job = {.kind = ANALYSE_JOB_KIND,
               .needs = broker->engine,
               .owner = owner,
               .priority = JOB_NOW,
               .cost_ms = analyse_job_cost_ms(&r->params, max_ms),
               .live = true,
               .payload = str_from(payload)};
    job_name(&job);
    if (live && queue_client_ready(broker->client, &err)) {
        r->remote.streams = true;
        request_begin_stream(r);
        relaxed_add(&r->app->metrics.streams, 1);
    }
    request_hold(r); /* it may be answered, and gone, before the next line */
    const uint64_t ticket =
        live && err.text[0] ? 0
                            : queue_client_submit(broker->client, &job, live, on_ticket, r, &err);
    free(payload);
    if (ticket == 0)
        snprintf(r->remote.why, sizeof r->remote.why, "%s", err.text);
    atomic_store(&r->remote.ticket, ticket);
    if (ticket != 0 && task_cancelled(&r->task) && broker_leave(r))
        request_done(r);
    request_drop(r);
    return ticket != 0;
}

/* What the rules alone can say is said here; the rest is for the queue. */
void broker_run(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    Broker *broker = r->app->broker;
    if (!think_prepare(slot, &r->params, &r->reply) ||
        !check_search_moves(&r->params, slot->position, &r->reply) || !check_sizes(r)) {
        request_done(r);
        return;
    }
    const size_t moves = r->params.search_moves.count > 0
                             ? r->params.search_moves.count
                             : samara_position_moves(slot->position, NULL, 0);
    if (moves == 0) {
        r->remote.run(task, slot); /* the game is over: needs no engine */
        return;
    }
    r->remote.lines = (int)(r->params.multipv > 1 ? r->params.multipv : 1);
    if (!think_memory_key(&r->params, slot->position, r->remote.key))
        r->remote.key[0] = '\0';
    if (answer_from_memory(r)) {
        request_done(r);
        return;
    }
    if (hand_over(r, slot->position))
        return;
    if (broker->local) {
        search_here(r);
        return;
    }
    reply_away(r, str_from(r->remote.why));
    request_done(r);
}

/* --- life --- */

/* The broker is new, or has forgotten everything. Jobs are sent again by the client itself. */
static void on_new_broker(void *user)
{
    Broker *broker = user;
    clerk_restore(broker->clerk);
}

/* Everything is opened, but nothing waits for the broker: it may come later. */
Broker *broker_create(App *app, const BrokerWords *words, bool local, Error *err)
{
    Broker *broker = calloc(1, sizeof *broker);
    if (!broker) {
        error_set(err, "not enough memory");
        return NULL;
    }
    broker->app = app;
    broker->local = local;
    Queue *queue = queue_open(words, NULL, err);
    if (queue && engine_identity(NULL, broker->engine, err) &&
        (broker->clerk = clerk_start(queue, app->store, err)) &&
        (broker->client = queue_client_start(queue, on_new_broker, broker, err))) {
        queue_close(queue);
        return broker;
    }
    queue_close(queue);
    broker_destroy(broker);
    return NULL;
}

void broker_quiet(Broker *broker)
{
    if (broker)
        queue_client_end(broker->client, "the server is shutting down");
}

void broker_destroy(Broker *broker)
{
    if (!broker)
        return;
    queue_client_stop(broker->client);
    clerk_stop(broker->clerk);
    free(broker);
}

/* --- for administrators --- */

void broker_status_route(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    if (r->app->broker)
        clerk_status(r->app->broker->clerk, &r->reply);
    else
        reply_error(&r->reply, 404, "no_queue", NULL, 0, "This server has no broker.");
    request_done(r);
}

void broker_act_route(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    if (r->app->broker)
        clerk_act(r->app->broker->clerk, &r->params, &r->reply);
    else
        reply_error(&r->reply, 404, "no_queue", NULL, 0, "This server has no broker.");
    request_done(r);
}
