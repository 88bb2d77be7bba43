// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/schedule.h"

int schedule_pairings(const Schedule *s)
{
    return s->form == GAUNTLET ? s->engines - 1 : s->engines * (s->engines - 1) / 2;
}

uint64_t schedule_games(const Schedule *s)
{
    return (uint64_t)schedule_pairings(s) * s->rounds * s->games;
}

/* Pairings in the order 0-1, 0-2, ..., 1-2, ...: a gauntlet is the beginning of a round robin. */
static void pairing_engines(const Schedule *s, int pairing, int *first, int *second)
{
    *first = 0;
    for (int row = s->engines - 1; pairing >= row; row--) {
        pairing -= row;
        ++*first;
    }
    *second = *first + 1 + pairing;
}

/* Computed from the number of the game alone, so that a resumed match goes on where it stopped. */
Fixture schedule_fixture(const Schedule *s, uint64_t game)
{
    const uint64_t pairings = (uint64_t)schedule_pairings(s);
    const uint64_t encounter = game / s->games;
    Fixture f = {.pairing = (int)(encounter % pairings), .round = encounter / pairings};
    pairing_engines(s, f.pairing, &f.first, &f.second);
    f.number = f.round * s->games + game % s->games;
    f.opening = s->repeat ? f.number / 2 : f.number;
    f.white = f.number % 2 ? f.second : f.first;
    f.black = f.number % 2 ? f.first : f.second;
    return f;
}
