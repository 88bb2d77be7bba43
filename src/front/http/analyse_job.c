// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/analyse_job.h"

#include "base/clock.h"
#include "base/rng.h"
#include "front/http/think.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_HASH_MB = 4096,
    MOST_MS = 86400000,
    NODES_PER_MS = 500,
    JOB_FIELDS = FIELDS_SEARCH | FIELD_CLOCK | FIELD_ELO | FIELD_THREADS,
};

/* --- what travels --- */

static void put_int(json_t *json, const char *name, int64_t value)
{
    if (value > 0)
        json_object_set_new(json, name, json_integer(value));
}

static json_t *words_json(const Words *words)
{
    json_t *list = json_array();
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(list, json_string(words->words[i]));
    return list;
}

/* The game behind the position, in one spelling. */
static void put_position(json_t *json, const SamaraPosition *position, bool chess960)
{
    char fen[SAMARA_FEN_SIZE];
    const size_t count = samara_position_history(position, NULL, 0);
    SamaraMove *moves = calloc(count + 1, sizeof *moves);
    json_t *list = json_array();
    samara_position_start_fen(position, fen);
    json_object_set_new(json, "fen", json_string(fen));
    if (moves)
        samara_position_history(position, moves, count);
    for (size_t i = 0; moves && i < count; i++)
        json_array_append_new(list, json_string(moves[i].uci));
    json_object_set_new(json, "moves", list);
    if (chess960)
        json_object_set_new(json, "chess960", json_true());
    free(moves);
}

/* Only what was given: an absent limit and a zero are one spelling. */
static void put_limits(json_t *json, const Params *p)
{
    put_int(json, "depth", p->depth);
    put_int(json, "nodes", p->nodes);
    put_int(json, "movetime", p->movetime);
    put_int(json, "mate", p->mate);
    put_int(json, "multipv", p->multipv);
    put_int(json, "elo", p->elo);
    put_int(json, "threads", p->threads > 1 ? p->threads : 0);
    if (p->given & FIELD_CLOCK)
        json_object_set_new(json, "clock",
                            json_pack("{s:I, s:I, s:I, s:I, s:I}", "wtime", (json_int_t)p->wtime,
                                      "btime", (json_int_t)p->btime, "winc", (json_int_t)p->winc,
                                      "binc", (json_int_t)p->binc, "movestogo",
                                      (json_int_t)p->movestogo));
    if (p->search_moves.count > 0)
        json_object_set_new(json, "searchmoves", words_json(&p->search_moves));
}

/* What is not repeatable has a number of its own: two such jobs are never the same. */
char *analyse_job_write(const Params *p, const SamaraPosition *position, int hash_mb,
                        int64_t max_ms, bool live)
{
    json_t *request = json_object();
    put_position(request, position, p->chess960);
    put_limits(request, p);
    json_t *job =
        json_pack("{s:i, s:b, s:I, s:o}", "hash", p->hash_mb > 0 ? (int)p->hash_mb : hash_mb,
                  "live", live, "max_ms", (json_int_t)max_ms, "request", request);
    if (p->elo > 0 || p->threads > 1) {
        Rng rng;
        rng_seed(&rng, (uint64_t)clock_us());
        json_object_set_new(job, "number", json_integer((json_int_t)(rng_next(&rng) >> 1)));
    }
    char *text = json_dumps(job, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(job);
    return text;
}

int64_t analyse_job_cost_ms(const Params *p, int64_t max_ms)
{
    const int64_t ms = p->movetime > 0                 ? p->movetime
                       : p->nodes > 0                  ? p->nodes / NODES_PER_MS + 1
                       : p->given & FIELDS_LIMITS      ? max_ms / 10 + 1
                       : (p->given & FIELD_CLOCK) != 0 ? p->wtime / 40 + 1
                                                       : 1000;
    return ms < max_ms ? ms : max_ms;
}

bool analyse_result_read(Str result, int *status, Str *body)
{
    int64_t number;
    if (!str_int(str_until(&result, ' '), 100, 599, &number))
        return false;
    *status = (int)number;
    *body = result;
    return true;
}

/* --- doing it --- */

typedef struct Tools {
    Slot slot;
    Metrics metrics; /* nobody reads them: the queue counts */
    AtomicFlag closing;
} Tools;

/* One engine for each thread of the worker. */
static void *open_tools(void *user, Error *err)
{
    SamaraError problem = {0};
    const SamaraConfig config = {.hash_mb = 16, .network = user};
    Tools *tools = calloc(1, sizeof *tools);
    if (tools && slot_open(&tools->slot, &config, &tools->closing, &problem))
        return tools;
    if (tools)
        slot_close(&tools->slot);
    free(tools);
    error_set(err, "%s", problem.text[0] ? problem.text : "not enough memory");
    return NULL;
}

static void close_tools(void *arg)
{
    Tools *tools = arg;
    slot_close(&tools->slot);
    free(tools);
}

static void stop_tools(void *arg) { samara_stop(((Tools *)arg)->slot.engine); }

static bool is_unwanted(void *user) { return !work_wanted(user); }

static void tell_lines(void *user, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text)
        work_tell(user, str_from(text));
    free(text);
}

/* Searches as the request says. The answer, also one that refuses, is the result. */
static void answer(Tools *tools, Work *work, const Params *params, int hash_mb, int64_t max_ms,
                   bool live, Reply *reply)
{
    const ThinkClient client = {.params = params,
                                .metrics = &tools->metrics,
                                .max_ms = max_ms,
                                .fresh = true,
                                .user = work,
                                .cancelled = is_unwanted,
                                .should_end = is_unwanted,
                                .live = live ? tell_lines : NULL};
    const int cores = thread_cpu_count();
    const int64_t threads = params->threads > cores ? cores
                            : params->threads > 0   ? params->threads
                                                    : 1;
    json_t *json;
    if (think_set_size(&tools->slot, "Hash", hash_mb, reply) &&
        think_set_size(&tools->slot, "Threads", threads, reply) &&
        think_prepare(&tools->slot, params, reply) &&
        (json = think_for(&client, &tools->slot, reply)))
        reply_json(reply, 200, json);
}

/* Reads the payload with ranges, as if a stranger had written it, and searches. */
static bool run_analysis(void *arg, Work *work, WorkResult *result, Error *err)
{
    Tools *tools = arg;
    const Str payload = work_payload(work);
    json_t *job = json_loadb(payload.ptr, payload.len, 0, NULL), *request = NULL;
    int hash = 0, live = 0;
    json_int_t max_ms = 0;
    if (!job ||
        json_unpack(job, "{s:i, s:b, s:I, s:o}", "hash", &hash, "live", &live, "max_ms", &max_ms,
                    "request", &request) != 0 ||
        hash < 1 || hash > MOST_HASH_MB || max_ms < 1 || max_ms > MOST_MS ||
        !json_is_object(request)) {
        json_decref(job);
        return error_set(err, "this is no job of analysis");
    }
    Params params;
    Reply reply = {0};
    if (params_from_object(&params, JOB_FIELDS, json_incref(request), max_ms, &reply)) {
        answer(tools, work, &params, hash, max_ms, live, &reply);
        params_free(&params);
    }
    json_decref(job);
    const uint64_t before = relaxed_load(&tools->metrics.nodes);
    buffer_printf(&result->text, "%d ", reply.status);
    buffer_append(&result->text, buffer_text(&reply.body), reply.body.len);
    result->positions = 1;
    result->nodes = (int64_t)before;
    relaxed_store(&tools->metrics.nodes, 0);
    const bool ok = reply.status != 0 && reply.status != 503 && work_wanted(work);
    if (!ok)
        error_set(err, "%.200s", reply.status == 503 ? buffer_text(&reply.body) : "it was stopped");
    reply_clear(&reply);
    return ok;
}

WorkKind analyse_work(const char *network)
{
    return (WorkKind){.kind = ANALYSE_JOB_KIND,
                      .user = (void *)network,
                      .open = open_tools,
                      .close = close_tools,
                      .run = run_analysis,
                      .stop = stop_tools};
}
