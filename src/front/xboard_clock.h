// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard_clock.h -- the clocks and limits of an XBoard game: what `level`, `st`, `sd`, `nps`,
 * `time` and `otim` say, and what a search may use. Pure: no time is read here. */
#ifndef SAMARA_FRONT_XBOARD_CLOCK_H
#define SAMARA_FRONT_XBOARD_CLOCK_H

#include "base/text.h"
#include "samara.h"

typedef struct XClock {
    int moves_per_control; /* 0: the whole game */
    int64_t base_ms, inc_ms;
    int64_t move_ms;          /* `st`: exactly this per move, 0: a clock */
    int depth;                /* `sd`, 0: none */
    int64_t nodes_per_second; /* `nps`: time is counted in nodes, 0: it is not */
    int64_t own_ms, other_ms;
    int own_moves; /* made since the game or `level` began */
} XClock;

void xclock_reset(
    XClock *c); /* a new game: forty moves in five minutes, as XBoard itself assumes */
/* Each returns whether the words made sense; if not nothing changes. */
bool xclock_level(XClock *c, Str words);
bool xclock_st(XClock *c, Str words);
bool xclock_sd(XClock *c, Str words);
bool xclock_nps(XClock *c, Str words);
bool xclock_time(XClock *c, Str words); /* centiseconds, ours */
bool xclock_otim(XClock *c, Str words);
void xclock_moved(
    XClock *c, int64_t used_ms); /* we made a move: our clock goes on even if nobody sends `time` */
void xclock_limits(const XClock *c, bool white, SamaraLimits *limits);

#endif
