// SPDX-License-Identifier: GPL-3.0-or-later
/* puzzle.h -- a mistake becomes an exercise: the position before it, what is to be found there, how
 * hard that is. Rules and their reasons: docs/EXPLAIN.md, "Training". */
#ifndef SAMARA_REVIEW_PUZZLE_H
#define SAMARA_REVIEW_PUZZLE_H

#include "base/json.h"
#include "review/review.h"

enum { PUZZLE_THEMES = 6 };

typedef enum PuzzleKind {
    PUZZLE_RETRY, /* what should have been played? */
    PUZZLE_PUNISH /* the opponent had just gone wrong, and got away with it */
} PuzzleKind;

typedef struct Puzzle {
    PuzzleKind kind;
    bool exact; /* each move of the solver is the only good one; else any move as good is right */
    bool white; /* who is to move */
    int move_number;
    char fen[SAMARA_FEN_SIZE];
    ReviewStep played;   /* what was played instead */
    ReviewLine solution; /* begins and ends with a move of the solver */
    int rating;          /* how hard, on the scale of people's ratings; good to about 200 */
    int theme_count;
    ClaimKind themes[PUZZLE_THEMES];
    double gain; /* points of winning chances between the solution and the move played */
} Puzzle;

/* What makes a puzzle hard; see puzzle_rating(). `first` is the first move of the solution. */
typedef struct PuzzleFeatures {
    int moves;             /* of the solver */
    int quiets;            /* of them neither capture, promotion nor check */
    bool mate;             /* it ends in mate */
    bool check;            /* first: gives check, */
    bool sacrifice;        /* gives material, */
    bool promotion, minor; /* is one; is a knight's or bishop's, */
    bool far;              /* goes four squares or more */
    int legal;             /* moves to choose from, */
    int checks, captures;  /* other checks, and other captures that seem to win something */
    bool in_check;         /* the solver is */
    int men;               /* on the board */
} PuzzleFeatures;

/* Whether a move of a review is worth repeating: it lost ten points, or missed a short mate. */
bool puzzle_is_due(const Verdict *verdict);
/* Makes the puzzle of a verdict that is. previous: the verdict of the opponent's move before it, or
 * NULL. False: the study was stopped or failed. */
bool puzzle_make(Study *study, const SamaraPosition *position, const Verdict *verdict,
                 const Verdict *previous, Puzzle *out);

/* The solution is legal and not empty. */
void puzzle_features(const SamaraPosition *position, const ReviewLine *solution,
                     PuzzleFeatures *out);
int puzzle_rating(const PuzzleFeatures *features);
const char *puzzle_kind_name(PuzzleKind kind); /* "retry", "punish" */

/* Three ways to write a puzzle down. title: of the game, or "". */
void puzzle_json(JsonWriter *w, const Puzzle *puzzle);
void puzzle_pgn(const Puzzle *puzzle, const char *title, Buffer *out);
void puzzle_epd(const Puzzle *puzzle, const char *title, Buffer *out);

#endif
