// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the broker is, who could reach it, and names of jobs. */
#include "queue/address.h"
#include "queue/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void addresses_are_read_whole(void **state)
{
    (void)state;
    static const struct {
        const char *url, *host, *user, *password;
        int port, db;
        bool exposed;
    } cases[] = {
        {"redis://127.0.0.1:7000/3", "127.0.0.1", "", "", 7000, 3, false},
        {"redis://localhost", "localhost", "", "", 6379, 0, false},
        {"redis://[::1]:6380/", "::1", "", "", 6380, 0, false},
        {"redis://10.0.0.7:6379", "10.0.0.7", "", "", 6379, 0, true},
        {"redis://127.example.org", "127.example.org", "", "", 6379, 0, true},
        {"redis://:secret@10.0.0.7", "10.0.0.7", "", "secret", 6379, 0, false},
        {"redis://secret@10.0.0.7", "10.0.0.7", "", "secret", 6379, 0, false},
        {"redis://me:secret@10.0.0.7/1", "10.0.0.7", "me", "secret", 6379, 1, false},
        {"unix:/run/redis/redis.sock", "/run/redis/redis.sock", "", "", 0, 0, false},
        {"unix:/run/redis/redis.sock?db=2", "/run/redis/redis.sock", "", "", 0, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        BrokerAddress a;
        Error err;
        assert_true(broker_address(&a, cases[i].url, &err));
        assert_string_equal(a.host, cases[i].host);
        assert_string_equal(a.user, cases[i].user);
        assert_string_equal(a.password, cases[i].password);
        assert_int_equal(a.port, cases[i].port);
        assert_int_equal(a.db, cases[i].db);
        assert_int_equal(broker_exposed(&a), cases[i].exposed);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const urls[] = {"",
                                       "127.0.0.1",
                                       "http://127.0.0.1",
                                       "rediss://127.0.0.1",
                                       "redis://",
                                       "redis://:6379",
                                       "redis://host:",
                                       "redis://host:0",
                                       "redis://host:65536",
                                       "redis://host:12x",
                                       "redis://host/x",
                                       "redis://host/-1",
                                       "redis://[::1:6379",
                                       "unix:",
                                       "unix:?db=1",
                                       "unix:/s?base=1",
                                       "unix:/s?db="};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        BrokerAddress a;
        Error err = {0};
        if (broker_address(&a, urls[i], &err))
            fail_msg("'%s' was understood", urls[i]);
        assert_true(err.text[0] != '\0');
    }
}

static void names_are_made_of_content_alone(void **state)
{
    (void)state;
    Job a = {.kind = "k", .needs = "n", .owner = "x", .payload = STR("p")}, b = a;
    job_name(&a);
    b.owner = "y";
    b.priority = JOB_BULK;
    job_name(&b);
    assert_string_equal(a.id, b.id);
    assert_int_equal(strlen(a.id), JOB_ID_SIZE - 1);
    b.payload = STR("q");
    job_name(&b);
    assert_string_not_equal(a.id, b.id);
    /* Parts do not run into each other. */
    Job c = {.kind = "k", .needs = "np", .owner = "", .payload = STR("")};
    job_name(&c);
    assert_string_not_equal(a.id, c.id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_whole),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(names_are_made_of_content_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
