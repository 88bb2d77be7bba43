// SPDX-License-Identifier: GPL-3.0-or-later
/* The tuner sees what the evaluation sees, its gradient is the slope of its error, and it finds
 * weights again. */
#include "train/texel.h"

#include "base/rng.h"
#include "chess/movegen.h"
#include "classical/classical.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Positions of random games; target NULL: as the evaluation expects. Positions may be kept for
 * comparison. */
static TexelSet *random_set(int wanted, Position *kept)
{
    TexelSet *set = texel_set_create();
    assert_non_null(set);
    Rng rng;
    rng_seed(&rng, 7);
    while (texel_set_count(set) < (size_t)wanted) {
        Position p;
        pos_start(&p);
        for (int ply = 0; ply < 120 && texel_set_count(set) < (size_t)wanted; ply++) {
            MoveList list;
            gen_legal(&p, &list);
            if (!list.count)
                break;
            Undo undo;
            pos_make(&p, list.moves[rng_below(&rng, (uint64_t)list.count)], &undo, NULL);
            const int score = classical_evaluate(&p, NULL);
            const double expected =
                1 / (1 + exp(-(p.turn == WHITE ? score : -score) / (double)TEXEL_UNIT));
            const size_t before = texel_set_count(set);
            assert_true(texel_set_add(set, &p, expected));
            if (kept && texel_set_count(set) > before)
                kept[before] = p;
        }
    }
    return set;
}

static void the_tuner_scores_as_the_evaluation_does(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    Position *positions = malloc(COUNT * sizeof *positions);
    TexelWeights *w = malloc(sizeof *w);
    TexelSet *set = random_set(COUNT, positions);
    texel_weights_current(w);
    for (size_t i = 0; i < COUNT; i++) {
        const int score = classical_evaluate(&positions[i], NULL);
        /* Two kings' dangers and the taper are rounded in the evaluation. */
        if (abs(score) < CLASSICAL_MAX)
            assert_true(
                fabs(texel_score(set, i, w) - (positions[i].turn == WHITE ? score : -score)) < 4);
    }
    texel_set_destroy(set);
    free(w);
    free(positions);
}

static void the_gradient_is_the_slope_of_the_error(void **state)
{
    (void)state;
    TexelWeights *w = malloc(3 * sizeof *w), *gradient = w + 1, *moved = w + 2;
    TexelSet *set = random_set(400, NULL);
    texel_weights_current(w);
    texel_rescale(w, 0.8);                                      /* away from the minimum */
    w->mg[W_DANGER_BASE] += 0.37, w->eg[W_DANGER_BASE] += 0.37; /* and from where danger begins */
    texel_gradient(set, w, 2, gradient);
    const double step = 1e-3;
    int used = 0;
    for (int i = 0; i < WEIGHT_COUNT * 2; i++) {
        const bool eg = i >= WEIGHT_COUNT;
        const int index = i % WEIGHT_COUNT;
        *moved = *w;
        double *value = eg ? &moved->eg[index] : &moved->mg[index];
        *value += step;
        const double up = texel_error(set, moved, TEXEL_UNIT, 1);
        *value -= 2 * step;
        const double down = texel_error(set, moved, TEXEL_UNIT, 1);
        const double slope = (up - down) / (2 * step),
                     said = eg ? gradient->eg[index] : gradient->mg[index];
        used += said != 0;
        assert_true(fabs(slope - said) < 1e-9 + 1e-3 * fabs(said));
    }
    assert_true(used > WEIGHT_COUNT);
    texel_set_destroy(set);
    free(w);
}

static void the_number_of_threads_changes_nothing(void **state)
{
    (void)state;
    TexelWeights *one = malloc(2 * sizeof *one), *three = one + 1;
    TexelSet *set = random_set(2000, NULL);
    TexelOptions options = {
        .epochs = 2, .batch = 256, .threads = 1, .rate = 5, .prior = 10, .seed = 3};
    texel_weights_current(one);
    *three = *one;
    assert_true(texel_tune(set, &options, one, NULL));
    options.threads = 3;
    assert_true(texel_tune(set, &options, three, NULL));
    assert_memory_equal(one, three, sizeof *one);
    texel_set_destroy(set);
    free(one);
}

static void wrong_weights_are_found_and_mended(void **state)
{
    (void)state;
    TexelWeights *w = malloc(2 * sizeof *w), *right = w + 1;
    TexelSet *set = random_set(4000, NULL);
    texel_weights_current(right);
    *w = *right;
    w->mg[W_PIECE_VALUE + QUEEN] -= 600;
    w->eg[W_PIECE_VALUE + QUEEN] -= 600;
    w->mg[W_PIECE_VALUE + ROOK] += 300;
    const double before = texel_error(set, w, TEXEL_UNIT, 1);
    const TexelOptions options = {.epochs = 60, .batch = 500, .threads = 2, .rate = 20, .seed = 3};
    assert_true(texel_tune(set, &options, w, NULL));
    assert_true(texel_error(set, w, TEXEL_UNIT, 1) < before / 8);
    assert_true(fabs(w->mg[W_PIECE_VALUE + QUEEN] - right->mg[W_PIECE_VALUE + QUEEN]) < 300);
    texel_set_destroy(set);
    free(w);
}

static void the_best_unit_is_the_one_the_targets_were_made_with(void **state)
{
    (void)state;
    TexelWeights *w = malloc(sizeof *w);
    TexelSet *set = random_set(2000, NULL);
    texel_weights_current(w);
    assert_true(fabs(texel_fit_unit(set, w, 2) - TEXEL_UNIT) < 5);
    texel_set_destroy(set);
    free(w);
}

static void tidying_changes_no_score(void **state)
{
    (void)state;
    TexelWeights *w = malloc(2 * sizeof *w), *tidy = w + 1;
    TexelSet *set = random_set(1000, NULL);
    texel_weights_current(w);
    *tidy = *w;
    texel_tidy(set, tidy);
    assert_true(fabs(tidy->mg[W_PIECE_VALUE + QUEEN] - w->mg[W_PIECE_VALUE + QUEEN]) > 1e-3);
    for (size_t i = 0; i < texel_set_count(set); i++)
        assert_true(fabs(texel_score(set, i, w) - texel_score(set, i, tidy)) < 1e-6);
    texel_set_destroy(set);
    free(w);
}

static void the_written_file_has_every_group_once(void **state)
{
    (void)state;
    TexelWeights *w = calloc(1, sizeof *w);
    w->mg[W_TEMPO] = 12.6;
    w->eg[W_TEMPO] = -7.4;
    Buffer out = {0};
    texel_write(w, &out);
    for (int g = 0; g < WEIGHT_GROUP_COUNT; g++) {
        char head[64];
        snprintf(head, sizeof head, "VALUES(%s,\n", weight_groups[g].name);
        const char *found = strstr(out.data, head);
        assert_non_null(found);
        assert_null(strstr(found + 1, head));
    }
    assert_non_null(strstr(out.data, "VALUES(TEMPO,\n       V(13, -7))\n"));
    buffer_free(&out);
    free(w);
}

int main(void)
{
    classical_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tuner_scores_as_the_evaluation_does),
        cmocka_unit_test(the_gradient_is_the_slope_of_the_error),
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(wrong_weights_are_found_and_mended),
        cmocka_unit_test(the_best_unit_is_the_one_the_targets_were_made_with),
        cmocka_unit_test(tidying_changes_no_score),
        cmocka_unit_test(the_written_file_has_every_group_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
