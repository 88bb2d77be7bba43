// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/request.h"

#include "base/clock.h"
#include <stdlib.h>

Request *request_create(App *app, Hub *hub, struct MHD_Connection *connection, Conn *conn)
{
    Request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->app = app;
    r->hub = hub;
    r->connection = connection;
    r->conn = conn;
    r->start_us = clock_us();
    r->refs = 1;
    return r;
}

/* Called without the lock, by whoever was last. */
static void release(Request *r)
{
    buffer_free(&r->body);
    buffer_free(&r->sending);
    buffer_free(&r->newest);
    params_free(&r->params);
    reply_clear(&r->reply);
    free(r);
}

/* With the lock. */
static void wake(Request *r)
{
    if (!r->parked)
        return;
    r->parked = false;
    MHD_resume_connection(r->connection);
}

void request_park(Request *r, LaneName lane)
{
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    r->refs++;
    r->parked = true;
    r->lane = r->app->lane[lane];
    r->conn->waiting = r;
    MHD_suspend_connection(r->connection);
    if (r->conn->hung_up)
        atomic_store(&r->task.cancelled, true);
    mutex_unlock(lock);
    if (lane_submit(r->lane, &r->task))
        return;
    relaxed_add(&r->app->metrics.refused, 1);
    reply_error(&r->reply, 503, "busy", NULL, 0,
                "All engines are at work and the queue is full; try again soon.");
    request_done(r);
}

void request_done(Request *r)
{
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    r->ended = true;
    if (!r->closed)
        r->conn->waiting = NULL;
    wake(r);
    const bool last = --r->refs == 0;
    mutex_unlock(lock);
    if (last)
        release(r);
}

void request_closed(Request *r)
{
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    r->closed = true;
    r->parked = false;
    if (r->conn->waiting == r)
        r->conn->waiting = NULL;
    const bool last = --r->refs == 0;
    if (!last && r->lane)
        lane_cancel(r->lane, &r->task);
    mutex_unlock(lock);
    if (last)
        release(r);
}

void request_begin_stream(Request *r)
{
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    r->streaming = true;
    if (!r->closed)
        r->conn->beat_ms = clock_ms() + HUB_BEAT_MS;
    wake(r);
    mutex_unlock(lock);
}

void request_event(Request *r, const char *name, const char *data)
{
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    buffer_clear(&r->newest);
    buffer_printf(&r->newest, "event: %s\ndata: ", name);
    buffer_puts(&r->newest, data);
    buffer_puts(&r->newest, "\n\n");
    if (!r->closed)
        r->conn->beat_ms = clock_ms() + HUB_BEAT_MS;
    wake(r);
    mutex_unlock(lock);
}

void request_beat(Request *r)
{
    if (!r->streaming || r->newest.len > 0)
        return;
    buffer_puts(&r->newest, ": still thinking\n\n");
    wake(r);
}

/* The HTTP library asks for bytes. With nothing to send the connection sleeps until wake(). */
static ssize_t read_stream(void *user, uint64_t position, char *out, size_t max)
{
    (void)position;
    Request *r = user;
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    if (r->sent == r->sending.len) {
        const Buffer old = r->sending;
        r->sending = r->newest;
        r->newest = old;
        buffer_clear(&r->newest);
        r->sent = 0;
    }
    ssize_t given = 0;
    if (r->sending.len > r->sent) {
        const size_t rest = r->sending.len - r->sent;
        given = (ssize_t)(rest < max ? rest : max);
        for (ssize_t i = 0; i < given; i++)
            out[i] = r->sending.data[r->sent + (size_t)i];
        r->sent += (size_t)given;
    } else if (r->ended) {
        given = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        r->parked = true;
        MHD_suspend_connection(r->connection);
    }
    mutex_unlock(lock);
    return given;
}

struct MHD_Response *request_stream_response(Request *r)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 8192, read_stream, r, NULL);
}
