// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/games.h"

#include "base/clock.h"
#include "front/http/explain.h"
#include "front/http/follow.h"
#include "front/http/remote_games.h"
#include "review/annotate.h"
#include "review/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_GAMES = 2000,
    MAX_PLIES = 1200,
    MOST_NODES = 2000000, /* per look; more need a limit of time */
    DEFAULT_LIST = 50,
    OVERHEAD_MS = 10,
    LOOK_MS = 100,   /* who waits for space looks this often whether it shall end, */
    RETRY_MS = 1000, /* and this often whether there is some */
};

/* The game that is analysed now. Its review is written by the queue's thread and read by others
 * through review->lock. */
typedef struct Job {
    Task task;
    Games *games;
    int64_t id;
    Review *review;                /* NULL: not read yet; set once, under games->lock */
    char trouble[ERROR_TEXT_SIZE]; /* why the result cannot be stored yet; "": it can, or runs */
} Job;

struct Games {
    App *app;
    Mutex lock;
    Job *running; /* NULL: none */
    Followers *followers;
    RemoteGames *remote; /* NULL: games are analysed here */
    bool closing;
};

static void next_job(Games *games);

/* --- analysing --- */

/* How the client wants its game analysed. Without a limit it is the usual effort of all reviews. */
static void job_effort(const char *text, int64_t max_time_ms, ReviewEffort *effort, Speech *speech)
{
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    json_int_t depth = 0, nodes = 0, movetime = 0;
    const char *language = NULL, *level = NULL;
    if (json)
        json_unpack(json, "{s?I, s?I, s?I, s?s, s?s}", "depth", &depth, "nodes", &nodes, "movetime",
                    &movetime, "language", &language, "level", &level);
    *effort = (ReviewEffort){.limits = {.depth = (int)depth, .nodes = (uint64_t)nodes}};
    /* A time limit spoils repeatability, so it comes only where the others do not bound the time. */
    if (depth > 0 || movetime > 0 || nodes > MOST_NODES) {
        effort->limits.overhead_ms = OVERHEAD_MS;
        effort->limits.movetime_ms =
            movetime > 0 && movetime < max_time_ms ? movetime : max_time_ms;
    }
    if (!speech_named(language, level, speech))
        speech_named(NULL, NULL, speech);
    json_decref(json);
}

static char *progress_text(int64_t id, const char *state, size_t done, size_t total)
{
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)id);
    json_t *json = json_pack("{s:s, s:s, s:{s:I, s:I}}", "id", number, "state", state, "progress",
                             "done", (json_int_t)done, "total", (json_int_t)total);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

/* To those who follow the report. A state that ends it ends their streams. */
static void tell_progress(Games *games, int64_t id, const char *state, size_t done, size_t total)
{
    const bool last = strcmp(state, "running") != 0 && strcmp(state, "queued") != 0;
    char *text = progress_text(id, state, done, total);
    if (text)
        followers_tell(games->followers, id, last ? "done" : "progress", text, last);
    free(text);
}

static bool goes_on(void *user)
{
    const Job *job = user;
    return !task_cancelled(&job->task);
}

static void on_progress(void *user, size_t done, size_t total)
{
    const Job *job = user;
    tell_progress(job->games, job->id, "running", done, total);
}

/* False: nobody wants the result any more. */
static bool wait_for_space(Job *job, const char *why)
{
    mutex_lock(&job->games->lock);
    snprintf(job->trouble, sizeof job->trouble, "%.160s; it is kept and stored when that works",
             why);
    mutex_unlock(&job->games->lock);
    for (int waited = 0; waited < RETRY_MS && !task_cancelled(&job->task); waited += LOOK_MS)
        clock_sleep_ms(LOOK_MS);
    return !task_cancelled(&job->task);
}

/* Stores what came out. On a full disk the job says so and keeps its result: nothing is searched
 * again, only the writing is tried again. */
static bool save_outcome(Job *job, GameState state, const char *report, const char *pgn,
                         const char *message)
{
    Store *store = job->games->app->store;
    Error err = {0};
    while (!store_finish(store, job->id, state, report, pgn, message, &err))
        if (!wait_for_space(job, err.text))
            return false;
    return true;
}

/* The report and the annotated game are stored together or not at all. */
static void finish_job(Job *job, const Speech *speech)
{
    Buffer report = {0}, pgn = {0};
    report_write(job->review, speech, &report);
    annotate_pgn(job->review, speech, &pgn);
    if (report.failed || pgn.failed)
        save_outcome(job, GAME_FAILED, NULL, NULL, "not enough memory for the report");
    else if (save_outcome(job, GAME_DONE, buffer_text(&report), buffer_text(&pgn), NULL))
        relaxed_add(&job->games->app->metrics.reports, 1);
    buffer_free(&pgn);
    buffer_free(&report);
}

/* From the store, not from memory: a report may have waited through a restart. */
static bool load_job(Job *job, ReviewEffort *effort, Speech *speech)
{
    StoredGame stored;
    if (store_get(job->games->app->store, job->id, &stored, NULL) != STORE_FOUND)
        return false;
    job_effort(stored.limits, job->games->app->max_time_ms, effort, speech);
    SamaraGame *game = samara_game_read(stored.pgn, strlen(stored.pgn), NULL, NULL);
    stored_game_free(&stored);
    Review *review = game ? review_create(game) : NULL;
    mutex_lock(&job->games->lock);
    job->review = review;
    mutex_unlock(&job->games->lock);
    return review != NULL;
}

/* One report. Whatever happens, its outcome is stored, its followers hear of it, and the next one
 * begins. */
static void run_job(Task *task, Slot *slot)
{
    (void)slot; /* reviews have engines of their own, all alike, so that all reports are */
    Job *job = (Job *)task;
    Games *games = job->games;
    ReviewEffort effort;
    Speech speech;
    SamaraError err = {0};
    const ReviewEvents events = {.user = job, .goes_on = goes_on, .progress = on_progress};
    const bool ok = !task_cancelled(task) && load_job(job, &effort, &speech) &&
                    review_run(job->review, &effort, &events, &err);
    if (ok)
        finish_job(job, &speech);
    else if (!task_cancelled(task))
        save_outcome(job, GAME_FAILED, NULL, NULL,
                     err.text[0] ? err.text : "the game could not be read");

    mutex_lock(&games->lock);
    games->running = NULL;
    mutex_unlock(&games->lock);
    const size_t plies = job->review ? job->review->plies : 0;
    if (ok || !task_cancelled(task))
        tell_progress(games, job->id, ok ? "done" : "failed", plies, plies);
    review_destroy(job->review);
    free(job);
    next_job(
        games); /* what was cancelled because the server ends stays queued for the next start */
}

/* At most one report runs; the store is the queue. */
static void next_job(Games *games)
{
    if (games->remote) {
        remote_games_wake(games->remote);
        return;
    }
    mutex_lock(&games->lock);
    const int64_t id = games->running || games->closing ? 0 : store_next_queued(games->app->store);
    Job *job = id != 0 ? calloc(1, sizeof *job) : NULL;
    if (job) {
        job->task.run = run_job;
        job->games = games;
        job->id = id;
        games->running = job;
        if (!worker_queue_submit(games->app->queue[QUEUE_REPORT], &job->task)) {
            games->closing = true; /* the queue refuses only when the server ends */
            games->running = NULL;
            free(job);
        }
    }
    mutex_unlock(&games->lock);
}

/* --- by workers of the queue --- */

static void remote_effort(void *user, const char *limits, ReviewEffort *effort, Speech *speech)
{
    const Games *games = user;
    job_effort(limits, games->app->max_time_ms, effort, speech);
}

static void remote_progress(void *user, int64_t id, const char *state, size_t done, size_t total)
{
    tell_progress(user, id, state, done, total);
}

/* A report that a worker makes: the half of it that is known, or why it cannot be stored. */
static void add_remote_progress(RemoteGames *remote, int64_t id, json_t *json)
{
    Buffer report = {0};
    char trouble[256];
    size_t done, total;
    const bool found = remote_games_look(remote, id, &done, &total, &report, trouble);
    if (found) {
        json_object_set_new(json, "state", json_string(trouble[0] ? "failed" : "running"));
        if (trouble[0])
            json_object_set_new(json, "message", json_string(trouble));
        json_object_set_new(
            json, "progress",
            json_pack("{s:I, s:I}", "done", (json_int_t)done, "total", (json_int_t)total));
        json_t *half = report.len > 0 ? json_loadb(report.data, report.len, 0, NULL) : NULL;
        if (half)
            json_object_set_new(json, "report", half);
    }
    buffer_free(&report);
}

/* Reports that were waiting or running when the server ended are begun again. */
Games *games_create(App *app)
{
    Games *games = calloc(1, sizeof *games);
    if (!games)
        return NULL;
    games->app = app;
    games->followers = followers_create();
    if (!games->followers) {
        free(games);
        return NULL;
    }
    mutex_init(&games->lock);
    const RemoteGamesEvents events = {games, remote_effort, remote_progress};
    if (app->broker && !(games->remote = remote_games_start(app, &events))) {
        games_destroy(games);
        return NULL;
    }
    next_job(games);
    return games;
}

void games_destroy(Games *games)
{
    if (!games)
        return;
    remote_games_stop(games->remote);
    mutex_destroy(&games->lock);
    followers_destroy(games->followers);
    free(games);
}

void games_quiet(Games *games)
{
    if (games)
        followers_close(games->followers);
}

/* --- routes --- */

static json_t *head_json(const StoredGame *game)
{
    char id[24];
    snprintf(id, sizeof id, "%lld", (long long)game->id);
    return json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:s?, s:i, s:s, s:{s:i, s:i}, s:s*}", "status",
                     "ok", "id", id, "created", game->created, "white", game->white, "black",
                     game->black, "result", game->result, "plies", game->plies, "state",
                     game_state_name(game->state), "progress", "done",
                     game->state == GAME_DONE ? game->plies : 0, "total", game->plies, "message",
                     game->message);
}

/* A job that runs has a state, a progress and half a report of its own. So has one whose result
 * cannot be stored. */
static void add_progress(Games *games, int64_t id, json_t *json)
{
    Buffer report = {0};
    size_t done = 0, total = 0;
    if (games->remote) {
        add_remote_progress(games->remote, id, json);
        return;
    }
    mutex_lock(&games->lock);
    const Job *job = games->running;
    if (job && job->id == id && job->trouble[0]) {
        json_object_set_new(json, "state", json_string("failed"));
        json_object_set_new(json, "message", json_string(job->trouble));
    } else if (job && job->id == id && job->review) {
        Speech speech;
        speech_named(NULL, NULL, &speech);
        report_write(job->review, &speech, &report);
        total = job->review->plies;
        mutex_lock(&job->review->lock);
        done = (job->review->looked + job->review->judged) / 2;
        mutex_unlock(&job->review->lock);
    }
    mutex_unlock(&games->lock);
    if (report.len > 0) {
        json_object_set_new(json, "state", json_string("running"));
        json_object_set_new(json, "progress",
                            json_pack("{s:I, s:I}", "done",
                                      (json_int_t)(done < total ? done : total), "total",
                                      (json_int_t)total));
        json_object_set_new(json, "report", json_loads(buffer_text(&report), 0, NULL));
    }
    buffer_free(&report);
}

static int64_t id_of(const Request *r)
{
    int64_t id;
    return str_int(str_from(r->id), 1, INT64_MAX, &id) ? id : 0;
}

static void reply_store_error(Reply *reply, const Error *err)
{
    const bool share = strcmp(err->code, STORE_CODE_SHARE) == 0;
    const bool full = strcmp(err->code, STORE_CODE_FULL) == 0;
    reply_error(reply, share || full ? 507 : 500,
                share  ? "store_share"
                : full ? "store_full"
                       : "store_failed",
                NULL, 0, "%s.", err->text);
}

/* What the store said about a game, unless it was found. */
static void reply_no_game(Reply *reply, StoreAnswer answer, const Error *err)
{
    if (answer == STORE_FAILED)
        reply_store_error(reply, err);
    else
        reply_error(reply, 404, "not_found", "id", 0, "There is no game with this number.");
}

static bool find_game(Request *r, StoredGame *out)
{
    Error err = {0};
    const StoreAnswer answer = store_get(r->app->store, id_of(r), out, &err);
    if (answer != STORE_FOUND)
        reply_no_game(&r->reply, answer, &err);
    return answer == STORE_FOUND;
}

/* One of the games that were posted, and where its text is. */
typedef struct Posted {
    SamaraGame *game;
    const char *text;
    size_t len;
} Posted;

/* "Game 3: ", where there are several. */
static void name_game(char out[32], size_t number)
{
    out[0] = '\0';
    if (number > 0)
        snprintf(out, 32, "Game %zu: ", number + 1);
}

/* The game at the start of the text. False: it cannot be stored, and the reply says why. */
static bool read_game(Request *r, const char *text, size_t len, size_t number, SamaraGame **out,
                      size_t *used)
{
    SamaraError err = {0};
    char name[32];
    name_game(name, number);
    *out = samara_game_read(text, len, used, &err);
    if (!*out) {
        reply_error(&r->reply, 400, "bad_pgn", "pgn", err.column, "%s%s.", name,
                    err.text[0] ? err.text : "there is no game in this text");
        return false;
    }
    const char *problem = err.text[0]                     ? err.text
                          : samara_game_length(*out) == 0 ? "the game has no moves"
                                                          : NULL;
    const bool too_long = samara_game_length(*out) > MAX_PLIES;
    if (!problem && !too_long)
        return true;
    if (problem)
        reply_error(&r->reply, 422, "illegal_move", "pgn", err.column, "%s%s.", name, problem);
    else
        reply_error(&r->reply, 422, "too_large", "pgn", 0, "%sA game may have %d plies here.", name,
                    MAX_PLIES);
    samara_game_free(*out);
    *out = NULL;
    return false;
}

/* Only what was asked for: the store keeps it until the report is due. */
static char *limits_text(const Params *p)
{
    json_t *json = json_object();
    if (p->depth > 0)
        json_object_set_new(json, "depth", json_integer(p->depth));
    if (p->nodes > 0)
        json_object_set_new(json, "nodes", json_integer(p->nodes));
    if (p->movetime > 0)
        json_object_set_new(json, "movetime", json_integer(p->movetime));
    if (p->language)
        json_object_set_new(json, "language", json_string(p->language));
    if (p->level)
        json_object_set_new(json, "level", json_string(p->level));
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(json);
    return text;
}

/* At most 200 bytes, cut between characters. */
static char *tag_copy(const SamaraGame *game, const char *name)
{
    const char *value = samara_game_tag(game, name);
    if (!value)
        value = "?";
    size_t len = strnlen(value, 200);
    while (len > 0 && ((unsigned char)value[len] & 0xc0) == 0x80)
        len--;
    return strndup(value, len);
}

/* Stores one game; 0: the reply says why not. */
static int64_t store_new(Request *r, const Posted *posted)
{
    const bool analyse = (r->params.given & FIELD_ANALYSE) != 0;
    const SamaraGame *game = posted->game;
    StoredGame stored = {
        .owner = r->client,
        .white = tag_copy(game, "White"),
        .black = tag_copy(game, "Black"),
        .result = strdup(samara_game_result(game)),
        .plies = (int)samara_game_length(game),
        .state = analyse ? GAME_QUEUED : GAME_SAVED,
        .pgn = strndup(posted->text, posted->len),
        .limits = analyse ? limits_text(&r->params) : NULL,
    };
    Error err = {0};
    const int64_t id = store_add(r->app->store, &stored, &err);
    stored_game_free(&stored);
    if (id == 0)
        reply_store_error(&r->reply, &err);
    return id;
}

/* All of them or none. */
static bool store_all(Request *r, const Posted *posted, size_t count, int64_t *ids)
{
    for (size_t i = 0; i < count; i++) {
        ids[i] = store_new(r, &posted[i]);
        if (ids[i] == 0) {
            while (i-- > 0)
                store_delete(r->app->store, ids[i], NULL);
            return false;
        }
    }
    return true;
}

/* One game answers for itself, several as a list. */
static void reply_stored(Request *r, const int64_t *ids, size_t count)
{
    const int status = r->params.given & FIELD_ANALYSE ? 202 : 201;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        StoredGame saved;
        if (store_get(r->app->store, ids[i], &saved, NULL) != STORE_FOUND)
            continue; /* deleted by somebody else in the meantime */
        json_array_append_new(list, head_json(&saved));
        stored_game_free(&saved);
    }
    if (count > 1) {
        reply_json(&r->reply, status, json_pack("{s:s, s:o}", "status", "ok", "games", list));
        return;
    }
    if (json_array_size(list) == 1) {
        reply_json(&r->reply, status, json_incref(json_array_get(list, 0)));
        snprintf(r->reply.location, sizeof r->reply.location, "/api/v1/games/%lld",
                 (long long)ids[0]);
    } else {
        reply_error(&r->reply, 500, "store_failed", NULL, 0, "The game was not stored.");
    }
    json_decref(list);
}

/* Whether there is another game behind one that was read, or only blanks and a stray result. */
static bool more_follows(const char *text, size_t len)
{
    SamaraGame *next = samara_game_read(text, len, NULL, NULL);
    const char *name;
    const char *value;
    const bool real =
        next && (samara_game_length(next) > 0 || samara_game_tag_at(next, 0, &name, &value));
    samara_game_free(next);
    return real;
}

/* Reads every game of the text. Returns how many; 0: the reply says what is wrong with which. */
static size_t read_games(Request *r, Posted *posted)
{
    const char *text = r->params.pgn;
    size_t left = r->params.pgn_len, count = 0;
    do {
        size_t used = 0;
        if (count == MAX_GAMES) {
            reply_error(&r->reply, 422, "too_large", "pgn", 0,
                        "A request may have %d games; send the others in another one.", MAX_GAMES);
            return 0;
        }
        if (!read_game(r, text, left, count, &posted[count].game, &used))
            return 0;
        posted[count].text = text;
        posted[count++].len = used;
        text += used;
        left -= used;
    } while (left > 0 && more_follows(text, left));
    return count;
}

/* All games of the text or none: a client that tries again must not find half of them. */
void games_post(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    Speech speech;
    Posted *posted = calloc(MAX_GAMES, sizeof *posted);
    int64_t *ids = calloc(MAX_GAMES, sizeof *ids);
    if (!posted || !ids) {
        reply_error(&r->reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
    } else if (!(r->params.given & FIELD_PGN)) {
        reply_error(&r->reply, 400, "missing_field", "pgn", 0, "pgn is required.");
    } else if (explain_speech(&r->params, &speech, &r->reply)) {
        const size_t count = read_games(r, posted);
        if (count > 0 && store_all(r, posted, count, ids)) {
            if (r->params.given & FIELD_ANALYSE)
                next_job(r->app->games);
            reply_stored(r, ids, count);
        }
        for (size_t i = 0; i < MAX_GAMES && posted[i].game; i++)
            samara_game_free(posted[i].game);
    }
    free(posted);
    free(ids);
    request_done(r);
}

/* GET /api/v1/games/{id}/stream: one event now, others as the report grows. */
void games_follow(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    Games *games = r->app->games;
    StoredGame game;
    if (!find_game(r, &game)) {
        request_done(r);
        return;
    }
    const size_t total = (size_t)game.plies;
    const int64_t id = game.id;
    stored_game_free(&game);
    request_begin_stream(r);
    char *text = progress_text(id, "queued", 0, total);
    request_event(r, "progress", text ? text : "{}");
    free(text);
    if (!followers_add(games->followers, r, id)) {
        request_event(r, "error",
                      "{\"status\":\"error\",\"error\":{\"code\":\"busy\",\"message\":\"Too many "
                      "clients follow reports.\"}}");
        request_done(r);
        return;
    }
    /* It may have ended before we listened. */
    if (store_get(games->app->store, id, &game, NULL) == STORE_FOUND) {
        if (game.state != GAME_QUEUED)
            tell_progress(games, id, game_state_name(game.state), total, total);
        stored_game_free(&game);
    } else {
        tell_progress(games, id, "deleted", 0, 0);
    }
}

/* Without their moves: a list is to choose from. */
void games_list(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    const size_t max = r->params.limit > 0 ? (size_t)r->params.limit : DEFAULT_LIST;
    StoredGame *found = calloc(max, sizeof *found);
    const size_t count =
        found ? store_list(r->app->store, (size_t)r->params.offset, found, max) : 0;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, head_json(&found[i]));
        stored_game_free(&found[i]);
    }
    free(found);
    reply_json(&r->reply, 200,
               json_pack("{s:s, s:I, s:o}", "status", "ok", "total",
                         (json_int_t)store_count(r->app->store), "games", list));
    request_done(r);
}

/* The game with all that is known of it. */
void games_get(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    StoredGame game;
    if (find_game(r, &game)) {
        json_t *json = head_json(&game);
        json_object_set_new(json, "pgn", json_string(game.pgn));
        if (game.annotated)
            json_object_set_new(json, "annotated_pgn", json_string(game.annotated));
        if (game.report)
            json_object_set_new(json, "report", json_loads(game.report, 0, NULL));
        add_progress(r->app->games, game.id, json);
        reply_json(&r->reply, 200, json);
        stored_game_free(&game);
    }
    request_done(r);
}

/* The annotated game once there is one, else the game as it came. */
void games_pgn(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    StoredGame game;
    if (find_game(r, &game)) {
        reply_text(&r->reply, 200, "application/x-chess-pgn; charset=utf-8",
                   game.annotated ? game.annotated : game.pgn);
        stored_game_free(&game);
    }
    request_done(r);
}

/* A report that runs for it is cancelled. */
void games_delete(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    Games *games = r->app->games;
    const int64_t id = id_of(r);
    Error err = {0};
    const StoreAnswer answer = store_delete(r->app->store, id, &err);
    if (answer == STORE_FOUND) {
        mutex_lock(&games->lock);
        if (games->running && games->running->id == id)
            worker_queue_cancel(games->app->queue[QUEUE_REPORT], &games->running->task);
        mutex_unlock(&games->lock);
        if (games->remote)
            remote_games_forget(games->remote, id);
        tell_progress(games, id, "deleted", 0, 0);
        reply_json(&r->reply, 200, json_pack("{s:s, s:b}", "status", "ok", "deleted", 1));
    } else {
        reply_no_game(&r->reply, answer, &err);
    }
    request_done(r);
}
