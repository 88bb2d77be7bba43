// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/think.h"

#include "base/clock.h"
#include "base/rng.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MOVETIME_MS = 1000, DEFAULT_DEPTH = 3, CACHE_MIN_DEPTH = 14 };

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
    Line line[PARAMS_MAX_MULTIPV], before[PARAMS_MAX_MULTIPV];
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

static bool run_search(Search *s, const SamaraLimits *limits, SamaraResult *result, Reply *reply)
{
    Metrics *metrics = &s->request->app->metrics;
    const SamaraEvents events = {.user = s, .info = on_info, .current_move = on_current_move};
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

static Search *search_create(Request *r, Slot *slot)
{
    Search *s = calloc(1, sizeof *s);
    if (!s) {
        reply_error(&r->reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
        return NULL;
    }
    s->request = r;
    s->slot = slot;
    s->white = samara_white_to_move(slot->engine);
    s->wanted = count_lines(&r->params, slot->engine);
    return s;
}

static void search_free(Search *s)
{
    for (int i = 0; i < PARAMS_MAX_MULTIPV; i++) {
        buffer_free(&s->line[i].pv);
        buffer_free(&s->before[i].pv);
    }
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
    } else if ((s = search_create(r, slot))) {
        const SamaraLimits limits = limits_of(&r->params, r->app->max_time_ms);
        SamaraResult result;
        if (run_search(s, &limits, &result, &r->reply))
            reply_json(&r->reply, 200, analysis_json(s, &result));
        search_free(s);
    }
    request_done(r);
}

/* --- the mission's POST /move --- */

/* In pawns, White's view. A mate in n moves is worth 1000 - n. */
static double pawns(const SamaraScore *score, bool white)
{
    const double sign = white ? 1 : -1;
    if (!score->is_mate)
        return sign * score->value / 100.0;
    return sign * (score->value > 0 ? 1000 - score->value : -1000 - score->value);
}

static json_t *static_eval(Samara *engine)
{
    SamaraEval eval;
    if (!samara_eval(engine, &eval, NULL))
        return json_null(); /* in check there is none */
    return json_real(pawns(&eval.score, samara_white_to_move(engine)));
}

static bool random_move(Samara *engine, uint64_t seed, char out[SAMARA_MOVE_SIZE])
{
    char moves[512][SAMARA_MOVE_SIZE];
    const size_t count = samara_legal_moves(engine, moves, 512);
    Rng rng;
    rng_seed(&rng, seed);
    memcpy(out, moves[rng_below(&rng, count < 512 ? count : 512)], SAMARA_MOVE_SIZE);
    return true;
}

static void answer_move(Request *r, Slot *slot, const char *move, int depth, json_t *eval,
                        json_t *fixed, int mate)
{
    char after[SAMARA_FEN_SIZE];
    SamaraError err = {0};
    if (!samara_play(slot->engine, move, &err)) {
        json_decref(eval);
        json_decref(fixed);
        reply_error(&r->reply, 500, "search_failed", NULL, 0, "%s.", err.text);
        return;
    }
    samara_fen_with_ep(slot->engine, after);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:i, s:s}", "status", "ok", "method",
                             r->params.random ? "random" : "best", "move", move, "fen_after", after,
                             "eval", eval, "static_eval", fixed, "depth", depth, "pov", "white");
    if (mate != 0)
        json_object_set_new(json, "mate", json_integer(mate));
    reply_json(&r->reply, 200, json);
}

static void best_move(Request *r, Slot *slot)
{
    Search *s = search_create(r, slot);
    if (!s)
        return;
    SamaraResult result;
    const SamaraLimits limits = {.depth =
                                     r->params.depth > 0 ? (int)r->params.depth : DEFAULT_DEPTH,
                                 .movetime_ms = r->app->max_time_ms};
    json_t *fixed = static_eval(slot->engine);
    if (run_search(s, &limits, &result, &r->reply)) {
        const int mate = result.score.is_mate ? (s->white ? 1 : -1) * result.score.value : 0;
        answer_move(r, slot, result.best, result.depth, json_real(pawns(&result.score, s->white)),
                    fixed, mate);
    } else {
        json_decref(fixed);
    }
    search_free(s);
}

void think_move(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    json_t *over;
    char move[SAMARA_MOVE_SIZE];
    if (!(r->params.given & FIELD_FEN))
        reply_error(&r->reply, 400, "missing_field", "fen", 0, "fen is required.");
    else if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if ((over = think_finished(slot->engine)))
        reply_json(&r->reply, 200, over);
    else if (!r->params.random)
        best_move(r, slot);
    else if (random_move(slot->engine, (uint64_t)clock_us(), move))
        answer_move(r, slot, move, 0, static_eval(slot->engine), static_eval(slot->engine), 0);
    request_done(r);
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
    } else if ((s = search_create(r, slot))) {
        s->live = true;
        request_begin_stream(r);
        relaxed_add(&r->app->metrics.streams, 1);
        send_cached(s);
        SamaraLimits limits = limits_of(&r->params, r->app->max_stream_ms);
        if (!(r->params.given & (FIELDS_LIMITS | FIELD_CLOCK)))
            limits.movetime_ms = r->app->max_stream_ms;
        SamaraResult result;
        Reply failure = {0};
        if (run_search(s, &limits, &result, &failure)) {
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
