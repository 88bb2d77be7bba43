// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"
#include "train/wdl_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

/* Results drawn by lot from a model are those of the model that is found. */
static void a_known_model_is_found_again(void **state)
{
    (void)state;
    WdlCounts *counts = calloc(1, sizeof *counts);
    Rng rng;
    rng_seed(&rng, 11);
    for (int i = 0; i < 400000; i++) {
        const int material = 17 + (int)rng_below(&rng, 62), v = (int)rng_below(&rng, 2001) - 1000;
        const double a = 200 + 2.0 * material, b = 120 + 0.5 * material;
        const double win = 1 / (1 + exp((a - v) / b)), loss = 1 / (1 + exp((a + v) / b)),
                     lot = rng_unit(&rng);
        wdl_add(counts, v, material, lot < win ? 2 : lot < win + loss ? 0 : 1);
    }
    WdlFit fit;
    assert_true(wdl_fit(counts, &fit));
    for (int material = 20; material <= 75; material += 5) {
        const double x = (double)material / WDL_MATERIAL_UNIT;
        const double a = ((fit.a[0] * x + fit.a[1]) * x + fit.a[2]) * x + fit.a[3];
        const double b = ((fit.b[0] * x + fit.b[1]) * x + fit.b[2]) * x + fit.b[3];
        assert_true(fabs(a - (200 + 2.0 * material)) < 12);
        assert_true(fabs(b - (120 + 0.5 * material)) < 12);
    }
    assert_true(fit.likelihood < 0 && fit.likelihood > -1.1);
    free(counts);
}

static void too_few_positions_give_no_model(void **state)
{
    (void)state;
    WdlCounts *counts = calloc(1, sizeof *counts);
    WdlFit fit;
    for (int i = 0; i < 400; i++)
        wdl_add(counts, i, 40, i % 3);
    assert_false(wdl_fit(counts, &fit));
    wdl_add(counts, 32000, 40, 2); /* a mate is no evaluation */
    assert_int_equal(counts->total, 400);
    free(counts);
}

/* Balanced openings only: with all men on the board no score differs enough from another. */
static void scores_that_are_all_alike_give_no_model(void **state)
{
    (void)state;
    WdlCounts *counts = calloc(1, sizeof *counts);
    WdlFit fit;
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 60000; i++) {
        const int material = 17 + (int)rng_below(&rng, 62);
        int v = (int)rng_below(&rng, 2001) - 1000;
        if (material >= 54) /* a little, and wrong */
            v = v > 0 ? 20 : -20;
        const bool right = rng_below(&rng, 10) < (material >= 54 ? 2 : 9);
        wdl_add(counts, v, material, (v > 0) == right ? 2 : 0);
    }
    assert_false(wdl_fit(counts, &fit));
    free(counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_model_is_found_again),
        cmocka_unit_test(too_few_positions_give_no_model),
        cmocka_unit_test(scores_that_are_all_alike_give_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
