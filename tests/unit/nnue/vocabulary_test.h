// SPDX-License-Identifier: GPL-3.0-or-later
/* vocabulary_test.h -- holds one SIMD vocabulary, included before, against plain C. A test file per
 * vocabulary includes this; SIMD_MISSING() says whether the processor lacks it. */
#include "nnue/kernel_loops.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 500 };

typedef struct Lanes {
    _Alignas(64) int16_t a[VI16_LANES];
    _Alignas(64) int16_t b[VI16_LANES];
    _Alignas(64) int16_t out[VI16_LANES];
} Lanes;

static void fill(Rng *rng, int16_t *to, size_t count, int limit)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int16_t)((int)rng_below(rng, 2 * (uint64_t)limit + 1) - limit);
}

#define CHECK_WORD(word, expression)                                                               \
    do {                                                                                           \
        vi16_store(t.out, word(vi16_load(t.a), vi16_load(t.b)));                                   \
        for (int i = 0; i < VI16_LANES; i++) {                                                     \
            const int a = t.a[i], b = t.b[i];                                                      \
            assert_int_equal(t.out[i], (int16_t)(expression));                                     \
        }                                                                                          \
    } while (0)

static void integer_words_equal_plain_c(void **state)
{
    (void)state;
    if (SIMD_MISSING())
        skip();
    Rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < ROUNDS; round++) {
        Lanes t;
        fill(&rng, t.a, VI16_LANES, 32767);
        fill(&rng, t.b, VI16_LANES, round % 2 ? 32767 : 100);
        CHECK_WORD(vi16_add, a + b);
        CHECK_WORD(vi16_add_saturated, a + b > 32767 ? 32767 : a + b < -32768 ? -32768 : a + b);
        CHECK_WORD(vi16_sub, a - b);
        CHECK_WORD(vi16_mul, a * b);
        CHECK_WORD(vi16_min, a < b ? a : b);
        CHECK_WORD(vi16_max, a > b ? a : b);
        vi16_store(t.out, vi16_set(t.a[0]));
        for (int i = 0; i < VI16_LANES; i++)
            assert_int_equal(t.out[i], t.a[0]);
        for (int i = 0; i < VI16_LANES; i += 3)
            t.b[i] = t.a[i];
        vi16_store(t.out, vi16_if_equal(vi16_load(t.a), vi16_load(t.b), vi16_set(7)));
        for (int i = 0; i < VI16_LANES; i++)
            assert_int_equal(t.out[i], t.a[i] == t.b[i] ? 7 : 0);
    }
}

static void dot_and_sum_equal_plain_c(void **state)
{
    (void)state;
    if (SIMD_MISSING())
        skip();
    Rng rng;
    rng_seed(&rng, 2);
    for (int round = 0; round < ROUNDS; round++) {
        Lanes t;
        fill(&rng, t.a, VI16_LANES, 5000);
        fill(&rng, t.b, VI16_LANES, 5000);
        int32_t sum = 0;
        for (int i = 0; i < VI16_LANES; i++)
            sum += t.a[i] * t.b[i];
        const vi32 dot = vi16_dot(vi16_load(t.a), vi16_load(t.b));
        assert_int_equal(vi32_sum(vi32_add(dot, vi32_zero())), sum);
        assert_int_equal(vi32_sum(vi32_add(dot, dot)), 2 * sum);
        assert_int_equal(vi32_sum(vi32_add_dot(dot, vi16_load(t.a), vi16_load(t.b))), 2 * sum);
    }
}

static void close_to(float x, double exact)
{
    assert_true(fabs(x - exact) <= 1e-5 * (1 + fabs(exact)));
}

static void integers_become_floats_and_come_back(void **state)
{
    (void)state;
    if (SIMD_MISSING())
        skip();
    Rng rng;
    rng_seed(&rng, 6);
    for (int round = 0; round < ROUNDS; round++) {
        Lanes t;
        _Alignas(64) float even[VF32_LANES], odd[VF32_LANES];
        fill(&rng, t.a, VI16_LANES, 32767);
        const vi16 a = vi16_load(t.a);
        vf32_store(even, vf32_of(vi16_even(a)));
        vf32_store(odd, vf32_of(vi16_odd(a)));
        for (int i = 0; i < VF32_LANES; i++) {
            assert_true(even[i] == t.a[2 * i]);
            assert_true(odd[i] == t.a[2 * i + 1]);
            even[i] += 0.4f; /* exact enough: no int16 needs more than 15 bits */
            odd[i] -= 0.4f;
        }
        vi16_store(t.out, vi16_round(vf32_load(even), vf32_load(odd)));
        assert_memory_equal(t.out, t.a, sizeof t.a);
    }
}

static void float_words_are_close_to_plain_c(void **state)
{
    (void)state;
    if (SIMD_MISSING())
        skip();
    Rng rng;
    rng_seed(&rng, 3);
    for (int round = 0; round < ROUNDS; round++) {
        _Alignas(64) float a[VF32_LANES], b[VF32_LANES], c[VF32_LANES], out[7][VF32_LANES];
        double sum = 0;
        for (int i = 0; i < VF32_LANES; i++) {
            a[i] = (float)(rng_unit(&rng) * 4 - 2);
            b[i] = rng_below(&rng, 2) ? a[i] : (float)(rng_unit(&rng) + 0.5);
            c[i] = (float)rng_unit(&rng);
            sum += a[i];
        }
        const vf32 x = vf32_load(a), y = vf32_load(b), z = vf32_load(c);
        vf32_store(out[0], vf32_add(x, y));
        vf32_store(out[1], vf32_mul(x, y));
        vf32_store(out[2], vf32_div(x, y));
        vf32_store(out[3], vf32_sqrt(z));
        vf32_store(out[4], vf32_min(x, y));
        vf32_store(out[5], vf32_max(x, y));
        vf32_store(out[6], vf32_muladd(x, y, z));
        for (int i = 0; i < VF32_LANES; i++) {
            close_to(out[0][i], (double)a[i] + b[i]);
            close_to(out[1][i], (double)a[i] * b[i]);
            close_to(out[2][i], (double)a[i] / b[i]);
            close_to(out[3][i], sqrt(c[i]));
            close_to(out[4][i], a[i] < b[i] ? a[i] : b[i]);
            close_to(out[5][i], a[i] > b[i] ? a[i] : b[i]);
            close_to(out[6][i], (double)a[i] * b[i] + c[i]);
        }
        close_to(vf32_sum(x), sum);
        close_to(vf32_sum(vf32_set(a[0])), (double)a[0] * VF32_LANES);
    }
}

enum { WIDTH = 128, ROWS = 20 };

static void changes_equal_plain_c(void **state)
{
    (void)state;
    if (SIMD_MISSING())
        skip();
    static _Alignas(64) int16_t input[ROWS * WIDTH], from[WIDTH], to[WIDTH];
    Rng rng;
    rng_seed(&rng, 4);
    for (int round = 0; round < ROUNDS; round++) {
        fill(&rng, input, ROWS * WIDTH, 500);
        fill(&rng, from, WIDTH, 32767);
        RowChange rows = {.adds = (int)rng_below(&rng, 5), .subs = (int)rng_below(&rng, 5)};
        for (int i = 0; i < 5; i++) {
            rows.add[i] = (uint16_t)rng_below(&rng, ROWS);
            rows.sub[i] = (uint16_t)rng_below(&rng, ROWS);
        }
        kernel_change(to, from, input, &rows, WIDTH);
        for (int i = 0; i < WIDTH; i++) {
            int v = from[i];
            for (int k = 0; k < rows.adds; k++)
                v += input[rows.add[k] * WIDTH + i];
            for (int k = 0; k < rows.subs; k++)
                v -= input[rows.sub[k] * WIDTH + i];
            assert_int_equal(to[i], (int16_t)v);
        }
    }
}

static void outputs_equal_plain_c(void **state)
{
    (void)state;
    if (SIMD_MISSING())
        skip();
    static _Alignas(64) int16_t own[WIDTH], enemy[WIDTH], weights[2 * WIDTH];
    Rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < ROUNDS; round++) {
        fill(&rng, own, WIDTH, 400);
        fill(&rng, enemy, WIDTH, 32767);
        fill(&rng, weights, 2 * WIDTH, 127);
        int64_t sum = 0;
        for (int i = 0; i < 2 * WIDTH; i++) {
            const int x = i < WIDTH ? own[i] : enemy[i - WIDTH];
            const int v = x < 0 ? 0 : x > 255 ? 255 : x;
            sum += (int64_t)v * v * weights[i];
        }
        assert_int_equal(kernel_output(own, enemy, weights, 255, WIDTH), sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_words_equal_plain_c),
        cmocka_unit_test(dot_and_sum_equal_plain_c),
        cmocka_unit_test(integers_become_floats_and_come_back),
        cmocka_unit_test(float_words_are_close_to_plain_c),
        cmocka_unit_test(changes_equal_plain_c),
        cmocka_unit_test(outputs_equal_plain_c),
    };
    return cmocka_run_group_tests_name(SIMD_NAME, tests, NULL, NULL);
}
