// SPDX-License-Identifier: GPL-3.0-or-later
/* speed.h -- how long a network takes to judge a position. */
#ifndef SAMARA_NNUE_SPEED_H
#define SAMARA_NNUE_SPEED_H

#include "nnue/net.h"

typedef struct NetSpeed {
    double step_ns;  /* from the parent position, as in a search */
    double fresh_ns; /* from nothing */
} NetSpeed;

/* Walks down a random game again and again, `milliseconds` for each figure; nanoseconds of
 * processor time for one position. */
bool net_speed(const Net *net, int64_t milliseconds, NetSpeed *out, Error *err);

#endif
