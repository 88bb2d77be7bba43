// SPDX-License-Identifier: GPL-3.0-or-later
/* The arithmetic of tuning. */
#include "match/spsa.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static SpsaConfig read(const char *text)
{
    SpsaConfig config = {.iterations = 1000, .seed = 5};
    Error err;
    if (!spsa_read_params(&config, str_from(text), &err))
        fail_msg("%s", err.text);
    return config;
}

static void both_forms_of_parameters_are_read(void **state)
{
    (void)state;
    SpsaConfig c = read("# comment\n"
                        "nmp_base, int, 4, 2, 8, 0.5, 0.003\n"
                        "/* a comment\n * of two lines */\n"
                        "PARAM(lmr_div,  240, 100, 400,  12)  /* why */\r\n"
                        "factor, float, 0.25, 0, 1, 0.05\n\n");
    assert_int_equal(c.count, 3);
    assert_string_equal(c.params[0].name, "nmp_base");
    assert_true(c.params[0].whole && c.params[0].c_end == 0.5 && c.params[0].r_end == 0.003);
    assert_string_equal(c.params[1].name, "lmr_div");
    assert_true(c.params[1].whole && c.params[1].min == 100 && c.params[1].c_end == 12 &&
                c.params[1].r_end == 0.002);
    assert_true(!c.params[2].whole && c.params[2].start == 0.25);
    spsa_config_free(&c);
}

static void wrong_lines_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "there are no parameters"},
        {"a, int, 1, 0, 2, 1\nb, int, x, 0, 2, 1", "line 2 is no parameter"},
        {"a, int, 1, 0, 2", "line 1 is no parameter"},
        {"a, int, 1, 0, 2, 1, 1, 1", "line 1 is no parameter"},
        {"a, bool, 1, 0, 2, 1", "line 1 is no parameter"},
        {"PARAM(a, 1, 0, 2)", "line 1 is no parameter"},
        {"PARAM(a, 1, 0, 2, 1", "line 1 is no parameter"},
        {"a, int, 5, 0, 2, 1", "line 1: 'a' needs min <= start <= max"},
        {"a, int, 1, 0, 2, 0", "line 1: 'a' needs min <= start <= max"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SpsaConfig config = {0};
        Error err;
        assert_false(spsa_read_params(&config, str_from(cases[i].text), &err));
        if (strncmp(err.text, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("'%s' says '%s'", cases[i].text, err.text);
        assert_null(config.params);
    }
}

static void what_is_written_can_be_read(void **state)
{
    (void)state;
    SpsaConfig c = read("a, int, 4, -20, 80, 0.5, 0.00002\nb, float, 0.125, 0, 1, 0.05, 0.002\n");
    Buffer out = {0};
    spsa_write_params(&c, (const double[]){3.4375, 0.25}, &out);
    assert_string_equal(buffer_text(&out), "a, int, 3.4375, -20, 80, 0.5, 0.00002\n"
                                           "b, float, 0.25, 0, 1, 0.05, 0.002\n");
    SpsaConfig again = read(buffer_text(&out));
    assert_true(again.params[0].start == 3.4375 && again.params[0].r_end == 0.00002);
    buffer_free(&out);
    spsa_config_free(&c);
    spsa_config_free(&again);
}

/* In the last iteration the step is c_end; c_k falls with (k + 1)^-0.101, so the first is
 * 1000^0.101 = 2.0091 times as long. */
static void steps_shrink_to_their_end(void **state)
{
    (void)state;
    SpsaConfig c = read("a, float, 0, -100, 100, 3\n");
    double zero = 0, plus, minus;
    spsa_sides(&c, 999, &zero, &plus, &minus);
    assert_true(fabs(fabs(plus) - 3) < 1e-9 && fabs(plus + minus) < 1e-9);
    spsa_sides(&c, 0, &zero, &plus, &minus);
    assert_true(fabs(fabs(plus) - 3 * 2.0091) < 1e-3);
    spsa_config_free(&c);
}

/* a_k / c_k at the end is r_end c_end^2 / c_end = 0.002 * 3, times two points. */
static void values_move_towards_the_winner(void **state)
{
    (void)state;
    SpsaConfig c = read("a, float, 0, -100, 100, 3\n");
    for (int outcome = -2; outcome <= 2; outcome++) {
        double value = 0, zero = 0, plus, minus;
        spsa_sides(&c, 999, &zero, &plus, &minus);
        spsa_update(&c, 999, outcome, &value);
        const double expected = 0.002 * 3 * outcome * (plus > 0 ? 1 : -1);
        assert_true(fabs(value - expected) < 1e-9);
    }
    spsa_config_free(&c);
}

static void sides_stay_in_range_and_whole(void **state)
{
    (void)state;
    SpsaConfig c = read("a, int, 0.5, 0, 1, 0.5\nb, int, 9.6, 0, 10, 4\n");
    const double values[2] = {0.5, 9.6};
    for (uint64_t k = 0; k < 1000; k++) {
        double side[2][2];
        spsa_sides(&c, k, values, side[0], side[1]);
        for (int i = 0; i < 4; i++) {
            const double v = side[i / 2][i % 2];
            assert_true(v == floor(v) && v >= 0 && v <= (i % 2 ? 10 : 1));
        }
    }
    spsa_config_free(&c);
}

/* Rounding at random keeps the mean: 2.3 is 2 in seven cases of ten. */
static void rounding_is_fair(void **state)
{
    (void)state;
    SpsaConfig c = read("a, int, 50, 0, 100, 0.7\n");
    c.iterations = 20000;
    double sum = 0;
    const double value = 42.3;
    for (uint64_t k = 0; k < 20000; k++) {
        double plus, minus;
        spsa_sides(&c, k, &value, &plus, &minus);
        sum += (plus + minus) / 2;
    }
    assert_true(fabs(sum / 20000 - 42.3) < 0.02);
    spsa_config_free(&c);
}

/* A parabola with a little noise: the session must come close to its top. */
static void a_smooth_function_is_climbed(void **state)
{
    (void)state;
    SpsaConfig c = read("a, float, 20, 0, 100, 5, 0.02\nb, float, 80, 0, 100, 5, 0.02\n");
    c.iterations = 4000;
    double v[2] = {20, 80};
    for (uint64_t k = 0; k < c.iterations; k++) {
        double side[2][2], worth[2];
        spsa_sides(&c, k, v, side[0], side[1]);
        for (int i = 0; i < 2; i++)
            worth[i] = -0.004 * (pow(side[i][0] - 60, 2) + pow(side[i][1] - 30, 2));
        const double noise = (double)(k * 2654435761u % 1000) / 500 - 1;
        spsa_update(&c, k, fmax(-2, fmin(2, worth[0] - worth[1] + noise)), v);
    }
    if (fabs(v[0] - 60) > 5 || fabs(v[1] - 30) > 5)
        fail_msg("%g %g", v[0], v[1]);
    spsa_config_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_of_parameters_are_read),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(what_is_written_can_be_read),
        cmocka_unit_test(steps_shrink_to_their_end),
        cmocka_unit_test(values_move_towards_the_winner),
        cmocka_unit_test(sides_stay_in_range_and_whole),
        cmocka_unit_test(rounding_is_fair),
        cmocka_unit_test(a_smooth_function_is_climbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
