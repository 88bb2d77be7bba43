// SPDX-License-Identifier: GPL-3.0-or-later
/* ladder.h -- the classic searches, from plain minimax upward, each a page long, all over the same
 * evaluation.
 *
 * They know mate and stalemate, and neither repetition nor the fifty-move rule, so that a position
 * alone decides its value. All rungs but the last give the same score at the same depth: that is
 * what makes them an oracle. */
#ifndef SAMARA_LADDER_LADDER_H
#define SAMARA_LADDER_LADDER_H

#include "base/text.h"
#include "chess/movegen.h"
#include "ladder/climb.h"

typedef enum Rung {
    RUNG_MINIMAX,    /* every line, White maximises, Black minimises */
    RUNG_ALPHA_BETA, /* lines that cannot matter are cut */
    RUNG_NEGAMAX,    /* one function for both sides; captures first, most valuable victim first */
    RUNG_NEGASCOUT,  /* later moves only have to be refuted; table, killers */
    RUNG_NULL_MOVE,  /* negascout that lets the opponent move twice: no longer exact */
    RUNG_COUNT,
} Rung;

typedef struct LadderResult {
    Move best; /* MOVE_NONE without a legal move */
    int score; /* side to move's view, units of the yardstick; mate in n plies: LADDER_MATE - n */
    uint64_t nodes; /* positions visited, leaves too */
    int64_t time_us;
} LadderResult;

const char *ladder_name(Rung rung);
bool ladder_is_exact(Rung rung);
/* False if memory for the table is short. depth: 1 to LADDER_MAX_DEPTH. */
bool ladder_search(Rung rung, Yardstick yardstick, const Position *p, int depth,
                   LadderResult *result);

/* The reports' table, measured: all rungs and `full` (may be NULL), which searches a FEN to a depth
 * with the real engine, on a fixed set of positions. Plain minimax takes part up to
 * `minimax_depth`. */
typedef bool (*LadderFull)(void *user, const char *fen, int depth, uint64_t *nodes,
                           int64_t *time_us);
typedef struct LadderPlan {
    int depth, minimax_depth;
    Yardstick yardstick; /* of the rungs; `full` has its own */
    LadderFull full;
    void *user;
    void (*progress)(void *user, const char *name, int done, int total); /* may be NULL */
} LadderPlan;
bool ladder_report(const LadderPlan *plan, Buffer *out);

#endif
