// SPDX-License-Identifier: GPL-3.0-or-later
/* variation.h -- are the variations that an engine prints true? */
#ifndef SAMARA_MATCH_VARIATION_H
#define SAMARA_MATCH_VARIATION_H

#include "base/text.h"
#include "chess/game.h"
#include "match/engine.h"
#include "match/info.h"

/* What is wrong with one line: FAULT_NONE, FAULT_PV_ILLEGAL, FAULT_PV_PAST_END or FAULT_PV_MATE;
 * then *why says what. A mate score must come with a line of exactly that length that ends in mate;
 * bounds are not judged. The game is played on and taken back: unchanged afterwards. */
Fault variation_fault(Game *game, const Info *info, Error *why);

/* Checks all lines of one thought and the move that came out of it. Marks each kind of fault found;
 * *why is the sentence about the first. */
void variations_check(Game *game, Str lines, Move played, bool found[FAULT_COUNT], Error *why);

#endif
