// SPDX-License-Identifier: GPL-3.0-or-later
/* kbnk.h -- bishop and knight against king: the one basic mate that no slope leads to, because the
 * king must be let out of one corner to be driven into another. So it is solved outright, when a
 * game has come to it. */
#ifndef SAMARA_CLASSICAL_KBNK_H
#define SAMARA_CLASSICAL_KBNK_H

#include "chess/position.h"

bool kbnk_is(const Position *p); /* bishop and knight against king, and nothing else? */

/* Solves all positions: some tenths of a second, once per process. From any thread. False: there is no
 * memory for it. */
bool kbnk_solve(void);
bool kbnk_is_solved(void); /* has it returned true already? */

/* Moves until mate with best play of both, -1 if it is a draw. Only for kbnk_is(p), after
 * kbnk_solve() has returned true. */
int kbnk_distance(const Position *p);

#endif
