// SPDX-License-Identifier: GPL-3.0-or-later
/* verdict.h -- one move judged: what it was worth, what was best, and why. */
#ifndef SAMARA_REVIEW_VERDICT_H
#define SAMARA_REVIEW_VERDICT_H

#include "review/claim.h"
#include "review/study.h"

enum { REVIEW_RULES = 2 }; /* version of the rules of judging; kept with every report */

typedef struct Verdict {
    bool known;
    bool white; /* who moved */
    int move_number;
    ReviewStep move;
    Judgement judgement;
    Worth best, played;   /* the mover's view, counted from before the move */
    double before, after; /* the same as winning chances in percent */
    double loss, accuracy;
    bool book;              /* the opening book has the move */
    bool forced;            /* there was no other */
    bool only;              /* every other move is at least ten points worse */
    bool great;             /* and it was not easy to see */
    bool brilliant;         /* and gives material, and a quick look does not find it */
    bool missed_win;        /* a won game is no longer won */
    ReviewLine best_line;   /* from before the move; begins with the move itself if that is best */
    ReviewLine played_line; /* begins with the move */
    ClaimList claims;
} Verdict;

/* What a first look has found. */
typedef struct FirstLook {
    Worth best, played; /* the mover's view, counted from before the move */
    ReviewLine best_line, played_line;
    bool book;
} FirstLook;

/* Judges `move` of `position`. Candidates for faults and for praise are searched again, apart from
 * each other and from all before; the judgement comes from these searches alone. False: the study
 * was stopped or failed. */
bool verdict_make(Study *study, const SamaraPosition *position, const SamaraMove *move,
                  const FirstLook *look, Verdict *out);
/* The same from nothing: looks first. The game must not be over, the move legal. */
bool verdict_of_move(Study *study, const SamaraPosition *position, const SamaraMove *move,
                     Verdict *out);

#endif
