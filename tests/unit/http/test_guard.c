// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/guard.h"

static const Guard plain = {0};

static Guard configured(void)
{
    Guard guard = {.tokens = {STR("0123456789abcdef")}, .token_count = 1};
    guard.hosts[guard.host_count++] = STR("chess.example");
    guard.origins[guard.origin_count++] = STR("https://friend.example");
    return guard;
}

static void own_names_are_answered_to(void **state)
{
    (void)state;
    const char *const hosts[] = {"localhost", "LocalHost:8000", "127.0.0.1:1", "[::1]",
                                 "[::1]:65535"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        assert_true(guard_host(&plain, str_from(hosts[i])));
}

static void foreign_names_are_not(void **state)
{
    (void)state;
    const char *const hosts[] = {"",
                                 "evil.example",
                                 "localhost.evil.example",
                                 "localhost:",
                                 "localhost:x",
                                 "localhost:0",
                                 "localhost:65536",
                                 "localhost:+80",
                                 "127.0.0.1:80:80",
                                 "[::1",
                                 "[::1]x",
                                 "::1",
                                 "127.0.0.1 evil",
                                 "chess.example"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        assert_false(guard_host(&plain, str_from(hosts[i])));
}

static void configured_names_are(void **state)
{
    (void)state;
    const Guard guard = configured();
    assert_true(guard_host(&guard, STR("Chess.Example:443")));
    assert_false(guard_host(&guard, STR("sub.chess.example")));
    assert_false(guard_host(&guard, STR("chess.example.org")));
}

static void only_the_own_page_and_friends_may_call(void **state)
{
    (void)state;
    const Guard guard = configured();
    const Str host = STR("localhost:8000");
    assert_true(guard_origin(&guard, STR("http://localhost:8000"), host));
    assert_true(guard_origin(&guard, STR("https://friend.example"), host));
    const char *const foreign[] = {"null",
                                   "",
                                   "http://localhost:8001",
                                   "http://localhost",
                                   "https://evil.example",
                                   "https://friend.example.org",
                                   "file://",
                                   "localhost:8000"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_false(guard_origin(&guard, str_from(foreign[i]), host));
}

static void the_token_must_be_right_to_the_letter(void **state)
{
    (void)state;
    const Guard guard = configured();
    assert_int_equal(guard_token(&plain, STR("")), 0);
    assert_int_equal(guard_token(&guard, STR("Bearer 0123456789abcdef")), 0);
    assert_int_equal(guard_token(&guard, STR("bearer 0123456789abcdef")), 0);
    const char *const wrong[] = {"",
                                 "Bearer",
                                 "Bearer ",
                                 "Bearer 0123456789abcde",
                                 "Bearer 0123456789abcdef0",
                                 "Bearer 0123456789abcdeF",
                                 "Basic 0123456789abcdef",
                                 "0123456789abcdef",
                                 "Bearer 0123456789abcdef0123456789abcdef"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(guard_token(&guard, str_from(wrong[i])), -1);
}

static void of_several_tokens_each_has_its_number(void **state)
{
    (void)state;
    const Guard guard = {.tokens = {STR("aaaaaaaaaaaaaaaa"), STR("bbbbbbbbbbbbbbbbbb")},
                         .token_count = 2};
    assert_int_equal(guard_token(&guard, STR("Bearer aaaaaaaaaaaaaaaa")), 0);
    assert_int_equal(guard_token(&guard, STR("Bearer bbbbbbbbbbbbbbbbbb")), 1);
    assert_int_equal(guard_token(&guard, STR("Bearer bbbbbbbbbbbbbbbb")), -1);
    assert_int_equal(guard_token(&guard, STR("")), -1);
}

static void every_origin_is_welcome_where_the_list_says_so(void **state)
{
    (void)state;
    const Guard guard = {.origins = {STR("*")}, .origin_count = 1};
    assert_true(guard_any_origin(&guard));
    assert_true(guard_origin(&guard, STR("http://localhost:3000"), STR("localhost:8000")));
    assert_true(guard_origin(&guard, STR("null"), STR("localhost:8000")));
    assert_false(guard_any_origin(&(Guard){0}));
}

static void what_is_no_origin_is_not_taken_for_one(void **state)
{
    (void)state;
    const char *const good[] = {"*", "null", "https://example.org", "http://localhost:3000",
                                "http://[::1]:80"};
    const char *const bad[] = {"",     "example.org", "https://", "https://a/b", "https://a:x",
                               "://a", "https:/a"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(guard_is_origin(str_from(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(guard_is_origin(str_from(bad[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_names_are_answered_to),
        cmocka_unit_test(foreign_names_are_not),
        cmocka_unit_test(configured_names_are),
        cmocka_unit_test(only_the_own_page_and_friends_may_call),
        cmocka_unit_test(the_token_must_be_right_to_the_letter),
        cmocka_unit_test(of_several_tokens_each_has_its_number),
        cmocka_unit_test(every_origin_is_welcome_where_the_list_says_so),
        cmocka_unit_test(what_is_no_origin_is_not_taken_for_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
