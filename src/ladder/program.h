// SPDX-License-Identifier: GPL-3.0-or-later
/* program.h -- chess programs made of the ladder's pages: a set of techniques, the numbers in them,
 * and an evaluation. Rungs are programs, and so are those of the reports. */
#ifndef SAMARA_LADDER_PROGRAM_H
#define SAMARA_LADDER_PROGRAM_H

#include "base/error.h"
#include "ladder/search.h"

typedef struct Program {
    const char *name;
    TechniqueSet techniques;
    const Values *values;
    Evaluation evaluation;
} Program;

Program program_of_rung(int rung, Evaluation evaluation);

/* The programs of the reports, rebuilt. */
typedef struct ReportProgram {
    Program program;
    int base;                     /* index of the program that the claims compare with; -1: none */
    double claim_low, claim_high; /* speed-up over the base at equal depth */
    double elo_low, elo_high;     /* gain over the base; 0: none claimed */
    double plies_low, plies_high; /* more depth than the base in equal time; 0: none claimed */
} ReportProgram;
const ReportProgram *report_program(int index); /* NULL behind the last */

/* Memory for running programs, one at a time: first report, 2^23 table entries. */
enum { TABLE_LOG2_ENTRIES = 23 };
typedef struct Runner Runner;
Runner *runner_create(int table_log2_entries, Error *err); /* NULL if memory is short */
void runner_destroy(Runner *r);                            /* NULL is fine */

typedef struct RunLimits {
    int depth;           /* 1 to LADDER_MAX_DEPTH */
    int64_t movetime_us; /* of CPU time; 0: none. With it every program deepens */
} RunLimits;

typedef struct RunResult {
    Move best;      /* MOVE_NONE without a legal move, or if the time did not suffice for one ply */
    int score;      /* side to move's view; mate in n plies: MATE_SCORE - n */
    int depth;      /* finished */
    uint64_t nodes; /* positions visited, leaves too */
    int64_t cpu_us;
} RunResult;

/* From a clean slate: the result depends on the arguments alone (but for the time). */
RunResult program_run(Runner *r, const Program *program, const Position *p,
                      const RunLimits *limits);
/* The same within a game: keys[0..count) are those of its earlier positions, and repetitions and
 * fifty quiet moves are draws. */
RunResult program_play(Runner *r, const Program *program, const Position *p, const Key *keys,
                       int count, const RunLimits *limits);

#endif
