// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* An object with an item of each kind. */
static void write_all(JsonWriter *j)
{
    jw_object(j, NULL);
    jw_text(j, "name", "e2 \"e4\" \\ \n");
    jw_int(j, "score", -35);
    jw_uint(j, "nodes", UINT64_MAX);
    jw_array(j, "moves");
    jw_text(j, NULL, "e2e4");
    jw_bool(j, NULL, true);
    jw_end_array(j);
    jw_object(j, "none");
    jw_end_object(j);
    jw_number(j, "elo", "%.2f", 1.5);
    jw_number(j, "error", "%.2f", INFINITY);
    jw_bool(j, "solved", false);
    jw_end_object(j);
}

static void items_are_separated_named_and_escaped(void **state)
{
    (void)state;
    Buffer out = {0};
    JsonWriter j = {.out = &out};
    write_all(&j);
    assert_string_equal(out.data, "{\"name\":\"e2 \\\"e4\\\" \\\\ \\u000a\",\"score\":-35,"
                                  "\"nodes\":18446744073709551615,\"moves\":[\"e2e4\",true],"
                                  "\"none\":{},\"elo\":1.50,\"error\":null,\"solved\":false}");
    buffer_free(&out);
}

static void items_may_begin_lines(void **state)
{
    (void)state;
    Buffer out = {0};
    JsonWriter j = {.out = &out, .spaced = true};
    jw_array(&j, NULL);
    for (int i = 1; i <= 3; i++) {
        j.line = i != 3;
        jw_int(&j, NULL, i);
    }
    j.line = true;
    jw_end_array(&j);
    assert_string_equal(out.data, "[\n1,\n2, 3\n]");
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_separated_named_and_escaped),
        cmocka_unit_test(items_may_begin_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
