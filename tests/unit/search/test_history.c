// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include "base/rng.h"
#include "support.h"
#include <stdlib.h>

static void gravity_never_leaves_its_limit(void **state)
{
    (void)state;
    static const int limits[] = {BUTTERFLY_LIMIT, CAPTURE_LIMIT, CORRECTION_LIMIT};
    Rng rng;
    rng_seed(&rng, 3);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        int16_t h = 0;
        for (int i = 0; i < 100000; i++) {
            const int bonus = (int)rng_below(&rng, 200001) - 100000;
            gravity_add(&h, i % 100 < 50 ? abs(bonus) : bonus, limits[k]);
            assert_in_range(h + limits[k], 0, 2 * limits[k]);
        }
    }
}

static void gravity_follows_what_it_sees(void **state)
{
    (void)state;
    int16_t h = 0;
    gravity_add(&h, 0, 8192);
    assert_int_equal(h, 0);
    gravity_add(&h, 500, 8192);
    assert_int_equal(h, 500); /* from zero the full bonus */
    for (int i = 0; i < 200; i++)
        gravity_add(&h, 500, 8192);
    assert_in_range(h, 8000, 8192);
    const int16_t high = h;
    gravity_add(&h, -500, 8192);
    assert_true(high - h > 500); /* surprise weighs double near the limit */
}

static void clearing_history_forgets_everything(void **state)
{
    (void)state;
    History *h = history_create();
    assert_non_null(h);
    h->butterfly[1][2][77] = 5;
    h->counter[9] = 3;
    h->continuation[1][5][6] = -7;
    history_new_search(h);
    history_clear(h);
    const unsigned char *bytes = (const unsigned char *)h;
    for (size_t i = 0; i < sizeof *h; i++)
        assert_int_equal(bytes[i], 0);
    history_destroy(h);
    history_destroy(NULL);
}

static void correction_learns_the_sign_and_stays_small(void **state)
{
    (void)state;
    Correction *c = correction_create();
    assert_non_null(c);
    const Position pos = position_of(sample_fens[1]);
    assert_int_equal(correction_value(c, &pos, 3, 4), 0);
    for (int i = 0; i < 1000; i++)
        correction_learn(c, &pos, 3, 4, 300, 12);
    const int high = correction_value(c, &pos, 3, 4);
    assert_in_range(high, 150, 400);
    assert_true(correction_value(c, &pos, -1, -1) < high);
    for (int i = 0; i < 1000; i++)
        correction_learn(c, &pos, 3, 4, -300, 12);
    assert_in_range(-correction_value(c, &pos, 3, 4), 150, 400);
    correction_clear(c);
    assert_int_equal(correction_value(c, &pos, 3, 4), 0);
    correction_destroy(c);
}

/* What is learned about a position is known about its twin with colours exchanged, in the rows of
 * the other side. */
static void twins_use_the_same_rows(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        Position pos = position_of(sample_fens[i]), twin;
        pos_flip(&pos, &twin);
        assert_int_equal(pawn_row(&pos), pawn_row(&twin));
        assert_int_equal(key_relative(pos.st.minor_key, pos.turn),
                         key_relative(twin.st.minor_key, twin.turn));
        assert_int_equal(key_relative(pos.st.nonpawn_key[pos.turn], pos.turn),
                         key_relative(twin.st.nonpawn_key[twin.turn], twin.turn));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_never_leaves_its_limit),
        cmocka_unit_test(gravity_follows_what_it_sees),
        cmocka_unit_test(clearing_history_forgets_everything),
        cmocka_unit_test(correction_learns_the_sign_and_stays_small),
        cmocka_unit_test(twins_use_the_same_rows),
    };
    attacks_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
