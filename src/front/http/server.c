// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/server.h"

#include "base/clock.h"
#include "base/rng.h"
#include "front/http/assets.h"
#include "front/http/door.h"
#include "front/http/look.h"
#include "front/http/routes.h"
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_PATIENCE_MS = 5000, /* for the whole header, however slowly it drips */
    BODY_PATIENCE_MS = 10000,
    ANSWER_PATIENCE_MS = 120000, /* until the last byte is taken, but for streams */
    IDLE_PATIENCE_MS = 60000,    /* between requests */
    IDLE_TIMEOUT_S = 30,
    CONNECTION_MEMORY =
        32 << 10, /* bounds header and query; the library wipes it after each request */
};

struct Server {
    App *app;
    Hub *hub;
    Door *door; /* NULL: closed */
    struct MHD_Daemon *daemon;
    int port;
    AtomicFlag quiet;
};

/* What the headers say, as far as we care. */
typedef struct Headers {
    Str host, origin, type, authorization, length, accept, encoding, match, fetch_site;
    int host_count, length_count;
    bool broken, transfer_coded, chunked, content_coded, html;
} Headers;

/* --- answering --- */

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value[0])
        MHD_add_response_header(response, name, value);
}

static void add_common_headers(const Request *r, struct MHD_Response *response)
{
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Referrer-Policy", "no-referrer");
    add_header(response, "Cross-Origin-Resource-Policy",
               r->origin.len > 0 ? "cross-origin" : "same-origin");
    if (r->origin.len == 0)
        return;
    char origin[256];
    str_copy(origin, sizeof origin, r->origin);
    add_header(response, "Access-Control-Allow-Origin", origin);
    add_header(response, "Access-Control-Expose-Headers", "Retry-After, Location");
    add_header(response, "Vary", "Origin");
}

static enum MHD_Result queue(Request *r, int status, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    add_common_headers(r, response);
    hub_patience(r->hub, r->conn, r->streaming ? 0 : ANSWER_PATIENCE_MS);
    const enum MHD_Result result = MHD_queue_response(r->connection, (unsigned)status, response);
    MHD_destroy_response(response);
    metrics_answer(&r->app->metrics, status, clock_us() - r->start_us);
    return result;
}

static enum MHD_Result answer(Request *r)
{
    const Reply *reply = &r->reply;
    char number[16];
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->body.len, reply->body.data, MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    add_header(response, "Content-Type", reply->type ? reply->type : "application/json");
    add_header(response, "Cache-Control", "no-store");
    add_header(response, "Allow", reply->allow);
    add_header(response, "Location", reply->location);
    snprintf(number, sizeof number, "%d", reply->retry_after);
    add_header(response, "Retry-After", reply->retry_after > 0 ? number : "");
    if (reply->status == 401)
        add_header(response, "WWW-Authenticate", "Bearer realm=\"samara\"");
    return queue(r, reply->status, response);
}

static enum MHD_Result answer_stream(Request *r)
{
    struct MHD_Response *response = request_stream_response(r);
    if (!response)
        return MHD_NO;
    add_header(response, "Content-Type", "text/event-stream");
    add_header(response, "Cache-Control", "no-store");
    add_header(response, "X-Accel-Buffering",
               "no"); /* a reverse proxy should pass events on at once */
    return queue(r, 200, response);
}

static bool accepts_gzip(Str encoding)
{
    for (size_t i = 0; i + 4 <= encoding.len; i++)
        if (memcmp(encoding.ptr + i, "gzip", 4) == 0)
            return true;
    return false;
}

static enum MHD_Result answer_asset(Request *r, const Asset *asset, const Headers *h)
{
    char tag[32];
    snprintf(tag, sizeof tag, "\"%s\"", asset->digest);
    const bool fresh = str_is(h->match, tag);
    const bool packed = accepts_gzip(h->encoding) && asset->packed.len > 0;
    const Str content = fresh ? STR("") : packed ? asset->packed : asset->plain;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(content.len, (void *)content.ptr, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    const bool page = strcmp(asset->name, "index.html") == 0;
    add_header(response, "Content-Type", asset->type);
    add_header(response, "ETag", tag);
    add_header(response, "Vary", "Accept, Accept-Encoding");
    add_header(response, "Cache-Control",
               page ? "no-cache" : "public, max-age=31536000, immutable");
    if (packed && !fresh)
        add_header(response, "Content-Encoding", "gzip");
    add_header(response, "Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
               "connect-src 'self'; "
               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    return queue(r, fresh ? 304 : 200, response);
}

static enum MHD_Result answer_preflight(Request *r)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    add_header(response, "Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS");
    add_header(response, "Access-Control-Allow-Headers", "Content-Type, Authorization");
    add_header(response, "Access-Control-Max-Age", "600");
    return queue(r, 204, response);
}

/* --- reading headers --- */

static enum MHD_Result take_header(void *user, enum MHD_ValueKind kind, const char *name,
                                   size_t name_len, const char *value, size_t value_len)
{
    (void)kind;
    Headers *h = user;
    const Str key = {name, name_len};
    const Str text = str_trim((Str){value ? value : "", value ? value_len : 0});
    for (size_t i = 0; i < name_len; i++)
        h->broken |= (unsigned char)name[i] <= ' ' || name[i] == 0x7f;
    h->broken |= value && memchr(value, 0, value_len);
    const struct {
        const char *name;
        Str *place;
    } known[] = {{"Host", &h->host},
                 {"Origin", &h->origin},
                 {"Content-Type", &h->type},
                 {"Authorization", &h->authorization},
                 {"Content-Length", &h->length},
                 {"Accept", &h->accept},
                 {"Accept-Encoding", &h->encoding},
                 {"If-None-Match", &h->match},
                 {"Sec-Fetch-Site", &h->fetch_site}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is_nocase(key, known[i].name))
            *known[i].place = text;
    h->host_count += str_is_nocase(key, "Host");
    h->length_count += str_is_nocase(key, "Content-Length");
    h->content_coded |= str_is_nocase(key, "Content-Encoding") && !str_is_nocase(text, "identity");
    if (str_is_nocase(key, "Transfer-Encoding")) {
        h->transfer_coded = true;
        h->chunked = str_is_nocase(text, "chunked");
    }
    return MHD_YES;
}

static bool contains(Str text, const char *word)
{
    const size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++)
        if (memcmp(text.ptr + i, word, len) == 0)
            return true;
    return false;
}

static Headers read_headers(struct MHD_Connection *connection)
{
    Headers h = {0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take_header, &h);
    h.html = contains(h.accept, "text/html");
    return h;
}

/* --- admission: who may come in, and with how much --- */

static bool refuse(Request *r, int status, const char *code, const char *message)
{
    reply_error(&r->reply, status, code, NULL, 0, "%s", message);
    return false;
}

static bool framing_is_sound(Request *r, const Headers *h, const char *version)
{
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return refuse(r, 505, "http_version", "This server speaks HTTP/1.1.");
    if (h->broken || h->host_count != 1 || h->length_count > 1 ||
        (h->transfer_coded && h->length_count > 0))
        return refuse(r, 400, "bad_request", "The header of the request is not well formed.");
    if (h->transfer_coded)
        return h->chunked
                   ? refuse(r, 411, "length_required",
                            "Send a Content-Length; chunked requests are not read.")
                   : refuse(r, 501, "transfer_coding", "This transfer coding is not known here.");
    return true;
}

/* A page of another site cannot hide its Origin, and the name it was fooled with stands in Host. */
static bool sender_is_known(Request *r, const Headers *h, bool api)
{
    const Guard *guard = &r->app->guard;
    if (!guard_host(guard, h->host))
        return refuse(r, 421, "unknown_host",
                      "This server does not answer to this name; see --host.");
    if (h->origin.len > 0) {
        if (!guard_origin(guard, h->origin, h->host))
            return refuse(r, 403, "foreign_origin",
                          "Pages of this origin may not use this server; see --origin.");
        r->origin = h->origin;
    } else if (api && str_is(h->fetch_site, "cross-site")) {
        return refuse(r, 403, "foreign_origin",
                      "Pages of other sites may not use this server; see --origin.");
    }
    return true;
}

static bool body_is_welcome(Request *r, const Headers *h)
{
    int64_t length = 0;
    const bool given = h->length_count > 0;
    if (given && (!str_int(h->length, 0, INT64_MAX, &length) || h->length.ptr[0] == '+'))
        return refuse(r, 400, "bad_request", "Content-Length is no number.");
    const bool takes_body = r->route && r->route->body_limit > 0;
    r->body_limit =
        takes_body ? r->route->body_limit : 64 << 10; /* of others it is read and dropped */
    if (length > (int64_t)r->body_limit) {
        reply_error(&r->reply, 413, "too_large", NULL, 0, "A body may have %zu bytes here.",
                    r->body_limit);
        return false;
    }
    if (!takes_body)
        return true;
    if (!given)
        return refuse(r, 411, "length_required", "Send a Content-Length.");
    if (h->content_coded)
        return refuse(r, 415, "content_encoding", "Send the body as it is, not compressed.");
    const Str json = {h->type.ptr, h->type.len < 16 ? h->type.len : 16};
    if (!str_is_nocase(json, "application/json") ||
        (h->type.len > 16 && h->type.ptr[16] != ';' && h->type.ptr[16] != ' '))
        return refuse(r, 415, "content_type", "Send application/json.");
    return true;
}

static const char openapi_path[] = "/api/v1/openapi.json";

static bool is_api(const char *path)
{
    return strncmp(path, "/api", 4) == 0 || strcmp(path, "/move") == 0;
}

static bool admit(Request *r, const Headers *h, const char *path, const char *version)
{
    if (!framing_is_sound(r, h, version) || !sender_is_known(r, h, is_api(path)))
        return false;
    if (path[0] != '/')
        return refuse(r, 400, "bad_request", "A path begins with a slash.");
    const bool open = !is_api(path) || (r->route && r->route->open) ||
                      strcmp(r->method, "OPTIONS") == 0 || strcmp(path, openapi_path) == 0;
    if (!open && !guard_token(&r->app->guard, h->authorization))
        return refuse(r, 401, "token", "Send the server's token: Authorization: Bearer ...");
    return body_is_welcome(r, h);
}

/* --- dispatching --- */

static enum MHD_Result take_argument(void *user, enum MHD_ValueKind kind, const char *name,
                                     size_t name_len, const char *value, size_t value_len)
{
    (void)kind;
    json_t *query = user;
    json_t *text = json_stringn(value ? value : "", value ? value_len : 0);
    char key[64];
    const bool ok = text && name_len < sizeof key && !memchr(name, 0, name_len);
    if (ok) {
        memcpy(key, name, name_len);
        key[name_len] = '\0';
    }
    if (!ok || json_object_get(query, key) || json_object_set(query, key, text) != 0)
        json_object_set_new(query, "?", json_null()); /* no field has this name: refused below */
    json_decref(text);
    return MHD_YES;
}

static bool read_params(Request *r)
{
    const int64_t max_time =
        r->route->lane == LANE_LIVE ? r->app->max_stream_ms : r->app->max_time_ms;
    if (r->route->body_limit > 0)
        return params_from_body(&r->params, r->route->fields, (Str){r->body.data, r->body.len},
                                max_time, &r->reply);
    json_t *query = json_object();
    MHD_get_connection_values_n(r->connection, MHD_GET_ARGUMENT_KIND, take_argument, query);
    if (json_object_get(query, "?")) {
        json_decref(query);
        reply_error(&r->reply, 400, "bad_query", NULL, 0, "The query is not well formed.");
        return false;
    }
    return params_from_query(&r->params, r->route->fields, query, max_time, &r->reply);
}

/* Address without port, and session: behind a proxy all have one address. */
static uint64_t client_of(const Request *r)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    uint64_t hash = 0;
    if (address && address->sa_family == AF_INET) {
        const struct in_addr *host = &((const struct sockaddr_in *)address)->sin_addr;
        hash = hash_bytes(host, sizeof *host);
    } else if (address && address->sa_family == AF_INET6) {
        const struct in6_addr *host = &((const struct sockaddr_in6 *)address)->sin6_addr;
        hash = hash_bytes(host, sizeof *host);
    }
    return hash ^ r->task.session;
}

static bool is_page_path(const char *path)
{
    return strcmp(path, "/") == 0 || strncmp(path, "/ui/", 4) == 0;
}

static enum MHD_Result answer_page(Request *r, const char *path)
{
    const Headers h = read_headers(r->connection);
    Asset asset;
    if (strcmp(path, "/") == 0 && !h.html) {
        look_status(r);
        return answer(r);
    }
    const Str name =
        strcmp(path, "/") == 0 || path[4] == '\0' ? STR("index.html") : str_from(path + 4);
    if (assets_find(name, &asset))
        return answer_asset(r, &asset, &h);
    if (str_is(name, "index.html"))
        reply_error(&r->reply, 404, "no_page", NULL, 0,
                    "This build has no board page: its packages could not be fetched when it was "
                    "made, or npm was missing.");
    else
        reply_error(&r->reply, 404, "not_found", NULL, 0, "There is nothing here.");
    return answer(r);
}

static enum MHD_Result answer_openapi(Request *r)
{
    const Str text = assets_openapi();
    reply_text(&r->reply, 200, "application/json", "");
    buffer_append(&r->reply.body, text.ptr, text.len);
    return answer(r);
}

static bool is_get(const Request *r)
{
    return strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;
}

/* False: this takes longer; nothing is answered yet. */
static bool answer_quickly(Request *r)
{
    Slot *slot = quick_borrow(r->app->quick);
    if (!slot)
        return false;
    const bool done = r->route->quick(r, slot);
    quick_return(r->app->quick, slot);
    return done;
}

static enum MHD_Result dispatch(Request *r, const char *path)
{
    hub_patience(r->hub, r->conn, 0);
    if (strcmp(r->method, "OPTIONS") == 0 && r->origin.len > 0)
        return answer_preflight(r);
    if (is_get(r) && is_page_path(path))
        return answer_page(r, path);
    if (is_get(r) && strcmp(path, openapi_path) == 0)
        return answer_openapi(r);
    if (!r->route) {
        char allow[40], id[24];
        route_find("", path, id, allow);
        if (is_page_path(path) || strcmp(path, openapi_path) == 0)
            strcpy(allow, "GET");
        if (allow[0])
            reply_error(&r->reply, 405, "method", NULL, 0, "This path understands %s.", allow);
        else
            reply_error(&r->reply, 404, "not_found", NULL, 0, "There is nothing here.");
        strcpy(r->reply.allow, allow);
        return answer(r);
    }
    if (!read_params(r))
        return answer(r);
    if (r->route->now) {
        r->route->now(r);
        return answer(r);
    }
    if (r->route->quick && answer_quickly(r))
        return answer(r);
    r->task.run = r->route->run;
    r->task.session =
        r->params.session ? hash_bytes(r->params.session, strlen(r->params.session)) : 0;
    r->task.client = client_of(r);
    request_park(r, r->route->lane);
    return MHD_YES; /* called again when it wakes */
}

/* --- callbacks of the library --- */

static void take_body(Request *r, const char *data, size_t size)
{
    if (r->body.len + size > r->body_limit) /* cannot be: the length was checked */
        return;
    if (r->route && r->route->body_limit > 0)
        buffer_append(&r->body, data, size);
}

static Request *first_call(Server *server, struct MHD_Connection *connection, const char *path,
                           const char *method)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    Conn *conn = info ? info->socket_context : NULL;
    Request *r = conn ? request_create(server->app, server->hub, connection, conn) : NULL;
    if (!r)
        return NULL;
    char allow[40];
    str_copy(r->method, sizeof r->method, str_from(method));
    r->route = route_find(r->method, path, r->id, allow);
    hub_patience(server->hub, conn, BODY_PATIENCE_MS);
    return r;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state)
{
    Server *server = user;
    Request *r = *state;
    if (!r) {
        r = first_call(server, connection, path, method);
        *state = r;
        if (!r)
            return MHD_NO;
        const Headers h = read_headers(connection);
        if (atomic_load(&server->quiet))
            refuse(r, 503, "ending", "The server is shutting down.");
        else if (admit(r, &h, path, version))
            return MHD_YES;
        return answer(r); /* without waiting for the body; the library then closes the connection */
    }
    if (*size > 0) {
        take_body(r, data, *size);
        *size = 0;
        return MHD_YES;
    }
    Mutex *lock = hub_lock(r->hub);
    mutex_lock(lock);
    const bool streaming = r->streaming, started = r->task.run != NULL;
    mutex_unlock(lock);
    if (streaming)
        return answer_stream(r);
    return started ? answer(r) : dispatch(r, path);
}

static void on_completed(void *user, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    (void)connection;
    (void)code;
    Server *server = user;
    Request *r = *state;
    *state = NULL;
    if (!r)
        return;
    hub_patience(server->hub, r->conn, IDLE_PATIENCE_MS);
    request_closed(r);
}

static void on_connection(void *user, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    Server *server = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *context = info ? hub_connected(server->hub, info->connect_fd, HEADER_PATIENCE_MS) : NULL;
    } else {
        hub_disconnected(server->hub, *context);
        *context = NULL;
    }
}

/* With the hub's lock: the client is gone while an engine works for it. */
static void on_hung_up(Request *r) { lane_cancel(r->lane, &r->task); }

/* --- life --- */

static struct MHD_Daemon *start_daemon(Server *server, const ServerConfig *config)
{
    const unsigned flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
    return MHD_start_daemon(flags, 0, NULL, NULL, on_request, server,                       //
                            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)config->threads,         //
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)config->max_connections, //
                            MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                            (unsigned)config->max_per_address,                             //
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_TIMEOUT_S,       //
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, //
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,                               //
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,             //
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_END);
}

/* The library gives it to the thread whose turn the descriptor's number says, or closes it. */
static void take_connection(void *user, int fd, const struct sockaddr *address, socklen_t len)
{
    Server *server = user;
    MHD_add_connection(server->daemon, fd, address, len);
}

Server *server_start(App *app, const ServerConfig *config, Error *err)
{
    Server *server = calloc(1, sizeof *server);
    if (!server) {
        error_set(err, "not enough memory");
        return NULL;
    }
    server->app = app;
    server->door = door_open(config->address, config->port, err);
    if (!server->door) {
        server_stop(server);
        return NULL;
    }
    server->port = door_port(server->door);
    server->hub = hub_create(&(HubActions){on_hung_up, request_beat});
    server->daemon = server->hub ? start_daemon(server, config) : NULL;
    if (server->daemon && door_start(server->door, take_connection, server))
        return server;
    error_set(err, "the system has no thread or descriptor left");
    server_stop(server);
    return NULL;
}

int server_port(const Server *server) { return server->port; }

void server_quiet(Server *server)
{
    atomic_store(&server->quiet, true);
    door_close(server->door);
    server->door = NULL;
}

void server_stop(Server *server)
{
    if (!server)
        return;
    door_close(server->door);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    hub_destroy(server->hub);
    free(server);
}
