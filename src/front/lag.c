// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/lag.h"

#include <string.h>

enum {
    LAG_MAX_MS = 3000, /* beyond it the clock was set by hand, not eaten by the way */
    LAG_MEMORY = 8,    /* a short lag wears off a long one this slowly */
};

void lag_reset(Lag *lag) { memset(lag, 0, sizeof *lag); }

/* A larger loss counts at once, smaller ones pull the estimate down slowly: losing on time is worse
 * than moving early. */
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

static uint32_t ply_of(const SamaraPosition *position)
{
    SamaraFields fields;
    samara_position_fields(position, &fields);
    return 2 * (uint32_t)(fields.move_number - 1) + !fields.white_to_move;
}

/* Pondering and endless searches teach nothing: their clock starts elsewhere. */
int64_t lag_begin(Lag *lag, const SamaraPosition *position, const SamaraLimits *limits,
                  int64_t now_ms)
{
    const bool white = samara_position_white_to_move(position);
    lag->timed = limits->has_clock && !limits->ponder && !limits->infinite;
    lag->asked_ply = ply_of(position);
    lag->asked_clock_ms = white ? limits->wtime_ms : limits->btime_ms;
    lag->asked_inc_ms = white ? limits->winc_ms : limits->binc_ms;
    lag->asked_at_ms = now_ms;
    if (lag->timed)
        return lag_observe(lag, lag->asked_ply, lag->asked_clock_ms);
    lag->armed = false;
    return lag->estimate_ms;
}

void lag_end(Lag *lag, int64_t now_ms)
{
    if (lag->timed)
        lag_moved(lag, lag->asked_ply, lag->asked_clock_ms, lag->asked_inc_ms,
                  now_ms - lag->asked_at_ms);
}
