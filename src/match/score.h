// SPDX-License-Identifier: GPL-3.0-or-later
/* score.h -- the running score of a match or tournament: sums over finished games, in schedule
 * order. */
#ifndef SAMARA_MATCH_SCORE_H
#define SAMARA_MATCH_SCORE_H

#include "match/play.h"
#include "match/schedule.h"
#include "match/stats.h"

/* What the score keeps of a game. */
typedef struct GameResult {
    Result result;
    Fault fault; /* that decided it, or FAULT_NONE */
    uint32_t plies;
    int64_t thinking, duration;
    uint16_t faults[2][FAULT_COUNT]; /* by colour */
} GameResult;

GameResult game_result(const GameRecord *record);

typedef struct PairingScore {
    int first, second;            /* engines */
    uint64_t wins, draws, losses; /* of `first`, every game */
    Tally tally;                  /* finished pairs of games, or single games without `repeat` */
    int open; /* half points of a pair's first game while its second is missing, else -1 */
} PairingScore;

typedef struct EngineScore {
    uint64_t wins, draws, losses;
    uint64_t white_wins, white_draws, white_losses;
    uint64_t faults[FAULT_COUNT];
} EngineScore;

typedef struct Score {
    Schedule schedule;
    PairingScore *pairings;
    EngineScore *engines;
    uint64_t games, plies;
    int64_t thinking, playing; /* microseconds: of all engines; of all games */
} Score;

bool score_init(Score *score, const Schedule *schedule, Error *err);
void score_free(Score *score);
void score_add(Score *score, const Fixture *fixture, const GameResult *game);
/* All games of one engine against whomever, from its point of view; trinomial. */
Tally score_engine_tally(const Score *score, int engine);

#endif
