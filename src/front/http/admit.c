// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/admit.h"

#include "base/rng.h"
#include "front/http/routes.h"
#include "front/http/target.h"
#include <stdlib.h>
#include <string.h>

/* What the header fields say, as far as we care. */
typedef struct Fields {
    Str host, origin, type, authorization, length, expect, fetch_site;
    bool repeated; /* one of those that may stand there only once */
    bool has_length, transfer_coded, chunked, content_coded, close, keep_alive;
} Fields;

static bool refuse(Request *r, int status, const char *code, const char *message)
{
    reply_error(&r->reply, status, code, NULL, 0, "%s", message);
    return false;
}

/* Whether a comma-separated list has the word. */
static bool has_word(Str list, const char *word)
{
    while (list.len > 0) {
        const char *comma = memchr(list.ptr, ',', list.len);
        const size_t len = comma ? (size_t)(comma - list.ptr) : list.len;
        if (str_is_nocase(str_trim((Str){list.ptr, len}), word))
            return true;
        list = comma ? (Str){comma + 1, list.len - len - 1} : (Str){list.ptr, 0};
    }
    return false;
}

/* Only fields that the server obeys. A field that may come once and comes twice is remembered:
 * proxies and servers may disagree about which counts. */
static Fields read_fields(const Head *head)
{
    Fields f = {0};
    const struct {
        const char *name;
        Str *place;
    } once[] = {{"Host", &f.host},
                {"Origin", &f.origin},
                {"Content-Type", &f.type},
                {"Authorization", &f.authorization},
                {"Content-Length", &f.length},
                {"Expect", &f.expect},
                {"Sec-Fetch-Site", &f.fetch_site}};
    for (int i = 0; i < head->count; i++) {
        const Str name = head->field[i].name, value = head->field[i].value;
        for (size_t k = 0; k < sizeof once / sizeof *once; k++)
            if (str_is_nocase(name, once[k].name)) {
                f.repeated |= once[k].place->ptr != NULL;
                *once[k].place = value;
            }
        if (str_is_nocase(name, "Transfer-Encoding")) {
            f.chunked = !f.transfer_coded && str_is_nocase(value, "chunked");
            f.transfer_coded = true;
        } else if (str_is_nocase(name, "Content-Encoding")) {
            f.content_coded |= !str_is_nocase(value, "identity");
        } else if (str_is_nocase(name, "Connection")) {
            f.close |= has_word(value, "close");
            f.keep_alive |= has_word(value, "keep-alive");
        }
    }
    f.has_length = f.length.ptr != NULL;
    return f;
}

/* Where one request ends and the next begins must be beyond doubt. */
static bool framing_is_sound(Request *r, const Fields *f)
{
    if (f->repeated || !f->host.ptr || (f->transfer_coded && f->has_length))
        return refuse(r, 400, "bad_request", "The header of the request is not well formed.");
    if (f->transfer_coded)
        return f->chunked
                   ? refuse(r, 411, "length_required",
                            "Send a Content-Length; chunked requests are not read.")
                   : refuse(r, 501, "transfer_coding", "This transfer coding is not known here.");
    int64_t length = 0;
    if (f->has_length) {
        for (size_t i = 0; i < f->length.len; i++)
            if (f->length.ptr[i] < '0' || f->length.ptr[i] > '9')
                return refuse(r, 400, "bad_request", "Content-Length is no number.");
        if (f->length.len == 0)
            return refuse(r, 400, "bad_request", "Content-Length is no number.");
        if (!str_int(f->length, 0, INT64_MAX, &length))
            return refuse(r, 413, "too_large", "No body may be that large.");
    }
    r->body_length = (size_t)length;
    r->keep_alive = r->head.version == 11 ? !f->close : f->keep_alive && !f->close;
    return true;
}

/* The path is decoded once, here; the query stays as it is. */
static bool read_target(Request *r, Fields *f)
{
    Target target;
    const size_t size = r->head.target.len + 1;
    r->path = malloc(size);
    if (!r->path)
        return refuse(r, 500, "no_memory", "The server is out of memory.");
    if (!target_split(r->head.target, &target) || !target_decode(target.path, false, r->path, size))
        return refuse(r, 400, "bad_request", "The path is not well formed.");
    if (target.authority.len > 0)
        f->host = target.authority; /* it counts instead of the field */
    r->query = target.query;
    return true;
}

/* A page of another site cannot hide its Origin, and the name it was fooled with stands in Host. */
static bool sender_is_known(Request *r, const Fields *f, bool api)
{
    const Guard *guard = &r->app->guard;
    if (!guard_host(guard, f->host))
        return refuse(r, 421, "unknown_host",
                      "This server does not answer to this name; see --host.");
    if (f->origin.len > 0) {
        if (!guard_origin(guard, f->origin, f->host))
            return refuse(r, 403, "foreign_origin",
                          "Pages of this origin may not use this server; see --origin.");
        r->origin = f->origin;
    } else if (api && str_is(f->fetch_site, "cross-site") && !guard_any_origin(guard)) {
        return refuse(r, 403, "foreign_origin",
                      "Pages of other sites may not use this server; see --origin.");
    }
    return true;
}

static bool is_api(const char *path)
{
    return strncmp(path, "/api", 4) == 0 || strcmp(path, "/move") == 0;
}

/* Checks the token where one is needed. Where there are several, the token says who asks; a single
 * one says nothing, and the address counts. */
static bool token_is_right(Request *r, const Fields *f, bool api)
{
    const bool open = !api || (r->route && r->route->open);
    const int token = guard_token(&r->app->guard, f->authorization);
    if (token < 0 && !open)
        return refuse(r, 401, "token", "Send the server's token: Authorization: Bearer ...");
    if (token >= 0 && r->app->guard.token_count > 1)
        r->client = hash_bytes(r->app->guard.tokens[token].ptr, r->app->guard.tokens[token].len);
    return true;
}

/* Size, type and encoding are checked before a byte of the body is read; large bodies count against
 * a quota per client. */
static bool body_is_welcome(Request *r, const Fields *f)
{
    const size_t taken = r->route ? r->route->body_limit : 0;
    const size_t limit = taken > 0 ? taken : ADMIT_SMALL_BODY; /* of others it is dropped */
    r->drops_body = taken == 0;
    if (r->body_length > limit) {
        reply_error(&r->reply, 413, "too_large", NULL, 0, "A body may have %zu bytes here.", limit);
        return false;
    }
    r->expects_continue = r->head.version == 11 && f->expect.len > 0;
    if (r->expects_continue && !str_is_nocase(f->expect, "100-continue"))
        return refuse(r, 417, "expectation", "This expectation is not known here.");
    if (r->drops_body)
        return true;
    if (!f->has_length)
        return refuse(r, 411, "length_required", "Send a Content-Length.");
    if (f->content_coded)
        return refuse(r, 415, "content_encoding", "Send the body as it is, not compressed.");
    const Str json = {f->type.ptr, f->type.len < 16 ? f->type.len : 16};
    if (!str_is_nocase(json, "application/json") ||
        (f->type.len > 16 && f->type.ptr[16] != ';' && f->type.ptr[16] != ' '))
        return refuse(r, 415, "content_type", "Send application/json.");
    if (r->body_length <= ADMIT_SMALL_BODY)
        return true;
    if (quota_take(r->app->bodies, r->client) != QUOTA_GRANTED)
        return refuse(r, 503, "busy", "Too many large requests at a time; try again soon.");
    r->counted_body = true;
    return true;
}

static void find_client(Request *r, ClientId peer, bool peer_is_proxy)
{
    Address address;
    r->client = peer;
    if (peer_is_proxy && proxies_client(&r->app->proxies, &r->head, &address))
        r->client = client_of_address(address);
}

/* Everything that can refuse a request by its head alone, cheapest first. */
bool admit(Request *r, ClientId peer, bool peer_is_proxy)
{
    Fields f = read_fields(&r->head);
    str_copy(r->method, sizeof r->method, r->head.method);
    find_client(r, peer, peer_is_proxy);
    if (!framing_is_sound(r, &f) || !read_target(r, &f))
        return false;
    r->route = route_find(r->method, r->path, r->id);
    const bool api = is_api(r->path);
    return sender_is_known(r, &f, api) && token_is_right(r, &f, api) && body_is_welcome(r, &f);
}
