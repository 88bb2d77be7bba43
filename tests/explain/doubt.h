// SPDX-License-Identifier: GPL-3.0-or-later
/* doubt.h -- what the checker's two halves share: a claim as it was read, replayed on a board, and a
 * plain material search that knows nothing of src/review. */
#ifndef SAMARA_TESTS_DOUBT_H
#define SAMARA_TESTS_DOUBT_H

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "samara.h"

enum { MOST_LINE = 20, MOST_SQUARES = 4 };

typedef struct Claimed {
    const char *fen, *kind, *role, *certainty;
    char move[8], best[8];
    int number; /* material: pawns that change hands, as the winner counts */
    int mate, ply;
    bool from_before;
    int count;
    Square squares[MOST_SQUARES];
    int length;
    Move line[MOST_LINE];
    Position before;                /* the move */
    Position boards[MOST_LINE + 1]; /* of the line */
} Claimed;

typedef struct Doubt {
    Samara *engine;
    SamaraPosition *position;
    uint64_t nodes, limit; /* of the material search */
    uint64_t deep;         /* nodes of an engine search: 20 times those of the claim */
} Doubt;

extern const int value_of[7];

int balance(const Position *p, Color c); /* c's men less the other's, in plain values */
/* What the side to move can reach at this depth, captures beyond it; nobody must take. */
int material_search(Doubt *d, Position *p, int alpha, int beta, int depth);
/* Can the side to move reach a balance of `goal`, whatever the other does? */
bool gains(Doubt *d, const Position *start, int goal);
/* What the side to move wins by captures on one square alone, at least 0. */
int exchange(const Position *p, Square s);

/* Geometry and brute force: forks, pins and their kin. NULL: not one of these. */
const char *doubt_motif(Doubt *d, const Claimed *c);

#endif
