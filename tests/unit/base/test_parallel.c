// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/parallel.h"

#include "base/thread.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { PARTS = 37 };

static void count_part(void *user, int part)
{
    AtomicI32 *counts = user;
    relaxed_add(&counts[part], part + 1);
}

static void every_part_is_done_once(void **state)
{
    (void)state;
    for (int parts = 0; parts <= PARTS; parts += 9) {
        AtomicI32 counts[PARTS + 1] = {0};
        parallel_for(parts, count_part, counts);
        for (int i = 0; i <= PARTS; i++)
            assert_int_equal(relaxed_load(&counts[i]), i < parts ? i + 1 : 0);
    }
}

/* All parts meet before any of them goes on: that takes a thread each. */
typedef struct Meeting {
    Mutex lock;
    Cond all;
    int came, parts;
    bool met[4];
} Meeting;

static void meet(void *user, int part)
{
    Meeting *m = user;
    mutex_lock(&m->lock);
    m->came++;
    cond_broadcast(&m->all);
    while (m->came < m->parts && cond_wait_for(&m->all, &m->lock, 10000))
        ;
    m->met[part] = m->came == m->parts;
    mutex_unlock(&m->lock);
}

static void parts_run_at_the_same_time(void **state)
{
    (void)state;
    Meeting m = {.parts = 4};
    mutex_init(&m.lock);
    cond_init(&m.all);
    parallel_for(4, meet, &m);
    for (int i = 0; i < 4; i++)
        assert_true(m.met[i]);
    cond_destroy(&m.all);
    mutex_destroy(&m.lock);
}

static void a_team_works_round_after_round(void **state)
{
    (void)state;
    Team *team = team_create(3);
    assert_int_equal(team_size(team), 3);
    AtomicI32 counts[3] = {0};
    for (int round = 0; round < 1000; round++)
        team_run(team, count_part, counts);
    for (int i = 0; i < 3; i++)
        assert_int_equal(relaxed_load(&counts[i]), 1000 * (i + 1));
    team_destroy(team);
    team_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_done_once),
        cmocka_unit_test(parts_run_at_the_same_time),
        cmocka_unit_test(a_team_works_round_after_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
