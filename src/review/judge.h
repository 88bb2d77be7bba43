// SPDX-License-Identifier: GPL-3.0-or-later
/* judge.h -- what a score means for people: winning chances, how good a move was, how well a side
 * played. Numbers in, numbers out: no engine, no board.
 *
 * A `Worth` is a score in one number that can be compared and negated, as one side sees it:
 * centipawns, or WORTH_MATE - n for a mate in n moves, and the same negated for being mated. */
#ifndef SAMARA_REVIEW_JUDGE_H
#define SAMARA_REVIEW_JUDGE_H

#include "samara.h"

typedef int Worth;
enum { WORTH_MATE = 1000000, WORTH_MATE_MIN = WORTH_MATE - 10000, WORTH_CLEAR = 1000 };

typedef enum Judgement { JUDGED_FINE, JUDGED_INACCURACY, JUDGED_MISTAKE, JUDGED_BLUNDER } Judgement;

Worth worth_of(const SamaraScore *score);
/* The side that moved, before its move; `after` is what the other side then has. */
Worth worth_before(Worth after);
/* Moves to mate, negative when being mated; 0: no mate, or mated on the board. */
int worth_mate_in(Worth worth);
bool worth_wins(Worth worth);  /* by force: a mate */
bool worth_loses(Worth worth); /* is mated by force, or on the board */

/* Winning chances in percent between people, by the formula of lichess: from 2.5 to 97.5. */
double judge_win_percent(Worth worth);
/* Of a move that turned `best`, what the position was worth, into `played`; both in the mover's
 * view and counted from before the move. Mates have rules of their own, see docs/EXPLAIN.md. */
Judgement judge_move(Worth best, Worth played);
/* The move made a mate out of no mate, or lost one that was there. */
bool judge_allows_mate(Worth best, Worth played);
bool judge_misses_mate(Worth best, Worth played);
double judge_accuracy(double loss); /* of one move, percent; loss: points of winning chances */

/* Accuracy of one side in percent: the mean of the average weighted by how much was at stake, and
 * of the harmonic mean, in which one bad move weighs. chances: White's, of the plies + 1 positions;
 * accuracy: of the plies moves; only those with mine[i] count. -1: there are none. */
double judge_game_accuracy(const double *chances, const double *accuracy, const bool *mine,
                           size_t plies);

const char *judge_name(Judgement judgement); /* "blunder"; "" if the move was fine */
int judge_nag(Judgement judgement);          /* of PGN; 0 if the move was fine */

#endif
