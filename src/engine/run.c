// SPDX-License-Identifier: GPL-3.0-or-later
/* run.c -- from a request to a search, and from what it finds to lines and a result. */
#include "engine/engine.h"

#include "base/clock.h"
#include "base/rng.h"
#include "engine/wdl.h"
#include "search/tt.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SAMARA_MAX_LINE >= (int)MAX_PLY, "a line must fit");
_Static_assert((int)SAMARA_MAX_LINES >= (int)MAX_MOVES, "every move may have a line");

/* --- lines for clients --- */

/* Over for anyone who follows the line, whatever the search thought about it. */
static bool line_ends(const Position *p, const Key *keys, int count)
{
    return pos_repetitions(p, keys, count) >= 2 || pos_fifty_moves(p) ||
           pos_insufficient_material(p) || !pos_has_legal_move(p);
}

/* The moves that a client can replay: legal ones, up to where the game would end. */
static void export_moves(Run *run, const Move *moves, int length, SamaraLine *out)
{
    Position pos = run->root;
    int count = run->key_count;
    out->length = 0;
    for (int i = 0; i < length; i++) {
        if (!pos_is_pseudo_legal(&pos, moves[i]) || !pos_is_legal(&pos, moves[i]))
            break;
        move_export(&pos, moves[i], &out->moves[out->length++]);
        run->keys[count++] = pos.st.key;
        Undo undo;
        pos_make(&pos, moves[i], &undo, NULL);
        if (line_ends(&pos, run->keys, count))
            break;
    }
}

static uint64_t per_second(uint64_t nodes, int64_t us)
{
    return us > 0 ? (uint64_t)((double)nodes * 1e6 / (double)us) : 0;
}

/* A line as plain data: moves in both notations, score as centipawns and as chances. */
static void export_line(Run *run, const FoundLine *line, int number, SamaraLine *out)
{
    const SearchInfo *s = &line->info;
    out->number = number;
    out->depth = s->depth;
    out->seldepth = s->seldepth;
    out->nodes = s->nodes;
    out->nps = per_second(s->nodes, s->time_us);
    out->tbhits = s->tbhits;
    out->time_ms = s->time_us / 1000;
    out->hashfull = s->hashfull;
    wdl_export(&run->root, s->score, s->bound, &out->score);
    export_moves(run, line->moves, line->length, out);
}

const SamaraLine *samara_lines(Samara *e, int *count)
{
    Run *run = &e->run;
    const FoundLine *known[SAMARA_MAX_LINES];
    *count = lines_list(&run->lines, known);
    for (int i = 0; i < *count; i++)
        export_line(run, known[i], i + 1, &run->shown[i]);
    return run->shown;
}

/* --- limited strength --- */

static void note_plausible(Run *run, const FoundLine *line)
{
    const SearchInfo *s = &line->info;
    const int at = s->multipv - 1;
    if (at >= LEVEL_MAX_LINES || line->length == 0 || s->bound != BOUND_EXACT)
        return;
    run->plausible[at] = (LevelMove){line->moves[0], s->score, level_expectation(s->score)};
    run->plausible_line[at] = *line;
    run->plausible_count =
        at + 1; /* lines come in order, so this ends as the count of the last depth */
}

/* With a seed the same position gets the same lots, whatever happened before. */
static void seed_lots(Rng *rng, const Run *run, uint64_t purpose)
{
    const uint64_t seed = run->seed ? (uint64_t)run->seed : (uint64_t)clock_us();
    rng_seed(rng, seed ^ run->root.st.key ^ purpose);
}

static Move limited_choice(const Run *run, Move best)
{
    Rng rng;
    if (run->plausible_count == 0)
        return best;
    seed_lots(&rng, run, 0);
    const double stress = level_stress(&run->root, run->clock_ms);
    const int index = level_choose(&run->level, stress, run->plausible, run->plausible_count, &rng);
    return run->plausible[index].move;
}

/* Limits depth and asks for the moves such a player would think of. Analysis stays at full
 * strength. */
static void limit_strength(Run *run, const SamaraRequest *request, SearchSetup *setup)
{
    Limits *limits = &setup->limits;
    run->shown_lines = setup->multipv;
    run->plausible_count = 0;
    run->limited = request->elo > 0 && !limits->infinite && limits->mate == 0 &&
                   level_at(request->elo, &run->level);
    if (!run->limited)
        return;
    Rng rng;
    rng_seed(&rng, (uint64_t)run->seed ^ run->root.st.key ^ 1);
    const double depth = run->level.depth;
    const int plies = (int)depth + (rng_unit(&rng) < depth - (int)depth);
    if (limits->depth == 0 || limits->depth > plies)
        limits->depth = plies;
    const int lines = (int)(run->level.lines + 0.5);
    if (setup->multipv < lines)
        setup->multipv = lines;
}

/* --- what the search says --- */

/* Keeps a line if it counts, and shows it to whoever listens. */
static void tell(Run *run, const FoundLine *line)
{
    run->told_nodes = line->info.nodes;
    if (line->info.bound == BOUND_EXACT)
        lines_add(&run->lines, line);
    if (!run->events.line)
        return;
    export_line(run, line, line->info.multipv, &run->told);
    run->events.line(run->events.user, &run->told);
}

/* Collects lines for a limited level even if nobody sees them, and shows those that were asked for.
 * */
static void on_info(void *user, const SearchInfo *s)
{
    Run *run = &((Samara *)user)->run;
    FoundLine line;
    found_line_set(&line, s);
    if (run->limited)
        note_plausible(run, &line);
    if (s->multipv > run->shown_lines)
        return;
    if (s->multipv == 1 && s->bound == BOUND_EXACT)
        run->exact = line;
    tell(run, &line);
}

/* The last line is about the move that is played, even if a weaker one than the best was chosen. */
static bool find_last_line(Run *run, FoundLine *line)
{
    const Move best = run->result.best.code;
    *line = run->exact;
    if (line->length > 0 && line->moves[0] == best)
        return true;
    for (int i = 0; i < run->plausible_count; i++)
        if (run->plausible[i].move == best) {
            const FoundLine *chosen = &run->plausible_line[i];
            memcpy(line->moves, chosen->moves, (size_t)chosen->length * sizeof *line->moves);
            line->length = chosen->length;
            line->info.score = chosen->info.score;
            run->told_nodes = 0;
            return true;
        }
    return false;
}

/* A search that was cut off tells once more what it plays, with the final counts. */
static void tell_last_line(Run *run, const SearchResult *s)
{
    FoundLine line;
    if (run->exact.info.depth == 0 || !find_last_line(run, &line) || run->told_nodes == s->nodes)
        return;
    line.info.nodes = s->nodes;
    line.info.time_us = s->time_us;
    tell(run, &line);
}

static void on_current_move(void *user, int depth, Move m, int number)
{
    const Run *run = &((Samara *)user)->run;
    SamaraMove move;
    move_export(&run->root, m, &move);
    run->events.current_move(run->events.user, depth, &move, number);
}

/* The guess is worth telling only if it can be played. */
static void export_ponder(const Run *run, Move best, Move guess, SamaraMove *out)
{
    Position pos = run->root;
    Undo undo;
    pos_make(&pos, best, &undo, NULL);
    if (guess != MOVE_NONE && pos_is_pseudo_legal(&pos, guess) && pos_is_legal(&pos, guess))
        move_export(&pos, guess, out);
}

/* The move of the search, or that of the level; its ponder move only if the search's own move is
 * played. */
static void export_result(Run *run, const SearchResult *s)
{
    SamaraResult *r = &run->result;
    *r = (SamaraResult){.depth = s->depth, .nodes = s->nodes, .time_ms = s->time_us / 1000};
    wdl_export(&run->root, s->score, BOUND_EXACT, &r->score);
    Move best = run->limited ? limited_choice(run, s->best) : s->best;
    if (!list_has(&run->legal, best)) {
        assert(run->legal.count == 0 && "the search found a move that is none");
        best = run->legal.count > 0 ? run->legal.moves[0] : MOVE_NONE;
    }
    move_export(&run->root, best, &r->best);
    move_export(&run->root, MOVE_NONE, &r->ponder);
    if (best != MOVE_NONE && best == s->best)
        export_ponder(run, best, s->ponder, &r->ponder);
}

/* The last line is told again if the choice changed, then the result. Damaged tables are reported
 * here, once per search. */
static void on_done(void *user, const SearchResult *s)
{
    Samara *e = user;
    Run *run = &e->run;
    export_result(run, s);
    tell_last_line(run, s);
    if (run->lines.room > 0)
        run->result.lines = samara_lines(e, &run->result.line_count);
    Error why;
    if (syzygy_complaint(e->tables, &why) && run->events.message)
        run->events.message(run->events.user, why.text);
    if (run->events.done)
        run->events.done(run->events.user, &run->result);
}

/* --- what goes in --- */

static bool no_memory(Error *err)
{
    return error_code(err, "NO_MEMORY", 0, "not enough memory to search");
}

static bool out_of_range(Error *err, const char *field, int min, int max)
{
    return error_code(err, "OUT_OF_RANGE", 0, "%s goes from %d to %d", field, min, max);
}

/* Zero is the usual thing in every field; what else is out of range is refused. */
static bool check_request(const SamaraRequest *r, Error *err)
{
    if (r->lines < 0 || r->lines > SAMARA_MAX_LINES)
        return out_of_range(err, "the number of lines", 0, SAMARA_MAX_LINES);
    if (r->elo != 0 && (r->elo < LEVEL_MIN_ELO || r->elo > LEVEL_MAX_ELO))
        return out_of_range(err, "the rating of a level", LEVEL_MIN_ELO, LEVEL_MAX_ELO);
    if ((int)r->evaluation < SAMARA_NETWORK || r->evaluation > SAMARA_CLASSICAL)
        return out_of_range(err, "the evaluation", SAMARA_NETWORK, SAMARA_CLASSICAL);
    return true;
}

/* Positions before the last irreversible move cannot come back. */
static bool copy_game(Run *run, const Game *game, Error *err)
{
    const int count = game->count < game->pos.st.rule50 ? game->count : game->pos.st.rule50;
    const int need = count + MAX_PLY + 1;
    if (need > run->key_capacity) {
        Key *keys = realloc(run->keys, (size_t)need * sizeof *keys);
        if (!keys)
            return no_memory(err);
        run->keys = keys;
        run->key_capacity = need;
    }
    if (count > 0)
        memcpy(run->keys, game->keys + (game->count - count), (size_t)count * sizeof(Key));
    run->key_count = count;
    run->root = game->pos;
    gen_legal(&run->root, &run->legal);
    return true;
}

static bool copy_position(Run *run, const SamaraPosition *position, Error *err)
{
    Game start;
    game_init(&start);
    return copy_game(run, position ? &position->game : &start, err);
}

static void copy_search_moves(Limits *to, const SamaraRequest *request, const Position *root)
{
    for (size_t i = 0; i < request->move_count && to->search_move_count < MAX_MOVES; i++) {
        const Move m = move_import(root, &request->moves[i]);
        bool fresh = m != MOVE_NONE;
        for (int k = 0; k < to->search_move_count; k++)
            fresh = fresh && to->search_moves[k] != m;
        if (fresh)
            to->search_moves[to->search_move_count++] = m;
    }
}

/* The public limits in the search's own units; the clock of the side to move is kept for the level.
 * */
static void copy_limits(Run *run, const SamaraRequest *request, int64_t start_us, Limits *to)
{
    const SamaraLimits *from = &request->limits;
    const bool timed = from->has_clock && !from->ponder && !from->infinite;
    run->clock_ms = !timed ? -1 : run->root.turn == WHITE ? from->wtime_ms : from->btime_ms;
    *to = (Limits){.start_us = start_us,
                   .depth = from->depth,
                   .mate = from->mate,
                   .nodes = from->nodes,
                   .soft_nodes = from->soft_nodes,
                   .plain = from->plain,
                   .movetime_ms = from->movetime_ms,
                   .has_clock = from->has_clock,
                   .time_ms = {from->wtime_ms, from->btime_ms},
                   .inc_ms = {from->winc_ms, from->binc_ms},
                   .movestogo = from->movestogo,
                   .overhead_ms = from->overhead_ms,
                   .infinite = from->infinite,
                   .ponder = from->ponder};
    copy_search_moves(to, request, &run->root);
}

/* The client's book if it wants one, or the small one inside; that also gives a limited level the
 * openings that such a player knows. NULL: none. */
static const Book *book_for(const Samara *e, const SamaraRequest *request)
{
    const Run *run = &e->run;
    if (request->book != SAMARA_BOOK_UNUSED)
        return e->book ? e->book : book_embedded();
    const bool known = run->limited && (int)run->root.ply < level_book_plies(request->elo);
    return known ? book_embedded() : NULL;
}

/* A book move is searched like any other, but alone and briefly: the answer comes the same way,
 * with a score. */
static void try_book(const Samara *e, const SamaraRequest *request, Limits *limits)
{
    const Run *run = &e->run;
    const Book *book = book_for(e, request);
    if (!book || limits->infinite || limits->ponder || limits->search_move_count > 0 ||
        limits->mate > 0)
        return;
    Rng rng;
    seed_lots(&rng, run, 2);
    const Square ep = request->position ? position_passed_square(request->position) : NO_SQUARE;
    const Move m = book_pick(book, &run->root, ep, request->book == SAMARA_BOOK_BEST, &rng);
    if (m == MOVE_NONE)
        return;
    limits->search_moves[0] = m;
    limits->search_move_count = 1;
    limits->depth = 1;
    if (run->events.message)
        run->events.message(run->events.user, "book move");
}

/* Lines that nobody reads are not put together: in a search of a few hundred nodes that shows. */
static SearchEvents wanted_events(Samara *e)
{
    const Run *run = &e->run;
    const bool lines = run->events.line || run->limited || run->lines.room > 0;
    return (SearchEvents){.user = e,
                          .info = lines ? on_info : NULL,
                          .current_move = run->events.current_move ? on_current_move : NULL,
                          .done = on_done};
}

/* Room for the lines that the client wants to have in the end. */
static bool make_room(Run *run, int lines, Error *err)
{
    const int moves = run->legal.count > 0 ? run->legal.count : 1;
    const int room = lines < moves ? lines : moves;
    if (room > 0 && room > run->shown_room) {
        SamaraLine *shown = realloc(run->shown, (size_t)room * sizeof *shown);
        if (!shown)
            return no_memory(err);
        run->shown = shown;
        run->shown_room = room;
    }
    return lines_reset(&run->lines, room) || no_memory(err);
}

/* What another evaluation left in the table would mislead this one. */
static void prepare_memory(Samara *e, const SamaraRequest *request)
{
    const int with = (int)request->evaluation;
    if (request->fresh || (e->learned_with != EVALUATION_NONE && e->learned_with != with))
        engine_forget(e);
    e->learned = true;
    e->learned_with = with;
}

/* Turns a request into a setup for the search: everything that can fail fails here, before anything
 * runs. */
static bool prepare(Samara *e, const SamaraRequest *request, const SamaraEvents *events,
                    SearchSetup *setup, Error *err)
{
    Run *run = &e->run;
    const int64_t start_us = clock_us();
    if (!check_request(request, err))
        return false;
    engine_settle(e);
    if (!copy_position(run, request->position, err) || !make_room(run, request->lines, err))
        return false;
    prepare_memory(e, request);
    run->events = events ? *events : (SamaraEvents){0};
    run->seed = request->seed;
    run->exact.info.depth = run->exact.length = 0;
    run->told_nodes = 0;

    *setup = (SearchSetup){.root = &run->root,
                           .keys = run->keys,
                           .key_count = run->key_count,
                           .multipv = request->lines > 0 ? request->lines : 1,
                           .net = engine_net(e, request->evaluation),
                           .tables = e->tables,
                           .tb_probe_depth = request->tables_depth > 0 ? request->tables_depth : 1,
                           .tb_probe_limit = request->tables_men == 0  ? INT8_MAX
                                             : request->tables_men < 0 ? 0
                                                                       : request->tables_men,
                           .tb_rule50 = !request->tables_no_rule50};
    copy_limits(run, request, start_us, &setup->limits);
    limit_strength(run, request, setup);
    try_book(e, request, &setup->limits);
    setup->events = wanted_events(e);
    return true;
}

bool samara_go(Samara *e, const SamaraRequest *request, const SamaraEvents *events,
               SamaraError *err)
{
    Error why;
    SearchSetup setup;
    if (!prepare(e, request, events, &setup, &why))
        return engine_fail(err, &why);
    pool_start(e->pool, e->tt, &setup);
    return true;
}

/* In the caller's thread from beginning to end: deterministic with one thread. */
bool samara_search(Samara *e, const SamaraRequest *request, const SamaraEvents *events,
                   SamaraResult *result, SamaraError *err)
{
    Error why;
    SearchSetup setup;
    if (!prepare(e, request, events, &setup, &why))
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

void samara_elo_range(int *min, int *max)
{
    *min = LEVEL_MIN_ELO;
    *max = LEVEL_MAX_ELO;
}

void samara_set_score(Samara *e, const SamaraPosition *position, int centipawns, int depth)
{
    const Position *p = position_board(position);
    engine_settle(e);
    pool_teach(e->tt, p, wdl_score(wdl_model(p), centipawns), depth);
    e->learned = true;
}
