// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/clock.h"
#include "front/http/lane.h"

/* A task that holds its worker until it is let go, and remembers where it ran. */
typedef struct Probe {
    Task task;
    Slot *where;
    bool was_cancelled, thinks;
    AtomicFlag running, let_go, finished;
} Probe;

static void stop_if_cancelled(void *user, const SamaraInfo *info)
{
    (void)info;
    Probe *p = user;
    if (lane_cancelled(&p->task))
        samara_stop(p->task.slot->engine);
}

static void run_probe(Task *task, Slot *slot)
{
    Probe *p = (Probe *)task;
    p->where = slot;
    atomic_store(&p->running, true);
    if (p->thinks) {
        const SamaraLimits limits = {.infinite = true};
        const SamaraEvents events = {.user = p, .info = stop_if_cancelled};
        SamaraResult result;
        if (!lane_cancelled(task))
            samara_search(slot->engine, &limits, &events, &result, NULL);
    }
    while (!p->thinks && !atomic_load(&p->let_go) && !lane_cancelled(task))
        clock_sleep_ms(1);
    p->was_cancelled = lane_cancelled(task);
    atomic_store(&p->finished, true);
}

static Probe probe(uint64_t client, uint64_t session)
{
    return (Probe){.task = {.run = run_probe, .client = client, .session = session}};
}

static void wait_for(AtomicFlag *flag)
{
    for (int i = 0; i < 20000 && !atomic_load(flag); i++)
        clock_sleep_ms(1);
    assert_true(atomic_load(flag));
}

static void finish(Probe *p)
{
    atomic_store(&p->let_go, true);
    wait_for(&p->finished);
}

static Lane *make_lane(int workers, int queue)
{
    SamaraError err;
    Lane *lane = lane_create(&(LaneConfig){.workers = workers, .queue = queue, .hash_mb = 1}, &err);
    assert_non_null(lane);
    return lane;
}

static void wait_idle(Lane *lane)
{
    for (int i = 0; i < 20000 && lane_running(lane) > 0; i++)
        clock_sleep_ms(1);
    assert_int_equal(lane_running(lane), 0);
}

static void end(Lane *lane)
{
    lane_close(lane);
    lane_destroy(lane);
}

static void a_full_queue_refuses(void **state)
{
    (void)state;
    Lane *lane = make_lane(1, 1);
    Probe first = probe(1, 0), second = probe(1, 0), third = probe(1, 0);
    assert_true(lane_submit(lane, &first.task));
    wait_for(&first.running);
    assert_true(lane_submit(lane, &second.task));
    assert_false(lane_submit(lane, &third.task));
    assert_int_equal(lane_waiting(lane), 1);
    finish(&first);
    wait_for(&second.running);
    finish(&second);
    end(lane);
}

static void a_session_meets_its_engine_again(void **state)
{
    (void)state;
    Lane *lane = make_lane(2, 4);
    Probe a = probe(1, 11), b = probe(2, 22);
    assert_true(lane_submit(lane, &a.task) && lane_submit(lane, &b.task));
    wait_for(&a.running);
    wait_for(&b.running);
    finish(&a);
    finish(&b);
    assert_true(a.where != b.where);
    for (int i = 0; i < 10; i++) {
        wait_idle(lane);
        Probe again = probe(i % 2 ? 1 : 2, i % 2 ? 11 : 22);
        assert_true(lane_submit(lane, &again.task));
        finish(&again);
        assert_ptr_equal(again.where, i % 2 ? a.where : b.where);
    }
    wait_idle(lane);
    end(lane);
}

static void who_had_less_goes_first(void **state)
{
    (void)state;
    Lane *lane = make_lane(1, 4);
    Probe busy = probe(1, 11), greedy = probe(1, 11), modest = probe(2, 22);
    assert_true(lane_submit(lane, &busy.task));
    wait_for(&busy.running);
    assert_true(lane_submit(lane, &greedy.task) && lane_submit(lane, &modest.task));
    finish(&busy);
    wait_for(&modest.running);
    assert_false(atomic_load(&greedy.running));
    finish(&modest);
    wait_for(&greedy.running);
    finish(&greedy);
    end(lane);
}

static void cancelling_stops_a_search_at_once(void **state)
{
    (void)state;
    Lane *lane = make_lane(1, 1);
    Probe p = probe(1, 0);
    p.thinks = true;
    assert_true(lane_submit(lane, &p.task));
    wait_for(&p.running);
    clock_sleep_ms(20);
    assert_false(atomic_load(&p.finished));
    lane_cancel(lane, &p.task);
    wait_for(&p.finished);
    assert_true(p.was_cancelled);
    end(lane);
}

static void closing_ends_what_runs_and_calls_what_waits(void **state)
{
    (void)state;
    Lane *lane = make_lane(1, 3);
    Probe running = probe(1, 0), waiting = probe(1, 0), late = probe(1, 0);
    running.thinks = true;
    assert_true(lane_submit(lane, &running.task) && lane_submit(lane, &waiting.task));
    wait_for(&running.running);
    lane_close(lane);
    assert_true(atomic_load(&running.finished) && running.was_cancelled);
    assert_true(atomic_load(&waiting.finished) && waiting.was_cancelled);
    assert_false(lane_submit(lane, &late.task));
    lane_destroy(lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(a_session_meets_its_engine_again),
        cmocka_unit_test(who_had_less_goes_first),
        cmocka_unit_test(cancelling_stops_a_search_at_once),
        cmocka_unit_test(closing_ends_what_runs_and_calls_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
