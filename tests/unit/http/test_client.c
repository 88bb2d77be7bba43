// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/client.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static Address parsed(const char *text)
{
    Address a;
    if (!address_parse(str_from(text), &a))
        fail_msg("%s is no address", text);
    return a;
}

static void addresses_are_read_in_every_form(void **state)
{
    (void)state;
    static const char *const four[] = {"192.0.2.1", "192.0.2.1:80", "::ffff:192.0.2.1",
                                       "[::ffff:192.0.2.1]:80"};
    static const char *const six[] = {"2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:4711",
                                      "2001:0DB8:0::1"};
    static const char *const none[] = {
        "",   "unknown",        "_hidden",   "192.0.2",         "192.0.2.1x", "[2001:db8::1",
        "[]", "2001:db8::1::2", "1.2.3.4.5", "[2001:db8::1]80", "localhost",  ":80"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(address_equal(parsed(four[i]), parsed(four[0])));
        assert_true(address_equal(parsed(six[i]), parsed(six[0])));
    }
    Address a;
    assert_false(address_parse((Str){0}, &a)); /* a Forwarded element that names nobody */
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (address_parse(str_from(none[i]), &a))
            fail_msg("'%s' is taken for an address", none[i]);
}

static void a_socket_address_is_the_same_one(void **state)
{
    (void)state;
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(80)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    inet_pton(AF_INET, "192.0.2.1", &four.sin_addr);
    inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
    assert_true(address_equal(address_of((struct sockaddr *)&four), parsed("192.0.2.1")));
    assert_true(address_equal(address_of((struct sockaddr *)&six), parsed("2001:db8::1")));
}

static void a_network_of_six_is_one_client(void **state)
{
    (void)state;
    const ClientId one = client_of_address(parsed("2001:db8:0:1::1"));
    assert_int_equal(client_of_address(parsed("2001:db8:0:1:ffff:ffff:ffff:ffff")), one);
    assert_int_not_equal(client_of_address(parsed("2001:db8:0:2::1")), one);
    assert_int_not_equal(client_of_address(parsed("192.0.2.1")),
                         client_of_address(parsed("192.0.2.2")));
}

/* Who asks, as a server behind 10.0.0.1 and 10.0.0.2 sees it; false: the proxy does not say. */
static bool client_behind(const char *header, const char *text, Address *found)
{
    static char bytes[1024];
    static Head head;
    Proxies proxies = {{parsed("10.0.0.1"), parsed("10.0.0.2")}, 2, header};
    snprintf(bytes, sizeof bytes, "GET / HTTP/1.1\r\n%s\r\n", text);
    assert_int_equal(head_parse(&head, bytes, strlen(bytes)), 0);
    return proxies_client(&proxies, &head, found);
}

static void the_last_word_of_a_trusted_proxy_counts(void **state)
{
    (void)state;
    static const struct {
        const char *header, *text, *client;
    } cases[] = {
        {"Forwarded", "Forwarded: for=192.0.2.60\r\n", "192.0.2.60"},
        {"Forwarded", "forwarded: FOR=192.0.2.60;proto=http;by=10.0.0.1\r\n", "192.0.2.60"},
        {"Forwarded", "Forwarded: proto=https ; for=\"[2001:db8::1]:4711\"\r\n", "2001:db8::1"},
        {"Forwarded", "Forwarded: for=6.6.6.6, for=192.0.2.60\r\n", "192.0.2.60"},
        {"Forwarded", "Forwarded: for=6.6.6.6\r\nForwarded: for=192.0.2.60\r\n", "192.0.2.60"},
        {"Forwarded", "Forwarded: for=192.0.2.60, for=10.0.0.2\r\n", "192.0.2.60"},
        {"Forwarded", "Forwarded: for=6.6.6.6, for=unknown\r\n", NULL},
        {"Forwarded", "Forwarded: for=6.6.6.6;x=\", for=192.0.2.60\r\n", "192.0.2.60"},
        {"Forwarded", "Forwarded: for=10.0.0.1\r\n", NULL},
        {"Forwarded", "Forwarded: proto=http\r\n", NULL},
        {"Forwarded", "Forwarded:\r\n", NULL},
        {"Forwarded", "Forwarded: ,\r\n", NULL},
        {"Forwarded", "X-Forwarded-For: 192.0.2.60\r\n", NULL}, /* not the one that is written */
        {"X-Forwarded-For", "X-Forwarded-For: 6.6.6.6, 192.0.2.60\r\n", "192.0.2.60"},
        {"X-Forwarded-For", "X-Forwarded-For: 2001:db8::1, 10.0.0.1\r\n", "2001:db8::1"},
        {"X-Forwarded-For", "Forwarded: for=6.6.6.6\r\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Address found;
        const bool known = client_behind(cases[i].header, cases[i].text, &found);
        if (known != (cases[i].client != NULL) ||
            (known && !address_equal(found, parsed(cases[i].client))))
            fail_msg("%s", cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_in_every_form),
        cmocka_unit_test(a_socket_address_is_the_same_one),
        cmocka_unit_test(a_network_of_six_is_one_client),
        cmocka_unit_test(the_last_word_of_a_trusted_proxy_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
