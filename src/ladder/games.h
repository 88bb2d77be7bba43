// SPDX-License-Identifier: GPL-3.0-or-later
/* games.h -- matches between programs at equal time per move, and what the result is worth. */
#ifndef SAMARA_LADDER_GAMES_H
#define SAMARA_LADDER_GAMES_H

#include "chess/game.h"

/* Chooses a move of g->pos, which has one, in the time that was agreed on. */
typedef struct Player {
    void *user;
    Move (*choose)(void *user, const Game *g);
} Player;

typedef struct MatchScore {
    int wins, draws, losses; /* of the first player */
    double elo, error;       /* of the first player over the second; half of the 95 % interval */
    bool all_or_nothing;     /* it won or lost every game: elo is what it is at least */
} MatchScore;

/* `games` of them, an even number: each opening is played twice, with colours exchanged. Openings
 * come from `seed`: some random moves that leave the game level. False if memory is short. */
bool match_play(Player first, Player second, int games, uint64_t seed, MatchScore *out, Error *err);

/* pairs[0..4]: pairs of games that gave the first player 0, 1/2, 1, 3/2 and 2 points. Pairs, since
 * the two games of an opening are not independent. */
void match_elo(const int pairs[5], MatchScore *out);

#endif
