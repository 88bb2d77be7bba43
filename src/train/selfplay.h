// SPDX-License-Identifier: GPL-3.0-or-later
/* selfplay.h -- one game of the engine against itself, decided by a seed. */
#ifndef SAMARA_TRAIN_SELFPLAY_H
#define SAMARA_TRAIN_SELFPLAY_H

#include "base/error.h"
#include "samara.h"
#include "train/record.h"

typedef struct SelfplayRules {
    uint64_t seed;
    uint32_t soft_nodes, hard_nodes; /* per move: end of the iteration, and at once */
    int chess960_percent;     /* games that start from one of the 960 arrays, the same for both */
    int double_percent;       /* from two different ones */
    int random_plies;         /* so many, or one more */
    int max_opening_score;    /* openings whose first search says more are drawn anew */
    int win_score, win_plies; /* both sides agree for so many plies: decided */
    int draw_score, draw_plies, draw_from_ply;
    int max_plies; /* then it is a draw */
} SelfplayRules;

extern const SelfplayRules selfplay_defaults;

/* A player: an engine with a small table and one thread. net_path NULL: the network of the build,
 * "" the classical evaluation. NULL and *err if that cannot be had. */
Samara *selfplay_engine(const char *net_path, int hash_mb, Error *err);

/* Game number `number` under these rules: always the same with the same engine. */
bool selfplay_game(Samara *engine, const SelfplayRules *rules, uint64_t number, GameRecord *game,
                   Error *err);

/* Searches every position of a finished game again and replaces its scores. */
bool selfplay_rescore(Samara *engine, uint32_t soft_nodes, uint32_t hard_nodes, GameRecord *game,
                      Error *err);

#endif
