// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/techniques.h"

static const TechniqueSpec specs[TECHNIQUE_COUNT] = {
    [ALPHA_BETA] = {"alpha-beta", "alpha_beta.c", true, 0, 0},
    [NEGAMAX] = {"negamax", "negamax.c", true, 0, 0},
    [CAPTURES_FIRST] = {"captures first", "ordering.c", true, 1.3, 1.5},
    [ITERATIVE_DEEPENING] = {"iterative deepening", "deepening.c", true, 0, 0},
    [TRANSPOSITION_TABLE] = {"transposition table", "table.c", true, 2, 3},
    [KILLER_MOVES] = {"killer moves", "killers.c", true, 1.15, 1.25},
    [NEGASCOUT] = {"negascout", "scout.c", true, 0, 0},
    [NULL_MOVE] = {"null move", "null_move.c", false, 1.2, 1.4},
    [VERIFICATION] = {"null move verified", "null_move.c", false, 0, 0},
    [QUIESCENCE] = {"quiescence", "quiescence.c", false, 0, 0},
    [STATIC_EXCHANGE] = {"static exchange", "exchange.c", false, 0, 0},
    [DELTA_PRUNING] = {"delta pruning", "quiescence.c", false, 0, 0},
    [HISTORY] = {"history", "history.c", true, 0, 0},
    [COUNTER_MOVES] = {"counter moves", "counters.c", true, 0, 0},
    [PIECE_SQUARES] = {"piece-square tables", "piece_squares.c", false, 0, 0},
    [RAZORING] = {"razoring", "razoring.c", false, 0, 0},
    [FUTILITY] = {"futility pruning", "futility.c", false, 0, 0},
    [LATE_MOVE_REDUCTIONS] = {"late move reductions", "reductions.c", false, 1.2, 1.5},
    [LATE_MOVE_PRUNING] = {"late move pruning", "late_pruning.c", false, 0, 0},
    [CHECK_EXTENSION] = {"check extension", "extension.c", false, 0, 0},
    [ASPIRATION] = {"aspiration windows", "aspiration.c", true, 0, 0},
    [INTERNAL_DEEPENING] = {"internal deepening", "internal_deepening.c", true, 0, 0},
    [MULTI_CUT] = {"multi-cut", "multi_cut.c", false, 0, 0},
};

const TechniqueSpec *technique_spec(Technique t) { return &specs[t]; }

TechniqueSet rung_techniques(int rung) { return TECHNIQUE(rung) - 1; }

const char *rung_name(int rung) { return rung == 0 ? "minimax" : specs[rung - 1].name; }

/* By name or by number from 1, as a person types it. */
bool rung_named(Str name, int *rung)
{
    int64_t number;
    if (str_int(name, 1, RUNG_COUNT, &number)) {
        *rung = (int)number - 1;
        return true;
    }
    for (int r = 0; r < RUNG_COUNT; r++)
        if (str_is_nocase(name, rung_name(r))) {
            *rung = r;
            return true;
        }
    return false;
}
