// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/program.h"

#include "base/clock.h"
#include "base/memory.h"

#include <string.h>

Program program_of_rung(int rung, Evaluation evaluation)
{
    return (Program){rung_name(rung), rung_techniques(rung), &values_ladder, evaluation};
}

/* --- the programs of the reports --- */

#define FIRST_ONE TECHNIQUE(ALPHA_BETA)
#define FIRST_TWO (FIRST_ONE | TECHNIQUE(NEGAMAX) | TECHNIQUE(CAPTURES_FIRST))
#define FIRST_THREE                                                                                \
    (FIRST_TWO | TECHNIQUE(TRANSPOSITION_TABLE) | TECHNIQUE(KILLER_MOVES) | TECHNIQUE(NEGASCOUT) | \
     TECHNIQUE(NULL_MOVE))
#define FIRST_FOUR                                                                                 \
    (FIRST_THREE | TECHNIQUE(QUIESCENCE) | TECHNIQUE(STATIC_EXCHANGE) | TECHNIQUE(DELTA_PRUNING) | \
     TECHNIQUE(HISTORY) | TECHNIQUE(PIECE_SQUARES) | TECHNIQUE(RAZORING) |                         \
     TECHNIQUE(LATE_MOVE_REDUCTIONS) | TECHNIQUE(CHECK_EXTENSION))
#define THIRD                                                                                      \
    (FIRST_THREE | TECHNIQUE(ITERATIVE_DEEPENING) | TECHNIQUE(VERIFICATION) |                      \
     TECHNIQUE(QUIESCENCE) | TECHNIQUE(STATIC_EXCHANGE) | TECHNIQUE(HISTORY) |                     \
     TECHNIQUE(COUNTER_MOVES) | TECHNIQUE(PIECE_SQUARES) | TECHNIQUE(LATE_MOVE_REDUCTIONS) |       \
     TECHNIQUE(LATE_MOVE_PRUNING) | TECHNIQUE(CHECK_EXTENSION) | TECHNIQUE(ASPIRATION) |           \
     TECHNIQUE(INTERNAL_DEEPENING))
#define FIFTH_BASIC (TECHNIQUE(ALPHA_BETA) | TECHNIQUE(NEGAMAX))
#define FIFTH                                                                                      \
    (FIRST_TWO | TECHNIQUE(ITERATIVE_DEEPENING) | TECHNIQUE(TRANSPOSITION_TABLE) |                 \
     TECHNIQUE(KILLER_MOVES) | TECHNIQUE(NULL_MOVE) | TECHNIQUE(LATE_MOVE_REDUCTIONS))

static const ReportProgram reports[] = {
    {{"first report, phase 1", FIRST_ONE, &values_first_middle, EVAL_FIRST}, .base = -1},
    {{"first report, phase 2", FIRST_TWO, &values_first_middle, EVAL_SECOND}, 0, 2, 3, 0, 0, 0, 0},
    {{"first report, phase 3", FIRST_THREE, &values_first_middle, EVAL_SECOND},
     0,
     10,
     50,
     0,
     0,
     0,
     0},
    {{"first report, phase 4", FIRST_FOUR, &values_first_final, EVAL_MATERIAL},
     0,
     50,
     200,
     0,
     0,
     0,
     0},
    {{"second report", FIFTH_BASIC, &values_ladder, EVAL_MATERIAL}, .base = -1},
    {{"third report", THIRD, &values_third, EVAL_MATERIAL}, .base = -1},
    {{"fourth report", FIRST_ONE, &values_ladder, EVAL_POINTS}, .base = -1},
    {{"fifth report, before", FIFTH_BASIC, &values_fifth, EVAL_MATERIAL}, .base = -1},
    {{"fifth report, after", FIFTH, &values_fifth, EVAL_MATERIAL}, 7, 5, 10, 200, 300, 2, 3},
};

const ReportProgram *report_program(int index)
{
    return index < (int)(sizeof reports / sizeof *reports) ? &reports[index] : NULL;
}

/* --- running --- */

struct Runner {
    Search search;
    Table *table;
    Key *path;
    int path_capacity;
};

Runner *runner_create(int table_log2_entries, Error *err)
{
    Runner *r = memory_alloc(sizeof *r, CACHE_LINE);
    if (r && (r->table = table_create(table_log2_entries)))
        return r;
    memory_free(r);
    error_code(err, "NO_MEMORY", 0, "no memory for a table of 2^%d entries", table_log2_entries);
    return NULL;
}

void runner_destroy(Runner *r)
{
    if (!r)
        return;
    table_destroy(r->table);
    memory_free(r->path);
    memory_free(r);
}

/* One search with an empty table, so that rows do not help each other. CPU time is measured, which
 * a busy machine does not spoil. */
static RunResult run(Runner *r, const RunLimits *limits)
{
    Search *s = &r->search;
    table_forget(r->table);
    RunResult result = {0};
    const int64_t start = clock_cpu_us();
    if (limits->movetime_us > 0)
        s->deadline_us = start + limits->movetime_us;
    result.depth = deepening_search(s, limits->depth, limits->movetime_us > 0, &result.score);
    result.cpu_us = clock_cpu_us() - start;
    result.best = s->best;
    result.nodes = s->nodes;
    return result;
}

static void prepare(Runner *r, const Program *program, const Position *p)
{
    r->search = (Search){.pos = *p,
                         .techniques = program->techniques,
                         .values = program->values,
                         .evaluation = program->evaluation};
    if (program->techniques & TECHNIQUE(TRANSPOSITION_TABLE))
        r->search.table = r->table;
}

RunResult program_run(Runner *r, const Program *program, const Position *p, const RunLimits *limits)
{
    prepare(r, program, p);
    return run(r, limits);
}

/* Room for the game, a whole line of search and the quiescence below it. */
static bool reserve_path(Runner *r, int count)
{
    if (count + MAX_PLY + 2 <= r->path_capacity)
        return true;
    const int capacity = 2 * count + 8 * MAX_PLY;
    Key *path = memory_alloc((size_t)capacity * sizeof *path, CACHE_LINE);
    if (!path)
        return false;
    memory_free(r->path);
    r->path = path;
    r->path_capacity = capacity;
    return true;
}

RunResult program_play(Runner *r, const Program *program, const Position *p, const Key *keys,
                       int count, const RunLimits *limits)
{
    prepare(r, program, p);
    if (reserve_path(r, count)) { /* without memory it plays without memory of the game */
        if (count > 0)
            memcpy(r->path, keys, (size_t)count * sizeof *keys);
        r->search.path = r->path;
        r->search.path_length = count;
    }
    return run(r, limits);
}
