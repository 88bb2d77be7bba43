// SPDX-License-Identifier: GPL-3.0-or-later
/* level.h -- playing like a weaker player.
 *
 * A player of some rating looks a few plies ahead, considers a handful of moves, and judges each
 * with an error. So a limited search lists the plausible moves with their values, and the choice
 * among them is by lot: the chance of a move falls with what it gives away, slower for weak
 * players, in tangled positions and in time trouble. What gives away more than the player would
 * ever overlook is never played. */
#ifndef SAMARA_ENGINE_LEVEL_H
#define SAMARA_ENGINE_LEVEL_H

#include "base/rng.h"
#include "chess/movegen.h"

enum { LEVEL_MIN_ELO = 500, LEVEL_MAX_ELO = 3500, LEVEL_MAX_LINES = 12 };
#define LEVEL_DEFAULT_TEXT "1500"

typedef struct Level {
    double depth;       /* plies; a fraction is the chance of one more */
    double temperature; /* expected points: a move that loses this much is e times less likely than
                           the best */
    double blind; /* expected points: what is worse than the best by more is never overlooked */
    double lines; /* moves considered */
} Level;

typedef struct LevelMove {
    Move move;
    int score;          /* of the search, for the caller */
    double expectation; /* 0 to 1, side to move's view */
} LevelMove;

/* The unit that every evaluation is trained to, whatever the model of engine/wdl.h says about games
 * at full strength: the levels are calibrated with it. */
double level_expectation(int score);
bool level_at(int elo, Level *level); /* false: full strength, nothing to limit */
/* For so many plies of a game such a player knows the openings by heart. */
int level_book_plies(int elo);
/* How much harder than usual the choice is, from 1: many moves, many captures, little time (ms;
 * negative: no clock). */
double level_stress(const Position *p, int64_t clock_ms);
/* Index of the move to play; list[0] is the best. count > 0. */
int level_choose(const Level *level, double stress, const LevelMove *list, int count, Rng *rng);

#endif
