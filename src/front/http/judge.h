// SPDX-License-Identifier: GPL-3.0-or-later
/* judge.h -- what an evaluation means for people: winning chances, how good a move was, how well a
 * game was played. */
#ifndef SAMARA_FRONT_HTTP_JUDGE_H
#define SAMARA_FRONT_HTTP_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum Judgement { JUDGED_FINE, JUDGED_INACCURACY, JUDGED_MISTAKE, JUDGED_BLUNDER } Judgement;

/* White's winning chances in percent, between people. mate: moves, negative when Black mates; 0:
 * use cp. */
double judge_win_percent(int cp, int mate);
/* Chances of the mover before (best play) and after his move. */
Judgement judge_move(double before, double after);
double judge_accuracy(double before, double after); /* percent */
/* Of one side's moves: the mean of the plain average and the harmonic mean, so that one bad move
 * weighs. */
double judge_game_accuracy(const double *moves, size_t count);
const char *judge_name(Judgement judgement); /* "blunder"; "" if the move was fine */
int judge_nag(Judgement judgement);          /* of PGN; 0 if the move was fine */

#endif
