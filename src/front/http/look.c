// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/look.h"

#include "base/clock.h"
#include "front/http/broker.h"
#include "front/http/think.h"

static const uint64_t perft_budget = 300000000; /* positions: a few seconds */

/* Legal moves in both notations, and the state of the game. */
void look_legal(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const SamaraPosition *position = slot->position;
    if (think_prepare(slot, &r->params, &r->reply)) {
        SamaraMove moves[SAMARA_MAX_MOVES];
        char fen[SAMARA_FEN_SIZE];
        const size_t count = samara_position_moves(position, moves, SAMARA_MAX_MOVES);
        json_t *list = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(
                list, json_pack("{s:s, s:s}", "uci", moves[i].uci, "san", moves[i].san));
        samara_position_fen(position, fen);
        reply_json(&r->reply, 200,
                   json_pack("{s:s, s:s, s:s, s:b, s:s, s:I, s:o}", "status", "ok", "fen", fen,
                             "turn", samara_position_white_to_move(position) ? "white" : "black",
                             "check", samara_position_in_check(position), "state",
                             samara_state_name(samara_position_state(position)), "count",
                             (json_int_t)count, "moves", list));
    }
    request_done(r);
}

static void add_count(void *user, const SamaraMove *move, uint64_t count)
{
    json_object_set_new(user, move->uci, json_integer((json_int_t)count));
}

/* Depth by depth, so that a board full of queens is refused before it is counted. */
static bool within_budget(Slot *slot, int depth, Reply *reply)
{
    uint64_t before = 1, now = 1;
    for (int d = 1; d < depth; d++) {
        before = now;
        if (!samara_position_perft(slot->position, d, 1, 0, NULL, NULL, NULL, &now, NULL))
            return true; /* let the real count say why */
        const double growth = before > 0 ? (double)now / (double)before : 1;
        if ((double)now * growth * (growth < 4 ? 4 : 1) > (double)perft_budget) {
            reply_error(reply, 422, "too_large", "depth", 0,
                        "Depth %d has more than %llu positions here.", depth,
                        (unsigned long long)perft_budget);
            return false;
        }
    }
    return true;
}

/* Bounded by depth and by the size of the first plies, since it cannot be interrupted. */
void look_perft(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const int depth = r->params.depth > 0 ? (int)r->params.depth : 1;
    if (depth > 12)
        reply_error(&r->reply, 400, "out_of_range", "depth", 0, "depth must be between 1 and 12.");
    else if (think_prepare(slot, &r->params, &r->reply) && within_budget(slot, depth, &r->reply)) {
        json_t *divide = json_object();
        uint64_t total = 0;
        SamaraError err = {0};
        const int64_t start = clock_us();
        if (samara_position_perft(slot->position, depth, 1, 0, add_count, NULL, divide, &total,
                                  &err)) {
            reply_json(&r->reply, 200,
                       json_pack("{s:s, s:i, s:I, s:I, s:O}", "status", "ok", "depth", depth,
                                 "nodes", (json_int_t)total, "time_ms",
                                 (json_int_t)((clock_us() - start) / 1000), "divide", divide));
        } else {
            reply_error(&r->reply, 500, "perft_failed", NULL, 0, "%s.", err.text);
        }
        json_decref(divide);
    }
    request_done(r);
}

/* The classical terms for both sides, in pawns. */
static json_t *terms_json(const SamaraEval *eval)
{
    json_t *terms = json_array();
    for (int i = 0; i < eval->term_count; i++) {
        const SamaraTerm *t = &eval->terms[i];
        json_array_append_new(terms, json_pack("{s:s, s:{s:f, s:f}, s:{s:f, s:f}}", "name", t->name,
                                               "white", "middlegame", t->white_mg, "endgame",
                                               t->white_eg, "black", "middlegame", t->black_mg,
                                               "endgame", t->black_eg));
    }
    return terms;
}

static json_t *pieces_json(const SamaraEval *eval)
{
    json_t *pieces = json_object();
    for (int i = 0; i < 64; i++)
        if (eval->piece_value[i] != 0) {
            const char name[3] = {(char)('a' + i % 8), (char)('1' + i / 8), '\0'};
            json_object_set_new(pieces, name, json_real(eval->piece_value[i]));
        }
    return pieces;
}

/* The static evaluation, White's view. */
void look_eval(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    SamaraEval eval;
    SamaraError err = {0};
    if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if (!samara_eval(slot->engine, slot->position, SAMARA_NETWORK, &eval, &err)) {
        reply_error(&r->reply, 422, "in_check", "fen", 0, "%s.", err.text);
    } else {
        const bool white = samara_position_white_to_move(slot->position);
        const int sign = white ? 1 : -1;
        reply_json(&r->reply, 200,
                   json_pack("{s:s, s:s, s:o, s:[i,i,i], s:b, s:i, s:i, s:o, s:o}", "status", "ok",
                             "pov", "white", "score", think_score(&eval.score, white), "wdl",
                             white ? eval.score.win : eval.score.loss, eval.score.draw,
                             white ? eval.score.loss : eval.score.win, "network_used",
                             eval.uses_network, "classical", sign * eval.classical, "network",
                             sign * eval.network, "terms", terms_json(&eval), "pieces",
                             pieces_json(&eval)));
    }
    request_done(r);
}

void look_status(Request *r)
{
    reply_json(&r->reply, 200,
               json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "message", "Samara API v1.0 is running",
                         "name", "Samara", "version", samara_version(), "api", "1.0", "openapi",
                         "/api/v1/openapi.json", "page", "/ui/"));
}

void look_health(Request *r)
{
    WorkerQueue *search = r->app->queue[QUEUE_SEARCH];
    int elo_min, elo_max;
    samara_elo_range(&elo_min, &elo_max);
    reply_json(
        &r->reply, 200,
        json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:i, s:i, s:i, s:b, s:i, s:b, s:i, s:i, s:i}",
                  "status", "ok", "version", samara_version(), "build", samara_build(), "uptime_ms",
                  (json_int_t)(clock_ms() - r->app->metrics.start_ms), "engines",
                  worker_queue_workers(search), "busy", worker_queue_running(search), "waiting",
                  worker_queue_waiting(search), "elo_min", elo_min, "elo_max", elo_max, "stored",
                  r->app->stored, "table_men", r->app->table_men, "book", r->app->has_book,
                  "threads_max", r->app->most_threads, "hash", r->app->hash_mb, "hash_max",
                  r->app->most_hash_mb));
}

/* What a client may know about the engine's options. Those of files and of the process are the
 * server's business. */
void look_options(Request *r)
{
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    json_t *list = json_array();
    for (int i = 0; samara_option(i); i++) {
        const SamaraOption *o = samara_option(i);
        json_t *option = json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", o->name, "type",
                                   types[o->type], "default", o->default_value, "help",
                                   o->help ? o->help : "", "local", o->local);
        if (o->type == SAMARA_SPIN) {
            json_object_set_new(option, "min", json_integer(o->min));
            json_object_set_new(option, "max", json_integer(o->max));
        }
        if (o->type == SAMARA_COMBO)
            json_object_set_new(option, "choices", json_string(o->choices));
        json_array_append_new(list, option);
    }
    reply_json(&r->reply, 200,
               json_pack("{s:s, s:o, s:{s:i, s:I, s:I, s:i}}", "status", "ok", "options", list,
                         "limits", "depth", (int)PARAMS_MAX_DEPTH, "movetime",
                         (json_int_t)r->app->max_time_ms, "stream",
                         (json_int_t)r->app->max_stream_ms, "multipv", (int)PARAMS_MAX_MULTIPV));
}

void look_metrics(Request *r)
{
    App *app = r->app;
    const MetricsGauge gauges[] = {
        {"connections", "Open connections.", quota_held(app->connections)},
        {"search_running", "Searches that run now.",
         worker_queue_running(app->queue[QUEUE_SEARCH])},
        {"search_waiting", "Searches that wait.", worker_queue_waiting(app->queue[QUEUE_SEARCH])},
        {"streams_running", "Live analyses that run now.",
         worker_queue_running(app->queue[QUEUE_STREAM])},
        {"streams_waiting", "Live analyses that wait.",
         worker_queue_waiting(app->queue[QUEUE_STREAM])},
        {"store_bytes", "What games and positions take of --store-size.",
         (double)store_bytes(app->store)},
    };
    Buffer text = {0};
    metrics_write(&app->metrics, gauges, sizeof gauges / sizeof *gauges, &text);
    if (app->broker)
        broker_metrics(app->broker, &text);
    reply_text(&r->reply, 200, "text/plain; version=0.0.4; charset=utf-8", buffer_text(&text));
    buffer_free(&text);
}
