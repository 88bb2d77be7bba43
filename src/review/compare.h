// SPDX-License-Identifier: GPL-3.0-or-later
/* compare.h -- two lines compared where no force decides: which named term of the classical
 * evaluation differs at their ends. */
#ifndef SAMARA_REVIEW_COMPARE_H
#define SAMARA_REVIEW_COMPARE_H

#include "review/claim.h"

/* Adds what the better line has and the played one lacks, if one term explains a good part of
 * `lost` centipawns and does so at two places of both lines. */
void compare_lines(const Position *before, const ReviewLine *better, const ReviewLine *played,
                   int lost, ClaimList *out);

#endif
