// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <stdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_str(Str actual, const char *expected)
{
    assert_int_equal(actual.len, strlen(expected));
    if (actual.len > 0)
        assert_memory_equal(actual.ptr, expected, actual.len);
}

static void slices_compare_by_bytes_and_length(void **state)
{
    (void)state;
    assert_true(str_is(STR("depth"), "depth"));
    assert_false(str_is(STR("depth"), "dept"));
    assert_false(str_is(STR("dept"), "depth"));
    assert_false(str_is(STR("Depth"), "depth"));
    assert_false(str_equal(STR("a\0b"), STR("a\0c")));
    assert_true(str_equal((Str){NULL, 0}, STR("")));
    assert_true(str_is((Str){NULL, 0}, ""));
    assert_int_equal(str_from(NULL).len, 0);
}

static void case_is_ignored_in_ascii_only(void **state)
{
    (void)state;
    assert_true(str_is_nocase(STR("SyzygyPath"), "syzygypath"));
    assert_true(str_is_nocase(STR("hash"), "HASH"));
    assert_false(str_is_nocase(STR("hash"), "hashes"));
    assert_false(str_is_nocase(STR("[{"), "{[")); /* 32 apart, as letters of two cases are */
    assert_false(str_is_nocase(STR("\xC4"), "\xE4"));
}

static void a_prefix_is_not_longer_than_its_word(void **state)
{
    (void)state;
    assert_true(str_starts(STR("--threads"), "--"));
    assert_true(str_starts(STR("x"), ""));
    assert_false(str_starts(STR("-"), "--"));
    assert_true(str_starts((Str){NULL, 0}, ""));
}

static void tokens_are_separated_by_any_blanks(void **state)
{
    (void)state;
    Str rest = STR("  go\tdepth  12 \r\n");
    assert_str(str_token(&rest), "go");
    assert_str(str_token(&rest), "depth");
    assert_str(str_token(&rest), "12");
    assert_str(str_token(&rest), "");
    assert_str(str_token(&rest), "");
    Str nothing = {NULL, 0};
    assert_str(str_token(&nothing), "");
}

static void lines_keep_their_blanks_and_may_be_empty(void **state)
{
    (void)state;
    Str rest = STR(" uci \n\nquit");
    assert_str(str_line(&rest), " uci ");
    assert_str(str_line(&rest), "");
    assert_str(str_line(&rest), "quit");
    assert_int_equal(rest.len, 0);
    assert_str(str_line(&rest), "");
}

static void until_cuts_at_a_character_of_choice(void **state)
{
    (void)state;
    Str rest = STR("network||classical");
    assert_str(str_until(&rest, '|'), "network");
    assert_str(str_until(&rest, '|'), "");
    assert_str(str_until(&rest, '|'), "classical");
    assert_int_equal(rest.len, 0);
    assert_str(str_until(&rest, '|'), "");
}

static void a_duplicate_is_terminated(void **state)
{
    (void)state;
    char *copy = str_duplicate((Str){"e2e4 e7e5", 4});
    assert_string_equal(copy, "e2e4");
    free(copy);
}

static void trimming_takes_blanks_off_both_ends(void **state)
{
    (void)state;
    assert_str(str_trim(STR("\t a b \r\n")), "a b");
    assert_str(str_trim(STR(" \n ")), "");
    assert_str(str_trim((Str){NULL, 0}), "");
}

static void integers_are_read_within_their_range(void **state)
{
    (void)state;
    static const struct {
        Str text;
        int64_t min, max, value;
    } good[] = {
        {STR("0"), 0, 0, 0},
        {STR("-12"), -20, 20, -12},
        {STR("+7"), 0, 9, 7},
        {STR("0000000000000000000000042"), 0, 99, 42},
        {STR("9223372036854775807"), INT64_MIN, INT64_MAX, INT64_MAX},
        {STR("-9223372036854775808"), INT64_MIN, INT64_MAX, INT64_MIN},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        int64_t value = 99;
        assert_true(str_int(good[i].text, good[i].min, good[i].max, &value));
        assert_int_equal(value, good[i].value);
    }
}

static void what_is_not_an_integer_is_refused_and_leaves_the_target_alone(void **state)
{
    (void)state;
    static const Str bad[] = {
        STR(""),
        STR("-"),
        STR("+"),
        STR("+-1"),
        STR("12a"),
        STR(" 1"),
        STR("1 "),
        STR("0x10"),
        STR("1e3"),
        STR("1.0"),
        STR("101"),
        STR("-101"),
        STR("9223372036854775808"),
        STR("-9223372036854775809"),
        STR("18446744073709551617"), /* 2^64 + 1: would wrap to 1 */
        STR("99999999999999999999999"),
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        int64_t value = 5;
        assert_false(str_int(bad[i], -100, 100, &value));
        assert_int_equal(value, 5);
    }
    int64_t value = 5;
    assert_false(str_int(STR("9223372036854775808"), INT64_MIN, INT64_MAX, &value));
    assert_false(str_int(STR("-9223372036854775809"), INT64_MIN, INT64_MAX, &value));
    assert_int_equal(value, 5);
}

static void the_next_token_can_be_a_number(void **state)
{
    (void)state;
    Str rest = STR("movetime 500 x");
    int64_t value = 0;
    assert_false(str_next_int(&rest, 0, 1000, &value));
    assert_true(str_next_int(&rest, 0, 1000, &value));
    assert_int_equal(value, 500);
    assert_str(rest, " x");
}

static void decimals_are_read_to_the_nearest_double(void **state)
{
    (void)state;
    static const struct {
        Str text;
        double value;
    } good[] = {
        {STR("0"), 0},
        {STR("-0.5"), -0.5},
        {STR("+8"), 8},
        {STR(".25"), 0.25},
        {STR("3."), 3},
        {STR("0.08"), 0.08},
        {STR("2.95"), 2.95},
        {STR("3.141592653589793"), 3.141592653589793},
        {STR("0.1000000000000000055511151231257827"), 0.1},
        {STR("123456789012345678901234567890"), 123456789012345678901234567890.0},
        {STR("0.000000000000000000000000000001"), 1e-30},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        double value = 99;
        assert_true(str_double(good[i].text, &value));
        assert_true(value == good[i].value);
    }
}

static void what_is_not_a_plain_decimal_is_refused(void **state)
{
    (void)state;
    static const Str bad[] = {STR(""),      STR("."),   STR("-"),     STR("-."),
                              STR("1.2.3"), STR("1,5"), STR("nan"),   STR("inf"),
                              STR("1e5"),   STR(" 1"),  STR("0x1p3"), STR("1\0")};
    for (size_t i = 0; i < COUNT(bad); i++) {
        double value = 5;
        assert_false(str_double(bad[i], &value));
        assert_true(value == 5);
    }
    char long_number[1000];
    memset(long_number, '9', sizeof long_number);
    double value;
    assert_false(str_double((Str){long_number, sizeof long_number}, &value));
}

static void exponents_are_read_where_they_are_wanted(void **state)
{
    (void)state;
    static const struct {
        Str text;
        double value;
    } good[] = {{STR("8e-4"), 8e-4}, {STR("2.5E+2"), 250}, {STR("-1e3"), -1000}, {STR("7"), 7}};
    static const Str bad[] = {STR("1e"),    STR("1e-"),   STR("e5"), STR("1e5.5"),
                              STR("1e100"), STR("1e2e3"), STR("")};
    double value = 5;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(str_scientific(bad[i], &value));
    assert_true(value == 5);
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_true(str_scientific(good[i].text, &value));
        assert_true(value == good[i].value);
    }
}

static void copies_are_cut_to_fit_and_always_end(void **state)
{
    (void)state;
    char out[4];
    assert_true(str_copy(out, sizeof out, STR("abc")));
    assert_string_equal(out, "abc");
    assert_false(str_copy(out, sizeof out, STR("xyzw")));
    assert_string_equal(out, "xyz");
    assert_true(str_copy(out, sizeof out, (Str){NULL, 0}));
    assert_string_equal(out, "");
    assert_false(str_copy(out, 0, STR("")));
}

static void a_buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    Buffer b = {0};
    assert_string_equal(buffer_text(&b), "");
    Buffer expected = {0};
    for (int i = 0; i < 1000; i++) {
        buffer_printf(&b, "%d,", i);
        char word[16];
        const int len = snprintf(word, sizeof word, "%d,", i);
        buffer_append(&expected, word, (size_t)len);
        assert_int_equal(strlen(b.data), b.len);
    }
    assert_false(b.failed);
    assert_int_equal(b.len, 10 * 2 + 90 * 3 + 900 * 4);
    assert_string_equal(buffer_text(&b), buffer_text(&expected));

    buffer_clear(&b);
    assert_string_equal(buffer_text(&b), "");
    buffer_puts(&b, "uci");
    buffer_putc(&b, 'o');
    buffer_append(&b, "k\0k", 3);
    assert_int_equal(b.len, 7);
    assert_memory_equal(b.data, "uciok\0k", 8);

    buffer_free(&b);
    assert_null(b.data);
    buffer_free(&b); /* again is fine */
    buffer_free(&expected);
}

static void a_reserved_buffer_does_not_move(void **state)
{
    (void)state;
    Buffer b = {0};
    assert_true(buffer_reserve(&b, 5000));
    const char *const data = b.data;
    assert_string_equal(buffer_text(&b), "");
    for (int i = 0; i < 5000; i++)
        buffer_putc(&b, 'x');
    assert_ptr_equal(b.data, data);
    assert_int_equal(strlen(b.data), 5000);
    buffer_free(&b);
}

static void a_buffer_that_cannot_grow_keeps_what_it_has(void **state)
{
    (void)state;
    Buffer b = {0};
    buffer_puts(&b, "kept");
    assert_false(buffer_reserve(&b, SIZE_MAX - 2));
    assert_true(b.failed);
    buffer_puts(&b, " lost");
    buffer_printf(&b, "%d", 1);
    assert_string_equal(buffer_text(&b), "kept");
    buffer_clear(&b);
    buffer_puts(&b, "works again");
    assert_false(b.failed);
    assert_string_equal(buffer_text(&b), "works again");
    buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_compare_by_bytes_and_length),
        cmocka_unit_test(case_is_ignored_in_ascii_only),
        cmocka_unit_test(a_prefix_is_not_longer_than_its_word),
        cmocka_unit_test(tokens_are_separated_by_any_blanks),
        cmocka_unit_test(lines_keep_their_blanks_and_may_be_empty),
        cmocka_unit_test(until_cuts_at_a_character_of_choice),
        cmocka_unit_test(a_duplicate_is_terminated),
        cmocka_unit_test(trimming_takes_blanks_off_both_ends),
        cmocka_unit_test(integers_are_read_within_their_range),
        cmocka_unit_test(what_is_not_an_integer_is_refused_and_leaves_the_target_alone),
        cmocka_unit_test(the_next_token_can_be_a_number),
        cmocka_unit_test(exponents_are_read_where_they_are_wanted),
        cmocka_unit_test(decimals_are_read_to_the_nearest_double),
        cmocka_unit_test(what_is_not_a_plain_decimal_is_refused),
        cmocka_unit_test(copies_are_cut_to_fit_and_always_end),
        cmocka_unit_test(a_buffer_grows_and_stays_terminated),
        cmocka_unit_test(a_reserved_buffer_does_not_move),
        cmocka_unit_test(a_buffer_that_cannot_grow_keeps_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
