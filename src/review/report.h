// SPDX-License-Identifier: GPL-3.0-or-later
/* report.h -- a review as JSON: the answer of the server and of `samara analyse --json`. */
#ifndef SAMARA_REVIEW_REPORT_H
#define SAMARA_REVIEW_REPORT_H

#include "base/json.h"
#include "review/review.h"
#include "review/say.h"

/* All of a game. Also of a review that still runs: with what is known by now. All scores in White's
 * view. */
void report_write(Review *review, const Speech *speech, Buffer *out);
/* One move, as an element of the report's "moves". `score` is left out where the game is over. */
void report_move(JsonWriter *w, const Verdict *verdict, const Speech *speech);
/* The members of a verdict: judgement, claims, words. */
void report_verdict(JsonWriter *w, const Verdict *verdict, const Speech *speech);
/* The answer to "why this move?": the position, the move and its verdict. */
void report_explanation(const SamaraPosition *position, const Verdict *verdict,
                        const Speech *speech, Buffer *out);
void report_line(JsonWriter *w, const char *key, const ReviewLine *line, bool san);
void report_claims(JsonWriter *w, const char *key, const ClaimList *claims);
void report_worth(JsonWriter *w, const char *key, Worth worth, bool white); /* {"cp": 35} */

#endif
