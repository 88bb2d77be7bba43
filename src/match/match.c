// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/match.h"
#include "base/clock.h"
#include "base/rng.h"
#include "match/gamelog.h"
#include "match/lineup.h"
#include "match/remote.h"
#include <stdlib.h>

/* A finished game on its way into the score. */
typedef struct Finished {
    GameResult result;
    Buffer pgn;
    Error fault[2]; /* by colour: a sentence about the first; text "" if there was none */
} Finished;

/* Faults that do not end games may come with every move: so many of them are told for each engine.
 */
enum { NOTES_MAX = 5 };

typedef struct Runner {
    const MatchConfig *config;
    Adjudication rules; /* those of config, with the tables */
    const MatchEvents *events;
    MatchState *state;
    Openings *openings;
    GameLog log;
    Guard *guard;
    const Interrupt *interrupt;
    int *noted; /* per engine: harmless faults told so far */
} Runner;

/* --- counting --- */

static void finished_free(void *result)
{
    Finished *game = result;
    if (!game)
        return;
    buffer_free(&game->pgn);
    free(game);
}

static void judge(MatchState *state)
{
    const MatchConfig *config = state->config;
    if (!config->has_sprt)
        return;
    state->llr = sprt_llr(&config->sprt, &state->score.pairings[0].tally);
    state->verdict = sprt_verdict(&config->sprt, state->llr);
}

/* Faults are reported up to a number per engine, those that lost a game always. */
static void tell(const Runner *r, uint64_t index, const Fixture *f, const Finished *game)
{
    const int engine[2] = {f->white, f->black};
    for (Color side = WHITE; side <= BLACK && r->events->note; side++) {
        const Result lost = side == WHITE ? RESULT_BLACK : RESULT_WHITE;
        const bool deadly = game->result.fault && game->result.result == lost;
        Error line;
        if (!game->fault[side].text[0] || (!deadly && r->noted[engine[side]]++ >= NOTES_MAX))
            continue;
        error_set(&line, "game %llu: %s: %s", (unsigned long long)index + 1,
                  r->config->engines[engine[side]].name, game->fault[side].text);
        r->events->note(r->events->user, line.text);
    }
    if (r->events->game)
        r->events->game(r->events->user, r->state);
}

/* Called in the order of the games, so that the same games always give the same verdict at the same
 * time. */
static bool count_game(void *user, uint64_t index, void *result)
{
    Runner *r = user;
    Finished *game = result;
    MatchState *state = r->state;
    const Fixture fixture = schedule_fixture(&r->config->schedule, index);
    if (gamelog_add(&r->log, index, &game->result, (Str){buffer_text(&game->pgn), game->pgn.len},
                    &state->failure)) {
        score_add(&state->score, &fixture, &game->result);
        judge(state);
        state->wall = clock_us() - state->started;
        tell(r, index, &fixture, game);
        if (state->verdict != SPRT_CONTINUE)
            state->end = MATCH_DECIDED;
    } else {
        state->end = MATCH_FAILED;
    }
    finished_free(game);
    if (state->end != MATCH_RUNNING)
        interrupt_raise(r->interrupt); /* ends the games that still run */
    return state->end == MATCH_RUNNING;
}

/* --- playing --- */

/* A worker is an array of clients, one per engine, made when first needed. */
static void *open_worker(void *user, int number, Error *err)
{
    const Runner *r = user;
    if (r->config->pin)
        thread_pin(number);
    Client **clients = calloc((size_t)r->config->engine_count, sizeof *clients);
    if (!clients)
        error_code(err, "NO_MEMORY", 0, "out of memory");
    return clients;
}

static void close_worker(void *user, void *worker)
{
    const Runner *r = user;
    Client **clients = worker;
    for (int i = 0; i < r->config->engine_count; i++) {
        const Fault fault = client_destroy(clients[i]);
        if (fault)
            r->state->score.engines[i].faults[fault]++;
    }
    free(clients);
}

static Client *client_of(const Runner *r, Client **clients, int engine)
{
    if (!clients[engine])
        clients[engine] = client_create(&r->config->engines[engine], r->guard, r->interrupt);
    return clients[engine];
}

/* What is kept of a game when its record is freed: the result, the text, the first fault of each
 * side. */
static Finished *finished_of(const Runner *r, uint64_t index, const Fixture *f,
                             const GameRecord *record)
{
    Finished *game = calloc(1, sizeof *game);
    if (!game)
        return NULL;
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
    for (Color side = WHITE; side <= BLACK; side++)
        game->fault[side] = record->first_fault[side];
    if (!game->pgn.failed)
        return game;
    finished_free(game);
    return NULL;
}

/* One game with the clients of this worker; they live on for its next games. */
static bool play_one(void *user, void *worker, uint64_t index, void **result, Error *err)
{
    const Runner *r = user;
    const Fixture f = schedule_fixture(&r->config->schedule, index);
    const Opening opening = openings_get(r->openings, f.opening);
    Client *const players[2] = {client_of(r, worker, f.white), client_of(r, worker, f.black)};
    if (!players[WHITE] || !players[BLACK])
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    GameRecord record;
    record_init(&record);
    const PlayStatus status = play_game(players, &opening, &r->rules, &record, err);
    if (status == PLAY_DONE && !(*result = finished_of(r, index, &f, &record)))
        error_code(err, "NO_MEMORY", 0, "out of memory");
    if (status == PLAY_INTERRUPTED)
        error_code(err, "INTERRUPTED", 0, "interrupted");
    record_free(&record);
    if (!*result)
        interrupt_raise(r->interrupt);
    return *result != NULL;
}

/* --- by workers of a queue --- */

/* A game that came back is counted like one that was played here. */
static bool take_remote(void *user, uint64_t index, const GameRecord *record)
{
    Runner *r = user;
    const Fixture f = schedule_fixture(&r->config->schedule, index);
    Finished *game = finished_of(r, index, &f, record);
    if (game)
        return count_game(r, index, game);
    r->state->end = MATCH_FAILED;
    return error_code(&r->state->failure, "NO_MEMORY", 0, "out of memory");
}

static void note_remote(void *user, const char *text)
{
    const Runner *r = user;
    if (r->events->note)
        r->events->note(r->events->user, text);
}

static bool play_remote(Runner *r, Error *err)
{
    const RemoteGames games = {.config = r->config,
                               .openings = r->openings,
                               .guard = r->guard,
                               .interrupt = r->interrupt,
                               .first = r->state->score.games,
                               .end = schedule_games(&r->config->schedule),
                               .user = r,
                               .take = take_remote,
                               .note = note_remote};
    if (!remote_run(&games, err))
        return false;
    return r->state->score.games == games.end || r->state->end != MATCH_RUNNING ||
           error_code(err, "INTERRUPTED", 0, "interrupted");
}

/* --- a match --- */

/* Two runs with the same fingerprint play the same games. */
static uint64_t fingerprint_of(const MatchConfig *c)
{
    Buffer text = {0};
    buffer_printf(&text, "%d %d %llu %d|", (int)c->schedule.form, c->engine_count,
                  (unsigned long long)c->schedule.games, c->schedule.repeat);
    buffer_printf(&text, "%s %d %llu %llu %d|", c->openings.path ? c->openings.path : "",
                  c->openings.shuffle, (unsigned long long)c->openings.seed,
                  (unsigned long long)c->openings.first, c->openings.plies);
    for (int i = 0; i < c->engine_count; i++)
        engine_describe(&c->engines[i], &text);
    const uint64_t fingerprint = hash_bytes(buffer_text(&text), text.len);
    buffer_free(&text);
    return fingerprint;
}

/* Everything that can fail before the first game does so here. A resumed match may be decided
 * already. */
static bool prepare(Runner *r, Error *err)
{
    const MatchConfig *c = r->config;
    MatchState *state = r->state;
    if (!score_init(&state->score, &c->schedule, err) ||
        !syzygy_open(&r->rules.tables, c->tablebase_path, err))
        return false;
    if (err && err->text[0] && r->events->note) /* of the tables, some are damaged */
        r->events->note(r->events->user, err->text);
    r->noted = calloc((size_t)c->engine_count, sizeof *r->noted);
    if (!r->noted)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    r->openings = openings_load(&c->openings, err);
    if (!r->openings ||
        !gamelog_open(&r->log, c->pgn_path, c->journal_path, fingerprint_of(c), &state->score, err))
        return false;
    state->resumed = state->score.games;
    judge(state);
    if (state->verdict != SPRT_CONTINUE)
        state->end = MATCH_DECIDED;
    else if (state->score.games >= schedule_games(&c->schedule))
        state->end = MATCH_COMPLETE;
    return true;
}

/* Runs the games that are left and finds out how it ended: complete, decided, interrupted or
 * failed. */
static void play_all(Runner *r)
{
    MatchState *state = r->state;
    const LineupJob job = {.user = r,
                           .open = open_worker,
                           .work = play_one,
                           .take = count_game,
                           .drop = finished_free,
                           .close = close_worker,
                           .first = state->score.games,
                           .end = schedule_games(&r->config->schedule),
                           .workers = r->config->concurrency};
    Error why;
    const bool ok = r->config->queue ? play_remote(r, &why) : lineup_run(&job, &why);
    state->wall = clock_us() - state->started;
    if (state->end != MATCH_RUNNING)
        return;
    const bool interrupted = !ok && str_is(str_from(why.code), "INTERRUPTED");
    state->end = ok ? MATCH_COMPLETE : interrupted ? MATCH_INTERRUPTED : MATCH_FAILED;
    if (state->end == MATCH_FAILED)
        state->failure = why;
}

/* Files are closed in every case, so that an interrupted match can be resumed. */
bool match_run(const MatchConfig *config, Guard *guard, const Interrupt *interrupt,
               const MatchEvents *events, MatchState *state, Error *err)
{
    *state = (MatchState){.config = config, .started = clock_us()};
    Runner r = {.config = config,
                .rules = config->rules,
                .events = events,
                .state = state,
                .guard = guard,
                .interrupt = interrupt};
    bool ok = prepare(&r, err);
    if (ok && state->end == MATCH_RUNNING)
        play_all(&r);
    ok = gamelog_close(&r.log, err) && ok;
    openings_free(r.openings);
    syzygy_close(r.rules.tables);
    free(r.noted);
    return ok;
}

void match_state_free(MatchState *state) { score_free(&state->score); }
