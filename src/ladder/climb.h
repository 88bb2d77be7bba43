// SPDX-License-Identifier: GPL-3.0-or-later
/* climb.h -- what the rungs share: a board to move on, a count of nodes, the value of leaves. */
#ifndef SAMARA_LADDER_CLIMB_H
#define SAMARA_LADDER_CLIMB_H

#include "classical/classical.h"
#include "chess/movegen.h"
#include "ladder/yardstick.h"

enum {
    LADDER_MATE = 30000,
    LADDER_INFINITY = LADDER_MATE + 1,
    LADDER_MAX_DEPTH = 30,
    KILLER_COUNT = 2,
};

typedef enum TableBound { TABLE_EMPTY, TABLE_EXACT, TABLE_LOWER, TABLE_UPPER } TableBound;
typedef struct TableEntry {
    Key key;
    int16_t score;
    Move move;
    uint8_t depth, bound;
} TableEntry;

typedef struct Climb {
    Position pos;
    Yardstick yardstick; /* of the leaves */
    uint64_t nodes;
    Move best;        /* at the root */
    PawnTable *pawns; /* only makes the leaves faster; may be NULL */
    /* Used by the upper rungs only. */
    TableEntry *table; /* TABLE_SIZE of them */
    Move killers[LADDER_MAX_DEPTH + 1][KILLER_COUNT];
    bool null_moves;
} Climb;

enum { TABLE_SIZE = 1 << 20 };

int climb_leaf(const Climb *c);             /* static value, side to move's view */
int climb_no_move(const Climb *c, int ply); /* mated or stalemate, side to move's view */

/* Each searches c->pos to `depth` > 0 and leaves the best move in c->best. Side to move's view. */
int minimax_search(Climb *c, int depth);
int alpha_beta_search(Climb *c, int depth);
int negamax_search(Climb *c, int depth);
int negascout_search(Climb *c, int depth);

/* Captures by most valuable victim, then least valuable attacker; quiet moves 0. Used from negamax
 * upward. */
int capture_order(const Position *p, Move m);

#endif
