// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/think.h"

#include "base/clock.h"
#include "base/rng.h"
#include "front/analysis_json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_MOVETIME_MS = 1000,
    DEFAULT_DEPTH = 3,
    OVERHEAD_MS = 10,
    QUICK_DEPTH = 4,     /* a move is looked for at once up to this depth, */
    QUICK_NODES = 10000, /* given up after these, some milliseconds, */
    QUICK_MOVES = 256,   /* and not at all behind longer games */
};

/* One search on behalf of a client. */
typedef struct Search {
    const ThinkClient *client;
    Slot *slot;
    bool white;
    int wanted;      /* lines */
    int64_t stop_ms; /* the server's own limit */
    bool quick;      /* given up after its nodes, and searched again from the queue */
    AnalysisCounts counts;
    size_t move_count; /* of those to be searched */
    SamaraMove moves[];
} Search;

/* --- preparing --- */

/* Whether a position was read but cannot be played, as opposed to text that is no position. */
static bool is_chess_error(const char *code)
{
    static const char *const codes[] = {"KING_COUNT", "PAWN_RANK", "OPP_IN_CHECK", "ILLEGAL_MOVE"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(code, codes[i]) == 0)
            return true;
    return false;
}

static void position_error(const SamaraError *err, Reply *reply)
{
    const bool move = strcmp(err->code, "ILLEGAL_MOVE") == 0;
    const int status = is_chess_error(err->code) ? 422 : 400;
    reply_error(reply, status,
                move            ? "illegal_move"
                : status == 422 ? "impossible_position"
                                : "bad_fen",
                move ? "moves" : "fen", err->column, "%s.", err->text);
}

static bool check_elo(int64_t elo, Reply *reply)
{
    int min, max;
    samara_elo_range(&min, &max);
    if (elo == 0 || (elo >= min && elo <= max))
        return true;
    reply_error(reply, 400, "out_of_range", "elo", 0, "elo must be between %d and %d.", min, max);
    return false;
}

bool think_prepare(Slot *slot, const Params *params, Reply *reply)
{
    SamaraError err = {0};
    if (!check_elo(params->elo, reply))
        return false;
    if (samara_position_set(slot->position, params->fen, params->chess960, params->moves.words,
                            params->moves.count, &err))
        return true;
    position_error(&err, reply);
    return false;
}

/* --- results as JSON --- */

json_t *think_score(const SamaraScore *score, bool white_to_move)
{
    const int sign = white_to_move ? 1 : -1;
    return json_pack("{s:i}", score->is_mate ? "mate" : "cp", sign * score->value);
}

static json_t *parsed(Buffer *text)
{
    json_t *json = json_loadb(buffer_text(text), text->len, 0, NULL);
    buffer_free(text);
    return json;
}

/* The lines that are known; with the result, once there is one. */
static json_t *search_json(const Search *s, const SamaraLine *lines, int count,
                           const SamaraResult *result)
{
    Buffer text = {0};
    analysis_json(&text, s->slot->position, lines, count, &s->counts, result);
    return parsed(&text);
}

/* NULL while the game goes on; else how it ended. */
json_t *think_finished(const SamaraPosition *position)
{
    Buffer text = {0};
    return game_over_json(&text, position) ? parsed(&text) : NULL;
}

/* --- searching --- */

static void send_event(Request *r, const char *name, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text)
        request_event(r, name, text);
    free(text);
}

static void stop_if_unwanted(Search *s)
{
    if (s->stop_ms != 0 && clock_ms() >= s->stop_ms) {
        s->counts.capped = true;
        samara_stop(s->slot->engine);
    }
    if (s->client->should_end(s->client->user))
        samara_stop(s->slot->engine);
}

/* In the engine's thread. Live clients hear of complete depths only, the others nothing until the
 * end. */
static void on_line(void *user, const SamaraLine *line)
{
    Search *s = user;
    stop_if_unwanted(s);
    analysis_count(&s->counts, line);
    const bool whole = line->number >= s->wanted && line->score.bound == SAMARA_EXACT;
    if (s->client->live && whole && !s->client->cancelled(s->client->user)) {
        int count;
        const SamaraLine *lines = samara_lines(s->slot->engine, &count);
        json_t *json = search_json(s, lines, count, NULL);
        s->client->live(s->client->user, json);
        json_decref(json);
    }
}

static void on_current_move(void *user, int depth, const SamaraMove *move, int number)
{
    (void)depth;
    (void)move;
    (void)number;
    stop_if_unwanted(user);
}

/* How many lines there can be of those that are wanted. */
static int count_lines(const Params *params, size_t moves)
{
    const size_t wanted = params->multipv > 0 ? (size_t)params->multipv : 1;
    return (int)(moves < wanted ? moves : wanted);
}

/* A clock may not make one request longer than others: engines use a small share of what is left,
 * so the share of this much stays within the limit. stop_ms cuts off what is still too long. */
static int64_t clamp_clock(int64_t ms, int64_t max_time_ms)
{
    const int64_t most = 25 * max_time_ms;
    return ms < most ? ms : most;
}

/* What was asked for, and never longer than the server allows. */
static SamaraLimits limits_of(const Params *p, int64_t max_time_ms)
{
    SamaraLimits limits = {
        .depth = (int)p->depth,
        .mate = (int)p->mate,
        .nodes = (uint64_t)p->nodes,
        .movetime_ms = p->movetime,
        .overhead_ms = OVERHEAD_MS,
    };
    if (p->given & FIELD_CLOCK) {
        limits.has_clock = true;
        limits.wtime_ms = clamp_clock(p->wtime, max_time_ms);
        limits.btime_ms = clamp_clock(p->btime, max_time_ms);
        limits.winc_ms = clamp_clock(p->winc, max_time_ms / 25);
        limits.binc_ms = clamp_clock(p->binc, max_time_ms / 25);
        limits.movestogo = (int)p->movestogo;
    } else if (limits.movetime_ms == 0) {
        limits.movetime_ms = p->given & FIELDS_LIMITS ? max_time_ms : DEFAULT_MOVETIME_MS;
    }
    return limits;
}

/* What the request asks for, without its limits. Levels know the openings of the server's book; who analyses
 * wants a search. */
static SamaraRequest question(const Search *s)
{
    return (SamaraRequest){.position = s->slot->position,
                           .lines = s->wanted,
                           .elo = (int)s->client->params->elo,
                           .book =
                               s->client->params->elo > 0 ? SAMARA_BOOK_BY_LOT : SAMARA_BOOK_UNUSED,
                           .fresh = s->client->fresh,
                           .moves = s->moves,
                           .move_count = s->move_count};
}

/* Whoever shows lines hears all of them; others only watch that the search ends in time. */
static SamaraEvents story(Search *s)
{
    return (SamaraEvents){.user = s, .line = on_line, .current_move = on_current_move};
}

static SamaraEvents watch(Search *s)
{
    return (SamaraEvents){.user = s, .current_move = on_current_move};
}

typedef struct Ending {
    Search *search;
    SamaraResult *result;
} Ending;

static void pass_line(void *user, const SamaraLine *line)
{
    on_line(((Ending *)user)->search, line);
}

static void pass_current(void *user, int depth, const SamaraMove *move, int number)
{
    on_current_move(((Ending *)user)->search, depth, move, number);
}

static void pass_result(void *user, const SamaraResult *result)
{
    *((Ending *)user)->result = *result;
}

/* The same with all threads of the engine. */
static bool search_together(Search *s, const SamaraRequest *request, SamaraEvents events,
                            SamaraResult *result, SamaraError *err)
{
    Ending ending = {s, result};
    const SamaraEvents passed = {.user = &ending,
                                 .line = events.line ? pass_line : NULL,
                                 .current_move = pass_current,
                                 .done = pass_result};
    if (!samara_go(s->slot->engine, request, &passed, err))
        return false;
    samara_wait(s->slot->engine);
    return true;
}

/* With the slot's engine; more threads or a larger table were set up before. Counts what it
 * cost. */
static bool run_search(Search *s, const SamaraLimits *limits, SamaraEvents events,
                       SamaraResult *result, Reply *reply)
{
    Metrics *metrics = s->client->metrics;
    const Params *params = s->client->params;
    const int64_t start = clock_us();
    SamaraError err = {0};
    SamaraRequest request = question(s);
    request.limits = *limits;
    s->stop_ms = clock_ms() + s->client->max_ms + 50;
    if (!(params->threads > 1 ? search_together(s, &request, events, result, &err)
                              : samara_search(s->slot->engine, &request, &events, result, &err))) {
        reply_error(reply, 500, "search_failed", NULL, 0, "%s.", err.text);
        return false;
    }
    /* A quick look that is given up is searched again, and counted then. */
    relaxed_add(&metrics->searches, !(s->quick && result->nodes >= limits->nodes));
    relaxed_add(&metrics->nodes, result->nodes);
    relaxed_add(&metrics->search_us, (uint64_t)(clock_us() - start));
    if (s->client->cancelled(s->client->user))
        relaxed_add(&metrics->cancelled, 1);
    /* The engine keeps a little of its time back, so it ends shortly before the limit. */
    s->counts.capped |= (params->given & FIELDS_LIMITS) && !(params->given & FIELD_MOVETIME) &&
                        result->time_ms * 10 >= limits->movetime_ms * 9 && limits->movetime_ms > 0;
    return true;
}

/* Adds a move that is to be searched, once. */
static bool add_search_move(Search *s, const char *word, Reply *reply)
{
    SamaraError err = {0};
    SamaraMove *move = &s->moves[s->move_count];
    if (!samara_position_read_move(s->slot->position, word, move, &err)) {
        reply_error(reply, 422, "illegal_move", "searchmoves", 0, "%s.", err.text);
        return false;
    }
    for (size_t i = 0; i < s->move_count; i++)
        if (s->moves[i].code == move->code)
            return true;
    s->move_count++;
    return true;
}

/* NULL: *reply says why. */
static Search *search_create(const ThinkClient *client, Slot *slot, Reply *reply)
{
    const Words *words = &client->params->search_moves;
    Search *s = calloc(1, sizeof *s + words->count * sizeof *s->moves);
    if (!s) {
        reply_error(reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
        return NULL;
    }
    s->client = client;
    s->slot = slot;
    s->white = samara_position_white_to_move(slot->position);
    for (size_t i = 0; i < words->count; i++)
        if (!add_search_move(s, words->words[i], reply)) {
            free(s);
            return NULL;
        }
    const size_t moves =
        s->move_count > 0 ? s->move_count : samara_position_moves(slot->position, NULL, 0);
    s->wanted = count_lines(client->params, moves);
    return s;
}

static bool has_no_move(const Slot *slot)
{
    return samara_position_moves(slot->position, NULL, 0) == 0;
}

static bool is_cancelled(void *user) { return task_cancelled(&((Request *)user)->task); }
static bool should_end(void *user) { return task_should_end(&((Request *)user)->task); }
static void send_line(void *user, json_t *json) { send_event(user, "info", json); }

static ThinkClient client_of(Request *r, bool live)
{
    return (ThinkClient){.params = &r->params,
                         .metrics = &r->app->metrics,
                         .max_ms = live ? r->app->max_stream_ms : r->app->max_time_ms,
                         .user = r,
                         .cancelled = is_cancelled,
                         .should_end = should_end,
                         .live = live ? send_line : NULL};
}

/* Searches the slot's position: one item of a batch, or the whole request. */
json_t *think_here(Request *r, Slot *slot, Reply *reply)
{
    const ThinkClient client = client_of(r, false);
    return think_for(&client, slot, reply);
}

/* A game that is over needs no search; everything else is one. */
json_t *think_for(const ThinkClient *client, Slot *slot, Reply *reply)
{
    if (has_no_move(slot))
        return think_finished(slot->position);
    Search *s = search_create(client, slot, reply);
    SamaraLimits limits = limits_of(client->params, client->max_ms);
    if (client->live && !(client->params->given & (FIELDS_LIMITS | FIELD_CLOCK)))
        limits.movetime_ms = client->max_ms;
    SamaraResult result;
    json_t *json = NULL;
    if (s && run_search(s, &limits, story(s), &result, reply))
        json = search_json(s, result.lines, result.line_count, &result);
    free(s);
    return json;
}

void think_analyse(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    json_t *json;
    if (think_prepare(slot, &r->params, &r->reply) && (json = think_here(r, slot, &r->reply)))
        reply_json(&r->reply, 200, json);
    request_done(r);
}

/* --- the mission's POST /move --- */

static int wanted_depth(const Params *p) { return p->depth > 0 ? (int)p->depth : DEFAULT_DEPTH; }

/* In hundredths of a pawn, White's view. A mate in n moves is worth 1000 - n pawns. */
static int hundredths(const SamaraScore *score, bool white)
{
    const int sign = white ? 1 : -1;
    if (!score->is_mate)
        return sign * score->value;
    return sign * 100 * (score->value > 0 ? 1000 - score->value : -1000 - score->value);
}

/* False: in check there is none. */
static bool static_eval(const Slot *slot, int *out)
{
    SamaraScore score;
    if (!samara_static_score(slot->engine, slot->position, SAMARA_NETWORK, &score))
        return false;
    *out = hundredths(&score, samara_position_white_to_move(slot->position));
    return true;
}

static SamaraMove random_move(const SamaraPosition *position, uint64_t seed)
{
    SamaraMove moves[SAMARA_MAX_MOVES];
    const size_t count = samara_position_moves(position, moves, SAMARA_MAX_MOVES);
    Rng rng;
    rng_seed(&rng, seed);
    return moves[rng_below(&rng, count)];
}

/* 35 -> 0.35, -20 -> -0.2, 300 -> 3.0; NULL -> null */
static void put_pawns(Buffer *out, const int *value)
{
    char text[24] = "null";
    if (value) {
        const int size = abs(*value), rest = size % 100;
        const char *format = rest % 10 ? "%s%d.%02d" : "%s%d.%d";
        snprintf(text, sizeof text, format, *value < 0 ? "-" : "", size / 100,
                 rest % 10 ? rest : rest / 10);
    }
    buffer_puts(out, text);
}

/* Straight into text: this is most of what a busy server writes, and nothing in it needs escaping.
 * Values that are NULL are unknown. */
static void answer_move(Request *r, Slot *slot, const SamaraMove *move, int depth, const int *eval,
                        const int *fixed, int mate)
{
    char after[SAMARA_FEN_SIZE];
    SamaraError err = {0};
    if (!samara_position_play(slot->position, move, &err)) {
        reply_error(&r->reply, 500, "search_failed", NULL, 0, "%s.", err.text);
        return;
    }
    samara_position_fen_with_ep(slot->position, after);
    reply_text(&r->reply, 200, "application/json", "");
    Buffer *out = &r->reply.body;
    buffer_reserve(out, 320);
    buffer_printf(
        out, "{\"status\":\"ok\",\"method\":\"%s\",\"move\":\"%s\",\"fen_after\":\"%s\",\"eval\":",
        r->params.random ? "random" : "best", move->uci, after);
    put_pawns(out, eval);
    buffer_puts(out, ",\"static_eval\":");
    put_pawns(out, fixed);
    buffer_printf(out, ",\"depth\":%d,\"pov\":\"white\"", depth);
    if (mate != 0)
        buffer_printf(out, ",\"mate\":%d", mate);
    buffer_putc(out, '}');
    if (out->failed)
        reply_json(&r->reply, 500, NULL);
}

static void answer_random_move(Request *r, Slot *slot)
{
    int fixed;
    const int *known = static_eval(slot, &fixed) ? &fixed : NULL;
    const SamaraMove move = random_move(slot->position, (uint64_t)clock_us());
    answer_move(r, slot, &move, 0, known, known, 0);
}

/* False: it is not found after `most_nodes` (0: no limit), and nothing is answered. */
static bool best_move(Request *r, Slot *slot, uint64_t most_nodes)
{
    const ThinkClient client = client_of(r, false);
    Search *s = search_create(&client, slot, &r->reply);
    if (!s)
        return true;
    s->wanted = 0; /* nobody sees the lines */
    const bool quick = s->quick = most_nodes > 0;
    const SamaraLimits limits = {.depth = wanted_depth(&r->params),
                                 .nodes = most_nodes,
                                 .movetime_ms = quick ? 0 : r->app->max_time_ms,
                                 .overhead_ms = OVERHEAD_MS};
    const SamaraEvents events = quick ? (SamaraEvents){0} : watch(s);
    int fixed;
    const int *known = static_eval(slot, &fixed) ? &fixed : NULL;
    SamaraResult result;
    const bool ok = run_search(s, &limits, events, &result, &r->reply);
    const bool found = !ok || !quick || result.nodes < most_nodes;
    if (ok && found) {
        const int eval = hundredths(&result.score, s->white);
        const int mate = result.score.is_mate ? (s->white ? 1 : -1) * result.score.value : 0;
        answer_move(r, slot, &result.best, result.depth, &eval, known, mate);
    }
    free(s);
    return found;
}

/* A finished game is an answer, not a fault. False: it would take more nodes than were allowed. */
static bool find_move(Request *r, Slot *slot, uint64_t most_nodes)
{
    json_t *over;
    if (!(r->params.given & FIELD_FEN))
        reply_error(&r->reply, 400, "missing_field", "fen", 0, "fen is required.");
    else if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if ((over = think_finished(slot->position)))
        reply_json(&r->reply, 200, over);
    else if (!r->params.random)
        return best_move(r, slot, most_nodes);
    else
        answer_random_move(r, slot);
    return true;
}

void think_move(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    find_move(r, slot, 0);
    request_done(r);
}

bool think_move_now(Request *r, Slot *slot)
{
    const bool shallow = r->params.random || wanted_depth(&r->params) <= QUICK_DEPTH;
    return shallow && r->params.moves.count <= QUICK_MOVES && find_move(r, slot, QUICK_NODES);
}

/* --- live analysis --- */

bool think_set_size(Slot *slot, const char *option, int64_t wanted, Reply *reply)
{
    char now[24], text[24];
    SamaraError err = {0};
    snprintf(text, sizeof text, "%lld", (long long)wanted);
    if (samara_get_option(slot->engine, option, now, sizeof now) && strcmp(now, text) == 0)
        return true;
    if (samara_set_option(slot->engine, option, text, &err))
        return true;
    reply_error(reply, 503, "no_memory", NULL, 0, "%s.", err.text);
    return false;
}

static bool check_size(const char *field, int64_t wanted, int most, Reply *reply)
{
    if (wanted <= most)
        return true;
    reply_error(reply, 400, "out_of_range", field, 0, "%s must be between 1 and %d here.", field,
                most);
    return false;
}

/* Threads and hash as the request wants them, within what the server allows. */
static bool size_engine(Request *r, Slot *slot)
{
    const App *app = r->app;
    const Params *p = &r->params;
    return check_size("threads", p->threads, app->most_threads, &r->reply) &&
           check_size("hash", p->hash_mb, app->most_hash_mb, &r->reply) &&
           think_set_size(slot, "Threads", p->threads > 0 ? p->threads : 1, &r->reply) &&
           think_set_size(slot, "Hash", p->hash_mb > 0 ? p->hash_mb : app->hash_mb, &r->reply);
}

/* What was found out about this position before, whoever asked. Only positions without a past: with
 * one, repetitions would make the score depend on it. */
bool think_memory_key(const Params *p, const SamaraPosition *position, char key[THINK_KEY_SIZE])
{
    if (p->search_moves.count > 0)
        return false;
    char fen[SAMARA_FEN_SIZE];
    SamaraFields fields;
    samara_position_fen(position, fen);
    samara_position_fields(position, &fields);
    if (fields.rule50 > 8 || (p->moves.count > 0 && fields.rule50 > 3))
        return false; /* after four quiet plies a repetition is possible */
    snprintf(key, THINK_KEY_SIZE, "%s%s", p->chess960 ? "960 " : "", fen);
    return true;
}

/* What is known already is shown at once. */
static void send_cached(Request *r, const Search *s)
{
    char key[THINK_KEY_SIZE];
    char *text = think_memory_key(&r->params, s->slot->position, key)
                     ? store_recall(r->app->store, key, s->wanted)
                     : NULL;
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    const int64_t most = r->params.depth; /* who asks for a depth wants no other */
    if (json && (most == 0 || json_integer_value(json_object_get(json, "depth")) <= most))
        request_event(r, "info", text);
    json_decref(json);
    free(text);
}

/* Whether all lines that were asked for are there and of one depth. */
static bool is_complete(const Search *s, const SamaraResult *result)
{
    for (int i = 1; i < result->line_count; i++)
        if (result->lines[i].depth != result->lines[0].depth)
            return false;
    return result->line_count >= s->wanted && result->line_count > 0;
}

/* Complete and deep enough to be worth it; think_memory_key() says which searches can be compared. */
static void keep_result(Store *store, Search *s, const SamaraResult *result)
{
    char key[THINK_KEY_SIZE];
    if (!is_complete(s, result) || result->lines[0].depth < THINK_MEMORY_DEPTH ||
        !think_memory_key(s->client->params, s->slot->position, key))
        return;
    json_t *json = search_json(s, result->lines, result->line_count, NULL);
    json_object_set_new(json, "cached", json_true());
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text)
        store_remember(store, key, s->wanted, result->lines[0].depth, text);
    free(text);
    json_decref(json);
}

/* Ends when the client leaves, the time is over, or another client waits that has less. */
void think_stream(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const ThinkClient client = client_of(r, true);
    Search *s = NULL;
    if (!size_engine(r, slot) || !think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if (has_no_move(slot)) {
        json_t *over = think_finished(slot->position);
        json_object_set_new(over, "lines", json_array());
        char *text = json_dumps(over, JSON_COMPACT | JSON_REAL_PRECISION(6));
        request_begin_stream(r);
        request_event(r, "done", text ? text : "{}");
        free(text);
        json_decref(over);
    } else if ((s = search_create(&client, slot, &r->reply))) {
        request_begin_stream(r);
        relaxed_add(&r->app->metrics.streams, 1);
        send_cached(r, s);
        SamaraLimits limits = limits_of(&r->params, r->app->max_stream_ms);
        if (!(r->params.given & (FIELDS_LIMITS | FIELD_CLOCK)))
            limits.movetime_ms = r->app->max_stream_ms;
        SamaraResult result;
        Reply failure = {0};
        if (run_search(s, &limits, story(s), &result, &failure)) {
            json_t *json = search_json(s, result.lines, result.line_count, &result);
            send_event(r, "done", json);
            json_decref(json);
            keep_result(r->app->store, s, &result);
        } else {
            request_event(r, "error", buffer_text(&failure.body));
        }
        reply_clear(&failure);
        free(s);
    }
    request_done(r);
}
