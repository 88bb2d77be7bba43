// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/match_work.h"

#include "chess/attacks.h"
#include "match/identity.h"
#include "match/match_job.h"
#include "match/options.h"
#include "match/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENGINES = 9, MOST_PAIRS = MOST_ENGINES * (MOST_ENGINES - 1) / 2 };

typedef struct OwnEngine {
    EngineSpec spec;
    EngineIdentity identity;
} OwnEngine;

struct MatchEngines {
    OwnEngine list[MOST_ENGINES];
    int count;
    bool guarded;
    Guard guard; /* ends the engines even if we are killed */
    char pairs[MOST_PAIRS][PAIR_SIZE];
    const char *needs[MOST_PAIRS + 1];
};

/* --- the engines of this machine --- */

MatchEngines *match_engines_create(void) { return calloc(1, sizeof(MatchEngines)); }

int match_engines_count(const MatchEngines *engines) { return engines->count; }

void match_engines_free(MatchEngines *engines)
{
    if (!engines)
        return;
    for (int i = 0; i < engines->count; i++) {
        engine_free(&engines->list[i].spec);
        identity_free(&engines->list[i].identity);
    }
    if (engines->guarded)
        guard_stop(&engines->guard);
    free(engines);
}

static int engine_named(const MatchEngines *engines, const char *name)
{
    for (int i = 0; i < engines->count; i++)
        if (strcmp(engines->list[i].spec.name, name) == 0)
            return i;
    return -1;
}

/* Splits the words as arguments of a program are split, and reads each by the table of -engine. */
static bool read_words(EngineSpec *spec, Str words, Error *err)
{
    EngineSpec split = {0};
    /* Limits come with each game; here one of them only has to be there. */
    const EngineSpec each = {.tc = {.depth = 1, .margin = -1}};
    bool ok =
        engine_split_arguments(&split, words) || error_code(err, "NO_MEMORY", 0, "out of memory");
    for (int i = 0; i < split.argc && ok; i++)
        ok = settings_engine(spec, "--engine", str_from(split.argv[i]), err);
    engine_free(&split);
    return ok && engine_complete(spec, &each, err);
}

bool match_engines_add(MatchEngines *engines, Str words, Error *err)
{
    if (engines->count == MOST_ENGINES)
        return error_set(err, "a worker has %d engines at most", MOST_ENGINES);
    OwnEngine *engine = &engines->list[engines->count];
    *engine = (OwnEngine){.spec.tc.margin = -1};
    if (!read_words(&engine->spec, words, err)) {
        engine_free(&engine->spec);
        return false;
    }
    if (engine_named(engines, engine->spec.name) >= 0) {
        error_set(err, "two engines have the name '%.80s'", engine->spec.name);
        engine_free(&engine->spec);
        return false;
    }
    engines->count++;
    return true;
}

/* Who it is, for the log. */
static bool identify(MatchEngines *engines, OwnEngine *engine, const Interrupt *interrupt,
                     void (*say)(const char *text), Error *err)
{
    char line[256];
    if (!engine_identify(&engine->spec, false, &engines->guard, interrupt, &engine->identity, err))
        return false;
    snprintf(line, sizeof line, "engine %.80s is %s", engine->spec.name, engine->identity.text);
    say(line);
    return true;
}

/* Every two of them can play: one lane each. */
static bool make_pairs(MatchEngines *engines, Error *err)
{
    int count = 0;
    for (int i = 0; i < engines->count; i++)
        for (int j = 0; j < i; j++) {
            const OwnEngine *a = &engines->list[i], *b = &engines->list[j];
            if (!identity_pair((const char *[2]){a->spec.name, b->spec.name},
                               (const char *[2]){a->identity.text, b->identity.text},
                               engines->pairs[count]))
                return error_set(err, "the names '%.60s' and '%.60s' are too long", a->spec.name,
                                 b->spec.name);
            engines->needs[count] = engines->pairs[count];
            count++;
        }
    return true;
}

bool match_engines_open(MatchEngines *engines, void (*say)(const char *text), Error *err)
{
    Interrupt never;
    if (engines->count < 2)
        return error_set(err, "a match has two engines: give --engine twice");
    attacks_init();
    if (!guard_start(&engines->guard, err))
        return false;
    engines->guarded = true;
    if (!interrupt_init(&never, err))
        return false;
    bool ok = true;
    for (int i = 0; i < engines->count && ok; i++)
        ok = identify(engines, &engines->list[i], &never, say, err);
    interrupt_free(&never);
    return ok && make_pairs(engines, err);
}

/* --- the tools of a thread --- */

/* An engine as the last game wanted it; its process lives on for the next game of that match. */
typedef struct Seat {
    EngineSpec spec;
    Client *client;
} Seat;

typedef struct Tools {
    MatchEngines *engines;
    Mutex lock; /* of the next */
    Interrupt interrupt;
    Seat seats[MOST_ENGINES];
} Tools;

static void *open_tools(void *user, Error *err)
{
    Tools *tools = calloc(1, sizeof *tools);
    if (!tools || !interrupt_init(&tools->interrupt, err)) {
        if (!tools)
            error_set(err, "not enough memory");
        free(tools);
        return NULL;
    }
    mutex_init(&tools->lock);
    tools->engines = user;
    return tools;
}

static void leave_seat(Seat *seat)
{
    client_destroy(seat->client);
    engine_free(&seat->spec);
    *seat = (Seat){0};
}

static void close_tools(void *arg)
{
    Tools *tools = arg;
    for (int i = 0; i < MOST_ENGINES; i++)
        leave_seat(&tools->seats[i]);
    interrupt_free(&tools->interrupt);
    mutex_destroy(&tools->lock);
    free(tools);
}

static void stop_tools(void *arg)
{
    Tools *tools = arg;
    mutex_lock(&tools->lock);
    interrupt_raise(&tools->interrupt);
    mutex_unlock(&tools->lock);
}

/* What ended the last game must not end this one. */
static bool lower_interrupt(Tools *tools, Error *err)
{
    mutex_lock(&tools->lock);
    bool ok = true;
    if (interrupt_raised(&tools->interrupt)) {
        interrupt_free(&tools->interrupt);
        ok = interrupt_init(&tools->interrupt, err);
    }
    mutex_unlock(&tools->lock);
    return ok;
}

/* --- a game --- */

/* The machine's own engine with the limits, manner and options of the game. */
static bool make_spec(const OwnEngine *own, const EngineSpec *wanted, EngineSpec *out, Error *err)
{
    if (!engine_copy(out, &own->spec))
        return error_set(err, "not enough memory");
    out->tc = wanted->tc;
    out->restart = wanted->restart;
    out->ponder = wanted->ponder;
    for (int i = 0; i < wanted->option_count; i++) {
        const EngineOption *option = &wanted->options[i];
        if (!identity_takes_option(&own->identity, option))
            return error_set(err, "option '%.60s' of %.60s is not taken from a job", option->name,
                             wanted->name);
        if (!engine_add_option(out, str_from(option->name), str_from(option->value)))
            return error_set(err, "not enough memory");
    }
    return true;
}

static bool same_spec(const EngineSpec *a, const EngineSpec *b)
{
    Buffer one = {0}, two = {0};
    engine_describe(a, &one);
    engine_describe(b, &two);
    const bool same = strcmp(buffer_text(&one), buffer_text(&two)) == 0 &&
                      a->restart == b->restart && a->tc.margin == b->tc.margin &&
                      a->tc.patience == b->tc.patience;
    buffer_free(&one);
    buffer_free(&two);
    return same;
}

/* NULL: there is no such engine here, or it may not be set so. */
static Client *seat_player(Tools *tools, const EngineSpec *wanted, Error *err)
{
    const int i = engine_named(tools->engines, wanted->name);
    EngineSpec spec = {0};
    if (i < 0) {
        error_set(err, "this worker has no engine '%.80s'", wanted->name);
        return NULL;
    }
    if (!make_spec(&tools->engines->list[i], wanted, &spec, err)) {
        engine_free(&spec);
        return NULL;
    }
    Seat *seat = &tools->seats[i];
    if (seat->client && same_spec(&seat->spec, &spec)) {
        engine_free(&spec);
        return seat->client;
    }
    leave_seat(seat);
    seat->spec = spec;
    seat->client = client_create(&seat->spec, &tools->engines->guard, &tools->interrupt);
    if (!seat->client)
        error_set(err, "not enough memory");
    return seat->client;
}

/* Plays it; after an interruption engines are in the middle of something, so they are ended. */
static bool play(Tools *tools, const MatchJob *job, GameRecord *record, Error *err)
{
    Client *const players[2] = {seat_player(tools, job->white, err),
                                seat_player(tools, job->black, err)};
    if (!players[WHITE] || !players[BLACK] || !lower_interrupt(tools, err))
        return false;
    const Opening opening = match_job_opening(job);
    const PlayStatus status = play_game(players, &opening, &job->rules, record, err);
    for (int i = 0; i < MOST_ENGINES && status != PLAY_DONE; i++)
        leave_seat(&tools->seats[i]);
    return status == PLAY_DONE;
}

static bool run_game(void *arg, Work *work, WorkResult *result, Error *err)
{
    MatchJob *job = malloc(sizeof *job);
    GameRecord record;
    if (!job)
        return error_set(err, "not enough memory");
    record_init(&record);
    const bool ok = match_job_read(work_payload(work), job, err) && play(arg, job, &record, err);
    if (ok) {
        match_result_write(work_payload(work), &record, &result->text);
        result->positions = record.game.count - job->book_count;
        for (int i = 0; i < record.game.count; i++)
            result->nodes += record.notes[i].thought.nodes;
    }
    record_free(&record);
    match_job_free(job);
    free(job);
    return ok;
}

WorkKind match_work(MatchEngines *engines)
{
    return (WorkKind){.kind = MATCH_JOB_KIND,
                      .user = engines,
                      .open = open_tools,
                      .close = close_tools,
                      .run = run_game,
                      .stop = stop_tools,
                      .needs = engines->needs};
}
