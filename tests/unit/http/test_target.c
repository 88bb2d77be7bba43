// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/target.h"

static void both_forms_are_split(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        const char *authority, *path, *query;
    } cases[] = {
        {"/", true, "", "/", ""},
        {"/a/b?c=d?e", true, "", "/a/b", "c=d?e"},
        {"/a?", true, "", "/a", ""},
        {"http://host:80/a?b", true, "host:80", "/a", "b"},
        {"HTTP://host/", true, "host", "/", ""},
        {"http://host", false, "", "", ""},
        {"http:///a", false, "", "", ""},
        {"https://host/", false, "", "", ""},
        {"*", false, "", "", ""},
        {"../a", false, "", "", ""},
        {"?a", false, "", "", ""},
        {"host:443", false, "", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Target target;
        const bool good = target_split(str_from(cases[i].text), &target);
        if (good != cases[i].good)
            fail_msg("%s", cases[i].text);
        if (!good)
            continue;
        assert_true(str_is(target.authority, cases[i].authority));
        assert_true(str_is(target.path, cases[i].path));
        assert_true(str_is(target.query, cases[i].query));
    }
}

static void escapes_are_resolved_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *plain, *query; /* NULL: refused */
    } cases[] = {
        {"/a+b", "/a+b", "/a b"}, {"%41%5a%7E", "AZ~", "AZ~"}, {"%C3%a9", "\xc3\xa9", "\xc3\xa9"},
        {"%2B", "+", "+"},        {"%2541", "%41", "%41"}, /* once, not twice */
        {"%", NULL, NULL},        {"%4", NULL, NULL},          {"%4g", NULL, NULL},
        {"%-1", NULL, NULL},      {"a%00b", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int plus = 0; plus < 2; plus++) {
            char out[16];
            const char *wanted = plus ? cases[i].query : cases[i].plain;
            const bool good = target_decode(str_from(cases[i].text), plus, out, sizeof out);
            assert_int_equal(good, wanted != NULL);
            if (good)
                assert_string_equal(out, wanted);
        }
    char small[4];
    assert_true(target_decode(STR("abc"), false, small, sizeof small));
    assert_false(target_decode(STR("abcd"), false, small, sizeof small));
}

static void a_query_is_a_list_of_pairs(void **state)
{
    (void)state;
    static const char *const wanted[][2] = {
        {"a", "1"}, {"b", ""}, {"", "c"}, {"d", "e=f"}, {"g", ""}};
    Str query = STR("a=1&&b&=c&d=e=f&g=&"), name, value;
    for (size_t i = 0; i < 5; i++) {
        assert_true(target_next(&query, &name, &value));
        assert_true(str_is(name, wanted[i][0]) && str_is(value, wanted[i][1]));
    }
    assert_false(target_next(&query, &name, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_are_split),
        cmocka_unit_test(escapes_are_resolved_or_refused),
        cmocka_unit_test(a_query_is_a_list_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
