// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.c -- the Samara object: life and options. Positions are in position.c, searching in run.c,
 * looking in look.c. */
#include "engine/engine.h"

#include "classical/classical.h"
#include "search/tt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Error no_error;

/* --- life --- */

/* Both are ranges of the options of the same name. */
static bool take_sizes(Samara *e, const SamaraConfig *config, Error *err)
{
    const struct {
        const char *option;
        int value;
    } sizes[] = {{"Hash", config->hash_mb}, {"Threads", config->threads}};
    for (int i = 0; i < 2; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", sizes[i].value);
        if (sizes[i].value != 0 && !options_parse(options_find(str_from(sizes[i].option)),
                                                  str_from(text), &e->options, err))
            return false;
    }
    return true;
}

/* Paths of the configuration go through the options, so that both report the same errors. */
static bool open_files(Samara *e, const SamaraConfig *config, SamaraError *err)
{
    const struct {
        const char *option, *path;
    } files[] = {
        {"EvalFile", config->network}, {"BookFile", config->book}, {"SyzygyPath", config->tables}};
    for (int i = 0; i < 3; i++)
        if (files[i].path && files[i].path[0] &&
            !samara_set_option(e, files[i].option, files[i].path, err))
            return false;
    return true;
}

/* Allocates what is expensive. On failure everything is given back and *err says why. */
Samara *samara_new(const SamaraConfig *config, SamaraError *err)
{
    static const SamaraConfig usual;
    attacks_init();
    classical_init();
    Samara *e = calloc(1, sizeof *e);
    if (!e) {
        engine_refuse(err, "NO_MEMORY", "not enough memory for an engine");
        return NULL;
    }
    if (!config)
        config = &usual;
    Error why = no_error;
    options_default(&e->options);
    e->learned_with = EVALUATION_NONE;
    if (take_sizes(e, config, &why))
        e->tt = tt_create((size_t)e->options.hash_mb, &why);
    e->pool = e->tt ? pool_create((int)e->options.threads, &why) : NULL;
    engine_fail(err, &why);
    if (!e->pool || !open_files(e, config, err)) {
        samara_free(e);
        return NULL;
    }
    return e;
}

/* Stops a search that still runs: the pool waits for it. */
void samara_free(Samara *e)
{
    if (!e)
        return;
    if (e->pool)
        pool_destroy(e->pool);
    tt_destroy(e->tt);
    net_free(e->loaded_net);
    book_close(e->book);
    syzygy_close(e->tables);
    lines_free(&e->run.lines);
    free(e->run.shown);
    free(e->run.keys);
    free(e);
}

void engine_settle(Samara *e)
{
    if (pool_busy(e->pool))
        pool_stop(e->pool);
    pool_wait(e->pool);
}

void engine_forget(Samara *e)
{
    if (e->learned)
        tt_clear(e->tt, thread_cpu_count());
    pool_clear(e->pool);
    e->learned = false;
    e->learned_with = EVALUATION_NONE;
}

void samara_forget(Samara *e)
{
    engine_settle(e);
    engine_forget(e);
}

/* --- options --- */

const SamaraOption *samara_option(int index)
{
    const OptionSpec *spec = options_at(index);
    return spec ? &spec->about : NULL;
}

bool samara_get_option(const Samara *e, const char *name, char *value, size_t size)
{
    const OptionSpec *spec = options_find(str_from(name));
    if (!spec)
        return false;
    Buffer text = {0};
    options_print(spec, &e->options, &text);
    const bool ok = !text.failed && str_copy(value, size, (Str){buffer_text(&text), text.len});
    buffer_free(&text);
    return ok;
}

/* The options as a request: protocols keep their settings here, and what describes one search is
 * still plain data. */
void samara_request(const Samara *e, SamaraRequest *out)
{
    const Options *o = &e->options;
    const bool plays = !o->analyse_mode;
    *out = (SamaraRequest){
        .lines = o->multipv > 1 ? (int)o->multipv : 0,
        .elo = plays && o->limit_strength ? (int)o->elo : 0,
        .seed = o->level_seed,
        .evaluation = (SamaraEvaluation)o->evaluation,
        .book = !plays || !o->own_book ? SAMARA_BOOK_UNUSED
                : o->best_book         ? SAMARA_BOOK_BEST
                                       : SAMARA_BOOK_BY_LOT,
        .tables_depth = (int)o->tb_depth,
        .tables_men = o->tb_limit > 0 ? (int)o->tb_limit : -1,
        .tables_no_rule50 = !o->tb_rule50,
        .limits.overhead_ms = o->overhead_ms,
    };
}

const Net *engine_net(const Samara *e, SamaraEvaluation evaluation)
{
    if (evaluation == SAMARA_CLASSICAL)
        return NULL;
    return e->loaded_net ? e->loaded_net : net_embedded();
}

const char *samara_network_name(const Samara *e)
{
    const Net *net = engine_net(e, SAMARA_NETWORK);
    return net ? net_name(net) : "classical";
}

/* The old table lives until the new one exists. */
static bool apply_hash(Samara *e, const Options *next, Error *err)
{
    if ((size_t)next->hash_mb == tt_megabytes(e->tt))
        return true;
    TTable *table = tt_create((size_t)next->hash_mb, err);
    if (!table)
        return false;
    tt_destroy(e->tt);
    e->tt = table;
    e->learned = false;
    return true;
}

/* What another network left in the table would mislead this one. */
static bool apply_network(Samara *e, const Options *next, Error *err)
{
    if (strcmp(next->eval_path, e->options.eval_path) == 0)
        return true;
    Net *net = NULL;
    if (next->eval_path[0] && !(net = net_load(next->eval_path, err)))
        return false;
    net_free(e->loaded_net);
    e->loaded_net = net;
    engine_forget(e);
    return true;
}

static bool apply_book(Samara *e, const Options *next, Error *err)
{
    Book *book = NULL;
    if (next->book_path[0] && !(book = book_open(next->book_path, err)))
        return false;
    book_close(e->book);
    e->book = book;
    return true;
}

static bool apply_tables(Samara *e, const Options *next, Error *err)
{
    Syzygy *tables;
    if (!syzygy_open(&tables, next->tb_path, err))
        return false;
    syzygy_close(e->tables);
    e->tables = tables;
    return true;
}

/* What takes effect at once. If it fails, the option keeps its old value and the engine its old
 * state. */
static bool apply(Samara *e, OptionEffect effect, const Options *next, Error *err)
{
    switch (effect) {
    case EFFECT_HASH:
        return apply_hash(e, next, err);
    case EFFECT_THREADS:
        return pool_set_threads(e->pool, (int)next->threads, err);
    case EFFECT_TABLEBASES:
        return apply_tables(e, next, err);
    case EFFECT_BOOK:
        return apply_book(e, next, err);
    case EFFECT_NETWORK:
        return apply_network(e, next, err);
    case EFFECT_CLEAR:
        engine_forget(e);
        break;
    case EFFECT_PARAMETER:
    case EFFECT_NONE:
        break;
    }
    return true;
}

/* Parses into a copy and applies it; only then does the engine take the copy over. */
bool samara_set_option(Samara *e, const char *name, const char *value, SamaraError *err)
{
    Error why = no_error;
    const OptionSpec *spec = options_find(str_from(name));
    if (!spec) {
        error_code(&why, "UNKNOWN_OPTION", 0, "there is no option '%.64s'", name);
        return engine_fail(err, &why);
    }
    engine_settle(e);
    Options next = e->options;
    if (!options_parse(spec, str_from(value), &next, &why) || !apply(e, spec->effect, &next, &why))
        return engine_fail(err, &why);
    e->options = next;
    engine_fail(err, &why); /* tables of which some are damaged say so, all else says "" */
    return true;
}
