// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/clock.h"
#include "front/http/worker_queue.h"

/* A task that holds its worker until it is let go, and remembers where it ran. */
typedef struct Probe {
    Task task;
    Slot *where;
    bool was_cancelled, thinks;
    AtomicFlag running, let_go, finished, pushed_out;
} Probe;

static void stop_if_told(void *user, const SamaraLine *line)
{
    (void)line;
    Probe *p = user;
    if (task_should_end(&p->task))
        samara_stop(p->task.slot->engine);
}

static void run_probe(Task *task, Slot *slot)
{
    Probe *p = (Probe *)task;
    p->where = slot;
    atomic_store(&p->running, true);
    if (p->thinks) {
        const SamaraRequest request = {.limits.infinite = true};
        const SamaraEvents events = {.user = p, .line = stop_if_told};
        SamaraResult result;
        if (!task_cancelled(task))
            samara_search(slot->engine, &request, &events, &result, NULL);
    }
    while (!p->thinks && !atomic_load(&p->let_go) && !task_cancelled(task))
        clock_sleep_ms(1);
    p->was_cancelled = task_cancelled(task);
    atomic_store(&p->finished, true);
}

static void push_out_probe(Task *task) { atomic_store(&((Probe *)task)->pushed_out, true); }

static Probe probe(uint64_t client, uint64_t session)
{
    return (Probe){
        .task = {
            .run = run_probe, .push_out = push_out_probe, .client = client, .session = session}};
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

static WorkerQueue *make_queue(int workers, int capacity)
{
    SamaraError err;
    WorkerQueue *queue = worker_queue_create(
        &(WorkerQueueConfig){.workers = workers, .capacity = capacity, .engine = {.hash_mb = 1}},
        &err);
    assert_non_null(queue);
    return queue;
}

static void wait_idle(WorkerQueue *queue)
{
    for (int i = 0; i < 20000 && worker_queue_running(queue) > 0; i++)
        clock_sleep_ms(1);
    assert_int_equal(worker_queue_running(queue), 0);
}

static void end(WorkerQueue *queue)
{
    worker_queue_close(queue);
    worker_queue_destroy(queue);
}

static void a_full_queue_refuses(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 1);
    Probe first = probe(1, 0), second = probe(1, 0), third = probe(1, 0);
    assert_true(worker_queue_submit(queue, &first.task));
    wait_for(&first.running);
    assert_true(worker_queue_submit(queue, &second.task));
    assert_false(worker_queue_submit(queue, &third.task));
    assert_int_equal(worker_queue_waiting(queue), 1);
    finish(&first);
    wait_for(&second.running);
    finish(&second);
    end(queue);
}

static void a_session_meets_its_engine_again(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(2, 4);
    Probe a = probe(1, 11), b = probe(2, 22);
    assert_true(worker_queue_submit(queue, &a.task) && worker_queue_submit(queue, &b.task));
    wait_for(&a.running);
    wait_for(&b.running);
    finish(&a);
    finish(&b);
    assert_true(a.where != b.where);
    for (int i = 0; i < 10; i++) {
        wait_idle(queue);
        Probe again = probe(i % 2 ? 1 : 2, i % 2 ? 11 : 22);
        assert_true(worker_queue_submit(queue, &again.task));
        finish(&again);
        assert_ptr_equal(again.where, i % 2 ? a.where : b.where);
    }
    wait_idle(queue);
    end(queue);
}

static void who_had_less_goes_first(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 4);
    Probe busy = probe(1, 11), greedy = probe(1, 11), modest = probe(2, 22);
    assert_true(worker_queue_submit(queue, &busy.task));
    wait_for(&busy.running);
    assert_true(worker_queue_submit(queue, &greedy.task) &&
                worker_queue_submit(queue, &modest.task));
    finish(&busy);
    wait_for(&modest.running);
    assert_false(atomic_load(&greedy.running));
    finish(&modest);
    wait_for(&greedy.running);
    finish(&greedy);
    end(queue);
}

/* The client's word for a session gives it no more than its share: each client has its turn. */
static void sessions_do_not_multiply_a_client(void **state)
{
    (void)state;
    enum { GREEDY = 20 };
    WorkerQueue *queue = make_queue(1, GREEDY + 2);
    Probe busy = probe(1, 99), greedy[GREEDY], modest = probe(2, 0), again = probe(2, 0);
    assert_true(worker_queue_submit(queue, &busy.task));
    wait_for(&busy.running);
    for (uint64_t i = 0; i < GREEDY; i++) {
        greedy[i] = probe(1, 1000 + i);
        assert_true(worker_queue_submit(queue, &greedy[i].task));
    }
    assert_true(worker_queue_submit(queue, &modest.task));
    clock_sleep_ms(5); /* the greedy client has used time that counts against it */
    finish(&busy);
    wait_for(&modest.running);
    assert_true(worker_queue_submit(queue, &again.task));
    finish(&modest);
    for (int i = 0; i < GREEDY; i++)
        atomic_store(&greedy[i].let_go, true);
    finish(&again);
    for (int i = 0; i < GREEDY; i++)
        wait_for(&greedy[i].finished);
    end(queue);
}

static void sessions_of_one_client_take_turns(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 4);
    Probe busy = probe(1, 11), same = probe(1, 11), other = probe(1, 22);
    assert_true(worker_queue_submit(queue, &busy.task));
    wait_for(&busy.running);
    assert_true(worker_queue_submit(queue, &same.task) && worker_queue_submit(queue, &other.task));
    finish(&busy);
    wait_for(&other.running);
    assert_false(atomic_load(&same.running));
    finish(&other);
    finish(&same);
    end(queue);
}

static void a_full_queue_makes_room_for_who_has_less(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 3);
    Probe busy = probe(1, 0), greedy[3] = {probe(1, 0), probe(1, 0), probe(1, 0)};
    Probe modest = probe(2, 0), second = probe(2, 0), third = probe(3, 0);
    assert_true(worker_queue_submit(queue, &busy.task));
    wait_for(&busy.running);
    for (int i = 0; i < 3; i++)
        assert_true(worker_queue_submit(queue, &greedy[i].task));
    assert_true(worker_queue_submit(queue, &modest.task));
    assert_true(atomic_load(&greedy[2].pushed_out)); /* the newest of who has most */
    assert_true(worker_queue_submit(queue, &third.task));
    assert_true(atomic_load(&greedy[1].pushed_out));
    assert_false(worker_queue_submit(queue, &second.task)); /* now all have the same */
    assert_int_equal(worker_queue_waiting(queue), 3);
    Probe *left[] = {&busy, &greedy[0], &modest, &third};
    for (int i = 0; i < 4; i++)
        atomic_store(&left[i]->let_go, true);
    for (int i = 0; i < 4; i++)
        wait_for(&left[i]->finished);
    assert_false(atomic_load(&greedy[1].running) || atomic_load(&greedy[2].running));
    end(queue);
}

static void a_spare_engine_is_for_who_has_none(void **state)
{
    (void)state;
    SamaraError err;
    WorkerQueue *queue = worker_queue_create(
        &(WorkerQueueConfig){.workers = 1, .spare = 1, .capacity = 8, .engine = {.hash_mb = 1}},
        &err);
    assert_non_null(queue);
    Probe first = probe(1, 0), second = probe(1, 0), other = probe(2, 0), late = probe(2, 0);
    assert_true(worker_queue_submit(queue, &first.task));
    wait_for(&first.running);
    assert_true(worker_queue_submit(queue, &second.task));
    assert_int_equal(worker_queue_waiting(queue), 1);
    assert_true(worker_queue_submit(queue, &other.task));
    wait_for(&other.running);
    assert_true(worker_queue_submit(queue, &late.task));
    assert_int_equal(worker_queue_waiting(queue), 2);
    finish(&other); /* its client has none any more, so the spare engine goes on with it */
    wait_for(&late.running);
    assert_false(atomic_load(&second.running));
    finish(&first);
    wait_for(&second.running);
    finish(&second);
    finish(&late);
    end(queue);
}

static void work_without_end_is_cut_short_for_who_has_less(void **state)
{
    (void)state;
    SamaraError err;
    WorkerQueue *queue = worker_queue_create(&(WorkerQueueConfig){.workers = 2,
                                                                  .capacity = 4,
                                                                  .engine = {.hash_mb = 1},
                                                                  .shortens = true,
                                                                  .background = true},
                                             &err);
    assert_non_null(queue);
    Probe first = probe(1, 0), second = probe(1, 0), third = probe(1, 0), other = probe(2, 0);
    first.thinks = second.thinks = third.thinks = true;
    assert_true(worker_queue_submit(queue, &first.task));
    wait_for(&first.running);
    clock_sleep_ms(20);
    assert_true(worker_queue_submit(queue, &second.task));
    wait_for(&second.running);
    assert_true(worker_queue_submit(queue, &third.task));
    clock_sleep_ms(50);
    assert_false(atomic_load(&first.finished) || atomic_load(&second.finished));
    assert_true(worker_queue_submit(queue, &other.task)); /* one to one is fair */
    wait_for(&first.finished);                            /* the oldest */
    wait_for(&other.running);
    assert_false(first.was_cancelled || atomic_load(&second.finished));
    finish(&other);
    worker_queue_close(queue);
    assert_true(atomic_load(&second.finished) && atomic_load(&third.finished));
    worker_queue_destroy(queue);
}

static void who_leaves_gives_up_its_place(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 1);
    Probe running = probe(1, 0), waiting = probe(1, 0), next = probe(1, 0);
    assert_true(worker_queue_submit(queue, &running.task));
    wait_for(&running.running);
    assert_true(worker_queue_submit(queue, &waiting.task));
    assert_true(worker_queue_withdraw(queue, &waiting.task));
    assert_int_equal(worker_queue_waiting(queue), 0);
    assert_true(worker_queue_submit(queue, &next.task));
    assert_false(worker_queue_withdraw(queue, &running.task)); /* it runs: only told to end */
    wait_for(&running.finished);
    finish(&next);
    assert_false(atomic_load(&waiting.running));
    end(queue);
}

static void cancelling_stops_a_search_at_once(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 1);
    Probe p = probe(1, 0);
    p.thinks = true;
    assert_true(worker_queue_submit(queue, &p.task));
    wait_for(&p.running);
    clock_sleep_ms(20);
    assert_false(atomic_load(&p.finished));
    worker_queue_cancel(queue, &p.task);
    wait_for(&p.finished);
    assert_true(p.was_cancelled);
    end(queue);
}

static void closing_ends_what_runs_and_calls_what_waits(void **state)
{
    (void)state;
    WorkerQueue *queue = make_queue(1, 3);
    Probe running = probe(1, 0), waiting = probe(1, 0), late = probe(1, 0);
    running.thinks = true;
    assert_true(worker_queue_submit(queue, &running.task) &&
                worker_queue_submit(queue, &waiting.task));
    wait_for(&running.running);
    worker_queue_close(queue);
    assert_true(atomic_load(&running.finished) && running.was_cancelled);
    assert_true(atomic_load(&waiting.finished) && waiting.was_cancelled);
    assert_false(worker_queue_submit(queue, &late.task));
    worker_queue_destroy(queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(a_session_meets_its_engine_again),
        cmocka_unit_test(who_had_less_goes_first),
        cmocka_unit_test(sessions_do_not_multiply_a_client),
        cmocka_unit_test(sessions_of_one_client_take_turns),
        cmocka_unit_test(a_full_queue_makes_room_for_who_has_less),
        cmocka_unit_test(a_spare_engine_is_for_who_has_none),
        cmocka_unit_test(work_without_end_is_cut_short_for_who_has_less),
        cmocka_unit_test(who_leaves_gives_up_its_place),
        cmocka_unit_test(cancelling_stops_a_search_at_once),
        cmocka_unit_test(closing_ends_what_runs_and_calls_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
