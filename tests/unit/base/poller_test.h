// SPDX-License-Identifier: GPL-3.0-or-later
/* poller_test.h -- what both kinds of poller promise. Included by one test program for each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/poller.h"
#include "base/thread.h"
#include <sys/socket.h>
#include <unistd.h>

enum { PAIRS = 100 };

static void a_socket_is_reported_when_it_can_go_on(void **state)
{
    (void)state;
    int s[2];
    PollerEvent event;
    Poller *poller = poller_create();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
    assert_true(poller_add(poller, s[0], POLLER_READ, &s[0]));
    assert_int_equal(poller_wait(poller, &event, 1, 0), 0);
    assert_int_equal(write(s[1], "x", 1), 1);
    assert_int_equal(poller_wait(poller, &event, 1, 1000), 1);
    assert_true(event.user == &s[0] && event.what == POLLER_READ);

    poller_change(poller, s[0], POLLER_WRITE, &s[1]);
    assert_int_equal(poller_wait(poller, &event, 1, 1000), 1);
    assert_true(event.user == &s[1] && event.what == POLLER_WRITE);
    poller_change(poller, s[0], 0, &s[0]);
    assert_int_equal(poller_wait(poller, &event, 1, 0), 0);

    close(s[1]);
    assert_int_equal(poller_wait(poller, &event, 1, 1000), 1);
    assert_true(event.what & POLLER_BROKEN);
    poller_remove(poller, s[0]);
    assert_int_equal(poller_wait(poller, &event, 1, 0), 0);
    close(s[0]);
    poller_destroy(poller);
}

/* Descriptors come and go in any order; each event carries the user of its own. */
static void many_are_kept_apart(void **state)
{
    (void)state;
    static int s[PAIRS][2];
    Poller *poller = poller_create();
    for (int i = 0; i < PAIRS; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s[i]), 0);
        assert_true(poller_add(poller, s[i][0], POLLER_READ, s[i]));
    }
    for (int i = 0; i < PAIRS; i += 3)
        poller_remove(poller, s[i][0]);
    for (int i = 0; i < PAIRS; i++)
        assert_int_equal(write(s[i][1], "x", 1), 1);
    int reported = 0;
    for (;;) {
        PollerEvent events[7];
        const int count = poller_wait(poller, events, 7, 0);
        if (count == 0)
            break;
        for (int k = 0; k < count; k++) {
            char byte;
            const int i = (int)((int(*)[2])events[k].user - s);
            assert_true(i % 3 != 0);
            assert_int_equal(read(s[i][0], &byte, 1), 1);
            reported++;
        }
    }
    assert_int_equal(reported, PAIRS - (PAIRS + 2) / 3);
    for (int i = 0; i < PAIRS; i++) {
        close(s[i][0]);
        close(s[i][1]);
    }
    poller_destroy(poller);
}

static void *wake_later(void *poller)
{
    clock_sleep_ms(20);
    for (int i = 0; i < 100000; i++) /* more rings than a pipe holds */
        poller_wake(poller);
    return NULL;
}

static void another_thread_may_wake_it(void **state)
{
    (void)state;
    PollerEvent event;
    Thread thread;
    Poller *poller = poller_create();
    const int64_t start = clock_ms();
    assert_true(thread_start(&thread, wake_later, poller));
    assert_int_equal(poller_wait(poller, &event, 1, 20000), 0);
    assert_true(clock_ms() - start < 15000);
    thread_join(thread);
    poller_wait(poller, &event, 1, 0); /* what rang since then */
    const int64_t again = clock_ms();
    assert_int_equal(poller_wait(poller, &event, 1, 50), 0);
    assert_true(clock_ms() - again >= 40);
    poller_destroy(poller);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_is_reported_when_it_can_go_on),
        cmocka_unit_test(many_are_kept_apart),
        cmocka_unit_test(another_thread_may_wake_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
