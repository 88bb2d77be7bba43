// SPDX-License-Identifier: GPL-3.0-or-later
/* lag.h -- how long moves travel. A client's clock loses more than we thought about a move: the
 * difference between two of its clocks and the time that we really used is the way there and back,
 * and the next moves must leave room for it. */
#ifndef SAMARA_FRONT_LAG_H
#define SAMARA_FRONT_LAG_H

#include "samara.h"

typedef struct Lag {
    bool armed;       /* the fields below describe our last timed move */
    uint32_t ply;     /* of the game, when it was asked for */
    int64_t clock_ms; /* what the client said we had, increment included */
    int64_t used_ms;  /* by our own watch */
    int64_t estimate_ms;
    bool timed; /* the search that runs has a clock: */
    uint32_t asked_ply;
    int64_t asked_clock_ms, asked_inc_ms, asked_at_ms;
} Lag;

void lag_reset(Lag *lag); /* another game, another client */
/* A move is asked for. Learns from the clock and returns the milliseconds to keep back beyond Move
 * Overhead. */
int64_t lag_observe(Lag *lag, uint32_t ply, int64_t clock_ms);
/* Our move is made; `inc_ms` is what the client will add for it. Not for pondering, whose clock
 * starts elsewhere. */
void lag_moved(Lag *lag, uint32_t ply, int64_t clock_ms, int64_t inc_ms, int64_t used_ms);

/* The same around a search: what to add to its overhead, and that its answer goes out now. */
int64_t lag_begin(Lag *lag, const SamaraPosition *position, const SamaraLimits *limits,
                  int64_t now_ms);
void lag_end(Lag *lag, int64_t now_ms);

#endif
