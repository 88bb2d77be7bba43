// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lag.h"

#include <string.h>

enum {
    LAG_MAX_MS = 3000, /* beyond it the clock was set by hand, not eaten by the way */
    LAG_MEMORY = 8,    /* a short lag wears off a long one this slowly */
};

void lag_reset(Lag *lag) { memset(lag, 0, sizeof *lag); }

int64_t lag_observe(Lag *lag, uint32_t ply, int64_t clock_ms)
{
    const int64_t lost = lag->clock_ms - lag->used_ms - clock_ms;
    const bool next_move = lag->armed && ply == lag->ply + 2;
    lag->armed = false;
    /* A gain is a new time control or a generous client: nothing to learn. */
    if (next_move && lost >= 0 && lost <= LAG_MAX_MS)
        lag->estimate_ms =
            lost > lag->estimate_ms
                ? lost
                : lag->estimate_ms - (lag->estimate_ms - lost + LAG_MEMORY - 1) / LAG_MEMORY;
    return lag->estimate_ms;
}

void lag_moved(Lag *lag, uint32_t ply, int64_t clock_ms, int64_t inc_ms, int64_t used_ms)
{
    lag->armed = true;
    lag->ply = ply;
    lag->clock_ms = clock_ms + inc_ms;
    lag->used_ms = used_ms;
}
