// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/turns.h"

static void a_client_alone_gets_everything(void **state)
{
    (void)state;
    Turns turns = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(turns_take(&turns, 7, 5000 + i));
}

static void in_a_crowd_each_gets_one_per_round(void **state)
{
    (void)state;
    Turns turns = {0};
    assert_true(turns_take(&turns, 7, 5000));
    assert_true(turns_take(&turns, 8, 5001));
    assert_true(turns_take(&turns, 7, 5002));
    assert_false(turns_take(&turns, 7, 5003));
    assert_false(turns_take(&turns, 8, 5004));
    turns_next_round(&turns);
    assert_true(turns_take(&turns, 8, 5005));
    assert_false(turns_take(&turns, 8, 5006));
    assert_true(turns_take(&turns, 7, 5007));
}

static void a_crowd_that_went_is_forgotten(void **state)
{
    (void)state;
    Turns turns = {0};
    turns_take(&turns, 7, 5000);
    turns_take(&turns, 8, 5000);
    assert_false(turns_take(&turns, 8, 5000 + TURNS_ALONE_MS - 1));
    assert_true(turns_take(&turns, 8, 5000 + TURNS_ALONE_MS));
    assert_true(turns_take(&turns, 8, 5000 + TURNS_ALONE_MS));
}

static void a_round_is_bounded(void **state)
{
    (void)state;
    Turns turns = {0};
    int served = 0;
    for (ClientId client = 1; client < 1000; client++)
        served += turns_take(&turns, client, 5000);
    assert_int_equal(served, TURNS_REMEMBERED + 1); /* the first was alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_alone_gets_everything),
        cmocka_unit_test(in_a_crowd_each_gets_one_per_round),
        cmocka_unit_test(a_crowd_that_went_is_forgotten),
        cmocka_unit_test(a_round_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
