// SPDX-License-Identifier: GPL-3.0-or-later
/* summary.h -- what the verdicts of a game add up to. Works on unfinished reviews, too. */
#ifndef SAMARA_REVIEW_SUMMARY_H
#define SAMARA_REVIEW_SUMMARY_H

#include "review/review.h"

typedef enum Phase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, PHASE_COUNT } Phase;

enum { MAX_TURNING_POINTS = 5 };

typedef struct SideSummary {
    int moves;                          /* that were judged */
    double accuracy, average_loss;      /* percent, centipawns; -1: no move was judged */
    double phase_accuracy[PHASE_COUNT]; /* -1: no move in it */
    int faults[4];                      /* by Judgement */
    int missed_wins;
    double phase_loss[PHASE_COUNT]; /* points of winning chances, summed */
} SideSummary;

typedef struct Summary {
    SideSummary white, black;
    int turning_count;
    size_t turning[MAX_TURNING_POINTS]; /* plies from 0, in the order of the game */
    int costliest; /* ply from 0 of the move that cost most, -1: none cost 10 points */
    bool grind;    /* the result came without a marked move of the loser */
    size_t book_plies;
} Summary;

Phase review_phase(const Review *review, size_t ply); /* of the position before the move */
const char *phase_name(Phase phase);                  /* "opening", "middlegame", "endgame" */
/* False: no memory. */
bool summary_make(const Review *review, Summary *out);

#endif
