// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/tune.h"
#include "base/clock.h"
#include "base/rng.h"
#include "match/journal.h"
#include "match/lineup.h"
#include "match/option.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tuner {
    const TuneConfig *config;
    const TuneEvents *events;
    TuneState *state;
    Guard *guard;
    const Interrupt *interrupt;
    Openings *openings;
    Journal journal;
    Mutex lock;
    /* The values after the last few iterations: ring[n % depth] are those after n of them. */
    double *ring;
    uint64_t depth;
} Tuner;

/* The two sides of a pair, each with options of its own. */
typedef struct TuneWorker {
    EngineSpec spec[2];
    Client *client[2];
    double *values[2];
} TuneWorker;

typedef struct PairResult {
    int points;  /* of the plus side minus those of the other, -2 to 2 */
    Error fault; /* text "" if there was none */
} PairResult;

/* --- the values --- */

static size_t values_size(const Tuner *t) { return sizeof(double) * (size_t)t->config->spsa.count; }

static double *values_after(const Tuner *t, uint64_t iterations)
{
    return t->ring + iterations % t->depth * (uint64_t)t->config->spsa.count;
}

static void keep_values(Tuner *t)
{
    memcpy(values_after(t, t->state->iterations), t->state->values, values_size(t));
}

static void apply(Tuner *t, int points)
{
    TuneState *s = t->state;
    s->counts[points + 2]++;
    spsa_update(&t->config->spsa, s->iterations, points, s->values);
    s->iterations++;
    keep_values(t);
}

/* --- the journal --- */

/* Everything that decides the values in the end: a journal of other settings cannot be resumed. */
static uint64_t fingerprint_of(const TuneConfig *c)
{
    Buffer text = {0};
    double *start = calloc((size_t)c->spsa.count, sizeof *start);
    for (int i = 0; start && i < c->spsa.count; i++)
        start[i] = c->spsa.params[i].start;
    if (start)
        spsa_write_params(&c->spsa, start, &text);
    free(start);
    buffer_printf(&text, "%llu %llu %d|", (unsigned long long)c->spsa.iterations,
                  (unsigned long long)c->spsa.seed, c->concurrency);
    engine_describe(c->engine, &text);
    const uint64_t fingerprint = hash_bytes(buffer_text(&text), text.len);
    buffer_free(&text);
    return fingerprint;
}

/* "iteration points" */
static bool replay_line(void *user, Str line)
{
    Tuner *t = user;
    int64_t iteration, points;
    const int64_t expected = (int64_t)t->state->iterations;
    if (!str_next_int(&line, expected, expected, &iteration) ||
        !str_next_int(&line, -2, 2, &points))
        return false;
    apply(t, (int)points);
    return true;
}

/* --- the games --- */

static void free_worker(TuneWorker *w)
{
    for (int side = 0; side < 2; side++) {
        client_destroy(w->client[side]);
        engine_free(&w->spec[side]);
        free(w->values[side]);
    }
    free(w);
}

/* Each worker has two copies of the engine, whose options it sets before every pair. */
static void *open_worker(void *user, int number, Error *err)
{
    Tuner *t = user;
    if (t->config->pin)
        thread_pin(number);
    TuneWorker *w = calloc(1, sizeof *w);
    bool ok = w != NULL;
    for (int side = 0; ok && side < 2; side++) {
        ok = engine_copy(&w->spec[side], t->config->engine) &&
             (w->values[side] = malloc(values_size(t))) != NULL &&
             (w->client[side] = client_create(&w->spec[side], t->guard, t->interrupt)) != NULL;
    }
    if (ok)
        return w;
    if (w)
        free_worker(w);
    error_code(err, "NO_MEMORY", 0, "out of memory");
    return NULL;
}

static void close_worker(void *user, void *worker)
{
    (void)user;
    free_worker(worker);
}

/* Options live in the worker's description of the engine, so that one that has to be started anew
 * gets them, too. */
static bool set_values(const Tuner *t, TuneWorker *w, int side, Error *err)
{
    for (int i = 0; i < t->config->spsa.count; i++) {
        const SpsaParam *p = &t->config->spsa.params[i];
        char text[64];
        snprintf(text, sizeof text, p->whole ? "%.0f" : "%.10g", w->values[side][i]);
        if (!engine_add_option(&w->spec[side], str_from(p->name), str_from(text)))
            return error_code(err, "NO_MEMORY", 0, "out of memory");
        client_set_option(w->client[side], p->name, text,
                          NULL); /* if it fails, the game will show it */
    }
    return true;
}

static int half_points(Result result, Color side)
{
    return result == RESULT_DRAW ? 1 : (result == RESULT_WHITE) == (side == WHITE) ? 2 : 0;
}

/* Both games of a pair; the plus side (0) has White in the first. */
static PlayStatus play_pair(const Tuner *t, TuneWorker *w, uint64_t k, PairResult *pair, Error *err)
{
    const Opening opening = openings_get(t->openings, k);
    PlayStatus status = PLAY_DONE;
    int half = 0;
    for (int game = 0; game < 2 && status == PLAY_DONE; game++) {
        Client *const players[2] = {w->client[game], w->client[!game]};
        GameRecord record;
        record_init(&record);
        status = play_game(players, &opening, &t->config->rules, &record, err);
        half += half_points(record.result, game == 0 ? WHITE : BLACK);
        if (record.fault)
            error_set(&pair->fault, "%s", record.reason);
        record_free(&record);
    }
    pair->points = half - 2;
    return status;
}

/* Reads values that are a fixed number of iterations old, so that the result does not depend on
 * which worker is faster. */
static bool play_iteration(void *user, void *worker, uint64_t k, void **result, Error *err)
{
    Tuner *t = user;
    TuneWorker *w = worker;
    PairResult *pair = calloc(1, sizeof *pair);
    mutex_lock(&t->lock);
    const uint64_t lag = (uint64_t)t->config->concurrency * TUNE_LAG;
    spsa_sides(&t->config->spsa, k, values_after(t, k > lag ? k - lag : 0), w->values[0],
               w->values[1]);
    mutex_unlock(&t->lock);

    bool ok = pair || error_code(err, "NO_MEMORY", 0, "out of memory");
    for (int side = 0; side < 2; side++)
        ok = ok && set_values(t, w, side, err);
    const PlayStatus status = ok ? play_pair(t, w, k, pair, err) : PLAY_NO_ENGINE;
    if (status == PLAY_INTERRUPTED)
        error_code(err, "INTERRUPTED", 0, "interrupted");
    if (status != PLAY_DONE) {
        free(pair);
        interrupt_raise(t->interrupt);
        return false;
    }
    *result = pair;
    return true;
}

/* Called in order: applies the gradient of this pair, then writes the journal. */
static bool take_pair(void *user, uint64_t k, void *result)
{
    Tuner *t = user;
    PairResult *pair = result;
    TuneState *s = t->state;
    char line[64];
    snprintf(line, sizeof line, "%llu %d\n", (unsigned long long)k, pair->points);
    mutex_lock(&t->lock);
    apply(t, pair->points);
    mutex_unlock(&t->lock);
    s->wall = clock_us() - s->started;
    if (!journal_add(&t->journal, str_from(line), &s->failure)) {
        s->end = TUNE_FAILED;
        interrupt_raise(t->interrupt);
    }
    if (pair->fault.text[0] && t->events->note)
        t->events->note(t->events->user, pair->fault.text);
    if (t->events->step)
        t->events->step(t->events->user, s);
    free(pair);
    return s->end == TUNE_RUNNING;
}

/* --- a session --- */

/* The last values are kept in a ring: workers read those of some iterations ago. */
static bool prepare(Tuner *t, Error *err)
{
    const SpsaConfig *c = &t->config->spsa;
    TuneState *s = t->state;
    t->depth = (uint64_t)t->config->concurrency * TUNE_LAG + 1;
    s->values = malloc(values_size(t));
    t->ring = malloc(values_size(t) * t->depth);
    if (!s->values || !t->ring)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    for (int i = 0; i < c->count; i++)
        s->values[i] = c->params[i].start;
    keep_values(t);
    t->openings = openings_load(&t->config->openings, err);
    if (!t->openings || !journal_open(&t->journal, t->config->journal_path, "samara-match-spsa 1",
                                      fingerprint_of(t->config), replay_line, t, err))
        return false;
    s->resumed = s->iterations;
    return true;
}

/* The window keeps workers from running ahead of the values that they must see. */
static void play_all(Tuner *t)
{
    TuneState *s = t->state;
    const LineupJob job = {.user = t,
                           .open = open_worker,
                           .work = play_iteration,
                           .take = take_pair,
                           .drop = free,
                           .close = close_worker,
                           .first = s->iterations,
                           .end = t->config->spsa.iterations,
                           .window = (uint64_t)t->config->concurrency * TUNE_LAG,
                           .workers = t->config->concurrency};
    Error why;
    const bool ok = s->iterations >= job.end || lineup_run(&job, &why);
    if (s->end != TUNE_RUNNING)
        return;
    const bool interrupted = !ok && str_is(str_from(why.code), "INTERRUPTED");
    s->end = ok ? TUNE_COMPLETE : interrupted ? TUNE_INTERRUPTED : TUNE_FAILED;
    if (s->end == TUNE_FAILED)
        s->failure = why;
}

/* Everything is freed and the journal closed in every case; values are in *state. */
bool tune_run(const TuneConfig *config, Guard *guard, const Interrupt *interrupt,
              const TuneEvents *events, TuneState *state, Error *err)
{
    *state = (TuneState){.config = config, .started = clock_us()};
    Tuner t = {
        .config = config, .events = events, .state = state, .guard = guard, .interrupt = interrupt};
    mutex_init(&t.lock);
    bool ok = prepare(&t, err);
    if (ok)
        play_all(&t);
    ok = journal_close(&t.journal, err) && ok;
    openings_free(t.openings);
    free(t.ring);
    mutex_destroy(&t.lock);
    return ok;
}

void tune_state_free(TuneState *state)
{
    free(state->values);
    state->values = NULL;
}

/* What every engine has and nobody tunes. */
static bool is_common_option(Str name)
{
    static const char *const common[] = {"Hash", "Threads", "MultiPV", "Move Overhead", "UCI_Elo"};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (str_is_nocase(name, common[i]))
            return true;
    return false;
}

/* A step of a twentieth of the range, as good a guess as any, but at least 1/2: less is lost in
 * rounding. */
static void put_param(const OptionInfo *o, Buffer *out)
{
    const double step = fmax(0.5, (double)(o->max - o->min) / 20);
    buffer_printf(out, "%.*s, int, %.*s, %lld, %lld, %g, 0.002\n", (int)o->name.len, o->name.ptr,
                  (int)o->value.len, o->value.ptr, (long long)o->min, (long long)o->max, step);
}

/* A parameter list to begin with: all spin options that are not common to all engines. */
bool tune_list(const EngineSpec *engine, Guard *guard, const Interrupt *interrupt, Buffer *out,
               Error *err)
{
    Client *client = client_create(engine, guard, interrupt);
    if (!client)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    const bool ok = client_ready(client, false, err) == FAULT_NONE;
    Str lines = client_options(client);
    buffer_puts(out, "# name, type, start, min, max, c_end, r_end\n");
    while (ok && lines.len) {
        const OptionInfo option = option_parse(str_line(&lines));
        if (str_is(option.type, "spin") && !option_fault(&option) && option.min < option.max &&
            !is_common_option(option.name))
            put_param(&option, out);
    }
    client_destroy(client);
    return ok;
}
