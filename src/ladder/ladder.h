// SPDX-License-Identifier: GPL-3.0-or-later
/* ladder.h -- what each technique of a chess program is worth: measured on the same positions, one
 * technique added at a time, beside what the reports claim.
 *
 * All times are CPU time, and the programs take turns on each position, so that a busy machine
 * disturbs them alike. */
#ifndef SAMARA_LADDER_LADDER_H
#define SAMARA_LADDER_LADDER_H

#include "ladder/games.h"
#include "ladder/program.h"

/* The real engine, from outside: the ladder cannot see it. */
typedef struct LadderEngineResult {
    char best[8]; /* UCI */
    int depth;
    uint64_t nodes;
    int64_t cpu_us; /* of one thread: the process's divided by the number of threads */
} LadderEngineResult;
typedef struct LadderEngine {
    const char *name;
    void *user;
    /* From a clean slate, to a depth or a number of nodes (0: no limit). Moves are UCI words,
     * played from the position of the FEN. */
    bool (*search)(void *user, const char *fen, const char *const *moves, size_t move_count,
                   int depth, uint64_t nodes, LadderEngineResult *out);
    bool plays; /* takes part in games */
} LadderEngine;

typedef struct LadderPlan {
    int depth;           /* of the comparison at equal depth */
    int minimax_depth;   /* plain minimax is searched up to this depth; beyond it its nodes are
                            counted by perft, and its time follows from its speed */
    int passes;          /* each search is timed so often, and the shortest time counts */
    int64_t movetime_us; /* of the comparison at equal time; 0: none */
    int games;           /* against the rung before, at movetime_us a move; 0: none */
    int from, to;        /* rungs, 0 is minimax */
    bool each;           /* also the last rung without each of its techniques */
    bool reports;        /* the programs of the reports, too */
    Evaluation evaluation;
    const LadderEngine *engines; /* up to one without a name; NULL: none */
    void *user;
    void (*progress)(void *user, const char *what, int done, int total); /* may be NULL */
} LadderPlan;

typedef struct LadderRow {
    const char *name;
    int rung;       /* -1: an engine or a program of a report */
    int base;       /* row that it is compared with, -1: none */
    uint64_t nodes; /* at equal depth, all positions */
    double seconds;
    bool counted;         /* nodes by perft, seconds estimated */
    double depth;         /* reached in equal time, mean of the positions */
    double without;       /* time of the last rung without this technique over with it; 0: none */
    double without_nodes; /* the same in nodes */
    MatchScore match;     /* against the row before */
    double claim_low, claim_high, elo_low, elo_high, plies_low, plies_high; /* 0: none */
} LadderRow;

enum { LADDER_MAX_ROWS = 48 };
typedef struct LadderTable {
    LadderPlan plan;
    int positions;
    int row_count, rung_count; /* rungs first, then engines, then the programs of the reports */
    int report_begin;
    LadderRow rows[LADDER_MAX_ROWS];
} LadderTable;

int ladder_position_count(void);
const char *ladder_position(int index); /* FEN */

bool ladder_measure(const LadderPlan *plan, LadderTable *out, Error *err);

/* --- report.c, chart.c: the table for people, programs and the eye --- */
void ladder_write_text(const LadderTable *t, Buffer *out);
void ladder_write_markdown(const LadderTable *t, Buffer *out);
void ladder_write_json(const LadderTable *t, Buffer *out);
void ladder_write_svg(const LadderTable *t, Buffer *out);

/* Row `a` needs how many times the time of row `b`; 0 if one of them was not measured. */
double ladder_speedup(const LadderRow *slow, const LadderRow *fast);

#endif
