// SPDX-License-Identifier: GPL-3.0-or-later
/* run.c -- starting a search and telling its story in the words of samara.h. */
#include "engine/engine.h"

#include "base/clock.h"
#include "chess/notation.h"
#include "engine/wdl.h"
#include "search/tt.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- what comes back from the search --- */

/* Over for anyone who follows the line, whatever the search thought about it. */
static bool line_ends(const Position *p, const Key *keys, int count)
{
    return pos_repetitions(p, keys, count) >= 2 || pos_fifty_moves(p) ||
           pos_insufficient_material(p) || !pos_has_legal_move(p);
}

/* Writes the moves that a client can replay: legal ones, up to where the game would end. */
static void write_line(Run *run, const Move *pv, int length)
{
    Position pos = run->root;
    int count = run->key_count;
    char *out = run->pv;
    *out = '\0';
    for (int i = 0; i < length && i < MAX_PLY; i++) {
        if (!pos_is_pseudo_legal(&pos, pv[i]) || !pos_is_legal(&pos, pv[i]))
            break;
        if (i > 0)
            *out++ = ' ';
        move_to_uci(pv[i], pos.chess960, out);
        out += strlen(out);
        run->keys[count++] = pos.st.key;
        Undo undo;
        pos_make(&pos, pv[i], &undo, NULL);
        if (line_ends(&pos, run->keys, count))
            break;
    }
}

/* --- limited strength --- */

static void note_plausible(Run *run, const SearchInfo *s)
{
    const int at = s->multipv - 1;
    if (at >= LEVEL_MAX_LINES || s->pv_length == 0 || s->bound != BOUND_EXACT)
        return;
    run->plausible[at] = (LevelMove){s->pv[0], s->score, level_expectation(s->score)};
    Line *line = &run->plausible_line[at];
    line->length = s->pv_length < MAX_PLY ? s->pv_length : MAX_PLY;
    memcpy(line->moves, s->pv, (size_t)line->length * sizeof *line->moves);
    run->plausible_count =
        at + 1; /* lines come in order, so this ends as the count of the last depth */
}

/* With a seed the same position gets the same error, whatever happened before. */
static Move limited_choice(Samara *e, Move best)
{
    Run *run = &e->run;
    Rng rng = e->rng;
    if (e->options.level_seed)
        rng_seed(&rng, (uint64_t)e->options.level_seed ^ run->root.st.key);
    if (run->plausible_count == 0)
        return best;
    const double stress = level_stress(&run->root, run->timed ? run->clock_ms : -1);
    const int index = level_choose(&run->level, stress, run->plausible, run->plausible_count, &rng);
    rng_next(&e->rng);
    return run->plausible[index].move;
}

/* Limits depth and asks for the moves such a player would think of. Analysis stays at full
 * strength. */
static void limit_strength(Samara *e, SearchSetup *setup)
{
    Run *run = &e->run;
    Limits *limits = &setup->limits;
    run->shown_lines = setup->multipv;
    run->plausible_count = 0;
    run->limited = e->options.limit_strength && !e->options.analyse_mode && !limits->infinite &&
                   limits->mate == 0 && level_at((int)e->options.elo, &run->level);
    if (!run->limited)
        return;
    Rng rng;
    rng_seed(&rng, (uint64_t)e->options.level_seed ^ run->root.st.key ^ 1);
    const double depth = run->level.depth;
    const int plies = (int)depth + (rng_unit(&rng) < depth - (int)depth);
    if (limits->depth == 0 || limits->depth > plies)
        limits->depth = plies;
    const int lines = (int)(run->level.lines + 0.5);
    if (setup->multipv < lines)
        setup->multipv = lines;
}

/* --- the story --- */

static void on_info(void *user, const SearchInfo *s)
{
    Run *run = &((Samara *)user)->run;
    if (run->limited)
        note_plausible(run, s);
    if (!run->events.info || s->multipv > run->shown_lines)
        return;
    SamaraInfo info = {
        .depth = s->depth,
        .seldepth = s->seldepth,
        .multipv = s->multipv,
        .nodes = s->nodes,
        .tbhits = s->tbhits,
        .time_ms = s->time_us / 1000,
        .nps = s->time_us > 0 ? (uint64_t)((double)s->nodes * 1e6 / (double)s->time_us) : 0,
        .hashfull = s->hashfull,
        .pv = run->pv};
    wdl_export(&run->root, s->score, s->bound, &info.score);
    write_line(run, s->pv, s->pv_length);
    run->told_nodes = s->nodes;
    if (info.multipv == 1 && info.score.bound == SAMARA_EXACT) {
        run->exact = info;
        strcpy(run->exact_pv, run->pv);
    }
    run->events.info(run->events.user, &info);
}

/* The last line is about the move that is played, even if a weaker one than the best was chosen. */
static bool find_last_line(Run *run, SamaraInfo *info)
{
    Str line = str_from(run->exact_pv);
    *info = run->exact;
    info->pv = run->exact_pv;
    if (str_is(str_token(&line), run->result.best))
        return true;
    for (int i = 0; i < run->plausible_count; i++) {
        char move[UCI_MOVE_SIZE];
        move_to_uci(run->plausible[i].move, run->root.chess960, move);
        if (strcmp(move, run->result.best) != 0)
            continue;
        write_line(run, run->plausible_line[i].moves, run->plausible_line[i].length);
        info->pv = run->pv;
        wdl_export(&run->root, run->plausible[i].score, BOUND_EXACT, &info->score);
        run->told_nodes = 0;
        return true;
    }
    return false;
}

/* A search that was cut off tells once more what it plays, with the final counts. */
static void close_story(Run *run, const SearchResult *s)
{
    SamaraInfo info;
    if (!run->events.info || run->exact.depth == 0 || !find_last_line(run, &info) ||
        run->told_nodes == s->nodes)
        return;
    info.nodes = s->nodes;
    info.time_ms = s->time_us / 1000;
    info.nps = s->time_us > 0 ? (uint64_t)((double)s->nodes * 1e6 / (double)s->time_us) : 0;
    run->events.info(run->events.user, &info);
}

static void on_current_move(void *user, int depth, Move m, int number)
{
    const Run *run = &((Samara *)user)->run;
    char text[UCI_MOVE_SIZE];
    move_to_uci(m, run->root.chess960, text);
    run->events.current_move(run->events.user, depth, text, number);
}

/* The guess is worth telling only if it can be played. */
static void write_ponder(const Run *run, Move best, Move guess, char *out)
{
    Position pos = run->root;
    Undo undo;
    pos_make(&pos, best, &undo, NULL);
    if (guess != MOVE_NONE && pos_is_pseudo_legal(&pos, guess) && pos_is_legal(&pos, guess))
        move_to_uci(guess, pos.chess960, out);
}

static void write_result(Samara *e, const SearchResult *s)
{
    Run *run = &e->run;
    SamaraResult *r = &run->result;
    *r = (SamaraResult){.depth = s->depth, .nodes = s->nodes, .time_ms = s->time_us / 1000};
    wdl_export(&run->root, s->score, BOUND_EXACT, &r->score);
    Move best = run->limited ? limited_choice(e, s->best) : s->best;
    if (!list_has(&run->legal, best)) {
        assert(run->legal.count == 0 && "the search found a move that is none");
        best = run->legal.count > 0 ? run->legal.moves[0] : MOVE_NONE;
    }
    if (best == MOVE_NONE)
        return;
    move_to_uci(best, run->root.chess960, r->best);
    if (best == s->best)
        write_ponder(run, best, s->ponder, r->ponder);
}

static void on_done(void *user, const SearchResult *s)
{
    Samara *e = user;
    Run *run = &e->run;
    write_result(e, s);
    close_story(run, s);
    if (run->timed)
        lag_moved(&e->lag, run->root.ply, run->clock_ms, run->inc_ms,
                  (clock_us() - run->start_us) / 1000);
    if (run->events.done)
        run->events.done(run->events.user, &run->result);
}

/* --- what goes in --- */

/* Positions before the last irreversible move cannot come back. */
static bool copy_keys(Run *run, const Game *game, Error *err)
{
    const int count = game->count < game->pos.st.rule50 ? game->count : game->pos.st.rule50;
    const int need = count + MAX_PLY + 1;
    if (need > run->key_capacity) {
        Key *keys = realloc(run->keys, (size_t)need * sizeof *keys);
        if (!keys)
            return error_code(err, "NO_MEMORY", 0, "not enough memory to search");
        run->keys = keys;
        run->key_capacity = need;
    }
    if (count > 0)
        memcpy(run->keys, game->keys + (game->count - count), (size_t)count * sizeof(Key));
    run->key_count = count;
    return true;
}

static void copy_search_moves(Limits *to, const SamaraLimits *from, const Position *root)
{
    for (size_t i = 0; i < from->search_move_count && to->search_move_count < MAX_MOVES; i++) {
        const Move m = move_from_uci(root, str_from(from->search_moves[i]));
        bool fresh = m != MOVE_NONE;
        for (int k = 0; k < to->search_move_count; k++)
            fresh = fresh && to->search_moves[k] != m;
        if (fresh)
            to->search_moves[to->search_move_count++] = m;
    }
}

static int64_t observed_overhead(Samara *e, const SamaraLimits *from)
{
    Run *run = &e->run;
    const bool white = run->root.turn == WHITE;
    run->clock_ms = white ? from->wtime_ms : from->btime_ms;
    run->inc_ms = white ? from->winc_ms : from->binc_ms;
    run->timed = from->has_clock && !from->ponder && !from->infinite;
    if (!run->timed) {
        e->lag.armed = false;
        return e->options.overhead_ms + e->lag.estimate_ms;
    }
    return e->options.overhead_ms + lag_observe(&e->lag, run->root.ply, run->clock_ms);
}

static void copy_limits(Samara *e, const SamaraLimits *from, Limits *to)
{
    *to = (Limits){.start_us = e->run.start_us,
                   .depth = from->depth,
                   .mate = from->mate,
                   .nodes = from->nodes,
                   .soft_nodes = from->soft_nodes,
                   .movetime_ms = from->movetime_ms,
                   .has_clock = from->has_clock,
                   .time_ms = {from->wtime_ms, from->btime_ms},
                   .inc_ms = {from->winc_ms, from->binc_ms},
                   .movestogo = from->movestogo,
                   .infinite = from->infinite,
                   .ponder = from->ponder};
    to->overhead_ms = observed_overhead(e, from);
    copy_search_moves(to, from, &e->run.root);
}

/* A book move is searched like any other, but alone and briefly: the answer comes the same way,
 * with a score. */
static void try_book(Samara *e, Limits *limits)
{
    const bool wanted = e->options.own_book && e->book && !e->options.analyse_mode &&
                        !limits->infinite && !limits->ponder && limits->search_move_count == 0 &&
                        limits->mate == 0;
    if (!wanted)
        return;
    const Move m = book_pick(e->book, &e->run.root, engine_ep(e), e->options.best_book, &e->rng);
    if (m == MOVE_NONE)
        return;
    limits->search_moves[0] = m;
    limits->search_move_count = 1;
    limits->depth = 1;
    if (e->run.events.message)
        e->run.events.message(e->run.events.user, "book move");
}

/* Lines that nobody reads are not put together: in a search of a few hundred nodes that shows. */
static SearchEvents wanted_events(Samara *e)
{
    const Run *run = &e->run;
    return (SearchEvents){.user = e,
                          .info = run->events.info || run->limited ? on_info : NULL,
                          .current_move = run->events.current_move ? on_current_move : NULL,
                          .done = on_done};
}

static bool prepare(Samara *e, const SamaraLimits *limits, const SamaraEvents *events,
                    SearchSetup *setup, Error *err)
{
    Run *run = &e->run;
    run->start_us = clock_us();
    engine_settle(e);
    if (!copy_keys(run, &e->game, err))
        return false;
    run->events = events ? *events : (SamaraEvents){0};
    run->root = e->game.pos;
    run->table_used = true;
    run->exact = (SamaraInfo){0};
    run->exact_pv[0] = '\0';
    run->told_nodes = 0;
    gen_legal(&run->root, &run->legal);

    *setup = (SearchSetup){.root = &run->root,
                           .keys = run->keys,
                           .key_count = run->key_count,
                           .multipv = (int)e->options.multipv,
                           .net = engine_net(e),
                           .both = e->options.evaluation == EVALUATION_BOTH,
                           .tb_probe_depth = (int)e->options.tb_depth,
                           .tb_probe_limit = (int)e->options.tb_limit,
                           .tb_rule50 = e->options.tb_rule50};
    copy_limits(e, limits, &setup->limits);
    limit_strength(e, setup);
    try_book(e, &setup->limits);
    setup->events = wanted_events(e);
    return true;
}

bool samara_go(Samara *e, const SamaraLimits *limits, const SamaraEvents *events, SamaraError *err)
{
    Error why;
    SearchSetup setup;
    if (!prepare(e, limits, events, &setup, &why))
        return engine_fail(err, &why);
    pool_start(e->pool, e->tt, &setup);
    return true;
}

bool samara_search(Samara *e, const SamaraLimits *limits, const SamaraEvents *events,
                   SamaraResult *result, SamaraError *err)
{
    Error why;
    SearchSetup setup;
    if (!prepare(e, limits, events, &setup, &why))
        return engine_fail(err, &why);
    setup.events.done = NULL;
    SearchResult found;
    pool_run(e->pool, e->tt, &setup, &found);
    on_done(e, &found);
    if (result)
        *result = e->run.result;
    return true;
}

void samara_stop(Samara *e) { pool_stop(e->pool); }

void samara_ponderhit(Samara *e) { pool_ponderhit(e->pool); }

void samara_wait(Samara *e) { pool_wait(e->pool); }

bool samara_is_searching(const Samara *e) { return pool_busy(e->pool); }

void samara_set_score(Samara *e, int centipawns, int depth)
{
    engine_settle(e);
    pool_teach(e->tt, &e->game.pos, wdl_score(wdl_model(&e->game.pos), centipawns), depth);
    e->run.table_used = true;
}
