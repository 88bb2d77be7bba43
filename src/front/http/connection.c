// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/connection.h"

#include "base/clock.h"
#include "front/http/response.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    HEAD_PATIENCE_MS = 5000, /* for the whole head, however slowly it drips */
    BODY_PATIENCE_MS = 10000,
    ANSWER_PATIENCE_MS = 120000, /* until the last byte is taken */
    IDLE_PATIENCE_MS = 30000,    /* between requests */
    STALL_PATIENCE_MS = 30000,   /* a stream's client takes nothing */
    LINGER_PATIENCE_MS = 1000,
    BEAT_MS = 10000,       /* a stream says nothing longer than this */
    MOST_AHEAD = 32 << 10, /* bytes that are read before they are needed */
    MOST_TURNS = 32,       /* requests in a row before others have their turn */
    SMALL_BUFFER = 4 << 10,
};
_Static_assert((int)MOST_AHEAD >= (int)HEAD_MAX_BYTES, "a head fits");

typedef enum State {
    READING_HEAD,
    READING_BODY,
    WAITING, /* an engine works */
    SENDING,
    STREAMING,
    LINGERING, /* all is said; what still comes is dropped, or the client might lose the answer */
    CLOSED,
} State;

struct Connection {
    Letter letter; /* of its arrival */
    ConnectionSet *set;
    Connection *next, **link; /* in set->first */
    Connection *next_ready;
    int fd;
    ClientId peer;
    bool peer_is_proxy;
    State state;
    bool in_ready;
    bool eof;    /* the client sends nothing more */
    bool used;   /* something was answered before */
    bool padded; /* the one empty line before a request was seen */
    unsigned wanted;
    int64_t deadline_ms, beat_ms; /* 0: none */
    Buffer in;
    size_t seen;      /* of the head that is being read */
    Request *request; /* NULL: none is begun */
    Buffer out;
    size_t sent;
    Str tail; /* sent behind out; belongs to the request's reply */
    size_t tail_sent;
    bool keep_alive, chunked;
};

/* --- time --- */

static void set_deadline(Connection *c, int64_t patience_ms)
{
    c->deadline_ms = patience_ms > 0 ? clock_ms() + patience_ms : 0;
    if (c->deadline_ms != 0 && c->deadline_ms < c->set->deadline_ms)
        c->set->deadline_ms = c->deadline_ms;
}

static void set_beat(Connection *c)
{
    c->beat_ms = clock_ms() + BEAT_MS;
    if (c->beat_ms < c->set->deadline_ms)
        c->set->deadline_ms = c->beat_ms;
}

static void enter(Connection *c, State state, int64_t patience_ms)
{
    c->state = state;
    c->beat_ms = 0;
    set_deadline(c, patience_ms);
}

/* --- closing --- */

/* Gives everything back at once but the memory: callers up the stack still look at the state. */
static void close_now(Connection *c)
{
    if (c->state == CLOSED)
        return;
    ConnectionSet *set = c->set;
    c->state = CLOSED;
    if (c->request)
        request_close(c->request);
    poller_remove(set->poller, c->fd);
    close(c->fd);
    quota_give(set->quota, c->peer);
    atomic_fetch_sub(&set->count, 1);
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    buffer_free(&c->in);
    buffer_free(&c->out);
    c->next = set->dead; /* callers still look at its state: it is freed when they are done */
    set->dead = c;
}

/* --- sending --- */

/* Writes what is left of out and tail. False: the socket takes no more now, or is gone. */
static bool flush(Connection *c)
{
    for (;;) {
        struct iovec part[2] = {
            {c->out.data + c->sent, c->out.len - c->sent},
            {(void *)(c->tail.ptr + c->tail_sent), c->tail.len - c->tail_sent},
        };
        if (part[0].iov_len + part[1].iov_len == 0)
            return true;
        const bool one = part[0].iov_len == 0;
        struct msghdr message = {.msg_iov = part + one, .msg_iovlen = one ? 1 : 2};
        const ssize_t written = sendmsg(c->fd, &message, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                close_now(c);
            return false;
        }
        const size_t of_out = (size_t)written < part[0].iov_len ? (size_t)written : part[0].iov_len;
        c->sent += of_out;
        c->tail_sent += (size_t)written - of_out;
        if (c->state == STREAMING)
            set_deadline(c, STALL_PATIENCE_MS);
    }
}

static void reset_output(Connection *c)
{
    buffer_clear(&c->out);
    c->sent = c->tail_sent = 0;
    c->tail = (Str){0};
}

/* The reply of the request is complete: begin to send it. */
static void respond(Connection *c)
{
    Request *r = c->request;
    reset_output(c);
    c->keep_alive = r->keep_alive && !atomic_load(&c->set->ending);
    response_head(&c->out, r, c->keep_alive);
    if (strcmp(r->method, "HEAD") != 0 && r->reply.status != 304)
        c->tail = response_body(&r->reply);
    if (c->out.failed || r->reply.body.failed) {
        buffer_free(&c->out);
        c->tail = response_of_despair();
        c->keep_alive = false;
    }
    metrics_answer(&r->app->metrics, r->reply.status, clock_us() - r->start_us);
    enter(c, SENDING, ANSWER_PATIENCE_MS);
}

static void begin_stream(Connection *c)
{
    Request *r = c->request;
    reset_output(c);
    c->chunked = r->head.version == 11;
    c->keep_alive = r->keep_alive && c->chunked && !atomic_load(&c->set->ending);
    response_stream_head(&c->out, r, c->chunked, c->keep_alive);
    metrics_answer(&r->app->metrics, 200, clock_us() - r->start_us);
    enter(c, STREAMING, STALL_PATIENCE_MS);
    set_beat(c);
}

static void put_event(Connection *c, Str data)
{
    if (c->chunked)
        response_chunk(&c->out, data);
    else
        buffer_append(&c->out, data.ptr, data.len);
    set_deadline(c, STALL_PATIENCE_MS);
    set_beat(c);
}

/* Sends events until there are none, the socket is full or the stream ends. */
static bool pump(Connection *c)
{
    Buffer *event = &c->set->event;
    while (flush(c)) {
        reset_output(c);
        set_deadline(c, 0);
        buffer_clear(event);
        const bool more = request_take_event(c->request, event);
        if (event->len > 0)
            put_event(c, (Str){event->data, event->len});
        if (c->out.failed || event->failed) {
            close_now(c);
            return false;
        }
        if (!more) {
            c->tail = c->chunked ? response_last_chunk() : (Str){0};
            enter(c, SENDING, ANSWER_PATIENCE_MS);
            return true;
        }
        if (c->out.len == 0)
            return false;
    }
    return false;
}

/* The answer is out: back to reading, or an end that loses nothing on its way. */
static void finish(Connection *c)
{
    request_close(c->request);
    c->request = NULL;
    c->used = true;
    c->padded = false;
    reset_output(c);
    if (c->out.capacity > SMALL_BUFFER)
        buffer_free(&c->out);
    if (c->keep_alive) {
        enter(c, READING_HEAD, c->in.len > 0 ? HEAD_PATIENCE_MS : IDLE_PATIENCE_MS);
    } else if (c->eof) {
        close_now(c);
    } else {
        shutdown(c->fd, SHUT_WR);
        buffer_free(&c->in);
        enter(c, LINGERING, LINGER_PATIENCE_MS);
    }
}

static bool send_rest(Connection *c)
{
    if (!flush(c))
        return false;
    finish(c);
    return c->state != CLOSED;
}

/* --- reading --- */

static void consume(Connection *c, size_t len)
{
    memmove(c->in.data, c->in.data + len, c->in.len - len);
    c->in.len -= len;
    if (c->in.len == 0 && c->in.capacity > SMALL_BUFFER)
        buffer_free(&c->in);
}

static void deliver_news(Letter *letter);

/* False: no memory, and the connection is closed. */
static bool begin_request(Connection *c)
{
    ConnectionSet *set = c->set;
    c->request = request_create(set->handler->app, &set->mailbox, c, deliver_news);
    if (c->request)
        return true;
    const Str text = response_of_despair();
    if (send(c->fd, text.ptr, text.len, MSG_NOSIGNAL) < 0) {
        /* then without a word */
    }
    close_now(c);
    return false;
}

/* Something is wrong before there is anything to ask the server about. */
static void refuse(Connection *c, int status)
{
    if (!c->request && !begin_request(c))
        return;
    static const struct {
        int status;
        const char *code, *message;
    } texts[] = {
        {400, "bad_request", "The header of the request is not well formed."},
        {408, "timeout", "The request took too long to arrive."},
        {414, "target_too_long", "The path and its query are too long."},
        {431, "header_too_large", "The header of the request is too large."},
        {505, "http_version", "This server speaks HTTP 1.1."},
        {500, "no_memory", "The server is out of memory."},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].status == status)
            reply_error(&c->request->reply, status, texts[i].code, NULL, 0, "%s", texts[i].message);
    c->request->keep_alive = false;
    respond(c);
}

/* The head is complete: asks the server whether to go on. */
static void take_head(Connection *c)
{
    if (!begin_request(c))
        return;
    Request *r = c->request;
    buffer_append(&r->head_bytes, c->in.data, c->seen);
    const int status =
        r->head_bytes.failed ? 500 : head_parse(&r->head, r->head_bytes.data, r->head_bytes.len);
    consume(c, c->seen);
    c->seen = 0;
    if (status != 0) {
        refuse(c, status);
        return;
    }
    c->set->handler->admit(c->set->handler->user, r);
    if (r->reply.status != 0) {
        r->keep_alive = r->keep_alive && r->body_length == 0; /* the body would be read as a head */
        respond(c);
        return;
    }
    enter(c, READING_BODY, BODY_PATIENCE_MS);
    if (r->expects_continue && c->in.len == 0 && r->body_length > 0) {
        static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
        if (send(c->fd, go_on, sizeof go_on - 1, MSG_NOSIGNAL) < 0) {
            /* the client sends its body anyway, after a while */
        }
    }
}

/* Where a head should be. False: more bytes are needed. */
static bool read_head(Connection *c)
{
    if (!c->padded && c->in.len >= 2 && memcmp(c->in.data, "\r\n", 2) == 0) {
        c->padded = true;
        consume(c, 2);
        c->seen = 0;
    }
    switch (head_scan(c->in.data, c->in.len, &c->seen)) {
    case HEAD_DONE:
        take_head(c);
        return c->state != CLOSED;
    case HEAD_BAD:
        refuse(c, 400);
        return c->state != CLOSED;
    case HEAD_MORE:
        break;
    }
    if (c->in.len >= HEAD_MAX_BYTES) {
        refuse(c, memchr(c->in.data, '\n', c->in.len) ? 431 : 414);
        return c->state != CLOSED;
    }
    if (c->eof)
        close_now(c);
    return false;
}

/* Drops or keeps the body; when it is complete the request goes to its route. */
static bool read_body(Connection *c)
{
    Request *r = c->request;
    const size_t missing = r->body_length - r->body.len;
    const size_t here = c->in.len < missing ? c->in.len : missing;
    if (r->drops_body)
        r->body_length -= here;
    else
        buffer_append(&r->body, c->in.data, here);
    if (here > 0)
        consume(c, here);
    if (r->body.failed) {
        refuse(c, 500);
        return c->state != CLOSED;
    }
    if (here < missing) {
        if (c->eof)
            close_now(c);
        return false;
    }
    enter(c, WAITING, 0);
    c->set->handler->dispatch(c->set->handler->user, r);
    if (!request_submitted(r))
        respond(c);
    else if (c->eof)
        request_cancel(r);
    return true;
}

/* Goes as far as the bytes that are here allow; others have their turn now and then. */
static void advance(Connection *c)
{
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        bool moved = false;
        switch (c->state) {
        case READING_HEAD:
            moved = read_head(c);
            break;
        case READING_BODY:
            moved = read_body(c);
            break;
        case SENDING:
            moved = send_rest(c);
            break;
        case STREAMING:
            moved = pump(c);
            break;
        case WAITING:
        case LINGERING:
        case CLOSED:
            break;
        }
        if (!moved)
            return;
    }
    if (!c->in_ready) {
        c->in_ready = true;
        c->next_ready = c->set->ready;
        c->set->ready = c;
    }
}

/* What the poller should report depends on the state alone. */
static unsigned wish(const Connection *c)
{
    const unsigned reading = !c->eof && c->in.len < MOST_AHEAD ? POLLER_READ : 0u;
    switch (c->state) {
    case READING_HEAD:
    case READING_BODY:
    case WAITING: /* to notice that the client leaves */
        return reading;
    case SENDING:
        return POLLER_WRITE;
    case STREAMING:
        return reading | (c->sent < c->out.len ? POLLER_WRITE : 0u);
    case LINGERING:
        return POLLER_READ;
    case CLOSED:
        break;
    }
    return 0;
}

static void update(Connection *c)
{
    const unsigned wanted = wish(c);
    if (wanted == c->wanted)
        return;
    c->wanted = wanted;
    poller_change(c->set->poller, c->fd, wanted, c);
}

/* Advances, then tells the poller what it waits for. */
static void step(Connection *c)
{
    advance(c);
    if (c->state != CLOSED)
        update(c);
}

/* Reads at most what may wait; a client that leaves cancels its search. */
static void read_some(Connection *c)
{
    ConnectionSet *set = c->set;
    const bool lingering = c->state == LINGERING;
    const size_t room = lingering ? sizeof set->scratch : MOST_AHEAD - c->in.len;
    const ssize_t got = recv(c->fd, set->scratch, room, 0);
    if (got > 0 && !lingering) {
        if (c->state == READING_HEAD && c->in.len == 0 && c->used)
            set_deadline(c, HEAD_PATIENCE_MS);
        buffer_append(&c->in, set->scratch, (size_t)got);
        if (c->in.failed)
            close_now(c);
    } else if (got == 0) {
        c->eof = true;
        if (lingering)
            close_now(c);
        else if (c->state == WAITING || c->state == STREAMING)
            request_cancel(c->request);
    } else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        close_now(c);
    }
}

/* --- called by the thread of the set --- */

/* In the loop's own thread: the listener only posts the connection. */
static void arrive(Letter *letter)
{
    Connection *c = (Connection *)letter;
    ConnectionSet *set = c->set;
    c->next = set->first;
    c->link = &set->first;
    if (c->next)
        c->next->link = &c->next;
    set->first = c;
    c->wanted = POLLER_READ;
    enter(c, READING_HEAD, HEAD_PATIENCE_MS);
    if (!poller_add(set->poller, c->fd, c->wanted, c))
        close_now(c);
    else
        connection_ready(c, POLLER_READ); /* often the request is here already */
}

/* An engine has something for one of our requests. */
static void deliver_news(Letter *letter)
{
    Request *r = (Request *)((char *)letter - offsetof(Request, letter));
    Connection *c = r->connection;
    RequestState state;
    if (!request_received(r, &state))
        return;
    if (c->state == WAITING && state == REQUEST_ANSWERED)
        respond(c);
    else if (c->state == WAITING && (state == REQUEST_STREAMS || state == REQUEST_STREAMED))
        begin_stream(c);
    step(c);
}

void connection_ready(Connection *c, unsigned what)
{
    if (c->state == CLOSED)
        return;
    if (what & POLLER_BROKEN)
        close_now(c);
    else if (what & POLLER_READ)
        read_some(c);
    if (c->state != CLOSED)
        step(c);
}

/* Goes on with connections that had more to do than one turn allows. */
void connections_continue(ConnectionSet *set)
{
    Connection *c = set->ready;
    set->ready = NULL;
    while (c) {
        Connection *next = c->next_ready;
        c->in_ready = false;
        if (c->state != CLOSED)
            step(c);
        c = next;
    }
}

/* Frees the closed ones when nothing on the stack can point to them. */
void connections_bury(ConnectionSet *set)
{
    Connection **link = &set->dead;
    while (*link) {
        Connection *c = *link;
        if (c->in_ready) { /* somebody still points to it */
            link = &c->next;
            continue;
        }
        *link = c->next;
        free(c);
    }
}

/* The time is up: an answer that says so where one is due, else the end. */
static void expire(Connection *c)
{
    const bool asked = c->state == READING_BODY || (c->state == READING_HEAD && c->in.len > 0);
    if (!asked)
        close_now(c);
    else
        refuse(c, 408);
    if (c->state != CLOSED)
        step(c);
}

static void beat(Connection *c)
{
    set_beat(c);
    if (c->out.len > c->sent)
        return;
    put_event(c, STR(": still thinking\n\n"));
    step(c);
}

/* Detects timeouts and sends heartbeats; remembers when it must run next. */
void connections_sweep(ConnectionSet *set, int64_t now)
{
    Connection *next;
    set->deadline_ms = INT64_MAX;
    for (Connection *c = set->first; c; c = next) {
        next = c->next;
        if (c->deadline_ms != 0 && now >= c->deadline_ms)
            expire(c);
        else if (c->beat_ms != 0 && now >= c->beat_ms)
            beat(c);
        if (c->state == CLOSED)
            continue;
        if (c->deadline_ms != 0 && c->deadline_ms < set->deadline_ms)
            set->deadline_ms = c->deadline_ms;
        if (c->beat_ms != 0 && c->beat_ms < set->deadline_ms)
            set->deadline_ms = c->beat_ms;
    }
}

/* At the end of the server: idle connections at once, busy ones when they are done or when time is
 * over. */
int connections_close(ConnectionSet *set, bool all)
{
    Connection *next;
    int left = 0;
    for (Connection *c = set->first; c; c = next) {
        next = c->next;
        const bool busy = c->state == WAITING || c->state == SENDING || c->state == STREAMING;
        if (all || !busy)
            close_now(c);
        else
            left++;
    }
    return left;
}

/* --- called by others --- */

/* From the listener's thread: the connection belongs to the loop from here on. */
bool connection_open(ConnectionSet *set, int fd, ClientId peer, bool peer_is_proxy)
{
    Connection *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    c->letter.deliver = arrive;
    c->set = set;
    c->fd = fd;
    c->peer = peer;
    c->peer_is_proxy = peer_is_proxy;
    atomic_fetch_add(&set->count, 1);
    mutex_lock(&set->mailbox.lock);
    mailbox_post(&set->mailbox, &c->letter);
    mutex_unlock(&set->mailbox.lock);
    return true;
}

ClientId connection_peer(const Connection *c) { return c->peer; }
bool connection_peer_is_proxy(const Connection *c) { return c->peer_is_proxy; }
Turns *connection_turns(const Connection *c) { return &c->set->turns; }
