// SPDX-License-Identifier: GPL-3.0-or-later
/* score.h -- the number line of the search. Units: win probability is about 1 / (1 + exp(-score /
 * 400)).
 *
 *   -INF < mated in n plies < tablebase losses < evaluations < tablebase wins < mate in n plies <
 * INF */
#ifndef SAMARA_SEARCH_SCORE_H
#define SAMARA_SEARCH_SCORE_H

#include "base/compiler.h"
#include <stdbool.h>

typedef int Score;
typedef enum Bound {
    BOUND_NONE,
    BOUND_UPPER,
    BOUND_LOWER,
    BOUND_EXACT
} Bound; /* of what a score says about the truth */

enum {
    MAX_PLY = 246,
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INF = 32001,
    SCORE_NONE = 32002,
    SCORE_MATE_MIN = SCORE_MATE - MAX_PLY, /* at least this: a mate within the horizon */
    SCORE_TB_WIN = SCORE_MATE_MIN - 1,     /* minus ply */
    SCORE_TB_MIN = SCORE_TB_WIN - MAX_PLY, /* at least this: decisive */
    SCORE_EVAL_MAX = SCORE_TB_MIN - 1,     /* evaluations stay within +- this */
};

ALWAYS_INLINE Score score_mated(int ply) { return -SCORE_MATE + ply; }
ALWAYS_INLINE Score score_mate(int ply) { return SCORE_MATE - ply; }
ALWAYS_INLINE bool score_is_win(Score s) { return s >= SCORE_TB_MIN; }
ALWAYS_INLINE bool score_is_loss(Score s) { return s <= -SCORE_TB_MIN; }
ALWAYS_INLINE bool score_is_decisive(Score s) { return score_is_win(s) || score_is_loss(s); }
ALWAYS_INLINE bool score_is_mate(Score s) { return s >= SCORE_MATE_MIN || s <= -SCORE_MATE_MIN; }
/* Plies to the mate. Only for score_is_mate(s). */
ALWAYS_INLINE int score_mate_plies(Score s) { return s > 0 ? SCORE_MATE - s : SCORE_MATE + s; }
/* Full moves to mate, negative when being mated. Only for score_is_mate(s). */
ALWAYS_INLINE int score_mate_moves(Score s)
{
    return s > 0 ? (SCORE_MATE - s + 1) / 2 : -(SCORE_MATE + s) / 2;
}
/* Keeps an evaluation inside its part of the line. */
ALWAYS_INLINE Score score_clamp_eval(Score s)
{
    return s > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : s < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : s;
}

#endif
