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
    bool plain;    /* search without pruning moves */
} SelfplayRules;

extern const SelfplayRules selfplay_defaults;

/* An engine with a small table and one thread, and the game that it plays. net_path NULL: the
 * network of the build, "" the classical evaluation. NULL and *err if that cannot be had. */
typedef struct Player Player;
Player *player_create(const char *net_path, int hash_mb, Error *err);
void player_free(Player *player); /* NULL is fine */

/* Game number `number` under these rules: always the same with the same player. */
bool selfplay_game(Player *player, const SelfplayRules *rules, uint64_t number, GameRecord *game,
                   Error *err);

/* The same between two players, to see which is better. The opening is drawn and judged by `judge`,
 * one of the two, so that a game with colours swapped has the same one. */
bool selfplay_duel(Player *white, Player *black, Player *judge, const SelfplayRules *rules,
                   uint64_t number, GameRecord *game, Error *err);

/* What a plain search of so many nodes says about a position, with fresh tables: the same every
 * time. A mate counts as the largest score that a record holds. */
bool selfplay_score(Player *player, const Position *p, uint32_t nodes, int *score, Error *err);

/* Searches the positions of a finished game that the trainer would keep again, and replaces their
 * scores. */
bool selfplay_rescore(Player *player, uint32_t soft_nodes, uint32_t hard_nodes, GameRecord *game,
                      Error *err);

#endif
