// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/match.h"
#include "base/clock.h"
#include "base/rng.h"
#include "match/gamelog.h"
#include "probe/syzygy.h"
#include <stdlib.h>

/* A finished game that waits for an earlier one. */
typedef struct Pending {
    struct Pending *next;
    uint64_t index;
    GameResult result;
    Buffer pgn;
    Buffer notes; /* lines about faults */
} Pending;

typedef struct Runner {
    const MatchConfig *config;
    const MatchEvents *events;
    MatchState *state;
    Openings *openings;
    GameLog log;
    Guard *guard;
    const Interrupt *interrupt;
    Mutex lock;       /* for all below, the state, the log and the events */
    uint64_t next;    /* game to be started */
    uint64_t counted; /* games that are in the score */
    uint64_t total;
    Pending *pending; /* sorted by index */
} Runner;

typedef struct Worker {
    Runner *runner;
    int number;
    Thread thread;
    Client **clients; /* one per engine, made when first needed */
} Worker;

/* ------------------------------------------------- counting
 * ------------------------------------------------ */

static void stop_all(Runner *r, MatchEnd end)
{
    if (r->state->end == MATCH_RUNNING)
        r->state->end = end;
    interrupt_raise(r->interrupt);
}

static void fail(Runner *r, const Error *why)
{
    if (r->state->end == MATCH_RUNNING)
        r->state->failure = *why;
    stop_all(r, MATCH_FAILED);
}

static void judge(MatchState *state)
{
    const MatchConfig *config = state->config;
    if (!config->has_sprt)
        return;
    state->llr = sprt_llr(&config->sprt, &state->score.pairings[0].tally);
    state->verdict = sprt_verdict(&config->sprt, state->llr);
}

static void count_game(Runner *r, Pending *game)
{
    Error err;
    const Fixture fixture = schedule_fixture(&r->config->schedule, game->index);
    if (!gamelog_add(&r->log, game->index, &game->result,
                     (Str){buffer_text(&game->pgn), game->pgn.len}, &err)) {
        fail(r, &err);
        return;
    }
    score_add(&r->state->score, &fixture, &game->result);
    r->counted++;
    judge(r->state);
    Str notes = {buffer_text(&game->notes), game->notes.len};
    while (notes.len && r->events->note) {
        char line[512];
        str_copy(line, sizeof line, str_line(&notes));
        r->events->note(r->events->user, line);
    }
    r->state->wall = clock_us() - r->state->started;
    if (r->events->game)
        r->events->game(r->events->user, r->state);
    if (r->state->verdict != SPRT_CONTINUE)
        stop_all(r, MATCH_DECIDED);
}

static void pending_free(Pending *game)
{
    buffer_free(&game->pgn);
    buffer_free(&game->notes);
    free(game);
}

/* Puts the game in its place and counts all that are next in line. */
static void hand_in(Runner *r, Pending *game)
{
    Pending **place = &r->pending;
    while (*place && (*place)->index < game->index)
        place = &(*place)->next;
    game->next = *place;
    *place = game;
    while (r->pending && r->pending->index == r->counted && r->state->end == MATCH_RUNNING) {
        Pending *first = r->pending;
        r->pending = first->next;
        count_game(r, first);
        pending_free(first);
    }
    if (r->counted == r->total && r->state->end == MATCH_RUNNING)
        r->state->end = MATCH_COMPLETE;
}

/* ------------------------------------------------- playing
 * ------------------------------------------------- */

static Client *client_of(Worker *w, int engine)
{
    Runner *r = w->runner;
    if (!w->clients[engine])
        w->clients[engine] = client_create(&r->config->engines[engine], r->guard, r->interrupt);
    return w->clients[engine];
}

static void note_faults(const Runner *r, const Fixture *f, uint64_t index, const GameRecord *record,
                        Buffer *out)
{
    const int engine[2] = {f->white, f->black};
    for (Color side = WHITE; side <= BLACK; side++)
        if (record->first_fault[side].text[0])
            buffer_printf(out, "game %llu: %s: %s\n", (unsigned long long)index + 1,
                          r->config->engines[engine[side]].name, record->first_fault[side].text);
}

static Pending *pending_of(const Runner *r, uint64_t index, const Fixture *f,
                           const GameRecord *record)
{
    Pending *game = calloc(1, sizeof *game);
    if (!game)
        return NULL;
    game->index = index;
    game->result = game_result(record);
    const EngineSpec *white = &r->config->engines[f->white], *black = &r->config->engines[f->black];
    const PgnHeader header = {.event = r->config->event,
                              .white = white->name,
                              .black = black->name,
                              .round = f->round + 1,
                              .game = index + 1,
                              .limit = {&white->tc, &black->tc}};
    if (r->config->pgn_path)
        pgn_of_record(&header, record, &game->pgn);
    note_faults(r, f, index, record, &game->notes);
    return game;
}

/* Plays one game and hands it in. False: this worker has nothing left to do. */
static bool play_one(Worker *w, uint64_t index)
{
    Runner *r = w->runner;
    const Fixture f = schedule_fixture(&r->config->schedule, index);
    const Opening opening = openings_get(r->openings, f.opening);
    Client *const players[2] = {client_of(w, f.white), client_of(w, f.black)};
    GameRecord record;
    Error err;
    record_init(&record);
    PlayStatus status = PLAY_NO_ENGINE;
    if (players[WHITE] && players[BLACK])
        status = play_game(players, &opening, &r->config->rules, &record, &err);
    else
        error_set(&err, "out of memory");
    Pending *game = status == PLAY_DONE ? pending_of(r, index, &f, &record) : NULL;

    mutex_lock(&r->lock);
    if (status == PLAY_NO_ENGINE)
        fail(r, &err);
    else if (game)
        hand_in(r, game);
    else if (status == PLAY_DONE && !error_set(&err, "out of memory"))
        fail(r, &err);
    const bool go_on = r->state->end == MATCH_RUNNING && status == PLAY_DONE;
    mutex_unlock(&r->lock);
    record_free(&record);
    return go_on;
}

static bool take_game(Runner *r, uint64_t *index)
{
    mutex_lock(&r->lock);
    const bool any =
        r->state->end == MATCH_RUNNING && r->next < r->total && !interrupt_raised(r->interrupt);
    *index = any ? r->next++ : 0;
    mutex_unlock(&r->lock);
    return any;
}

static void *work(void *arg)
{
    Worker *w = arg;
    Runner *r = w->runner;
    uint64_t index;
    if (r->config->pin)
        thread_pin(w->number);
    while (take_game(r, &index) && play_one(w, index))
        continue;
    for (int i = 0; i < r->config->engine_count; i++) {
        const Fault fault = client_destroy(w->clients[i]);
        mutex_lock(&r->lock);
        if (fault)
            r->state->score.engines[i].faults[fault]++;
        mutex_unlock(&r->lock);
    }
    return NULL;
}

/* -------------------------------------------------- a match
 * ------------------------------------------------ */

/* Two runs with the same fingerprint play the same games. */
static uint64_t fingerprint_of(const MatchConfig *c)
{
    Buffer text = {0};
    buffer_printf(&text, "%d %d %llu %d|", (int)c->schedule.form, c->engine_count,
                  (unsigned long long)c->schedule.games, c->schedule.repeat);
    buffer_printf(&text, "%s %d %llu %llu %d|", c->openings.path ? c->openings.path : "",
                  c->openings.shuffle, (unsigned long long)c->openings.seed,
                  (unsigned long long)c->openings.first, c->openings.plies);
    for (int i = 0; i < c->engine_count; i++) {
        const EngineSpec *e = &c->engines[i];
        buffer_printf(&text, "%s:", e->name);
        for (int j = 0; j < e->argc; j++)
            buffer_printf(&text, "%s ", e->argv[j]);
        for (int j = 0; j < e->option_count; j++)
            buffer_printf(&text, "%s=%s ", e->options[j].name, e->options[j].value);
        buffer_printf(&text, "%lld %lld %lld %lld %lld %lld|", (long long)e->tc.moves,
                      (long long)e->tc.base, (long long)e->tc.increment, (long long)e->tc.move_time,
                      (long long)e->tc.depth, (long long)e->tc.nodes);
    }
    const uint64_t fingerprint = hash_bytes(buffer_text(&text), text.len);
    buffer_free(&text);
    return fingerprint;
}

static bool open_tables(const MatchConfig *config, Error *err)
{
    if (!config->tablebase_path)
        return true;
    if (!syzygy_open(config->tablebase_path, err))
        return false;
    return syzygy_men() > 0 ||
           error_set(err, "there are no tablebases in '%s'", config->tablebase_path);
}

static bool prepare(Runner *r, Error *err)
{
    const MatchConfig *c = r->config;
    MatchState *state = r->state;
    if (!score_init(&state->score, &c->schedule, err) || !open_tables(c, err))
        return false;
    r->openings = openings_load(&c->openings, err);
    if (!r->openings ||
        !gamelog_open(&r->log, c->pgn_path, c->journal_path, fingerprint_of(c), &state->score, err))
        return false;
    r->total = schedule_games(&c->schedule);
    r->next = r->counted = state->resumed = state->score.games;
    judge(state);
    if (state->verdict != SPRT_CONTINUE)
        state->end = MATCH_DECIDED;
    else if (r->counted >= r->total)
        state->end = MATCH_COMPLETE;
    return true;
}

static void run_workers(Runner *r)
{
    const int count = r->config->concurrency;
    Worker *workers = calloc((size_t)count, sizeof *workers);
    int started = 0;
    for (; workers && started < count; started++) {
        Worker *w = &workers[started];
        w->runner = r;
        w->number = started;
        w->clients = calloc((size_t)r->config->engine_count, sizeof *w->clients);
        if (!w->clients || !thread_start(&w->thread, work, w)) {
            free(w->clients);
            break;
        }
    }
    if (started == 0) {
        Error err;
        error_set(&err, "no thread to play in");
        fail(r, &err);
    }
    for (int i = 0; i < started; i++) {
        thread_join(workers[i].thread);
        free(workers[i].clients);
    }
    free(workers);
}

bool match_run(const MatchConfig *config, Guard *guard, const Interrupt *interrupt,
               const MatchEvents *events, MatchState *state, Error *err)
{
    *state = (MatchState){.config = config, .started = clock_us()};
    Runner r = {
        .config = config, .events = events, .state = state, .guard = guard, .interrupt = interrupt};
    bool ok = prepare(&r, err);
    if (ok) {
        mutex_init(&r.lock);
        if (state->end == MATCH_RUNNING)
            run_workers(&r);
        mutex_destroy(&r.lock);
        if (state->end == MATCH_RUNNING)
            state->end = MATCH_INTERRUPTED;
        state->wall = clock_us() - state->started;
    }
    while (r.pending) {
        Pending *first = r.pending;
        r.pending = first->next;
        pending_free(first);
    }
    ok = gamelog_close(&r.log, err) && ok;
    openings_free(r.openings);
    return ok;
}

void match_state_free(MatchState *state) { score_free(&state->score); }
