// SPDX-License-Identifier: GPL-3.0-or-later
/* say.h -- verdicts in words. Which sentence is chosen is decided here, for all languages alike;
 * how it is worded stands in one table per language (words.h). */
#ifndef SAMARA_REVIEW_SAY_H
#define SAMARA_REVIEW_SAY_H

#include "base/text.h"
#include "review/speech.h"
#include "review/summary.h"

/* One or two sentences; nothing about a move that needs no words. */
/* Only what a bad move lets happen, not what was better: for someone who is to try again. */
void say_what_happens(const Verdict *verdict, const Speech *speech, Buffer *out);
void say_move(const Verdict *verdict, const Speech *speech, Buffer *out);
/* What comes after the best move, if nothing more telling was said about it. */
void say_plan(const Verdict *best, const Speech *speech, Buffer *out);
/* What the opponent threatens; `to_move` is the verdict of a move of the side to move. */
void say_threat(const Verdict *to_move, const ClaimList *threat, const Speech *speech, Buffer *out);
/* Where the game turned, how well each side played, what cost most. */
void say_game(const Review *review, const Summary *summary, const Speech *speech, Buffer *out);

#endif
