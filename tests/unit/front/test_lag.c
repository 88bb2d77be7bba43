// SPDX-License-Identifier: GPL-3.0-or-later
/* What the way to the client costs. */
#include "front/lag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void what_the_clock_lost_beyond_our_thinking_is_lag(void **state)
{
    (void)state;
    Lag lag;
    lag_reset(&lag);
    assert_int_equal(lag_observe(&lag, 0, 60000), 0);
    lag_moved(&lag, 0, 60000, 1000, 2000);
    /* 60 + 1 - 2 = 59 expected, 58.7 came */
    assert_int_equal(lag_observe(&lag, 2, 58700), 300);
}

static void a_short_lag_wears_off_a_long_one_slowly(void **state)
{
    (void)state;
    Lag lag;
    lag_reset(&lag);
    lag_moved(&lag, 0, 10000, 0, 1000);
    assert_int_equal(lag_observe(&lag, 2, 8200), 800);
    lag_moved(&lag, 2, 8200, 0, 200);
    const int64_t later = lag_observe(&lag, 4, 8000);
    assert_true(later < 800 && later >= 600);
}

static void clocks_of_another_moment_teach_nothing(void **state)
{
    (void)state;
    Lag lag;
    lag_reset(&lag);
    lag_moved(&lag, 0, 10000, 0, 1000);
    assert_int_equal(lag_observe(&lag, 4, 8000), 0); /* not our next move */
    lag_moved(&lag, 4, 10000, 0, 1000);
    assert_int_equal(lag_observe(&lag, 6, 300000), 0); /* a new time control */
    lag_moved(&lag, 6, 300000, 0, 1000);
    assert_int_equal(lag_observe(&lag, 8, 100000), 0); /* set by hand */
}

/* The same around whole searches: only those on our own clock teach and are taught. */
static void searches_on_our_clock_teach_the_lag(void **state)
{
    (void)state;
    Lag lag;
    lag_reset(&lag);
    SamaraPosition *p = samara_position_new();
    SamaraLimits limits = {.has_clock = true, .wtime_ms = 60000, .btime_ms = 1, .winc_ms = 1000};
    assert_int_equal(lag_begin(&lag, p, &limits, 5000), 0);
    lag_end(&lag, 7000);
    assert_true(samara_position_play_text(p, "e4", NULL));
    assert_true(samara_position_play_text(p, "e5", NULL));
    limits.wtime_ms = 58700;
    assert_int_equal(lag_begin(&lag, p, &limits, 20000), 300);
    const SamaraLimits fixed = {.movetime_ms = 100}, ponder = {.has_clock = true, .ponder = true};
    assert_int_equal(lag_begin(&lag, p, &fixed, 30000), 300);
    lag_end(&lag, 30100);
    assert_false(lag.armed);
    assert_int_equal(lag_begin(&lag, p, &ponder, 40000), 300);
    lag_end(&lag, 40100);
    assert_false(lag.armed);
    samara_position_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_clock_lost_beyond_our_thinking_is_lag),
        cmocka_unit_test(a_short_lag_wears_off_a_long_one_slowly),
        cmocka_unit_test(clocks_of_another_moment_teach_nothing),
        cmocka_unit_test(searches_on_our_clock_teach_the_lag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
