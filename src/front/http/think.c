// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/think.h"

#include "base/clock.h"
#include "base/rng.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_MOVETIME_MS = 1000,
    DEFAULT_DEPTH = 3,
    CACHE_MIN_DEPTH = 14,
    QUICK_DEPTH = 4,     /* a move is looked for at once up to this depth, */
    QUICK_NODES = 10000, /* given up after these, some milliseconds, */
    QUICK_MOVES = 256,   /* and not at all behind longer games */
};

/* The newest state of one line of analysis. */
typedef struct Line {
    int depth, seldepth;
    SamaraScore score;
    Buffer pv;
} Line;

/* Lines of the running iteration, best first, and of the one before: what a stopped search has not
 * come to again is taken from there. */
typedef struct Search {
    Request *request;
    Slot *slot;
    bool white, live;
    int wanted;       /* lines */
    int fresh, stale; /* how many are known of this iteration and of the last */
    int64_t stop_ms;  /* the server's own limit */
    bool capped;
    SamaraInfo last; /* its pv is not kept */
    Line *before;    /* behind the others; as many as wanted of each */
    Line line[];
} Search;

/* --- preparing --- */

static void set_number(Slot *slot, const char *name, int value, int *current)
{
    if (*current == value)
        return;
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    if (samara_set_option(slot->engine, name, text, NULL))
        *current = value;
}

static void set_flag(Slot *slot, const char *name, bool value, bool *current)
{
    if (*current != value && samara_set_option(slot->engine, name, value ? "true" : "false", NULL))
        *current = value;
}

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

static bool set_elo(Slot *slot, const Params *params, Reply *reply)
{
    if (params->elo == 0) {
        if (slot->elo != 0 && samara_set_option(slot->engine, "UCI_LimitStrength", "false", NULL))
            slot->elo = 0;
        return true;
    }
    char text[16];
    SamaraError err;
    snprintf(text, sizeof text, "%d", (int)params->elo);
    if (slot->elo != params->elo &&
        (!samara_set_option(slot->engine, "UCI_Elo", text, &err) ||
         !samara_set_option(slot->engine, "UCI_LimitStrength", "true", &err))) {
        reply_error(reply, 400, "out_of_range", "elo", 0, "%s.", err.text);
        return false;
    }
    slot->elo = (int)params->elo;
    return true;
}

bool think_prepare(Slot *slot, const Params *params, Reply *reply)
{
    SamaraError err = {0};
    set_flag(slot, "UCI_Chess960", params->chess960, &slot->chess960);
    set_number(slot, "MultiPV", params->multipv > 0 ? (int)params->multipv : 1, &slot->multipv);
    if (!set_elo(slot, params, reply))
        return false;
    if (samara_set_position(slot->engine, params->fen, params->moves.words, params->moves.count,
                            &err))
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

static json_t *split(const char *text)
{
    json_t *list = json_array();
    Str rest = str_from(text);
    for (Str word = str_token(&rest); word.len > 0; word = str_token(&rest))
        json_array_append_new(list, json_stringn(word.ptr, word.len));
    return list;
}

/* The words of "12. Nf3 d5 13. O-O" without the numbers. */
static json_t *split_san(const char *text)
{
    json_t *list = json_array();
    Str rest = str_from(text);
    for (Str word = str_token(&rest); word.len > 0; word = str_token(&rest))
        if (word.ptr[0] < '0' || word.ptr[0] > '9')
            json_array_append_new(list, json_stringn(word.ptr, word.len));
    return list;
}

static json_t *line_json(const Search *s, const Line *line, int number)
{
    const bool white = s->white;
    char san[4096] = "";
    samara_line_to_san(s->slot->engine, buffer_text(&line->pv), san, sizeof san);
    return json_pack("{s:i, s:i, s:i, s:o, s:[i,i,i], s:o, s:o}", "multipv", number, "depth",
                     line->depth, "seldepth", line->seldepth, "score",
                     think_score(&line->score, white), "wdl",
                     white ? line->score.win : line->score.loss, line->score.draw,
                     white ? line->score.loss : line->score.win, "uci",
                     split(buffer_text(&line->pv)), "san", split_san(san));
}

static bool starts_alike(const Line *a, const Line *b)
{
    Str x = str_from(buffer_text(&a->pv)), y = str_from(buffer_text(&b->pv));
    return str_equal(str_token(&x), str_token(&y));
}

static bool is_fresh(const Search *s, const Line *line)
{
    for (int i = 0; i < s->fresh; i++)
        if (starts_alike(&s->line[i], line))
            return true;
    return false;
}

static json_t *lines_json(const Search *s)
{
    json_t *lines = json_array();
    int count = 0;
    for (int i = 0; i < s->fresh; i++)
        json_array_append_new(lines, line_json(s, &s->line[i], ++count));
    for (int i = 0; i < s->stale && count < s->wanted; i++)
        if (!is_fresh(s, &s->before[i]))
            json_array_append_new(lines, line_json(s, &s->before[i], ++count));
    return lines;
}

static json_t *analysis_json(const Search *s, const SamaraResult *result)
{
    char fen[SAMARA_FEN_SIZE];
    samara_fen(s->slot->engine, fen);
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:i, s:I, s:o}", "status", "ok",
                  "fen", fen, "turn", s->white ? "white" : "black", "pov", "white", "depth",
                  s->fresh > 0 ? s->line[0].depth : 0, "seldepth",
                  s->fresh > 0 ? s->line[0].seldepth : 0, "nodes", (json_int_t)s->last.nodes, "nps",
                  (json_int_t)s->last.nps, "time_ms", (json_int_t)s->last.time_ms, "hashfull",
                  s->last.hashfull, "tbhits", (json_int_t)s->last.tbhits, "lines", lines_json(s));
    if (!result)
        return json;
    char san[64] = "";
    samara_line_to_san(s->slot->engine, result->best, san, sizeof san);
    json_t *words = split_san(san);
    json_object_set_new(json, "bestmove", json_string(result->best));
    json_object_set(json, "san", json_array_get(words, 0));
    json_decref(words);
    if (result->ponder[0])
        json_object_set_new(json, "ponder", json_string(result->ponder));
    json_object_set_new(json, "nodes", json_integer((json_int_t)result->nodes));
    json_object_set_new(json, "time_ms", json_integer(result->time_ms));
    if (s->capped)
        json_object_set_new(json, "capped", json_true());
    return json;
}

json_t *think_finished(Samara *engine)
{
    const SamaraState state = samara_state(engine);
    if (state == SAMARA_PLAYING)
        return NULL;
    const bool white = samara_white_to_move(engine);
    const char *result = state == SAMARA_CHECKMATE ? (white ? "0-1" : "1-0") : "1/2-1/2";
    char fen[SAMARA_FEN_SIZE];
    samara_fen(engine, fen);
    return json_pack("{s:s, s:s, s:s, s:s}", "status", "game_over", "reason",
                     samara_state_name(state), "result", result, "fen", fen);
}

/* --- searching --- */

/* A new list begins. What it will not name is still known from the lists before, newest first. */
static void turn_page(Search *s)
{
    const int max = s->wanted;
    Line kept[PARAMS_MAX_MULTIPV], spare[2 * PARAMS_MAX_MULTIPV];
    int kept_count = 0, spare_count = 0;
    for (int i = 0; i < max; i++)
        *(i < s->fresh ? &kept[kept_count++] : &spare[spare_count++]) = s->line[i];
    for (int i = 0; i < max; i++) {
        const bool keep = i < s->stale && kept_count < max && !is_fresh(s, &s->before[i]);
        *(keep ? &kept[kept_count++] : &spare[spare_count++]) = s->before[i];
    }
    s->fresh = 0;
    s->stale = kept_count;
    for (int i = 0; i < max; i++)
        s->before[i] = i < kept_count ? kept[i] : spare[--spare_count];
    for (int i = 0; i < max; i++)
        s->line[i] = spare[--spare_count];
}

/* Lists come line by line, beginning with number one; a bound counts until something better comes.
 */
static void store_line(Search *s, const SamaraInfo *info)
{
    const int index = info->multipv > 0 ? info->multipv - 1 : 0;
    if (index >= s->wanted)
        return;
    if (index == 0)
        turn_page(s);
    if (index > s->fresh)
        return;
    Line *line = &s->line[index];
    line->depth = info->depth;
    line->seldepth = info->seldepth;
    line->score = info->score;
    buffer_clear(&line->pv);
    buffer_puts(&line->pv, info->pv ? info->pv : "");
    s->fresh = index + 1; /* what came behind it belonged to an older list */
}

static void send_event(Search *s, const char *name, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text)
        request_event(s->request, name, text);
    free(text);
}

static void stop_if_unwanted(Search *s)
{
    if (s->stop_ms != 0 && clock_ms() >= s->stop_ms) {
        s->capped = true;
        samara_stop(s->slot->engine);
    }
    if (lane_cancelled(&s->request->task))
        samara_stop(s->slot->engine);
}

static void on_info(void *user, const SamaraInfo *info)
{
    Search *s = user;
    stop_if_unwanted(s);
    store_line(s, info);
    s->last = *info;
    const bool whole = info->multipv >= s->wanted && info->score.bound == SAMARA_EXACT;
    if (s->live && whole && !lane_cancelled(&s->request->task)) {
        json_t *json = analysis_json(s, NULL);
        send_event(s, "info", json);
        json_decref(json);
    }
}

static void on_current_move(void *user, int depth, const char *move, int number)
{
    (void)depth;
    (void)move;
    (void)number;
    stop_if_unwanted(user);
}

static int count_lines(const Params *params, Samara *engine)
{
    size_t count = samara_legal_moves(engine, NULL, 0);
    if (params->search_moves.count > 0 && params->search_moves.count < count)
        count = params->search_moves.count;
    const size_t wanted = params->multipv > 0 ? (size_t)params->multipv : 1;
    return (int)(count < wanted ? count : wanted);
}

/* A clock may not make one request longer than others: engines use a small share of what is left,
 * so the share of this much stays within the limit. stop_ms cuts off what is still too long. */
static int64_t clamp_clock(int64_t ms, int64_t max_time_ms)
{
    const int64_t most = 25 * max_time_ms;
    return ms < most ? ms : most;
}

static SamaraLimits limits_of(const Params *p, int64_t max_time_ms)
{
    SamaraLimits limits = {
        .depth = (int)p->depth,
        .mate = (int)p->mate,
        .nodes = (uint64_t)p->nodes,
        .movetime_ms = p->movetime,
        .search_moves = p->search_moves.words,
        .search_move_count = p->search_moves.count,
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

/* Whoever shows lines follows the whole story; others only watch that it ends in time. */
static SamaraEvents story(Search *s)
{
    return (SamaraEvents){.user = s, .info = on_info, .current_move = on_current_move};
}

static SamaraEvents watch(Search *s)
{
    return (SamaraEvents){.user = s, .current_move = on_current_move};
}

static bool run_search(Search *s, const SamaraLimits *limits, SamaraEvents events,
                       SamaraResult *result, Reply *reply)
{
    Metrics *metrics = &s->request->app->metrics;
    const int64_t start = clock_us();
    SamaraError err = {0};
    s->stop_ms =
        clock_ms() + (s->live ? s->request->app->max_stream_ms : s->request->app->max_time_ms) + 50;
    if (!samara_search(s->slot->engine, limits, &events, result, &err)) {
        reply_error(reply, 500, "search_failed", NULL, 0, "%s.", err.text);
        return false;
    }
    relaxed_add(&metrics->searches, 1);
    relaxed_add(&metrics->nodes, result->nodes);
    relaxed_add(&metrics->search_us, (uint64_t)(clock_us() - start));
    if (lane_cancelled(&s->request->task))
        relaxed_add(&metrics->cancelled, 1);
    /* The engine keeps a little of its time back, so it ends shortly before the limit. */
    s->capped |= (s->request->params.given & FIELDS_LIMITS) &&
                 !(s->request->params.given & FIELD_MOVETIME) &&
                 result->time_ms * 10 >= limits->movetime_ms * 9 && limits->movetime_ms > 0;
    return true;
}

/* lines: how many shall be kept. NULL: *reply says so. */
static Search *search_create(Request *r, Slot *slot, int lines)
{
    Search *s = calloc(1, sizeof *s + 2 * (size_t)lines * sizeof *s->line);
    if (!s) {
        reply_error(&r->reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
        return NULL;
    }
    s->request = r;
    s->slot = slot;
    s->white = samara_white_to_move(slot->engine);
    s->wanted = lines;
    s->before = s->line + lines;
    return s;
}

static void search_free(Search *s)
{
    for (int i = 0; i < 2 * s->wanted; i++)
        buffer_free(&s->line[i].pv);
    free(s);
}

static bool has_no_move(Samara *engine) { return samara_legal_moves(engine, NULL, 0) == 0; }

void think_analyse(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    Search *s = NULL;
    if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if (has_no_move(slot->engine)) {
        reply_json(&r->reply, 200, think_finished(slot->engine));
    } else if ((s = search_create(r, slot, count_lines(&r->params, slot->engine)))) {
        const SamaraLimits limits = limits_of(&r->params, r->app->max_time_ms);
        SamaraResult result;
        if (run_search(s, &limits, story(s), &result, &r->reply))
            reply_json(&r->reply, 200, analysis_json(s, &result));
        search_free(s);
    }
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
static bool static_eval(Samara *engine, int *out)
{
    SamaraScore score;
    if (!samara_static_score(engine, &score))
        return false;
    *out = hundredths(&score, samara_white_to_move(engine));
    return true;
}

static void random_move(Samara *engine, uint64_t seed, char out[SAMARA_MOVE_SIZE])
{
    char moves[512][SAMARA_MOVE_SIZE];
    const size_t count = samara_legal_moves(engine, moves, 512);
    Rng rng;
    rng_seed(&rng, seed);
    memcpy(out, moves[rng_below(&rng, count < 512 ? count : 512)], SAMARA_MOVE_SIZE);
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
static void answer_move(Request *r, Slot *slot, const char *move, int depth, const int *eval,
                        const int *fixed, int mate)
{
    char after[SAMARA_FEN_SIZE];
    SamaraError err = {0};
    if (!samara_play(slot->engine, move, &err)) {
        reply_error(&r->reply, 500, "search_failed", NULL, 0, "%s.", err.text);
        return;
    }
    samara_fen_with_ep(slot->engine, after);
    reply_text(&r->reply, 200, "application/json", "");
    Buffer *out = &r->reply.body;
    buffer_reserve(out, 320);
    buffer_printf(
        out, "{\"status\":\"ok\",\"method\":\"%s\",\"move\":\"%s\",\"fen_after\":\"%s\",\"eval\":",
        r->params.random ? "random" : "best", move, after);
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
    char move[SAMARA_MOVE_SIZE];
    int fixed;
    const int *known = static_eval(slot->engine, &fixed) ? &fixed : NULL;
    random_move(slot->engine, (uint64_t)clock_us(), move);
    answer_move(r, slot, move, 0, known, known, 0);
}

/* False: it is not found after `most_nodes` (0: no limit), and nothing is answered. */
static bool best_move(Request *r, Slot *slot, uint64_t most_nodes)
{
    Search *s = search_create(r, slot, 0);
    if (!s)
        return true;
    const bool quick = most_nodes > 0;
    const SamaraLimits limits = {.depth = wanted_depth(&r->params),
                                 .nodes = most_nodes,
                                 .movetime_ms = quick ? 0 : r->app->max_time_ms};
    const SamaraEvents events = quick ? (SamaraEvents){0} : watch(s);
    int fixed;
    const int *known = static_eval(slot->engine, &fixed) ? &fixed : NULL;
    SamaraResult result;
    const bool ok = run_search(s, &limits, events, &result, &r->reply);
    const bool found = !ok || !quick || result.nodes < most_nodes;
    if (ok && found) {
        const int eval = hundredths(&result.score, s->white);
        const int mate = result.score.is_mate ? (s->white ? 1 : -1) * result.score.value : 0;
        answer_move(r, slot, result.best, result.depth, &eval, known, mate);
    }
    search_free(s);
    return found;
}

static bool find_move(Request *r, Slot *slot, uint64_t most_nodes)
{
    json_t *over;
    if (!(r->params.given & FIELD_FEN))
        reply_error(&r->reply, 400, "missing_field", "fen", 0, "fen is required.");
    else if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if ((over = think_finished(slot->engine)))
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

/* What was found out about this position before, whoever asked. Only positions without a past: with
 * one, repetitions would make the score depend on it. */
static bool cache_key(const Search *s, char key[SAMARA_FEN_SIZE + 8])
{
    const Params *p = &s->request->params;
    if (p->search_moves.count > 0)
        return false;
    char fen[SAMARA_FEN_SIZE];
    samara_fen(s->slot->engine, fen);
    Str rest = str_from(fen), word = {0};
    for (int i = 0; i < 5; i++)
        word = str_token(&rest);
    int64_t clock;
    if (!str_int(word, 0, 10000, &clock) || clock > 8 || (p->moves.count > 0 && clock > 3))
        return false; /* after four quiet plies a repetition is possible */
    snprintf(key, SAMARA_FEN_SIZE + 8, "%s%s", p->chess960 ? "960 " : "", fen);
    return true;
}

static void send_cached(Search *s)
{
    char key[SAMARA_FEN_SIZE + 8];
    char *json = cache_key(s, key) ? store_recall(s->request->app->store, key, s->wanted) : NULL;
    if (json)
        request_event(s->request, "info", json);
    free(json);
}

static void keep_result(Search *s)
{
    char key[SAMARA_FEN_SIZE + 8];
    if (s->fresh < s->wanted || s->fresh == 0 || s->line[0].depth < CACHE_MIN_DEPTH ||
        !cache_key(s, key))
        return;
    json_t *json = analysis_json(s, NULL);
    json_object_set_new(json, "cached", json_true());
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text)
        store_remember(s->request->app->store, key, s->wanted, s->line[0].depth, text);
    free(text);
    json_decref(json);
}

void think_stream(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    Search *s = NULL;
    if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if (has_no_move(slot->engine)) {
        json_t *over = think_finished(slot->engine);
        json_object_set_new(over, "lines", json_array());
        char *text = json_dumps(over, JSON_COMPACT | JSON_REAL_PRECISION(6));
        request_begin_stream(r);
        request_event(r, "done", text ? text : "{}");
        free(text);
        json_decref(over);
    } else if ((s = search_create(r, slot, count_lines(&r->params, slot->engine)))) {
        s->live = true;
        request_begin_stream(r);
        relaxed_add(&r->app->metrics.streams, 1);
        send_cached(s);
        SamaraLimits limits = limits_of(&r->params, r->app->max_stream_ms);
        if (!(r->params.given & (FIELDS_LIMITS | FIELD_CLOCK)))
            limits.movetime_ms = r->app->max_stream_ms;
        SamaraResult result;
        Reply failure = {0};
        if (run_search(s, &limits, story(s), &result, &failure)) {
            json_t *json = analysis_json(s, &result);
            send_event(s, "done", json);
            json_decref(json);
            keep_result(s);
        } else {
            request_event(r, "error", buffer_text(&failure.body));
        }
        reply_clear(&failure);
        search_free(s);
    }
    request_done(r);
}
