// SPDX-License-Identifier: GPL-3.0-or-later
#include "wasm/call.h"

#include "base/host.h"
#include "review/position_notes.h"
#include "review/report.h"
#include "wasm/answer.h"
#include "wasm/host_calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVERHEAD_MS = 10 };

static void send(const Call *call, AnswerKind kind, Buffer *json)
{
    if (!json->failed)
        host_answer(call->id, kind, buffer_text(json), json->len);
    buffer_free(json);
}

/* The call is over before the host hears so: it may begin the next one at once. */
static void end(Call *call, AnswerKind kind, Buffer *json)
{
    relaxed_store(&call->running, false);
    send(call, kind, json);
}

static void fail(Call *call, const char *code, const char *message)
{
    Buffer json = {0};
    answer_error(&json, code, message);
    end(call, ANSWER_ERROR, &json);
}

static void fail_with(Call *call, const SamaraError *err)
{
    if (relaxed_load(&call->cancelled))
        fail(call, "cancelled", "the call was cancelled");
    else
        fail(call, err->code[0] ? err->code : "search_failed",
             err->text[0] ? err->text : "the work was cut short");
}

/* --- analyse --- */

static void on_line(void *user, const SamaraLine *line)
{
    Call *call = user;
    int count;
    analysis_count(&call->counts, line);
    if (line->score.bound != SAMARA_EXACT)
        return;
    const SamaraLine *lines = samara_lines(call->engine, &count);
    Buffer json = {0};
    analysis_json(&json, call->position, lines, count, &call->counts, NULL);
    send(call, ANSWER_NEWS, &json);
}

static void on_done(void *user, const SamaraResult *result)
{
    Call *call = user;
    Buffer json = {0};
    analysis_json(&json, call->position, result->lines, result->line_count, &call->counts, result);
    end(call, ANSWER_DONE, &json);
}

static SamaraLimits limits_of(const Fields *f)
{
    return (SamaraLimits){
        .depth = (int)f->depth,
        .mate = (int)f->mate,
        .nodes = (uint64_t)f->nodes,
        .movetime_ms = f->movetime,
        .has_clock = f->has_clock,
        .wtime_ms = f->wtime,
        .btime_ms = f->btime,
        .winc_ms = f->winc,
        .binc_ms = f->binc,
        .movestogo = (int)f->movestogo,
        .overhead_ms = OVERHEAD_MS,
    };
}

/* Threads and hash are the engine's and stay as they are until a call wants others. */
static bool set_number(Samara *engine, const char *name, int64_t value, SamaraError *err)
{
    char text[24], now[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    if (value == 0 || (samara_get_option(engine, name, now, sizeof now) && strcmp(now, text) == 0))
        return true;
    return samara_set_option(engine, name, text, err);
}

/* Reads the moves to be searched into a list of the caller's. */
static bool read_search_moves(const Call *call, SamaraMove *moves, SamaraError *err)
{
    const Fields *f = &call->fields;
    for (size_t i = 0; i < f->search_move_count; i++)
        if (!samara_position_read_move(call->position, f->search_moves[i], &moves[i], err))
            return false;
    return true;
}

static void analyse(Call *call)
{
    const Fields *f = &call->fields;
    SamaraError err = {0};
    Buffer json = {0};
    call->searched = true;
    call->counts = (AnalysisCounts){0};
    SamaraMove *moves = calloc(f->search_move_count + 1, sizeof *moves);
    const SamaraEvents events = {.user = call, .line = on_line, .done = on_done};
    const SamaraRequest request = {.position = call->position,
                                   .limits = limits_of(f),
                                   .lines = f->multipv > 0 ? (int)f->multipv : 1,
                                   .elo = (int)f->elo,
                                   .seed = f->seed,
                                   .moves = moves,
                                   .move_count = f->search_move_count};
    if (samara_position_moves(call->position, NULL, 0) == 0) {
        game_over_json(&json, call->position);
        end(call, ANSWER_DONE, &json);
    } else if (!moves || !read_search_moves(call, moves, &err) ||
               !set_number(call->engine, "Threads", f->threads, &err) ||
               !set_number(call->engine, "Hash", f->hash, &err) ||
               !samara_go(call->engine, &request, &events, &err)) {
        fail_with(call, &err);
    }
    free(moves);
}

/* --- explain and report: work for a thread of its own --- */

static bool goes_on(void *user)
{
    const Call *call = user;
    host_poll();
    return !relaxed_load(&call->cancelled);
}

/* One move, or the position if none is named. */
static void *explain_run(void *arg)
{
    Call *call = arg;
    const Fields *f = &call->fields;
    const ReviewEvents events = {.user = call, .goes_on = goes_on};
    const ReviewEffort effort = {.limits.nodes = (uint64_t)f->nodes, .thorough = true};
    SamaraMove move;
    Speech speech;
    Study study = {0};
    Buffer json = {0};
    Verdict *verdict = malloc(sizeof *verdict);
    PositionNotes *notes = malloc(sizeof *notes);
    const bool known = speech_named(f->language, f->level, &speech);
    speech.always = true;
    bool ok = known && verdict && notes &&
              (!f->move || samara_position_read_move(call->position, f->move, &move, &study.err));
    if (ok)
        ok = study_open(&study, &effort, &events) &&
             (f->move ? verdict_of_move(&study, call->position, &move, verdict)
                      : notes_make(&study, call->position, notes));
    if (ok && f->move)
        report_explanation(call->position, verdict, &speech, &json);
    else if (ok)
        report_notes(call->position, notes, &speech, &json);
    const SamaraError err = study.err;
    study_close(&study);
    free(verdict);
    free(notes);
    if (ok)
        end(call, ANSWER_DONE, &json);
    else if (known)
        fail_with(call, &err);
    else
        fail(call, "out_of_range", "there is no such language or level");
    return NULL;
}

/* What the host hears while a game is judged, as the server's jobs say it. */
static void on_progress(void *user, size_t done, size_t total)
{
    char text[80];
    const int len = snprintf(text, sizeof text, "{\"done\":%zu,\"total\":%zu}", done, total);
    host_answer(((Call *)user)->id, ANSWER_NEWS, text, (size_t)len);
}

static void *report_run(void *arg)
{
    Call *call = arg;
    const Fields *f = &call->fields;
    const ReviewEvents events = {.user = call, .goes_on = goes_on, .progress = on_progress};
    const ReviewEffort effort = {.limits.nodes = (uint64_t)f->nodes, .jobs = (int)f->jobs};
    SamaraError err = {0};
    Speech speech;
    Buffer json = {0};
    SamaraGame *game = samara_game_read(call->body, strlen(call->body), NULL, &err);
    Review *review = game && samara_game_length(game) > 0 ? review_create(game) : NULL;
    const bool known = speech_named(f->language, f->level, &speech);
    const bool ok = review && known && review_run(review, &effort, &events, &err);
    if (ok)
        report_write(review, &speech, &json);
    if (review)
        review_destroy(review);
    else
        samara_game_free(game);
    if (ok)
        end(call, ANSWER_DONE, &json);
    else if (!review)
        fail(call, "bad_pgn", err.text[0] ? err.text : "there is no game in this text");
    else if (!known)
        fail(call, "out_of_range", "there is no such language or level");
    else
        fail_with(call, &err);
    return NULL;
}

/* Where there are threads the host goes on listening meanwhile. */
static void run_apart(Call *call, void *(*run)(void *))
{
    call->threaded = thread_exists() && thread_start(&call->thread, run, call);
    if (!call->threaded)
        run(call);
}

/* --- life --- */

static void join(Call *call)
{
    if (call->threaded)
        thread_join(call->thread);
    if (call->searched)
        samara_wait(call->engine);
    call->threaded = call->searched = false;
}

void call_begin(Call *call, int id, const char *name, const char *fields, const char *body)
{
    SamaraError err = {0};
    if (!relaxed_load(&call->running))
        join(call);
    if (relaxed_load(&call->running) || samara_is_searching(call->engine)) {
        const Call other = {.id = id};
        Buffer json = {0};
        answer_error(&json, "busy", "the engine is busy with something else");
        send(&other, ANSWER_ERROR, &json);
        return;
    }
    fields_free(&call->fields);
    call->id = id;
    call->body = body;
    relaxed_store(&call->cancelled, false);
    relaxed_store(&call->running, true);
    const bool report = strcmp(name, "report") == 0;
    if (!fields_read(&call->fields, fields, &err) ||
        (!report && !samara_position_set(call->position, call->fields.fen, call->fields.chess960,
                                         call->fields.moves, call->fields.move_count, &err)))
        fail_with(call, &err);
    else if (strcmp(name, "analyse") == 0)
        analyse(call);
    else if (strcmp(name, "explain") == 0)
        run_apart(call, explain_run);
    else if (report)
        run_apart(call, report_run);
    else
        fail(call, "not_found", "there is no such call");
}

void call_cancel(Call *call)
{
    relaxed_store(&call->cancelled, true);
    if (relaxed_load(&call->running))
        samara_stop(call->engine);
}

void call_settle(Call *call)
{
    call_cancel(call);
    join(call);
    fields_free(&call->fields);
}
