// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void an_error_is_a_sentence_and_false(void **state)
{
    (void)state;
    Error err;
    memset(&err, 'x', sizeof err);
    assert_false(error_set(&err, "%s has %d kings", "white", 2));
    assert_string_equal(err.text, "white has 2 kings");
    assert_string_equal(err.code, "");
    assert_int_equal(err.column, 0);
}

static void a_code_and_a_place_are_for_programs(void **state)
{
    (void)state;
    Error err;
    assert_false(error_code(&err, "BOARD_ROWS", 17, "the board has %d rows", 9));
    assert_string_equal(err.code, "BOARD_ROWS");
    assert_string_equal(err.text, "the board has 9 rows");
    assert_int_equal(err.column, 17);
    assert_false(error_code(&err, "A_CODE_THAT_IS_MUCH_TOO_LONG", 1, "x"));
    assert_int_equal(strlen(err.code), ERROR_CODE_SIZE - 1);
}

static void nobody_has_to_listen(void **state)
{
    (void)state;
    assert_false(error_set(NULL, "unheard"));
    assert_false(error_code(NULL, "UNHEARD", 1, "unheard"));
}

static void hostile_bytes_do_not_get_through(void **state)
{
    (void)state;
    Error err;
    error_set(&err, "bad token '%s'", "\x1b[2J\n\xC3\xA9\x7F~ ");
    assert_string_equal(err.text, "bad token '?[2J????~ '");
}

static void long_sentences_are_cut(void **state)
{
    (void)state;
    char text[1000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    Error err;
    error_set(&err, "%s", text);
    assert_int_equal(strlen(err.text), ERROR_TEXT_SIZE - 1);
}

static void an_error_can_be_put_in_front_of_itself(void **state)
{
    (void)state;
    Error err;
    error_set(&err, "no such square");
    error_set(&err, "line %d: %s", 7, err.text);
    assert_string_equal(err.text, "line 7: no such square");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_a_sentence_and_false),
        cmocka_unit_test(a_code_and_a_place_are_for_programs),
        cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(hostile_bytes_do_not_get_through),
        cmocka_unit_test(long_sentences_are_cut),
        cmocka_unit_test(an_error_can_be_put_in_front_of_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
