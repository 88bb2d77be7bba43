// SPDX-License-Identifier: GPL-3.0-or-later
/* request.h -- one request from its first line to its last byte.
 *
 * The HTTP library's thread and an engine's thread both hold it. While an engine works the
 * connection is parked (suspended); request_done() wakes it exactly once. A stream is woken
 * whenever there is something to send, and keeps only the newest event: a slow reader misses steps,
 * never the last. */
#ifndef SAMARA_FRONT_HTTP_REQUEST_H
#define SAMARA_FRONT_HTTP_REQUEST_H

#include "front/http/app.h"
#include "front/http/hub.h"
#include "front/http/params.h"
#include <microhttpd.h>

typedef struct Request Request;
typedef struct Route Route;

struct Request {
    Task task; /* first: the lane hands it back */
    App *app;
    Hub *hub;
    Lane *lane; /* where it was parked; NULL: nowhere yet */
    const Route *route;
    struct MHD_Connection *connection;
    Conn *conn;
    char method[8], id[24]; /* id: the changing part of the path */
    Buffer body;
    size_t body_limit;
    Params params;
    Reply reply;
    Str origin; /* to be named in the answer; empty: none. Lives in the connection. */
    int64_t start_us;
    int refs; /* under hub->lock, as all below */
    bool parked, streaming, ended, closed;
    Buffer sending, newest; /* of a stream */
    size_t sent;
};

Request *request_create(App *app, Hub *hub, struct MHD_Connection *connection,
                        Conn *conn); /* NULL: no memory */
/* Parks the connection and hands the request to a lane; it wakes up with an answer, be it that the
 * lane is full. The caller does not touch the request any more. */
void request_park(Request *r, LaneName lane);
void request_done(
    Request *r); /* the engine's thread: the answer (or the stream) is complete; drops its hold */
void request_closed(
    Request *r); /* the HTTP library: the connection is through with it; drops its hold */
void request_begin_stream(
    Request *r); /* the engine's thread: from now on events instead of an answer */
void request_event(Request *r, const char *name, const char *data);
void request_beat(Request *r); /* a sign of life if nothing else is to be sent; with hub->lock */
struct MHD_Response *request_stream_response(Request *r);

#endif
