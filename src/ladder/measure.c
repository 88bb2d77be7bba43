// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "ladder/ladder.h"

#include <stdlib.h>
#include <string.h>

enum { PERFT_HASH_MB = 64, MAX_POSITIONS = 32, CALIBRATION_DEPTH = 8 };

/* What runs: a program of pages, or an engine from outside. */
typedef struct Contestant {
    Program program;
    const LadderEngine *engine; /* NULL: a program */
    uint64_t nodes_per_move;    /* of an engine: what it searches in the time of a move */
    Runner *runner;
    int64_t movetime_us;
} Contestant;

typedef struct Measurement {
    const LadderPlan *plan;
    LadderTable *table;
    Runner *runner;
    Position positions[MAX_POSITIONS];
    int position_count;
    Contestant contestants[LADDER_MAX_ROWS];
    Error *err;
} Measurement;

static void progress(const Measurement *m, const char *what, int done, int total)
{
    if (m->plan->progress)
        m->plan->progress(m->plan->user, what, done, total);
}

/* --- rows --- */

static int add_row(Measurement *m, LadderRow row, Contestant c)
{
    const int at = m->table->row_count++;
    c.runner = m->runner;
    c.movetime_us = m->plan->movetime_us;
    m->table->rows[at] = row;
    m->contestants[at] = c;
    return at;
}

/* Each rung has the techniques of all rungs below it and one more; it is compared with the one
 * below. */
static void add_rungs(Measurement *m)
{
    for (int r = m->plan->from; r <= m->plan->to; r++) {
        LadderRow row = {.name = rung_name(r), .rung = r, .base = m->table->row_count - 1};
        if (r > 0) {
            row.claim_low = technique_spec((Technique)(r - 1))->claim_low;
            row.claim_high = technique_spec((Technique)(r - 1))->claim_high;
        }
        add_row(m, row, (Contestant){.program = program_of_rung(r, m->plan->evaluation)});
    }
    m->table->rung_count = m->table->row_count;
}

static void add_engines(Measurement *m)
{
    for (const LadderEngine *e = m->plan->engines; e && e->name; e++)
        add_row(m, (LadderRow){.name = e->name, .rung = -1, .base = m->table->row_count - 1},
                (Contestant){.engine = e});
}

/* Programs with the sets of techniques that the reports describe, each compared with its own base.
 * */
static void add_reports(Measurement *m)
{
    const int begin = m->table->report_begin = m->table->row_count;
    const ReportProgram *r;
    for (int i = 0; m->plan->reports && (r = report_program(i)); i++)
        add_row(m,
                (LadderRow){.name = r->program.name,
                            .rung = -1,
                            .base = r->base < 0 ? -1 : begin + r->base,
                            .claim_low = r->claim_low,
                            .claim_high = r->claim_high,
                            .elo_low = r->elo_low,
                            .elo_high = r->elo_high,
                            .plies_low = r->plies_low,
                            .plies_high = r->plies_high},
                (Contestant){.program = r->program});
}

/* --- equal depth --- */

/* One position, for our own programs and for the full engine alike. */
static bool search_to_depth(const Measurement *m, const Contestant *c, int position, int depth,
                            uint64_t *nodes, int64_t *cpu_us)
{
    if (c->engine) {
        LadderEngineResult result;
        if (!c->engine->search(c->engine->user, ladder_position(position), NULL, 0, depth, 0,
                               &result))
            return error_set(m->err, "the engine failed");
        *nodes = result.nodes;
        *cpu_us = result.cpu_us;
        return true;
    }
    const RunResult result =
        program_run(m->runner, &c->program, &m->positions[position], &(RunLimits){depth, 0});
    *nodes = result.nodes;
    *cpu_us = result.cpu_us;
    return true;
}

/* Plain minimax visits what perft counts, so that it need not be run where that would take hours.
 */
static bool count_minimax(const Measurement *m, uint64_t *nodes)
{
    *nodes = 0;
    for (int i = 0; i < m->position_count; i++) {
        for (int d = 0; d <= m->plan->depth; d++) {
            uint64_t leaves = 1;
            if (d > 0 &&
                !perft_run(&m->positions[i],
                           &(PerftOptions){.depth = d, .threads = 1, .hash_mb = PERFT_HASH_MB},
                           &leaves, m->err))
                return false;
            *nodes += leaves;
        }
        progress(m, "minimax, by counting", i + 1, m->position_count);
    }
    return true;
}

/* Nodes and seconds of one contestant over all positions. */
typedef struct Timing {
    int depth;
    uint64_t nodes;
    double seconds;
    int64_t fastest_us[MAX_POSITIONS];
} Timing;

/* All contestants on a position, then the next position: what disturbs the machine disturbs them
 * alike. The shortest of the passes counts. */
static bool time_contestants(const Measurement *m, const Contestant *list, Timing *timings,
                             int count, const char *what)
{
    const int total = m->plan->passes * m->position_count;
    for (int k = 0; k < total; k++) {
        const int position = k % m->position_count;
        const bool first = k < m->position_count;
        for (int c = 0; c < count; c++) {
            uint64_t nodes = 0;
            int64_t us = 0, *fastest = &timings[c].fastest_us[position];
            if (!search_to_depth(m, &list[c], position, timings[c].depth, &nodes, &us))
                return false;
            timings[c].nodes += first ? nodes : 0;
            *fastest = first || us < *fastest ? us : *fastest;
        }
        progress(m, what, k + 1, total);
    }
    for (int c = 0; c < count; c++)
        for (int i = 0; i < m->position_count; i++)
            timings[c].seconds += (double)timings[c].fastest_us[i] / 1e6;
    return true;
}

static int depth_of_row(const Measurement *m, int row)
{
    const LadderPlan *plan = m->plan;
    const bool minimax = m->table->rows[row].rung == 0;
    return minimax && plan->depth > plan->minimax_depth ? plan->minimax_depth : plan->depth;
}

/* Equal depth: how many nodes and how much time each row needs. */
static bool measure_depth(Measurement *m)
{
    LadderTable *t = m->table;
    Timing timings[LADDER_MAX_ROWS] = {0};
    for (int r = 0; r < t->row_count; r++)
        timings[r].depth = depth_of_row(m, r);
    if (!time_contestants(m, m->contestants, timings, t->row_count, "equal depth"))
        return false;
    for (int r = 0; r < t->row_count; r++) {
        t->rows[r].nodes = timings[r].nodes;
        t->rows[r].seconds = timings[r].seconds;
    }
    return true;
}

/* From what minimax took at the depth that was searched to what it would take. */
static bool estimate_minimax(Measurement *m)
{
    LadderRow *row = &m->table->rows[0];
    if (row->rung != 0 || m->plan->depth <= m->plan->minimax_depth)
        return true;
    const double speed = (double)row->nodes / row->seconds;
    if (!count_minimax(m, &row->nodes))
        return false;
    row->seconds = (double)row->nodes / speed;
    row->counted = true;
    return true;
}

/* --- the last rung without each of its techniques --- */

/* list[0] is the last rung itself. Without alpha-beta and negamax nothing is left to measure. */
static bool measure_without(Measurement *m)
{
    LadderTable *t = m->table;
    Contestant list[RUNG_COUNT + 1];
    Timing timings[RUNG_COUNT + 1] = {0};
    int rows[RUNG_COUNT + 1], count = 0;
    timings[0].depth = m->plan->depth;
    list[count++] = m->contestants[t->rung_count - 1];
    for (int r = 0; r < t->rung_count; r++) {
        if (t->rows[r].rung <= NEGAMAX + 1)
            continue;
        timings[count].depth = m->plan->depth;
        rows[count] = r;
        list[count] = list[0];
        list[count++].program.techniques &= ~TECHNIQUE(t->rows[r].rung - 1);
    }
    if (!time_contestants(m, list, timings, count, "one technique less"))
        return false;
    for (int c = 1; c < count; c++) {
        t->rows[rows[c]].without = timings[c].seconds / timings[0].seconds;
        t->rows[rows[c]].without_nodes = (double)timings[c].nodes / (double)timings[0].nodes;
    }
    return true;
}

/* --- equal time --- */

/* An engine's clock is on the wall. What it may search in a move's CPU time is found out from its
 * speed, and then it is given that many nodes. */
static bool calibrate(Measurement *m, Contestant *c)
{
    uint64_t nodes = 0;
    int64_t us = 1;
    for (int i = 0; i < m->position_count; i++) {
        LadderEngineResult result;
        if (!c->engine->search(c->engine->user, ladder_position(i), NULL, 0, CALIBRATION_DEPTH, 0,
                               &result))
            return error_set(m->err, "the engine failed");
        nodes += result.nodes;
        us += result.cpu_us;
    }
    c->nodes_per_move = (uint64_t)((double)nodes / (double)us * (double)c->movetime_us) + 1;
    return true;
}

/* The full engine gets nodes instead of time: calibrate() has found how many it searches in that
 * time. */
static bool depth_in_time(const Measurement *m, const Contestant *c, int position, int *depth)
{
    if (c->engine) {
        LadderEngineResult result;
        if (!c->engine->search(c->engine->user, ladder_position(position), NULL, 0, 0,
                               c->nodes_per_move, &result))
            return error_set(m->err, "the engine failed");
        *depth = result.depth;
        return true;
    }
    const RunLimits limits = {LADDER_MAX_DEPTH, c->movetime_us};
    *depth = program_run(m->runner, &c->program, &m->positions[position], &limits).depth;
    return true;
}

/* Equal time: how deep each row comes, as a mean over all positions. */
static bool measure_time(Measurement *m)
{
    LadderTable *t = m->table;
    for (int r = 0; r < t->row_count; r++)
        if (m->contestants[r].engine && !calibrate(m, &m->contestants[r]))
            return false;
    for (int i = 0; i < m->position_count; i++) {
        for (int r = 0; r < t->row_count; r++) {
            int depth = 0;
            if (!depth_in_time(m, &m->contestants[r], i, &depth))
                return false;
            t->rows[r].depth += (double)depth / m->position_count;
        }
        progress(m, "equal time", i + 1, m->position_count);
    }
    return true;
}

/* --- games --- */

/* The full engine takes the game as text; the ladder does not know its types. */
static Move engine_move(const Contestant *c, const Game *g)
{
    char fen[FEN_SIZE];
    LadderEngineResult result;
    char(*words)[UCI_MOVE_SIZE] = calloc((size_t)g->count + 1, sizeof *words);
    const char **moves = calloc((size_t)g->count + 1, sizeof *moves);
    Move m = MOVE_NONE;
    if (words && moves) {
        for (int i = 0; i < g->count; i++) {
            move_to_uci(g->plies[i].move, false, words[i]);
            moves[i] = words[i];
        }
        fen_write(&g->start, fen);
        if (c->engine->search(c->engine->user, fen, moves, (size_t)g->count, 0, c->nodes_per_move,
                              &result))
            m = move_from_uci(&g->pos, str_from(result.best));
    }
    free(words);
    free(moves);
    return m;
}

/* A player that has no answer in time plays the first legal move. */
static Move choose(void *user, const Game *g)
{
    const Contestant *c = user;
    const RunLimits limits = {LADDER_MAX_DEPTH, c->movetime_us};
    const Move m =
        c->engine ? engine_move(c, g)
                  : program_play(c->runner, &c->program, &g->pos, g->keys, g->count, &limits).best;
    if (m != MOVE_NONE)
        return m;
    MoveList moves;
    gen_legal(&g->pos, &moves);
    return moves.moves[0];
}

static bool plays(const Contestant *c) { return !c->engine || c->engine->plays; }

/* Each row against the one that it is compared with. */
static bool measure_games(Measurement *m)
{
    LadderTable *t = m->table;
    for (int r = 0; r < t->row_count; r++) {
        const int base = t->rows[r].base;
        if (base >= 0 && plays(&m->contestants[r]) && plays(&m->contestants[base]) &&
            !match_play((Player){&m->contestants[r], choose},
                        (Player){&m->contestants[base], choose}, m->plan->games, (uint64_t)r + 1,
                        &t->rows[r].match, m->err))
            return false;
        progress(m, "games", r + 1, t->row_count);
    }
    return true;
}

/* --- all of it --- */

static bool load_positions(Measurement *m)
{
    m->position_count = ladder_position_count();
    for (int i = 0; i < m->position_count; i++)
        if (!fen_parse(&m->positions[i], str_from(ladder_position(i)), FEN_STANDARD, NULL, m->err))
            return false;
    return true;
}

static bool measure_all(Measurement *m)
{
    const LadderPlan *plan = m->plan;
    add_rungs(m);
    add_engines(m);
    add_reports(m);
    return measure_depth(m) && estimate_minimax(m) && (!plan->each || measure_without(m)) &&
           (plan->movetime_us == 0 || measure_time(m)) && (plan->games == 0 || measure_games(m));
}

/* The whole table: equal depth, equal time, games. */
bool ladder_measure(const LadderPlan *plan, LadderTable *out, Error *err)
{
    *out = (LadderTable){.plan = *plan, .positions = ladder_position_count()};
    Measurement *m = calloc(1, sizeof *m);
    if (!m)
        return error_code(err, "NO_MEMORY", 0, "no memory for the measurement");
    *m = (Measurement){.plan = plan, .table = out, .err = err};
    m->runner = runner_create(TABLE_LOG2_ENTRIES, err);
    const bool ok = m->runner && load_positions(m) && measure_all(m);
    runner_destroy(m->runner);
    free(m);
    return ok;
}

double ladder_speedup(const LadderRow *slow, const LadderRow *fast)
{
    return slow->seconds > 0 && fast->seconds > 0 ? slow->seconds / fast->seconds : 0;
}
