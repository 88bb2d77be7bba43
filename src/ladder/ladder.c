// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/ladder.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/fen.h"

#include <stddef.h>

typedef struct RungSpec {
    const char *name;
    int (*search)(Climb *c, int depth);
    bool table, null_moves;
    const char *claim; /* of the reports, over minimax with alpha-beta */
} RungSpec;

static const RungSpec rungs[RUNG_COUNT] = {
    [RUNG_MINIMAX] = {"minimax", minimax_search, false, false, "-"},
    [RUNG_ALPHA_BETA] = {"alpha-beta", alpha_beta_search, false, false, "1"},
    [RUNG_NEGAMAX] = {"negamax, captures first", negamax_search, false, false, "2-3"},
    [RUNG_NEGASCOUT] = {"negascout, table, killers", negascout_search, true, false, "-"},
    [RUNG_NULL_MOVE] = {"the same with null moves", negascout_search, true, true, "10-50"},
};

static const char full_name[] = "the full engine", full_claim[] = "50-200";

/* The first report's test positions, an opening, two middlegames and an ending. */
static const char *const positions[] = {
    "4r1k1/r4p1p/p3bRpQ/q2pP3/2pP4/Bpn1R3/6PP/1B4K1 w - - 0 1",
    "5r2/Rpp4p/3k2p1/3N4/2P1P1b1/1PQ3P1/1P5r/4KB1q w - - 0 1",
    "2RR1K2/1B3PPq/5Q2/4P3/7n/Ppp1b3/p5pp/3rk2N b - - 0 1",
    "6k1/3r2p1/R4p2/1p2qP1Q/4P3/1P1P3P/1Pr2BP1/6K1 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};

enum { POSITION_COUNT = sizeof positions / sizeof *positions };

const char *ladder_name(Rung rung) { return rungs[rung].name; }

bool ladder_is_exact(Rung rung) { return !rungs[rung].null_moves; }

bool ladder_search(Rung rung, Yardstick yardstick, const Position *p, int depth,
                   LadderResult *result)
{
    Climb c = {.pos = *p, .yardstick = yardstick, .null_moves = rungs[rung].null_moves};
    if (rungs[rung].table && !(c.table = memory_alloc(TABLE_SIZE * sizeof *c.table, CACHE_LINE)))
        return false;
    c.pawns = pawn_table_create();
    const int64_t start = clock_us();
    const int score = rungs[rung].search(&c, depth);
    *result = (LadderResult){c.best, score, c.nodes, clock_us() - start};
    memory_free(c.table);
    pawn_table_destroy(c.pawns);
    return true;
}

/* --- the report --- */

typedef struct Sum {
    uint64_t nodes;
    int64_t time_us;
} Sum;

static bool measure(Rung rung, const LadderPlan *plan, Sum *sum)
{
    for (int i = 0; i < POSITION_COUNT; i++) {
        Position p;
        LadderResult result;
        if (!fen_parse(&p, str_from(positions[i]), FEN_STANDARD, NULL, NULL) ||
            !ladder_search(rung, plan->yardstick, &p, plan->depth, &result))
            return false;
        sum->nodes += result.nodes;
        sum->time_us += result.time_us;
        if (plan->progress)
            plan->progress(plan->user, rungs[rung].name, i + 1, POSITION_COUNT);
    }
    return true;
}

static bool measure_full(const LadderPlan *plan, Sum *sum)
{
    for (int i = 0; i < POSITION_COUNT; i++) {
        uint64_t nodes;
        int64_t time_us;
        if (!plan->full(plan->user, positions[i], plan->depth, &nodes, &time_us))
            return false;
        sum->nodes += nodes;
        sum->time_us += time_us;
        if (plan->progress)
            plan->progress(plan->user, full_name, i + 1, POSITION_COUNT);
    }
    return true;
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

static void put_row(Buffer *out, const char *name, const Sum *sum, const Sum *base,
                    const char *claim)
{
    buffer_printf(out, "%-27s %13llu %10.3f %12.2f %12.2f %10s\n", name,
                  (unsigned long long)sum->nodes, (double)sum->time_us / 1e6,
                  ratio((double)base->nodes, (double)sum->nodes),
                  ratio((double)base->time_us, (double)sum->time_us), claim);
}

bool ladder_report(const LadderPlan *plan, Buffer *out)
{
    Sum sums[RUNG_COUNT] = {0}, full = {0};
    for (int r = 0; r < RUNG_COUNT; r++)
        if ((r != RUNG_MINIMAX || plan->depth <= plan->minimax_depth) &&
            !measure((Rung)r, plan, &sums[r]))
            return false;
    if (plan->full && !measure_full(plan, &full))
        return false;
    const Sum *base = &sums[RUNG_ALPHA_BETA];
    buffer_printf(
        out, "%d positions to depth %d, evaluation '%s'; speed-up over minimax with alpha-beta\n\n",
        POSITION_COUNT, plan->depth, yardstick_name(plan->yardstick));
    buffer_printf(out, "%-27s %13s %10s %12s %12s %10s\n", "search", "nodes", "seconds",
                  "fewer nodes", "less time", "claimed");
    for (int r = 0; r < RUNG_COUNT; r++)
        if (sums[r].nodes > 0)
            put_row(out, rungs[r].name, &sums[r], base, rungs[r].claim);
    if (plan->full)
        put_row(out, full_name, &full, base, full_claim);
    buffer_puts(out, "\nThe reports' other claims: table 2-3, ordering 1.3-1.5, null move 1.2-1.4, "
                     "killers 1.15-1.25, late move\n"
                     "reductions 1.2-1.5, all together 5-10 times plain minimax, two or three "
                     "plies more in the same time.\n");
    return !out->failed;
}
