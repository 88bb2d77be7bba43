// SPDX-License-Identifier: GPL-3.0-or-later
/* request.h -- one request from its first line to its last byte.
 *
 * The thread of its connection and an engine's thread both hold it. While an engine works the
 * connection waits; request_done() wakes it exactly once. A stream is woken whenever there is
 * something to send, and keeps only the newest event: a slow reader misses steps, never the last.
 */
#ifndef SAMARA_FRONT_HTTP_REQUEST_H
#define SAMARA_FRONT_HTTP_REQUEST_H

#include "front/http/app.h"
#include "front/http/head.h"
#include "front/http/mailbox.h"
#include "front/http/params.h"

typedef struct Request Request;
typedef struct Route Route;
struct Connection;

/*   REQUEST_HERE -> REQUEST_WAITS -> REQUEST_ANSWERED
 *                              \-> REQUEST_STREAMS -> REQUEST_STREAMED
 * One that is refused, or answered where it was read, stays in the first state. */
typedef enum RequestState {
    REQUEST_HERE,     /* with its connection */
    REQUEST_WAITS,    /* in a queue, or with an engine */
    REQUEST_ANSWERED, /* the reply is complete */
    REQUEST_STREAMS,  /* events instead of a reply, and more may come */
    REQUEST_STREAMED, /* the last event is there */
} RequestState;

/* Of a request that waits for the queue of many machines, see broker.h. */
typedef struct RemoteWait {
    void (*run)(Task *task, Slot *slot); /* what would be done here, */
    QueueName queue;                     /* and where */
    bool streams;                        /* events instead of an answer */
    AtomicU64 ticket;                    /* 0: not there */
    char key[160];                       /* under which its result is remembered; "": not at all */
    int lines;
    char why[256]; /* it could not be handed over */
} RemoteWait;

struct Request {
    Task task; /* first: the worker queue hands it back */
    Letter letter;
    App *app;
    Mailbox *mailbox;
    struct Connection *connection; /* NULL: closed; only the connection's thread looks */
    WorkerQueue *queue;            /* once it has left REQUEST_HERE */
    const Route *route;
    ClientId client;
    Buffer head_bytes;
    Head head;              /* slices of head_bytes */
    char method[8], id[24]; /* id: the changing part of the path */
    char *path;             /* decoded */
    Str query;
    Str origin; /* to be named in the answer; empty: none */
    Buffer body;
    size_t body_length; /* announced */
    bool drops_body;    /* it is read, but nobody looks at it */
    bool keep_alive;    /* the client wants to ask more, and can be understood */
    bool expects_continue;
    bool counted_body; /* one of App.bodies */
    Params params;
    Reply reply;
    RemoteWait remote;
    int64_t start_us;

    int refs; /* under mailbox->lock, as all below */
    RequestState state;
    bool closed;   /* its connection is gone */
    Buffer newest; /* of a stream: not yet taken by the connection */
};

/* Delivered by its letter in the connection's thread whenever request_received() may say something
 * new. NULL: no memory. */
Request *request_create(App *app, Mailbox *mailbox, struct Connection *connection,
                        void (*deliver)(Letter *letter));

/* --- the engine's thread --- */
void request_done(Request *r);         /* the answer (or the stream) is complete; drops its hold */
void request_begin_stream(Request *r); /* from now on events instead of an answer */
void request_event(Request *r, const char *name, const char *data);

/* From inside run(): the same request once more, with another run(), in another queue. */
void request_again(Request *r, QueueName queue);
void request_hold(Request *r); /* it lives until request_drop() */
void request_drop(Request *r);

/* --- the connection's thread --- */
/* Hands the request to a queue; be it full, an answer comes. */
void request_submit(Request *r, QueueName queue);
bool request_submitted(const Request *r); /* an answer comes by letter */
/* Once for each letter that was delivered: the state that it tells of. False: the connection was
 * closed before; the letter was the last hold on the request, which is freed. */
bool request_received(Request *r, RequestState *state);
/* Appends the newest event, if there is one. False: nothing will ever follow. */
bool request_take_event(Request *r, Buffer *out);
void request_cancel(Request *r); /* its client hung up: what is found so far is the answer */
void request_close(Request *r);  /* the connection is through with it; drops its hold */

#endif
