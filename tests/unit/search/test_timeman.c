// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/timeman.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Limits clock_limits(int64_t time, int64_t inc, int togo, int64_t overhead)
{
    return (Limits){.has_clock = true,
                    .time_ms = {time, time},
                    .inc_ms = {inc, inc},
                    .movestogo = togo,
                    .overhead_ms = overhead};
}

static void no_limit_means_no_clock(void **state)
{
    (void)state;
    const Limits limits = {.depth = 10, .overhead_ms = 10};
    assert_false(time_budget(&limits, WHITE, 20).timed);
    Limits infinite = clock_limits(1000, 0, 0, 10);
    infinite.infinite = true;
    assert_false(time_budget(&infinite, WHITE, 20).timed);
}

/* Whatever arrives, the hard limit leaves the overhead on the clock, and something is always
 * thought. */
static void hostile_clocks_give_sane_budgets(void **state)
{
    (void)state;
    static const int64_t clocks[] = {INT64_MIN, -1, 0,   1,    2,     9,        10,
                                     11,        50, 300, 1000, 60000, INT64_MAX};
    static const int64_t incs[] = {-5, 0, 1, 10, 5000, INT64_MAX};
    static const int togos[] = {-1, 0, 1, 2, 40, 1000000};
    static const int64_t overheads[] = {-1, 0, 10, 5000};
    for (size_t a = 0; a < sizeof clocks / sizeof *clocks; a++)
        for (size_t b = 0; b < sizeof incs / sizeof *incs; b++)
            for (size_t c = 0; c < sizeof togos / sizeof *togos; c++)
                for (size_t d = 0; d < sizeof overheads / sizeof *overheads; d++) {
                    const Limits l = clock_limits(clocks[a], incs[b], togos[c], overheads[d]);
                    const TimeBudget t = time_budget(&l, BLACK, 30);
                    assert_true(t.timed && t.soft_us >= 0 && t.soft_us <= t.hard_us &&
                                t.hard_us >= 1000);
                    const double left = (double)clocks[a] - (double)overheads[d];
                    if (left > 3 && clocks[a] < INT64_MAX)
                        assert_true((double)t.hard_us / 1000 <= left);
                    else if (clocks[a] < INT64_MAX)
                        assert_int_equal(t.hard_us, 1000);
                }
}

static void the_budget_looks_reasonable(void **state)
{
    (void)state;
    static const struct {
        int64_t time, inc;
        int togo;
        double soft_min, soft_max, hard_max; /* ms */
    } cases[] = {
        {1000, 10, 0, 15, 40, 250},
        {2000, 20, 0, 30, 80, 500},
        {10000, 0, 0, 150, 300, 2000},
        {10000, 0, 40, 150, 300, 1500},
        {600000, 5000, 0, 10000, 22000, 150000},
        {10000, 0, 1, 5000, 8000, 9990},
        {1000, 0, 2, 200, 500, 700},
        {60000, 600, 0, 1500, 2500, 16000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Limits l = clock_limits(cases[i].time, cases[i].inc, cases[i].togo, 10);
        const TimeBudget t = time_budget(&l, WHITE, 30);
        const double soft = (double)t.soft_us / 1000, hard = (double)t.hard_us / 1000;
        if (soft < cases[i].soft_min || soft > cases[i].soft_max || hard > cases[i].hard_max)
            fail_msg("%d+%d/%d: soft %.1f hard %.1f", (int)cases[i].time, (int)cases[i].inc,
                     cases[i].togo, soft, hard);
    }
}

/* Plays on the clock as a search does that always finds things unclear, with some lag: it must
 * never reach zero. */
static void the_clock_never_runs_out(void **state)
{
    (void)state;
    static const struct {
        int64_t time, inc;
        int cycle;
        double lag;
    } games[] = {
        {1000, 10, 0, 2}, {1000, 10, 0, 8},  {2000, 20, 0, 5},
        {10000, 0, 0, 3}, {10000, 0, 40, 3}, {500, 0, 0, 2},
        {100, 1, 0, 0.5}, {60000, 0, 20, 9}, {10000, 100, 0, 9},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        double clock = (double)games[i].time;
        for (int move = 0; move < 400; move++) {
            const int togo = games[i].cycle ? games[i].cycle - move % games[i].cycle : 0;
            const Limits l = clock_limits((int64_t)clock, games[i].inc, togo, 10);
            const TimeBudget t = time_budget(&l, WHITE, 30);
            double spent = (double)t.soft_us / 1000 * (move % 7 == 0 ? 4 : 1.3);
            if (spent > (double)t.hard_us / 1000)
                spent = (double)t.hard_us / 1000;
            clock -= spent + games[i].lag;
            const bool doomed =
                games[i].inc == 0 && games[i].cycle == 0 && games[i].lag * move > clock;
            if (clock <= 0 && !doomed)
                fail_msg("game %d: flag at move %d", (int)i, move);
            if (clock <= 0)
                break;
            clock += (double)games[i].inc;
            if (games[i].cycle && togo == 1)
                clock += (double)games[i].time;
        }
    }
}

/* A stall of the machine must not cost the game, least of all on the last move before the control.
 */
static void a_reserve_stays_until_the_control(void **state)
{
    (void)state;
    const int64_t overhead = 10, reserve = 15 * overhead;
    for (int togo = 1; togo <= 40; togo++)
        for (int64_t clock = 20; clock <= 10000; clock += 7) {
            const Limits limits = clock_limits(clock, 0, togo, overhead);
            const int64_t left = clock * 1000 - time_budget(&limits, WHITE, 20).hard_us;
            assert_true(left >= 1000 * reserve || left >= clock * 1000 / 2);
        }
}

/* With an increment the clock is used: after a long game a third of a second is left of a short one
 * on it, and never less, whatever single moves take. */
static void an_increment_leaves_no_clock_unused(void **state)
{
    (void)state;
    static const struct {
        int64_t time, inc, left;
    } games[] = {{1000, 10, 350}, {2000, 20, 350}, {10000, 100, 700}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        double clock = (double)games[i].time;
        for (int move = 0; move < 150; move++) {
            const Limits l = clock_limits((int64_t)clock, games[i].inc, 0, 10);
            const TimeBudget t = time_budget(&l, WHITE, 30);
            assert_true(clock - (double)t.hard_us / 1000 >= 60);
            clock += (double)games[i].inc - (double)t.soft_us / 1000;
        }
        assert_in_range((int)clock, 80, games[i].left);
    }
}

static void a_move_time_is_kept(void **state)
{
    (void)state;
    Limits l = {.movetime_ms = 100, .overhead_ms = 10};
    TimeBudget t = time_budget(&l, WHITE, 30);
    assert_true(t.timed && !t.flexible);
    assert_int_equal(t.hard_us, 90000);
    assert_int_equal(t.soft_us, 90000);
    l.movetime_ms = 1;
    t = time_budget(&l, WHITE, 30);
    assert_int_equal(t.hard_us, 1000);
}

static void a_forced_move_needs_no_thought(void **state)
{
    (void)state;
    const Limits l = clock_limits(600000, 5000, 0, 10);
    assert_true(time_budget(&l, WHITE, 1).hard_us <= 300000);
    assert_true(time_budget(&l, WHITE, 2).hard_us > 300000);
}

static void the_clock_of_the_side_to_move_counts(void **state)
{
    (void)state;
    Limits l = clock_limits(600000, 0, 0, 10);
    l.time_ms[BLACK] = 1000;
    assert_true(time_budget(&l, BLACK, 30).hard_us < 1000000);
    assert_true(time_budget(&l, WHITE, 30).hard_us > 1000000);
}

static TimeSignals calm(void)
{
    return (TimeSignals){.depth = 15,
                         .stable = 8,
                         .best_share = 0.9,
                         .score = 50,
                         .previous_score = 50,
                         .last_search_score = 50};
}

static void unclear_positions_get_more_time(void **state)
{
    (void)state;
    TimeSignals s = calm();
    const double base = time_factor(&s);
    assert_true(base < 1);
    s.stable = 0;
    assert_true(time_factor(&s) > base);
    s = calm();
    s.best_share = 0.3;
    assert_true(time_factor(&s) > base);
    s = calm();
    s.score = 0;
    assert_true(time_factor(&s) > base);
    s = calm();
    s.previous_score = s.last_search_score = SCORE_NONE;
    assert_true(time_factor(&s) > 0.3 && time_factor(&s) < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_limit_means_no_clock),
        cmocka_unit_test(hostile_clocks_give_sane_budgets),
        cmocka_unit_test(the_budget_looks_reasonable),
        cmocka_unit_test(the_clock_never_runs_out),
        cmocka_unit_test(a_reserve_stays_until_the_control),
        cmocka_unit_test(an_increment_leaves_no_clock_unused),
        cmocka_unit_test(a_move_time_is_kept),
        cmocka_unit_test(a_forced_move_needs_no_thought),
        cmocka_unit_test(the_clock_of_the_side_to_move_counts),
        cmocka_unit_test(unclear_positions_get_more_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
