// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/request.h"

#include "base/clock.h"
#include <assert.h>
#include <stdlib.h>

Request *request_create(App *app, Mailbox *mailbox, struct Connection *connection,
                        void (*deliver)(Letter *letter))
{
    Request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->app = app;
    r->mailbox = mailbox;
    r->connection = connection;
    r->letter.deliver = deliver;
    r->start_us = clock_us();
    r->refs = 1;
    return r;
}

/* Drops one hold; the last frees it. Called with the lock, returns without. */
static void drop(Request *r)
{
    const bool last = --r->refs == 0;
    assert(r->refs >= 0);
    mutex_unlock(&r->mailbox->lock);
    if (!last)
        return;
    if (r->counted_body)
        quota_give(r->app->bodies, r->client);
    buffer_free(&r->head_bytes);
    buffer_free(&r->body);
    buffer_free(&r->newest);
    params_free(&r->params);
    reply_clear(&r->reply);
    free(r->path);
    free(r);
}

/* Tells the connection's thread; a letter on its way holds the request. With the lock. */
static void notify(Request *r)
{
    if (!r->closed && mailbox_post(r->mailbox, &r->letter))
        r->refs++;
}

/* --- the engine's thread --- */

void request_done(Request *r)
{
    mutex_lock(&r->mailbox->lock);
    r->state = r->state == REQUEST_STREAMS ? REQUEST_STREAMED : REQUEST_ANSWERED;
    notify(r);
    drop(r);
}

void request_begin_stream(Request *r)
{
    mutex_lock(&r->mailbox->lock);
    r->state = REQUEST_STREAMS;
    notify(r);
    mutex_unlock(&r->mailbox->lock);
}

void request_event(Request *r, const char *name, const char *data)
{
    mutex_lock(&r->mailbox->lock);
    buffer_clear(&r->newest);
    buffer_printf(&r->newest, "event: %s\ndata: ", name);
    buffer_puts(&r->newest, data);
    buffer_puts(&r->newest, "\n\n");
    notify(r);
    mutex_unlock(&r->mailbox->lock);
}

/* --- the connection's thread --- */

/* There is no place in the queue, or another client needs it. */
static void turn_away(Task *task)
{
    Request *r = (Request *)task;
    relaxed_add(&r->app->metrics.refused, 1);
    reply_error(&r->reply, 503, "busy", NULL, 0,
                "All engines are at work and the queue is full; try again soon.");
    request_done(r);
}

void request_submit(Request *r, QueueName queue)
{
    mutex_lock(&r->mailbox->lock);
    r->refs++;
    r->state = REQUEST_WAITS;
    mutex_unlock(&r->mailbox->lock);
    r->queue = r->app->queue[queue];
    r->task.push_out = turn_away;
    if (!worker_queue_submit(r->queue, &r->task))
        turn_away(&r->task);
}

void request_hold(Request *r)
{
    mutex_lock(&r->mailbox->lock);
    r->refs++;
    mutex_unlock(&r->mailbox->lock);
}

void request_drop(Request *r)
{
    mutex_lock(&r->mailbox->lock);
    drop(r);
}

/* r->queue stays as it is: the connection's thread reads it, and needs it only to set the flag that
 * every search asks for. */
void request_again(Request *r, QueueName queue)
{
    if (!worker_queue_submit(r->app->queue[queue], &r->task))
        turn_away(&r->task);
}

/* Only the connection's thread leaves this state, so it need not lock to look. */
bool request_submitted(const Request *r) { return r->queue != NULL; }

bool request_received(Request *r, RequestState *state)
{
    mutex_lock(&r->mailbox->lock);
    const bool closed = r->closed;
    *state = r->state;
    drop(r);
    return !closed;
}

bool request_take_event(Request *r, Buffer *out)
{
    mutex_lock(&r->mailbox->lock);
    const bool more = r->newest.len > 0 || r->state == REQUEST_STREAMS;
    buffer_append(out, r->newest.data, r->newest.len);
    buffer_clear(&r->newest);
    mutex_unlock(&r->mailbox->lock);
    return more;
}

void request_cancel(Request *r)
{
    if (!request_submitted(r))
        return;
    worker_queue_cancel(r->queue, &r->task);
    if (r->app->broker && r->app->leave_broker(r))
        request_done(r);
}

/* Takes the request out of whatever queue it waits in. */
void request_close(Request *r)
{
    mutex_lock(&r->mailbox->lock);
    const bool working = r->state == REQUEST_WAITS || r->state == REQUEST_STREAMS;
    r->closed = true;
    mutex_unlock(&r->mailbox->lock);
    r->connection = NULL;
    const bool withdrawn = working && worker_queue_withdraw(r->queue, &r->task);
    const bool left = working && !withdrawn && r->app->broker && r->app->leave_broker(r);
    mutex_lock(&r->mailbox->lock);
    r->refs -= withdrawn || left; /* nobody will ever call request_done() */
    drop(r);
}
