// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/routes.h"

#include "front/http/batch.h"
#include "front/http/board_svg.h"
#include "front/http/broker.h"
#include "front/http/explain.h"
#include "front/http/explorer.h"
#include "front/http/games.h"
#include "front/http/look.h"
#include "front/http/page.h"
#include "front/http/puzzles.h"
#include "front/http/think.h"
#include <string.h>

enum {
    SMALL_BODY = 64 << 10,
    BATCH_BODY = 1 << 20,
    GAME_BODY = 4 << 20,
    BATCH_FIELDS = FIELD_POSITIONS | FIELDS_LIMITS | FIELD_MULTIPV,
    BOARD_FIELDS = FIELDS_POSITION | FIELD_ORIENTATION | FIELD_SIZE,
    MOVE_FIELDS = FIELDS_POSITION | FIELD_DEPTH | FIELD_METHOD | FIELD_SESSION | FIELD_ELO,
    STREAM_FIELDS = FIELDS_SEARCH | FIELD_THREADS | FIELD_HASH,
    EXPLAIN_FIELDS = FIELDS_POSITION | FIELD_MOVE | FIELD_NODES | FIELDS_SPEECH,
    PUZZLE_FIELDS = FIELDS_POSITION | FIELD_MOVE | FIELD_NODES | FIELD_TITLE | FIELD_KIND,
    ANALYSE_FIELDS = FIELDS_SEARCH | FIELD_CLOCK | FIELD_ELO,
};

static void answer_options(Request *r);

static const Route routes[] = {
    {"OPTIONS", "*", QUEUE_NONE, NULL, answer_options, NULL, FIELDS_UNREAD, 0, true},
    {"GET", "/", QUEUE_NONE, NULL, page_root, NULL, FIELDS_UNREAD, 0, true},
    {"GET", "/ui/*", QUEUE_NONE, NULL, page_asset, NULL, FIELDS_UNREAD, 0, true},
    {"GET", "/sw.js", QUEUE_NONE, NULL, page_service_worker, NULL, 0, 0, true},
    {"GET", "/docs", QUEUE_NONE, NULL, page_docs, NULL, FIELDS_UNREAD, 0, true},
    {"GET", "/train", QUEUE_NONE, NULL, page_train, NULL, FIELDS_UNREAD, 0, true},
    {"GET", "/api/v1/openapi.json", QUEUE_NONE, NULL, page_openapi, NULL, 0, 0, true},
    {"GET", "/api", QUEUE_NONE, NULL, look_status, NULL, 0, 0, true},
    {"POST", "/move", QUEUE_SEARCH, think_move, NULL, think_move_now, MOVE_FIELDS, SMALL_BODY,
     false},
    {"POST", "/api/v1/analyse", QUEUE_SEARCH, think_analyse, NULL, NULL, ANALYSE_FIELDS, SMALL_BODY,
     false},
    {"POST", "/api/v1/explain", QUEUE_SEARCH, explain_route, NULL, NULL, EXPLAIN_FIELDS, SMALL_BODY,
     false},
    {"GET", "/api/v1/analyse", QUEUE_SEARCH, think_analyse, NULL, NULL, FIELDS_SEARCH | FIELD_ELO,
     0, false},
    {"POST", "/api/v1/batch", QUEUE_SEARCH, batch_analyse, NULL, NULL, BATCH_FIELDS, BATCH_BODY,
     false},
    {"GET", "/api/v1/stream", QUEUE_STREAM, think_stream, NULL, NULL, STREAM_FIELDS, 0, false},
    {"GET", "/api/v1/legal", QUEUE_SHORT, look_legal, NULL, NULL, FIELDS_POSITION, 0, false},
    {"POST", "/api/v1/legal", QUEUE_SHORT, look_legal, NULL, NULL, FIELDS_POSITION, SMALL_BODY,
     false},
    {"GET", "/api/v1/eval", QUEUE_SHORT, look_eval, NULL, NULL, FIELDS_POSITION, 0, false},
    {"POST", "/api/v1/eval", QUEUE_SHORT, look_eval, NULL, NULL, FIELDS_POSITION, SMALL_BODY,
     false},
    {"GET", "/api/v1/board.svg", QUEUE_SHORT, board_svg, NULL, NULL, BOARD_FIELDS, 0, false},
    {"GET", "/api/v1/explorer", QUEUE_SHORT, explorer_moves, NULL, NULL, FIELDS_POSITION, 0, false},
    {"GET", "/api/v1/tables", QUEUE_SHORT, explorer_tables, NULL, NULL, FIELDS_POSITION, 0, false},
    {"GET", "/api/v1/perft", QUEUE_SEARCH, look_perft, NULL, NULL, FIELDS_POSITION | FIELD_DEPTH, 0,
     false},
    {"POST", "/api/v1/perft", QUEUE_SEARCH, look_perft, NULL, NULL, FIELDS_POSITION | FIELD_DEPTH,
     SMALL_BODY, false},
    {"GET", "/api/v1/games", QUEUE_SHORT, games_list, NULL, NULL, FIELD_LIMIT | FIELD_OFFSET, 0,
     false},
    {"POST", "/api/v1/games", QUEUE_SHORT, games_post, NULL, NULL, FIELD_PGN | FIELD_ANALYSE,
     GAME_BODY, false},
    {"GET", "/api/v1/games/{id}", QUEUE_SHORT, games_get, NULL, NULL, 0, 0, false},
    {"GET", "/api/v1/games/{id}/stream", QUEUE_SHORT, games_follow, NULL, NULL, 0, 0, false},
    {"DELETE", "/api/v1/games/{id}", QUEUE_SHORT, games_delete, NULL, NULL, 0, 0, false},
    {"GET", "/api/v1/games/{id}/pgn", QUEUE_SHORT, games_pgn, NULL, NULL, 0, 0, false},
    {"GET", "/api/v1/puzzles", QUEUE_SHORT, puzzles_list, NULL, NULL, FIELD_LIMIT | FIELD_OFFSET, 0,
     false},
    {"POST", "/api/v1/puzzles", QUEUE_SEARCH, puzzles_post, NULL, NULL, PUZZLE_FIELDS, SMALL_BODY,
     false},
    {"GET", "/api/v1/puzzles.pgn", QUEUE_SHORT, puzzles_pgn, NULL, NULL, 0, 0, false},
    {"GET", "/api/v1/puzzles.epd", QUEUE_SHORT, puzzles_epd, NULL, NULL, 0, 0, false},
    {"GET", "/api/v1/puzzles/{id}", QUEUE_SHORT, puzzles_get, NULL, NULL, 0, 0, false},
    {"POST", "/api/v1/puzzles/{id}", QUEUE_SHORT, puzzles_learn, NULL, NULL, FIELD_CARD, SMALL_BODY,
     false},
    {"DELETE", "/api/v1/puzzles/{id}", QUEUE_SHORT, puzzles_delete, NULL, NULL, 0, 0, false},
    {"GET", "/api/v1/queue", QUEUE_SHORT, broker_status_route, NULL, NULL, 0, 0, false},
    {"POST", "/api/v1/queue", QUEUE_SHORT, broker_act_route, NULL, NULL, FIELD_ACTION | FIELD_JOB,
     SMALL_BODY, false},
    {"GET", "/api/v1/options", QUEUE_NONE, NULL, look_options, NULL, 0, 0, false},
    {"GET", "/api/v1/health", QUEUE_NONE, NULL, look_health, NULL, 0, 0, false},
    {"GET", "/api/v1/metrics", QUEUE_NONE, NULL, look_metrics, NULL, 0, 0, false},
};
enum { ROUTE_COUNT = sizeof routes / sizeof *routes };

/* Up to the next slash or the end. */
static size_t word_length(const char *text) { return strcspn(text, "/"); }

static bool matches(const char *pattern, const char *path, char id[24])
{
    while (*pattern) {
        if (*pattern == '*')
            return true;
        if (strncmp(pattern, "{id}", 4) == 0) {
            const size_t len = word_length(path);
            if (len == 0 || !str_copy(id, 24, (Str){path, len}))
                return false;
            pattern += 4;
            path += len;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

/* The methods that are specific to this path, as the Allow field lists them. */
static void allowed_methods(const char *path, char allow[40])
{
    char id[24];
    allow[0] = '\0';
    for (int i = 0; i < ROUTE_COUNT; i++) {
        if (strcmp(routes[i].path, "*") == 0 || !matches(routes[i].path, path, id))
            continue;
        if (allow[0])
            strncat(allow, ", ", 39 - strlen(allow));
        strncat(allow, routes[i].method, 39 - strlen(allow));
    }
}

const Route *route_find(const char *method, const char *path, char id[24])
{
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    for (int i = 0; i < ROUTE_COUNT; i++) {
        id[0] = '\0';
        if (strcmp(routes[i].method, method) == 0 && matches(routes[i].path, path, id))
            return &routes[i];
    }
    return NULL;
}

/* What may be done here; to a page of another origin, that it may. */
static void answer_options(Request *r)
{
    r->reply.status = 204;
    allowed_methods(r->path, r->reply.allow);
    if (r->origin.len == 0)
        return;
    reply_header(&r->reply, "Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS");
    reply_header(&r->reply, "Access-Control-Allow-Headers", "Content-Type, Authorization");
    reply_header(&r->reply, "Access-Control-Max-Age", "600");
}

void route_missing(Request *r)
{
    char allow[40];
    allowed_methods(r->path, allow);
    if (allow[0])
        reply_error(&r->reply, 405, "method", NULL, 0, "This path understands %s.", allow);
    else
        reply_error(&r->reply, 404, "not_found", NULL, 0, "There is nothing here.");
    str_copy(r->reply.allow, sizeof r->reply.allow, str_from(allow));
}
