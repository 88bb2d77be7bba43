// SPDX-License-Identifier: GPL-3.0-or-later
/* annotate.h -- a review as PGN that other programs read: marks, words, variations and
 * evaluations. */
#ifndef SAMARA_REVIEW_ANNOTATE_H
#define SAMARA_REVIEW_ANNOTATE_H

#include "review/review.h"
#include "review/say.h"

void annotate_pgn(const Review *review, const Speech *speech, Buffer *out);

#endif
