// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread.h"

#include "base/clock.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <cmocka.h>

enum { WORKERS = 4, ROUNDS = 10000 };

typedef struct Shared {
    Mutex lock;
    Cond changed;
    int64_t guarded;
    AtomicU64 counted;
    int ready, turn;
} Shared;

static void shared_init(Shared *s)
{
    memset(s, 0, sizeof *s);
    mutex_init(&s->lock);
    cond_init(&s->changed);
}

static void shared_destroy(Shared *s)
{
    cond_destroy(&s->changed);
    mutex_destroy(&s->lock);
}

static void run_workers(void *(*run)(void *), Shared *s)
{
    Thread threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        assert_true(thread_start(&threads[i], run, s));
    for (int i = 0; i < WORKERS; i++)
        thread_join(threads[i]);
}

static void *count_up(void *arg)
{
    Shared *s = arg;
    for (int i = 0; i < ROUNDS; i++) {
        mutex_lock(&s->lock);
        s->guarded++;
        mutex_unlock(&s->lock);
        relaxed_add(&s->counted, 1);
    }
    return NULL;
}

static void nothing_is_lost_under_a_lock_or_in_an_atomic(void **state)
{
    (void)state;
    Shared s;
    shared_init(&s);
    run_workers(count_up, &s);
    assert_int_equal(s.guarded, WORKERS * ROUNDS);
    assert_int_equal(relaxed_load(&s.counted), WORKERS * ROUNDS);
    shared_destroy(&s);
}

/* Each worker waits for its turn and hands on: a lost wake-up would hang here. */
static void *take_turns(void *arg)
{
    Shared *s = arg;
    mutex_lock(&s->lock);
    const int me = s->ready++;
    for (int round = 0; round < 100; round++) {
        while (s->turn != me)
            cond_wait(&s->changed, &s->lock);
        s->turn = (me + 1) % WORKERS;
        s->guarded++;
        cond_broadcast(&s->changed);
    }
    mutex_unlock(&s->lock);
    return NULL;
}

static void waiting_threads_are_woken(void **state)
{
    (void)state;
    Shared s;
    shared_init(&s);
    run_workers(take_turns, &s);
    assert_int_equal(s.guarded, WORKERS * 100);
    shared_destroy(&s);
}

static void a_wait_ends_when_its_time_is_up(void **state)
{
    (void)state;
    Shared s;
    shared_init(&s);
    mutex_lock(&s.lock);
    const int64_t start = clock_us(), cpu = clock_cpu_us();
    while (cond_wait_for(&s.changed, &s.lock, 50)) /* a spurious wake-up starts it anew */
        ;
    assert_true(clock_us() - start >= 50000);
    assert_true(clock_cpu_us() - cpu < 40000); /* it slept */
    while (cond_wait_for(&s.changed, &s.lock, -5))
        ;
    mutex_unlock(&s.lock);
    shared_destroy(&s);
}

static void *signal_once(void *arg)
{
    Shared *s = arg;
    mutex_lock(&s->lock);
    s->ready = 1;
    cond_signal(&s->changed);
    mutex_unlock(&s->lock);
    return NULL;
}

static void a_wait_ends_early_when_it_is_signalled(void **state)
{
    (void)state;
    Shared s;
    shared_init(&s);
    Thread thread;
    mutex_lock(&s.lock);
    assert_true(thread_start(&thread, signal_once, &s));
    bool in_time = true;
    while (!s.ready && in_time)
        in_time = cond_wait_for(&s.changed, &s.lock, 30000);
    mutex_unlock(&s.lock);
    assert_true(in_time);
    thread_join(thread);
    shared_destroy(&s);
}

/* Frames of 4 KB, as a search has them: 1500 take 6 of the 8 MB. */
static int recurse(int depth)
{
    volatile char frame[4096];
    frame[0] = frame[sizeof frame - 1] = 1;
    return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

static void *use_much_stack(void *arg)
{
    *(int *)arg = recurse(1500);
    return NULL;
}

static void stacks_are_deep(void **state)
{
    (void)state;
    Thread thread;
    int result = 0;
    assert_true(thread_start(&thread, use_much_stack, &result));
    thread_join(thread);
    assert_int_equal(result, 1500);
}

static Once once = ONCE_INIT;
static AtomicI32 initialised;
static void initialise(void) { relaxed_add(&initialised, 1); }

static void *initialise_once(void *arg)
{
    thread_once(&once, initialise);
    relaxed_add(&((Shared *)arg)->counted, (uint64_t)relaxed_load(&initialised));
    return NULL;
}

static void only_the_first_comer_initialises(void **state)
{
    (void)state;
    Shared s;
    shared_init(&s);
    run_workers(initialise_once, &s);
    assert_int_equal(relaxed_load(&initialised), 1);
    assert_int_equal(relaxed_load(&s.counted), WORKERS);
    shared_destroy(&s);
}

static void the_machine_has_a_processor(void **state)
{
    (void)state;
    assert_in_range(thread_cpu_count(), 1, 100000);
}

/* In a thread of its own, so that the test itself stays free. */
static void *pin_and_look(void *arg)
{
    int *cores = arg;
    for (int i = 0; i < 3; i++) {
        assert_true(thread_pin(i));
        cores[i] = sched_getcpu();
    }
    assert_false(thread_pin(-1));
    return NULL;
}

static void a_pinned_thread_runs_on_its_core(void **state)
{
    (void)state;
#ifdef SAMARA_POSIX_ONLY
    assert_false(thread_pin(0)); /* POSIX has no word for it, and pinning is only a wish */
    skip();
#endif
    const int count = thread_cpu_count();
    int cores[3];
    Thread thread;
    assert_true(thread_start(&thread, pin_and_look, cores));
    thread_join(thread);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_int_equal(cores[i] == cores[j], i % count == j % count);
    assert_int_equal(thread_cpu_count(), count);
}

static void the_clock_goes_forward_and_sleep_sleeps(void **state)
{
    (void)state;
    int64_t last = clock_us();
    for (int i = 0; i < 10000; i++) {
        const int64_t now = clock_us();
        assert_true(now >= last);
        last = now;
    }
    clock_sleep_ms(20);
    assert_true(clock_us() - last >= 20000);
    assert_true(clock_ms() >= last / 1000 + 20);
    clock_sleep_ms(0);
    clock_sleep_ms(-1);
}

static void *note_niceness(void *arg)
{
    *(int *)arg = getpriority(PRIO_PROCESS, 0);
    return NULL;
}

typedef struct Niceness {
    int wanted, before, after, of_next;
} Niceness;

static void *be_prompt(void *arg)
{
    Niceness *n = arg;
    Thread thread;
    setpriority(PRIO_PROCESS, 0, n->wanted); /* less than before is for root alone */
    n->before = getpriority(PRIO_PROCESS, 0);
    thread_prompt();
    n->after = getpriority(PRIO_PROCESS, 0);
    if (thread_start(&thread, note_niceness, &n->of_next))
        thread_join(thread);
    return NULL;
}

/* The wish names a niceness, too; it must be the one that the thread has, and that of the threads
 * which it starts. */
static void being_prompt_changes_no_niceness(void **state)
{
    (void)state;
    for (int wanted = -5; wanted <= 10; wanted += 5) {
        Thread thread;
        Niceness n = {.wanted = wanted, .of_next = -100};
        assert_true(thread_start(&thread, be_prompt, &n));
        thread_join(thread);
        assert_int_equal(n.after, n.before);
        assert_int_equal(n.of_next, n.before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_under_a_lock_or_in_an_atomic),
        cmocka_unit_test(waiting_threads_are_woken),
        cmocka_unit_test(a_wait_ends_when_its_time_is_up),
        cmocka_unit_test(a_wait_ends_early_when_it_is_signalled),
        cmocka_unit_test(stacks_are_deep),
        cmocka_unit_test(only_the_first_comer_initialises),
        cmocka_unit_test(the_machine_has_a_processor),
        cmocka_unit_test(a_pinned_thread_runs_on_its_core),
        cmocka_unit_test(being_prompt_changes_no_niceness),
        cmocka_unit_test(the_clock_goes_forward_and_sleep_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
