// SPDX-License-Identifier: GPL-3.0-or-later
/* schedule.h -- who plays whom, when, with which colour and from which opening. Pure: game number
 * -> fixture. */
#ifndef SAMARA_MATCH_SCHEDULE_H
#define SAMARA_MATCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum TournamentForm {
    ROUND_ROBIN,
    GAUNTLET
} TournamentForm; /* with two engines both are a match */

typedef struct Schedule {
    TournamentForm form;
    int engines;     /* 2 or more */
    uint64_t rounds; /* encounters of each pairing */
    uint64_t games;  /* in each encounter; colours alternate */
    bool repeat;     /* games 2k and 2k + 1 of a pairing share their opening */
} Schedule;

typedef struct Fixture {
    int pairing;
    int first, second; /* engines of the pairing; the score is counted for `first` */
    int white, black;
    uint64_t round;  /* from 0 */
    uint64_t number; /* of the game within its pairing, from 0 */
    uint64_t
        opening; /* the same for every pairing, so that all are measured by the same yardstick */
} Fixture;

int schedule_pairings(const Schedule *schedule);
uint64_t schedule_games(const Schedule *schedule);
Fixture schedule_fixture(const Schedule *schedule, uint64_t game);

#endif
