// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "review/judge.h"
#include <math.h>

#define MATE_IN(n) (WORTH_MATE - (n))
#define MATED_IN(n) (-(WORTH_MATE - (n)))

static void chances_are_symmetric_and_bounded(void **state)
{
    (void)state;
    assert_true(judge_win_percent(0) == 50);
    assert_true(fabs(judge_win_percent(150) + judge_win_percent(-150) - 100) < 1e-9);
    assert_true(judge_win_percent(300) > judge_win_percent(200));
    assert_true(judge_win_percent(1000) == judge_win_percent(MATE_IN(3)));
    assert_true(judge_win_percent(2500) == judge_win_percent(1000));
    assert_true(fabs(judge_win_percent(MATED_IN(1)) - 2.46) < 0.01);
}

static void mates_are_counted_from_before_the_move(void **state)
{
    (void)state;
    const SamaraScore mated = {.is_mate = true, .value = 0},
                      in_two = {.is_mate = true, .value = -2},
                      mates = {.is_mate = true, .value = 4};
    assert_int_equal(worth_mate_in(worth_before(worth_of(&mated))), 1);
    assert_int_equal(worth_mate_in(worth_before(worth_of(&in_two))), 3);
    assert_int_equal(worth_mate_in(worth_before(worth_of(&mates))), -4);
    assert_int_equal(worth_before(-30), 30);
}

/* The marks of all rules. Numbers in the names of the last cases are issues of lichess. */
static void moves_are_judged(void **state)
{
    (void)state;
    const struct {
        Worth best, played;
        const char *name;
    } cases[] = {
        {0, 0, ""},
        {0, 60, ""},
        {30, -10, ""},
        {0, -60, "inaccuracy"},
        {0, -120, "mistake"},
        {0, -180, "blunder"},
        {1500, 1000, ""},               /* decided: gentle */
        {-1200, -3000, ""},             /* lost is lost */
        {0, MATED_IN(1), "blunder"},    /* allowing mate: */
        {-900, MATED_IN(1), "blunder"}, /* the next move's mate always counts (#11313) */
        {-3000, MATED_IN(1), "blunder"},
        {MATED_IN(9), MATED_IN(1), "blunder"},
        {MATED_IN(3), MATED_IN(1), ""}, /* it comes sooner */
        {MATED_IN(9), MATED_IN(4), ""},
        {-1500, MATED_IN(3), "mistake"},
        {-500, MATED_IN(3), "blunder"},
        {-1500, MATED_IN(7), "inaccuracy"},
        {-800, MATED_IN(7), "mistake"},
        {-100, MATED_IN(7), "blunder"},
        {MATE_IN(2), MATE_IN(7), ""},     /* delaying mate */
        {MATE_IN(2), 1500, "inaccuracy"}, /* missing mate: (#7846) */
        {MATE_IN(3), 800, "mistake"},
        {MATE_IN(1), 100, "blunder"},
        {MATE_IN(5), 1500, "inaccuracy"},
        {MATE_IN(7), 1200, ""}, /* (#15104) */
        {MATE_IN(12), 900, ""}, /* (#20226) */
        {MATE_IN(12), 100, "blunder"},
        {MATE_IN(4), MATED_IN(4), "blunder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(judge_name(judge_move(cases[i].best, cases[i].played)), cases[i].name);
    assert_int_equal(judge_nag(JUDGED_BLUNDER), 4);
    assert_int_equal(judge_nag(JUDGED_FINE), 0);
}

static void accuracy_falls_with_the_loss(void **state)
{
    (void)state;
    assert_true(judge_accuracy(0) == 100 && judge_accuracy(-3) == 100);
    assert_true(judge_accuracy(1) < 100 && judge_accuracy(100) >= 0 && judge_accuracy(100) < 1);
    assert_true(fabs(judge_accuracy(10) - (103.1668 * exp(-0.4354) - 2.1669)) < 1e-9);
}

/* One bad move where much was at stake weighs more than in the plain average. */
static void a_game_is_weighed_by_what_was_at_stake(void **state)
{
    (void)state;
    const double chances[] = {50, 50, 50, 50, 50, 50, 50, 50, 20},
                 good[] = {100, 100, 100, 100, 100, 100, 100, 100},
                 bad[] = {100, 100, 100, 100, 100, 100, 20, 100};
    const bool white[] = {true, false, true, false, true, false, true, false};
    const bool nobody[8] = {0};
    assert_true(judge_game_accuracy(chances, good, white, 8) == 100);
    assert_true(judge_game_accuracy(chances, bad, white, 8) < 80);
    assert_true(judge_game_accuracy(chances, bad, nobody, 8) == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_are_symmetric_and_bounded),
        cmocka_unit_test(mates_are_counted_from_before_the_move),
        cmocka_unit_test(moves_are_judged),
        cmocka_unit_test(accuracy_falls_with_the_loss),
        cmocka_unit_test(a_game_is_weighed_by_what_was_at_stake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
