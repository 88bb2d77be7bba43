// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/server.h"

#include "base/clock.h"
#include "base/rng.h"
#include "front/http/admit.h"
#include "front/http/broker.h"
#include "front/http/event_loop.h"
#include "front/http/listener.h"
#include "front/http/routes.h"
#include "front/http/target.h"
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_LOOPS = 16, LATE_BODY = ADMIT_SMALL_BODY };

struct Server {
    App *app;
    ConnectionHandler handler;
    Listener *listener; /* NULL: closed */
    EventLoop *loop[MOST_LOOPS];
    int loops, port;
    AtomicFlag quiet;
};

/* --- what a request asks for --- */

/* Two fields of one name, or one that cannot be read, spoil the query. */
static bool add_argument(json_t *query, Str name, Str value, char *text, size_t size)
{
    char key[64];
    if (!target_decode(name, true, key, sizeof key) || json_object_get(query, key) ||
        !target_decode(value, true, text, size))
        return false;
    json_t *string = json_string(text); /* NULL: not UTF-8 */
    return string && json_object_set_new(query, key, string) == 0;
}

static json_t *read_query(Str query)
{
    json_t *json = json_object();
    const size_t size = query.len + 1;
    char *text = malloc(size);
    Str rest = query, name, value;
    bool ok = json && text;
    while (ok && target_next(&rest, &name, &value))
        ok = add_argument(json, name, value, text, size);
    free(text);
    if (ok)
        return json;
    json_decref(json);
    return NULL;
}

static bool read_params(Request *r)
{
    const int64_t max_time =
        r->route->queue == QUEUE_STREAM ? r->app->max_stream_ms : r->app->max_time_ms;
    if (r->route->body_limit > 0)
        return params_from_body(&r->params, r->route->fields, (Str){r->body.data, r->body.len},
                                max_time, &r->reply);
    if (r->route->fields & FIELDS_UNREAD)
        return true;
    json_t *query = read_query(r->query);
    if (query)
        return params_from_query(&r->params, r->route->fields, query, max_time, &r->reply);
    reply_error(&r->reply, 400, "bad_query", NULL, 0, "The query is not well formed.");
    return false;
}

/* --- answering --- */

/* False: this takes longer, or others have their turn; nothing is answered yet. */
static bool answer_quickly(Request *r)
{
    if (!turns_take(connection_turns(r->connection), r->client, clock_ms()))
        return false;
    Slot *slot = quick_borrow(r->app->quick);
    if (!slot)
        return false;
    const bool done = r->route->quick(r, slot);
    quick_return(r->app->quick, slot);
    return done;
}

static void submit(Request *r)
{
    r->task.client = r->client;
    request_submit(r, r->route->queue);
}

/* Whether other machines do it; they need to know what would be done here. */
static bool is_for_broker(Request *r)
{
    r->remote.run = r->route->run;
    r->remote.queue = r->route->queue;
    return broker_takes(r);
}

/* Megabytes of JSON are not read by an event loop: others wait for it. */
static void read_and_run(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    if (read_params(r))
        (is_for_broker(r) ? broker_run : r->route->run)(task, slot);
    else
        request_done(r);
}

/* All of the request is here: answer it at once, or have an engine do so. */
static void dispatch(void *user, Request *r)
{
    (void)user;
    if (!r->route) {
        route_missing(r);
        return;
    }
    if (r->body.len > LATE_BODY) {
        r->task.run = read_and_run;
        submit(r);
        return;
    }
    if (!read_params(r))
        return;
    if (r->route->queue == QUEUE_NONE) {
        r->route->now(r);
        return;
    }
    if (r->route->quick && answer_quickly(r))
        return;
    if (r->route->queue == QUEUE_STREAM && strcmp(r->method, "HEAD") == 0) {
        reply_text(&r->reply, 200, "text/event-stream", "");
        return;
    }
    if (is_for_broker(r)) {
        r->task.run = broker_run;
        r->task.client = r->client;
        request_submit(r, QUEUE_SHORT);
        return;
    }
    r->task.run = r->route->run;
    r->task.session =
        r->params.session ? hash_bytes(r->params.session, strlen(r->params.session)) : 0;
    submit(r);
}

static void admit_unless_quiet(void *user, Request *r)
{
    Server *server = user;
    if (atomic_load(&server->quiet))
        reply_error(&r->reply, 503, "ending", NULL, 0, "The server is shutting down.");
    else
        admit(r, connection_peer(r->connection), connection_peer_is_proxy(r->connection));
}

/* --- connections --- */

/* Says 503 to a connection that is one too many. Nothing of its request is read. */
static void turn_away(int fd)
{
    static const char full[] =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
        "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n"
        "{\"status\":\"error\",\"error\":{\"code\":\"connections\","
        "\"message\":\"Too many connections; try again soon.\"}}";
    if (send(fd, full, sizeof full - 1, MSG_NOSIGNAL) < 0) {
        /* the client is gone already */
    }
    shutdown(fd, SHUT_WR);
    close(fd);
}

static ConnectionSet *least_busy(Server *server)
{
    ConnectionSet *best = event_loop_set(server->loop[0]);
    for (int i = 1; i < server->loops; i++) {
        ConnectionSet *set = event_loop_set(server->loop[i]);
        if (relaxed_load(&set->count) < relaxed_load(&best->count))
            best = set;
    }
    return best;
}

/* Counts the connection and gives it to the loop that has the fewest. */
static void take_connection(void *user, int fd, const struct sockaddr *from)
{
    Server *server = user;
    const Address address = address_of(from);
    const ClientId peer = client_of_address(address);
    const bool proxy = proxies_trust(&server->app->proxies, address);
    const QuotaVerdict verdict = proxy ? quota_take_any(server->app->connections, peer)
                                       : quota_take(server->app->connections, peer);
    if (verdict == QUOTA_GRANTED && connection_open(least_busy(server), fd, peer, proxy))
        return;
    if (verdict == QUOTA_GRANTED)
        quota_give(server->app->connections, peer);
    turn_away(fd);
}

/* --- life --- */

static bool start_loops(Server *server, int count)
{
    for (int i = 0; i < count && i < MOST_LOOPS; i++) {
        server->loop[i] = event_loop_start(&server->handler, server->app->connections);
        if (!server->loop[i])
            return false;
        server->loops++;
    }
    return true;
}

Server *server_start(App *app, const ServerConfig *config, Error *err)
{
    Server *server = calloc(1, sizeof *server);
    if (!server) {
        error_set(err, "not enough memory");
        return NULL;
    }
    server->app = app;
    server->handler = (ConnectionHandler){app, server, admit_unless_quiet, dispatch};
    server->listener = listener_open(config->address, config->port, err);
    if (!server->listener) {
        server_stop(server);
        return NULL;
    }
    server->port = listener_port(server->listener);
    app->connections = quota_create(config->max_connections, config->max_per_client);
    if (app->connections && start_loops(server, config->threads) &&
        listener_start(server->listener, take_connection, server))
        return server;
    error_set(err, "the system has no thread or descriptor left");
    server_stop(server);
    return NULL;
}

int server_port(const Server *server) { return server->port; }

void server_quiet(Server *server)
{
    atomic_store(&server->quiet, true);
    listener_close(server->listener);
    server->listener = NULL;
}

void server_stop(Server *server)
{
    if (!server)
        return;
    listener_close(server->listener);
    for (int i = 0; i < server->loops; i++)
        event_loop_end(server->loop[i]);
    for (int i = 0; i < server->loops; i++)
        event_loop_stop(server->loop[i]);
    quota_destroy(server->app->connections);
    server->app->connections = NULL;
    free(server);
}
