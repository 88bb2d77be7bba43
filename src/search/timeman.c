// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/timeman.h"

#include "search/params.h"
#include <assert.h>

enum {
    FORCED_MS = 300,           /* the most that a forced move is thought about */
    GUARD_MS = 2,              /* the scheduler's share */
    MAX_CLOCK_MS = 1000000000, /* eleven days; keeps the arithmetic far from overflow */
};

static double min_double(double a, double b) { return a < b ? a : b; }

static double max_double(double a, double b) { return a > b ? a : b; }

static double clamp_double(double v, double low, double high)
{
    return max_double(low, min_double(v, high));
}

static double clamp_ms(int64_t ms)
{
    return ms < 0 ? 0 : ms > MAX_CLOCK_MS ? MAX_CLOCK_MS : (double)ms;
}

typedef struct Plan {
    double soft, hard; /* ms */
} Plan;

/* What is not planned with, so that a stall of the machine costs a little time and not the game: a
 * fifth of the clock, between two numbers of overheads, so that a short clock is used too. */
static double reserve(double clock, double overhead)
{
    return clamp_double(clock / 5, time_reserve_least * overhead, time_reserve_most * overhead);
}

/* Increment: spend a part of the clock and of what the next moves will bring. Half of the overhead is
 * counted against the increment: what it really takes is missing from the next clock anyway. */
static Plan plan_increment(double clock, double inc, double overhead)
{
    const double spare = max_double(0, clock - reserve(clock, overhead));
    const double gain = max_double(0, inc - overhead / 2);
    const double soft = min_double(time_share / 1e4 * (spare + gain * (time_horizon - 1)),
                                   0.2 * spare + 0.4 * gain);
    return (Plan){soft, min_double(time_hard / 100.0 * soft, 0.6 * spare + 0.8 * gain)};
}

/* Sudden death: nothing comes back, so the closer to zero, the more carefully. */
static Plan plan_sudden_death(double clock, double overhead)
{
    if (clock < 5 * overhead)
        return (Plan){0, clock / 60};
    if (clock < 20 * overhead)
        return (Plan){clock / 80, clock / 30};
    const double soft = max_double((clock - 10 * overhead) / 42, clock / 80);
    return (Plan){soft, min_double(4 * soft, clock / 5)};
}

/* So many moves until the clock is filled again: share it out but for the reserve, with most of it
 * usable for the last one. */
static Plan plan_moves_to_go(double clock, double inc, double overhead, int moves)
{
    const double n = moves < time_horizon ? moves : time_horizon;
    const double spare = clock - min_double(time_reserve_most * overhead, clock / 2);
    const double future = max_double(1, spare + (inc - overhead) * (n - 1));
    const double soft = min_double(0.9 / n * future, 0.75 * spare);
    return (Plan){soft, min_double(5 * soft, (moves == 1 ? 0.9 : 0.6) * spare)};
}

/* The plan of the time control, cut to what the clock really has. */
static Plan plan_clock(const Limits *l, Color us, double overhead)
{
    const double clock = max_double(0, clamp_ms(l->time_ms[us]) - GUARD_MS);
    const double inc = clamp_ms(l->inc_ms[us]);
    Plan plan;
    if (l->movestogo > 0)
        plan = plan_moves_to_go(clock, inc, overhead, l->movestogo);
    else if (inc > 0)
        plan = plan_increment(clock, inc, overhead);
    else
        plan = plan_sudden_death(clock, overhead);

    /* Whatever the law says: the answer must be on its way before the flag falls. */
    plan.hard = min_double(plan.hard, clock - overhead);
    if (l->ponder)
        plan.soft *= 1.25; /* every other move is thought about for free */
    return plan;
}

/* The soft limit ends the search between iterations, the hard one at once. */
TimeBudget time_budget(const Limits *limits, Color us, int legal_moves)
{
    TimeBudget budget = {0};
    const double overhead = clamp_ms(limits->overhead_ms);
    Plan plan = {MAX_CLOCK_MS, MAX_CLOCK_MS};

    if (limits->has_clock && !limits->infinite) {
        plan = plan_clock(limits, us, overhead);
        if (legal_moves == 1) {
            plan.soft = min_double(plan.soft / 10, FORCED_MS);
            plan.hard = min_double(plan.hard, FORCED_MS);
        }
        budget.timed = budget.flexible = true;
    }
    if (limits->movetime_ms > 0) {
        /* Half of the time is left even if the overhead would eat it all. */
        const double wish = clamp_ms(limits->movetime_ms);
        const double move_time = max_double(wish - overhead, wish / 2);
        if (!budget.timed || move_time < plan.hard)
            budget.flexible = false;
        plan.soft = min_double(plan.soft, move_time);
        plan.hard = min_double(plan.hard, move_time);
        budget.timed = true;
    }
    plan.hard = max_double(plan.hard, 1);
    plan.soft = clamp_double(plan.soft, 0, plan.hard);
    budget.soft_us = (int64_t)(plan.soft * 1000);
    budget.hard_us = (int64_t)(plan.hard * 1000);
    assert(budget.soft_us >= 0 && budget.soft_us <= budget.hard_us);
    return budget;
}

/* A move on which most of the effort was spent because nothing else came near is clear. */
static double share_factor(double best_share)
{
    return time_node_base / 100.0 + time_node_slope / 100.0 * (1 - best_share);
}

static double stability_factor(int stable)
{
    return time_change / 100.0 - time_stable / 100.0 * (stable < 8 ? stable : 8);
}

/* A falling score is a problem that has not been solved yet. */
static double trend_factor(const TimeSignals *s)
{
    double factor = time_trend_base / 100.0;
    if (s->previous_score != SCORE_NONE)
        factor += time_trend_iteration / 1000.0 * (s->previous_score - s->score);
    if (s->last_search_score != SCORE_NONE)
        factor += time_trend_search / 1000.0 * (s->last_search_score - s->score);
    return clamp_double(factor, 0.8, 1.5);
}

double time_factor(const TimeSignals *s)
{
    if (s->depth < 4)
        return 1;
    return share_factor(s->best_share) * stability_factor(s->stable) * trend_factor(s);
}
