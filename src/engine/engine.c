// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.c -- the Samara object: life, options, the game. Searching is in run.c, looking in look.c.
 */
#include "engine/engine.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "classical/classical.h"
#include "probe/syzygy.h"
#include "search/tt.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(SAMARA_MOVE_SIZE >= UCI_MOVE_SIZE, "a move must fit");
_Static_assert(SAMARA_FEN_SIZE >= FEN_SIZE, "a FEN must fit");
_Static_assert(sizeof(((SamaraError *)0)->text) >= ERROR_TEXT_SIZE, "a sentence must fit");
_Static_assert(sizeof(((SamaraError *)0)->code) >= ERROR_CODE_SIZE, "a code must fit");

/* --- errors --- */

bool engine_fail(SamaraError *out, const Error *err)
{
    if (out) {
        memcpy(out->code, err->code, ERROR_CODE_SIZE);
        memcpy(out->text, err->text, ERROR_TEXT_SIZE);
        out->column = err->column;
    }
    return false;
}

bool engine_refuse(SamaraError *out, const char *code, const char *text)
{
    Error err;
    error_code(&err, code, 0, "%s", text);
    return engine_fail(out, &err);
}

static const Error no_error;

/* --- life --- */

static void seed_rng(Samara *e)
{
    const int64_t seed = e->options.level_seed;
    rng_seed(&e->rng, seed ? (uint64_t)seed : (uint64_t)clock_us() ^ (uint64_t)(uintptr_t)e);
}

Samara *samara_new(SamaraError *err)
{
    attacks_init();
    classical_init();
    Samara *e = calloc(1, sizeof *e);
    if (!e) {
        engine_refuse(err, "NO_MEMORY", "not enough memory for an engine");
        return NULL;
    }
    options_default(&e->options);
    e->start_ep = NO_SQUARE;
    game_init(&e->game);
    game_init(&e->spare);
    seed_rng(e);

    Error why = no_error;
    e->tt = tt_create((size_t)e->options.hash_mb, &why);
    e->pool = e->tt ? pool_create((int)e->options.threads, &why) : NULL;
    if (!e->pool) {
        engine_fail(err, &why);
        samara_free(e);
        return NULL;
    }
    return e;
}

void samara_free(Samara *e)
{
    if (!e)
        return;
    if (e->pool)
        pool_destroy(e->pool);
    tt_destroy(e->tt);
    net_free(e->loaded_net);
    book_close(e->book);
    game_free(&e->game);
    game_free(&e->spare);
    free(e->run.keys);
    free(e);
}

void engine_settle(Samara *e)
{
    if (pool_busy(e->pool))
        pool_stop(e->pool);
    pool_wait(e->pool);
}

static void forget_searches(Samara *e)
{
    if (e->run.table_used)
        tt_clear(e->tt, thread_cpu_count());
    pool_clear(e->pool);
    e->run.table_used = false;
}

void samara_new_game(Samara *e)
{
    engine_settle(e);
    forget_searches(e);
    lag_reset(&e->lag);
    seed_rng(e);
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

const Net *engine_net(const Samara *e)
{
    if (e->options.evaluation == EVALUATION_CLASSICAL)
        return NULL;
    return e->loaded_net ? e->loaded_net : net_embedded();
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
    e->run.table_used = false;
    return true;
}

static bool apply_network(Samara *e, const Options *next, Error *err)
{
    if (strcmp(next->eval_path, e->options.eval_path) != 0) {
        Net *net = NULL;
        if (next->eval_path[0] && !(net = net_load(next->eval_path, err)))
            return false;
        net_free(e->loaded_net);
        e->loaded_net = net;
    }
    /* What another evaluation left in the table would mislead this one. */
    forget_searches(e);
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

static void apply_chess960(Samara *e, const Options *next)
{
    e->game.start.chess960 = e->game.pos.chess960 = next->chess960;
}

static bool apply(Samara *e, OptionEffect effect, const Options *next, Error *err)
{
    switch (effect) {
    case EFFECT_HASH:
        return apply_hash(e, next, err);
    case EFFECT_THREADS:
        return pool_set_threads(e->pool, (int)next->threads, err);
    case EFFECT_TABLEBASES:
        return syzygy_open(next->tb_path, err);
    case EFFECT_BOOK:
        return apply_book(e, next, err);
    case EFFECT_NETWORK:
        return apply_network(e, next, err);
    case EFFECT_CLEAR:
        forget_searches(e);
        break;
    case EFFECT_CHESS960:
        apply_chess960(e, next);
        break;
    case EFFECT_PARAMETER:
    case EFFECT_SEED:
    case EFFECT_NONE:
        break;
    }
    return true;
}

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
    if (spec->effect == EFFECT_SEED)
        seed_rng(e);
    return true;
}

/* --- the game --- */

static bool play_word(Game *game, Str word, size_t number, Error *err)
{
    Move m = move_from_uci(&game->pos, word);
    if (m == MOVE_NONE)
        m = move_from_san(&game->pos, word);
    if (m == MOVE_NONE || m == MOVE_NULL) {
        const int shown = word.len > 16 ? 16 : (int)word.len;
        char fen[FEN_SIZE];
        fen_write(&game->pos, fen);
        return error_code(err, "ILLEGAL_MOVE", (int)number, "move %zu, '%.*s', is not legal in %s",
                          number, shown, word.ptr, fen);
    }
    return game_play(game, m, err);
}

/* The fourth field of a FEN that was accepted. */
static Square written_ep(const char *fen)
{
    Str rest = str_from(fen);
    for (int i = 0; i < 3; i++)
        str_token(&rest);
    const Str field = str_token(&rest);
    return field.len == 2 ? square_make(field.ptr[0] - 'a', field.ptr[1] - '1') : NO_SQUARE;
}

Square engine_ep(const Samara *e)
{
    return e->game.count > 0 ? book_ep(&e->game.pos, e->game.plies[e->game.count - 1].move)
                             : e->start_ep;
}

bool samara_set_position(Samara *e, const char *fen, const char *const *moves, size_t move_count,
                         SamaraError *err)
{
    Error why = no_error, warning = no_error;
    Position start;
    if (!fen) {
        pos_start(&start);
        start.chess960 = e->options.chess960;
    } else if (!fen_parse(&start, str_from(fen), e->options.chess960 ? FEN_960 : FEN_STANDARD, &why,
                          &warning)) {
        return engine_fail(err, &why);
    }
    game_reset(&e->spare, &start);
    for (size_t i = 0; i < move_count; i++)
        if (!play_word(&e->spare, str_from(moves[i]), i + 1, &why))
            return engine_fail(err, &why);

    engine_settle(e);
    const Game old = e->game;
    e->game = e->spare;
    e->spare = old;
    e->start_ep = fen ? written_ep(fen) : NO_SQUARE;
    engine_fail(err, &warning); /* a mended position says so, a clean one says "" */
    return true;
}

bool samara_play(Samara *e, const char *move, SamaraError *err)
{
    Error why = no_error;
    engine_settle(e);
    return play_word(&e->game, str_from(move), (size_t)e->game.count + 1, &why) ||
           engine_fail(err, &why);
}

bool samara_undo(Samara *e)
{
    engine_settle(e);
    return game_undo(&e->game);
}
