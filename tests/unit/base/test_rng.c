// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* First outputs after SplitMix64 of seed 0 (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4), worked out
 * apart from this code: they pin the stream, because training data and tests are named by seeds. */
static void a_seed_always_gives_the_same_stream(void **state)
{
    (void)state;
    Rng a, b;
    rng_seed(&a, 0);
    assert_true(a.state[0] == 0xE220A8397B1DCDAF);
    assert_true(a.state[1] == 0x6E789E6AA1B965F4);
    assert_true(rng_next(&a) == 0x6F68E1E7E2646EE1);
    assert_true(rng_next(&a) == 0xBF971B7F454094AD);
    assert_true(rng_next(&a) == 0x48F2DE556F30DE38);

    rng_seed(&a, 12345);
    rng_seed(&b, 12345);
    for (int i = 0; i < 1000; i++)
        assert_true(rng_next(&a) == rng_next(&b));
}

static void neighbouring_seeds_give_unrelated_streams(void **state)
{
    (void)state;
    int differing_bits = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        Rng a, b;
        rng_seed(&a, seed);
        rng_seed(&b, seed + 1);
        differing_bits += __builtin_popcountll(rng_next(&a) ^ rng_next(&b));
    }
    assert_in_range(differing_bits, 31000, 33000); /* 32000 expected, standard deviation 126 */
}

static void numbers_below_a_bound_are_uniform(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    int seen[7] = {0};
    for (int i = 0; i < 70000; i++) {
        const uint64_t n = rng_below(&rng, 7);
        assert_true(n < 7);
        seen[n]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 9500, 10500); /* 5 standard deviations */
    assert_int_equal(rng_below(&rng, 1), 0);
}

/* With 3 * 2^62 values, a plain multiply-shift would hit every third value twice as often. */
static void large_bounds_are_not_biased(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 2);
    int thirds[3] = {0};
    for (int i = 0; i < 30000; i++)
        thirds[rng_below(&rng, 3ULL << 62) % 3]++;
    for (int i = 0; i < 3; i++)
        assert_in_range(thirds[i], 9600, 10400);
}

static void the_unit_interval_excludes_one(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        const double x = rng_unit(&rng);
        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(sum > 49500 && sum < 50500);
}

static void hashes_match_the_published_vectors(void **state)
{
    (void)state;
    assert_true(hash_bytes("", 0) == 0xCBF29CE484222325);
    assert_true(hash_bytes("a", 1) == 0xAF63DC4C8601EC8C);
    assert_true(hash_bytes("foobar", 6) == 0x85944171F73967E8);
}

/* The vectors of RFC 3720, appendix B.4, and the customary check word. */
static void checksums_match_the_published_vectors(void **state)
{
    (void)state;
    unsigned char zeros[32], ones[32], rising[32], falling[32];
    for (int i = 0; i < 32; i++) {
        zeros[i] = 0;
        ones[i] = 0xFF;
        rising[i] = (unsigned char)i;
        falling[i] = (unsigned char)(31 - i);
    }
    assert_int_equal(crc32c(0, "", 0), 0);
    assert_int_equal(crc32c(0, "123456789", 9), 0xE3069283);
    assert_int_equal(crc32c(0, zeros, 32), 0x8A9136AA);
    assert_int_equal(crc32c(0, ones, 32), 0x62A8AB43);
    assert_int_equal(crc32c(0, rising, 32), 0x46DD794E);
    assert_int_equal(crc32c(0, falling, 32), 0x113FDB5C);
}

/* Whole words and single bytes take different ways through the code; any cut must give the same. */
static void a_checksum_can_be_taken_in_pieces(void **state)
{
    (void)state;
    const char *const text = "a network file is read piece by piece and each piece is checked";
    const uint64_t len = strlen(text);
    const uint32_t whole = crc32c(0, text, len);
    for (uint64_t cut = 0; cut <= len; cut++)
        assert_int_equal(crc32c(crc32c(0, text, cut), text + cut, len - cut), whole);

    uint32_t bytewise = 0;
    for (uint64_t i = 0; i < len; i++)
        bytewise = crc32c(bytewise, text + i, 1);
    assert_int_equal(bytewise, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_always_gives_the_same_stream),
        cmocka_unit_test(neighbouring_seeds_give_unrelated_streams),
        cmocka_unit_test(numbers_below_a_bound_are_uniform),
        cmocka_unit_test(large_bounds_are_not_biased),
        cmocka_unit_test(the_unit_interval_excludes_one),
        cmocka_unit_test(hashes_match_the_published_vectors),
        cmocka_unit_test(checksums_match_the_published_vectors),
        cmocka_unit_test(a_checksum_can_be_taken_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
