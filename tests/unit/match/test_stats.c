// SPDX-License-Identifier: GPL-3.0-or-later
/* The statistics against values that can be checked by hand or were published by others. */
#include "base/rng.h"
#include "match/stats.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6f is not within %g of %.6f", value, tolerance, expected);
}

/* E = 1 / (1 + 10^(-d/400)): 400 Elo are odds of 10 : 1, so 10/11; 191 (exactly 190.8485) are odds
 * of 3 : 1. */
static void elo_is_the_logistic_of_the_score(void **state)
{
    (void)state;
    near(elo_to_score(0), 0.5, 1e-12);
    near(elo_to_score(400), 10.0 / 11, 1e-12);
    near(score_to_elo(0.75), 400 * log10(3), 1e-9);
    near(score_to_elo(0.25), -190.8485, 1e-4);
    for (double elo = -700; elo <= 700; elo += 35)
        near(score_to_elo(elo_to_score(elo)), elo, 1e-9);
    assert_true(isinf(score_to_elo(1)) && score_to_elo(1) > 0);
    assert_true(isinf(score_to_elo(0)) && score_to_elo(0) < 0);
}

/* Table values of the normal distribution. */
static void normal_distribution_matches_the_tables(void **state)
{
    (void)state;
    near(normal_cdf(0), 0.5, 1e-15);
    near(normal_cdf(1), 0.8413447461, 1e-10);
    near(normal_cdf(1.959963985), 0.975, 1e-9);
    near(normal_cdf(-2.326347874), 0.01, 1e-9);
}

/* 100 pairs 10 20 40 20 10: mean 1/2, variance (10 * 1/4 + 20 * 1/16) * 2 / 100 = 0.075, so the
 * error of the mean is sqrt(0.075 / 100) * 1.96 = 0.053676 and the Elo bounds are -+400
 * log10(0.553676 / 0.446324) = -+37.44. */
static void symmetric_pairs_are_level_with_the_right_error(void **state)
{
    (void)state;
    const Tally tally = {PENTANOMIAL, {10, 20, 40, 20, 10}};
    const Stats s = stats_of(&tally);
    assert_int_equal(s.trials, 100);
    near(s.score, 0.5, 1e-12);
    near(s.deviation, sqrt(0.075), 1e-12);
    near(s.elo.value, 0, 1e-9);
    near(s.elo.high, 37.44, 0.005);
    near(s.elo.low, -37.44, 0.005);
    near(s.los, 0.5, 1e-12);
    near(s.even, 0.4, 1e-12);
    near(s.nelo.value, 0, 1e-9);
    /* 800 / ln 10 * 1.959964 / sqrt(200 games) = 48.15 */
    near(s.nelo.high, 48.15, 0.005);
}

/* 10 wins, 8 draws, 2 losses: score 0.7, E[x^2] = (10 + 2) / 20 = 0.6, variance 0.6 - 0.49 = 0.11,
 * LOS = Phi(0.2 / sqrt(0.11 / 20)) = Phi(2.69680) = 0.99650, nElo = 800 / ln 10 * 0.2 / sqrt(0.11)
 * = 209.51. */
static void single_games_are_a_trinomial(void **state)
{
    (void)state;
    const Tally tally = {TRINOMIAL, {2, 8, 10}};
    const Stats s = stats_of(&tally);
    near(s.score, 0.7, 1e-12);
    near(s.deviation, sqrt(0.11), 1e-12);
    near(s.elo.value, 400 * log10(7.0 / 3), 1e-9);
    near(s.los, 0.99650, 5e-6);
    near(s.nelo.value, 209.51, 0.005);
}

static void nothing_played_proves_nothing(void **state)
{
    (void)state;
    const Tally tally = {.categories = PENTANOMIAL};
    const Sprt test = {0, 5, 0.05, 0.05, SPRT_NORMALISED};
    const Stats s = stats_of(&tally);
    near(s.los, 0.5, 0);
    assert_true(isinf(s.elo.low) && isinf(s.elo.high));
    near(sprt_llr(&test, &tally), 0, 0);
}

static void lone_wins_are_infinitely_strong_but_no_nan_appears(void **state)
{
    (void)state;
    const Tally tally = {PENTANOMIAL, {0, 0, 0, 0, 10}};
    const Sprt test = {0, 10, 0.05, 0.05, SPRT_NORMALISED};
    const Stats s = stats_of(&tally);
    assert_true(isinf(s.elo.value));
    near(s.los, 1, 0);
    assert_true(isfinite(sprt_llr(&test, &tally)) && sprt_llr(&test, &tally) > 0);
}

/* ln(0.95 / 0.05) = 2.944439; ln(0.95 / 0.1) = 2.251292 and ln(0.05 / 0.9) = -2.890372. */
static void bounds_follow_from_the_risks(void **state)
{
    (void)state;
    const Sprt even = {0, 5, 0.05, 0.05, SPRT_NORMALISED},
               uneven = {0, 5, 0.10, 0.05, SPRT_NORMALISED};
    near(sprt_upper(&even), 2.944439, 1e-6);
    near(sprt_lower(&even), -2.944439, 1e-6);
    near(sprt_upper(&uneven), 2.251292, 1e-6);
    near(sprt_lower(&uneven), -2.890372, 1e-6);
    assert_int_equal(sprt_verdict(&even, 2.94), SPRT_CONTINUE);
    assert_int_equal(sprt_verdict(&even, 2.95), SPRT_ACCEPT_H1);
    assert_int_equal(sprt_verdict(&even, -2.95), SPRT_ACCEPT_H0);
}

/* Tests of Stockfish, as published with its pull requests 5712, 4194, 6285 (normalised Elo) and
 * 3209, 2971, 3017 (logistic): bounds, pentanomial counts and the LLR that fishtest computed, to
 * two decimals. */
static void llr_agrees_with_published_tests(void **state)
{
    (void)state;
    static const struct {
        double elo0, elo1;
        SprtModel model;
        uint64_t count[PENTANOMIAL];
        double llr;
    } cases[] = {
        {0, 2, SPRT_NORMALISED, {831, 31795, 68460, 32448, 834}, 2.93},
        {0.5, 2.5, SPRT_NORMALISED, {307, 54901, 140959, 56230, 281}, 2.95},
        {0, 2, SPRT_NORMALISED, {371, 10263, 24989, 10642, 379}, 2.95},
        {0.5, 2.5, SPRT_NORMALISED, {47, 8181, 25234, 8575, 47}, 2.94},
        {-1.75, 0.25, SPRT_NORMALISED, {289, 26459, 62934, 26379, 331}, 2.94},
        {-1.75, 0.25, SPRT_NORMALISED, {118, 38575, 109888, 38432, 122}, 2.95},
        {-0.25, 1.25, SPRT_LOGISTIC, {253, 4282, 17604, 4431, 286}, 2.94},
        {0.25, 1.25, SPRT_LOGISTIC, {58, 3302, 33130, 3518, 84}, 2.97},
        {-0.5, 1.5, SPRT_LOGISTIC, {17, 253, 1042, 337, 39}, 2.96},
        {-1.5, 0.5, SPRT_LOGISTIC, {40, 1272, 12142, 1300, 30}, 3.01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Sprt test = {cases[i].elo0, cases[i].elo1, 0.05, 0.05, cases[i].model};
        Tally tally = {.categories = PENTANOMIAL};
        for (int k = 0; k < PENTANOMIAL; k++)
            tally.count[k] = cases[i].count[k];
        near(sprt_llr(&test, &tally), cases[i].llr, 0.006);
    }
}

/* For small differences LLR -> N (t1 - t0) (t - (t0 + t1) / 2), t per pair: with 10 20 40 20 10
 * times 100 and bounds [0, 10], t = 0 and t1 = 10 sqrt(2) ln(10) / 800 = 0.0407041, so -10000 *
 * t1^2 / 2 = -8.284. */
static void llr_approaches_the_normal_approximation(void **state)
{
    (void)state;
    const Tally tally = {PENTANOMIAL, {1000, 2000, 4000, 2000, 1000}};
    const Sprt test = {0, 10, 0.05, 0.05, SPRT_NORMALISED};
    near(sprt_llr(&test, &tally), -8.284, 0.02);
}

static void llr_changes_its_sign_with_the_sides(void **state)
{
    (void)state;
    const Sprt up = {0, 4, 0.05, 0.05, SPRT_NORMALISED},
               down = {-4, 0, 0.05, 0.05, SPRT_NORMALISED};
    const Tally a = {PENTANOMIAL, {12, 80, 210, 101, 20}},
                b = {PENTANOMIAL, {20, 101, 210, 80, 12}};
    near(sprt_llr(&up, &a), -sprt_llr(&down, &b), 1e-6);
}

/* A random pair of an engine whose pair scores follow p. */
static int draw_pair(Rng *rng, const double *p)
{
    double u = rng_unit(rng);
    for (int i = 0; i < PENTANOMIAL - 1; i++)
        if ((u -= p[i]) < 0)
            return i;
    return PENTANOMIAL - 1;
}

/* Plays simulated tests to their end; returns how many accept H1. *games: pairs played in all of
 * them, twice. */
static int accepted(const Sprt *test, const double *p, int tests, uint64_t *games)
{
    Rng rng;
    int count = 0;
    rng_seed(&rng, 1);
    *games = 0;
    for (int i = 0; i < tests; i++) {
        Tally tally = {.categories = PENTANOMIAL};
        SprtVerdict verdict = SPRT_CONTINUE;
        for (int pairs = 1; verdict == SPRT_CONTINUE; pairs++) {
            tally.count[draw_pair(&rng, p)]++;
            *games += 2;
            if (pairs % 8 == 0)
                verdict = sprt_verdict(test, sprt_llr(test, &tally));
        }
        count += verdict == SPRT_ACCEPT_H1;
    }
    return count;
}

/* Two equal engines, and two that differ by exactly elo1: each kind of error must stay near the 5 %
 * that was asked for (of 400 tests 20, with a standard deviation of 4.4), and the length near the
 * theory. By Wald, N pairs with E[N] = (0.9 * 2.944) / (t1^2 / 2), t1 = 30 sqrt(2) ln(10) / 800 =
 * 0.1221: 355 pairs or 711 games at either bound; looking only every eighth pair and overshooting
 * the bound makes it a little longer. */
static void the_test_errs_as_seldom_as_promised(void **state)
{
    (void)state;
    static const Sprt test = {0, 30, 0.05, 0.05, SPRT_NORMALISED};
    static const double equal[PENTANOMIAL] = {0.05, 0.2, 0.5, 0.2, 0.05};
    uint64_t games;
    assert_in_range(accepted(&test, equal, 400, &games), 5, 36);
    assert_in_range(games / 400, 600, 850);

    /* Mixing in wins and taking away losses until (mean - 1/2) / sigma = t1. */
    double low = 0, high = 0.05, better[PENTANOMIAL];
    for (int step = 0; step < 60; step++) {
        const double shift = (low + high) / 2;
        double mean = 0, square = 0;
        for (int i = 0; i < PENTANOMIAL; i++) {
            better[i] = equal[i] +
                        (i == 4   ? shift
                         : i == 0 ? -shift
                                  : 0) +
                        (i == 3   ? shift
                         : i == 1 ? -shift
                                  : 0);
            mean += better[i] * i / 4;
            square += better[i] * i * i / 16;
        }
        const double t = (mean - 0.5) / sqrt(square - mean * mean);
        *(t < 30 * sqrt(2) * log(10) / 800 ? &low : &high) = shift;
    }
    assert_in_range(accepted(&test, better, 400, &games), 364, 395);
    assert_in_range(games / 400, 600, 850);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elo_is_the_logistic_of_the_score),
        cmocka_unit_test(normal_distribution_matches_the_tables),
        cmocka_unit_test(symmetric_pairs_are_level_with_the_right_error),
        cmocka_unit_test(single_games_are_a_trinomial),
        cmocka_unit_test(nothing_played_proves_nothing),
        cmocka_unit_test(lone_wins_are_infinitely_strong_but_no_nan_appears),
        cmocka_unit_test(bounds_follow_from_the_risks),
        cmocka_unit_test(llr_agrees_with_published_tests),
        cmocka_unit_test(llr_approaches_the_normal_approximation),
        cmocka_unit_test(llr_changes_its_sign_with_the_sides),
        cmocka_unit_test(the_test_errs_as_seldom_as_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
