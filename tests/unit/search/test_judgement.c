// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/judgement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void near_level_both_judges_have_their_share(void **state)
{
    (void)state;
    assert_in_range(classical_share, 1, 99);
    assert_int_equal(judgement_both(100, 200), 100 + classical_share);
    assert_int_equal(judgement_both(0, -200), -2 * classical_share);
    assert_int_equal(judgement_both(-clear_score / 2, 100 - clear_score / 2),
                     -clear_score / 2 + classical_share);
}

static void a_clear_score_is_the_networks_own(void **state)
{
    (void)state;
    for (int judged = clear_score; judged < 4 * clear_score; judged += 7) {
        assert_true(judgement_is_clear(judged, judged - 1, judged));
        assert_true(judgement_is_clear(-judged, -judged - 1, -judged));
        assert_int_equal(judgement_both(judged, -3000), judged);
        assert_int_equal(judgement_both(-judged, 3000), -judged);
    }
    assert_false(judgement_is_clear(clear_score - 1, clear_score - 1, clear_score));
}

static void far_from_the_window_the_network_is_enough(void **state)
{
    (void)state;
    const int alpha = -40, beta = 60;
    assert_true(judgement_is_clear(beta + second_opinion, alpha, beta));
    assert_true(judgement_is_clear(alpha - second_opinion, alpha, beta));
    for (int judged = alpha - second_opinion + 1; judged < beta + second_opinion; judged++)
        assert_false(judgement_is_clear(judged, alpha, beta));
}

/* A step in the evaluation would be worth a detour to the search. One unit of the network's changes
 * nothing by more than the judges' distance over the clear score, and rounding. */
static void there_is_no_step_between(void **state)
{
    (void)state;
    for (int distance = -200; distance <= 200; distance += 50)
        for (int judged = -2 * clear_score; judged < 2 * clear_score; judged++) {
            const int here = judgement_both(judged, judged + distance);
            const int next = judgement_both(judged + 1, judged + 1 + distance);
            assert_in_range(next - here + 1, 0, 3);
        }
}

static void both_sides_are_judged_alike(void **state)
{
    (void)state;
    for (int judged = -800; judged <= 800; judged += 13)
        for (int classical = -800; classical <= 800; classical += 17)
            assert_int_equal(judgement_both(-judged, -classical),
                             -judgement_both(judged, classical));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_level_both_judges_have_their_share),
        cmocka_unit_test(a_clear_score_is_the_networks_own),
        cmocka_unit_test(far_from_the_window_the_network_is_enough),
        cmocka_unit_test(there_is_no_step_between),
        cmocka_unit_test(both_sides_are_judged_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
