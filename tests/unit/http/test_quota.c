// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "front/http/quota.h"

static void a_client_gets_its_share_and_no_more(void **state)
{
    (void)state;
    Quota *quota = quota_create(10, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(quota_take(quota, 7), QUOTA_GRANTED);
    assert_int_equal(quota_take(quota, 7), QUOTA_CLIENT_FULL);
    assert_int_equal(quota_take(quota, 8), QUOTA_GRANTED);
    quota_give(quota, 7);
    assert_int_equal(quota_take(quota, 7), QUOTA_GRANTED);
    assert_int_equal(quota_held(quota), 4);
    quota_destroy(quota);
}

static void all_together_get_the_total(void **state)
{
    (void)state;
    Quota *quota = quota_create(5, 2);
    for (uint64_t client = 0; client < 5; client++)
        assert_int_equal(quota_take(quota, client), QUOTA_GRANTED);
    assert_int_equal(quota_take(quota, 99), QUOTA_ALL_FULL);
    quota_give(quota, 3);
    assert_int_equal(quota_take(quota, 99), QUOTA_GRANTED);
    quota_destroy(quota);
}

/* Against a plain array of counts: clients come and go in random order, some of them with equal
 * hashes, so that places are shared and removed in every order. */
static void the_table_agrees_with_plain_counting(void **state)
{
    (void)state;
    enum { CLIENTS = 40, TOTAL = 30, SHARE = 4 };
    Quota *quota = quota_create(TOTAL, SHARE);
    int count[CLIENTS] = {0}, held = 0;
    Rng rng;
    rng_seed(&rng, 16);
    for (int i = 0; i < 100000; i++) {
        const unsigned who = (unsigned)rng_below(&rng, CLIENTS);
        const uint64_t client = (uint64_t)who << (who % 2 ? 0 : 48);
        if (rng_below(&rng, 2) && count[who] > 0) {
            quota_give(quota, client);
            count[who]--;
            held--;
            continue;
        }
        const QuotaVerdict wanted = count[who] >= SHARE ? QUOTA_CLIENT_FULL
                                    : held >= TOTAL     ? QUOTA_ALL_FULL
                                                        : QUOTA_GRANTED;
        assert_int_equal(quota_take(quota, client), wanted);
        count[who] += wanted == QUOTA_GRANTED;
        held += wanted == QUOTA_GRANTED;
        assert_int_equal(quota_held(quota), held);
    }
    quota_destroy(quota);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_gets_its_share_and_no_more),
        cmocka_unit_test(all_together_get_the_total),
        cmocka_unit_test(the_table_agrees_with_plain_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
