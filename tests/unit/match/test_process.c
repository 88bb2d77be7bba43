// SPDX-License-Identifier: GPL-3.0-or-later
/* Child programs and the order of parallel work. The children are programs that every system has.
 */
#include "base/clock.h"
#include "match/lineup.h"
#include "match/process.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct World {
    Guard guard;
    Interrupt interrupt;
} World;

static int create(void **state)
{
    World *w = calloc(1, sizeof *w);
    *state = w;
    return guard_start(&w->guard, NULL) && interrupt_init(&w->interrupt, NULL) ? 0 : -1;
}

static int destroy(void **state)
{
    World *w = *state;
    interrupt_free(&w->interrupt);
    guard_stop(&w->guard);
    free(w);
    return 0;
}

static Process *run(World *w, const char *script)
{
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    Error err;
    Process *p = process_start(&w->guard, &w->interrupt, &(Command){.argv = argv}, &err);
    if (!p)
        fail_msg("%s", err.text);
    return p;
}

static int64_t in_ms(int64_t ms) { return clock_us() + ms * 1000; }

static void lines_go_in_and_come_out(void **state)
{
    Process *p = run(*state, "while read line; do echo \"got $line\"; done; echo -n tail");
    Str line;
    int64_t when;
    const int64_t before = clock_us();
    assert_true(process_write(p, STR("one\ntwo \r\n")));
    assert_int_equal(process_read(p, in_ms(5000), &line, &when), READ_LINE);
    assert_true(str_is(line, "got one"));
    assert_true(when >= before && when <= clock_us());
    assert_int_equal(process_read(p, in_ms(5000), &line, &when), READ_LINE);
    assert_true(str_is(line, "got two"));
    assert_int_equal(process_read(p, in_ms(30), &line, &when), READ_TIMEOUT);
    ProcessEnd end;
    process_stop(p, 5000, &end);
    assert_true(end.by_itself);
    assert_int_equal(end.status, 0);
    assert_int_equal(end.signal, 0);
}

static void a_missing_program_is_an_error_not_a_process(void **state)
{
    World *w = *state;
    char *argv[] = {"/nowhere/engine", NULL};
    Error err;
    assert_null(process_start(&w->guard, &w->interrupt, &(Command){.argv = argv}, &err));
    assert_string_equal(err.text, "cannot run '/nowhere/engine': No such file or directory");
    char *again[] = {"true", NULL};
    assert_null(process_start(&w->guard, &w->interrupt,
                              &(Command){.argv = again, .directory = "/nowhere"}, &err));
}

static void how_it_ended_is_told(void **state)
{
    static const struct {
        const char *script;
        bool by_itself;
        int status, signal;
    } cases[] = {
        {"exit 7", true, 7, 0},
        {"kill -SEGV $$", true, -1, SIGSEGV},
        {"trap '' TERM INT HUP; while :; do sleep 1; done", false, -1, SIGKILL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ProcessEnd end;
        process_stop(run(*state, cases[i].script), cases[i].by_itself ? 5000 : 100, &end);
        assert_int_equal(end.by_itself, cases[i].by_itself);
        assert_int_equal(end.status, cases[i].status);
        assert_int_equal(end.signal, cases[i].signal);
    }
}

static void writing_to_the_dead_fails_and_kills_nobody(void **state)
{
    Process *p = run(*state, "exec true");
    Str line;
    int64_t when;
    assert_int_equal(process_read(p, in_ms(5000), &line, &when), READ_END);
    bool ok = true;
    for (int i = 0; i < 100 && ok; i++) {
        ok = process_write(p, STR("hello\n"));
        clock_sleep_ms(1);
    }
    assert_false(ok);
    process_stop(p, 100, NULL);
}

/* Both pipes are full: neither side may block the other. */
static void floods_in_both_directions_do_not_lock(void **state)
{
    Process *p = run(*state, "cat; echo end");
    Buffer text = {0};
    for (int i = 0; i < 40000; i++)
        buffer_printf(&text, "line number %d\n", i);
    assert_true(process_write(p, (Str){text.data, text.len}));
    Str line;
    int64_t when;
    for (int i = 0; i < 40000; i++)
        assert_int_equal(process_read(p, in_ms(5000), &line, &when), READ_LINE);
    assert_true(str_is(line, "line number 39999"));
    buffer_free(&text);
    process_stop(p, 5000, NULL);
}

static void an_endless_line_loses_its_tail_only(void **state)
{
    Process *p = run(*state, "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo next");
    Str line;
    int64_t when;
    assert_int_equal(process_read(p, in_ms(20000), &line, &when), READ_LINE);
    assert_true(line.len >= PROCESS_LINE_MAX && line.len < 3000000);
    assert_int_equal(process_read(p, in_ms(20000), &line, &when), READ_LINE);
    assert_true(str_is(line, "next"));
    process_stop(p, 5000, NULL);
}

static void an_interrupt_wakes_readers(void **state)
{
    World *w = *state;
    Process *p = run(w, "sleep 60");
    Str line;
    int64_t when;
    assert_false(interrupt_raised(&w->interrupt));
    interrupt_raise(&w->interrupt);
    const int64_t before = clock_us();
    assert_int_equal(process_read(p, in_ms(10000), &line, &when), READ_INTERRUPTED);
    assert_true(clock_us() - before < 5000000);
    assert_true(interrupt_raised(&w->interrupt)); /* for everybody else, too */
    process_stop(p, 0, NULL);
}

/* --- lineup --- */

typedef struct Parade {
    uint64_t next;    /* that must be taken now */
    uint64_t stop_at; /* take() refuses this one; UINT64_MAX: none */
    uint64_t fail_at; /* work() fails on this one */
    _Atomic int working, most, dropped, closed;
} Parade;

static void *enter(void *user, int number, Error *err)
{
    (void)number;
    (void)err;
    return user;
}

static bool march(void *user, void *worker, uint64_t item, void **result, Error *err)
{
    Parade *p = user;
    (void)worker;
    const int now = ++p->working;
    if (now > p->most)
        p->most = now;
    clock_sleep_ms(item % 3 == 0 ? 4 : 1); /* every third is slow */
    p->working--;
    if (item == p->fail_at)
        return error_set(err, "item %llu fell", (unsigned long long)item);
    uint64_t *copy = malloc(sizeof *copy);
    *copy = item * item;
    *result = copy;
    return true;
}

static bool receive(void *user, uint64_t item, void *result)
{
    Parade *p = user;
    const bool right = item == p->next && *(uint64_t *)result == item * item;
    p->next++;
    free(result);
    return right && item != p->stop_at;
}

static void count_drop(void *result) { free(result); }

static void leave(void *user, void *worker)
{
    (void)worker;
    ((Parade *)user)->closed++;
}

static LineupJob job_of(Parade *p)
{
    return (LineupJob){.user = p,
                       .open = enter,
                       .work = march,
                       .take = receive,
                       .drop = count_drop,
                       .close = leave,
                       .first = 5,
                       .end = 105,
                       .workers = 4};
}

static void results_are_taken_by_number(void **state)
{
    (void)state;
    Parade p = {.next = 5, .stop_at = UINT64_MAX, .fail_at = UINT64_MAX};
    const LineupJob job = job_of(&p);
    assert_true(lineup_run(&job, NULL));
    assert_int_equal(p.next, 105);
    assert_int_equal(p.closed, 4);
    assert_true(p.most > 1 && p.most <= 4);
}

static void a_window_limits_how_far_ahead_work_begins(void **state)
{
    (void)state;
    Parade p = {.next = 5, .stop_at = UINT64_MAX, .fail_at = UINT64_MAX};
    LineupJob job = job_of(&p);
    job.window = 1;
    assert_true(lineup_run(&job, NULL));
    assert_int_equal(p.next, 105);
    assert_int_equal(p.most, 1);
}

static void the_taker_may_stop_everything(void **state)
{
    (void)state;
    Parade p = {.next = 5, .stop_at = 20, .fail_at = UINT64_MAX};
    const LineupJob job = job_of(&p);
    assert_true(lineup_run(&job, NULL));
    assert_int_equal(p.next, 21);
}

static void a_failure_ends_it_with_its_reason(void **state)
{
    (void)state;
    Parade p = {.next = 5, .stop_at = UINT64_MAX, .fail_at = 30};
    const LineupJob job = job_of(&p);
    Error err;
    assert_false(lineup_run(&job, &err));
    assert_string_equal(err.text, "item 30 fell");
    assert_true(p.next <= 30);
    assert_int_equal(p.closed, 4);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, create, destroy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(lines_go_in_and_come_out),
        IN_WORLD(a_missing_program_is_an_error_not_a_process),
        IN_WORLD(how_it_ended_is_told),
        IN_WORLD(writing_to_the_dead_fails_and_kills_nobody),
        IN_WORLD(floods_in_both_directions_do_not_lock),
        IN_WORLD(an_endless_line_loses_its_tail_only),
        IN_WORLD(an_interrupt_wakes_readers),
        cmocka_unit_test(results_are_taken_by_number),
        cmocka_unit_test(a_window_limits_how_far_ahead_work_begins),
        cmocka_unit_test(the_taker_may_stop_everything),
        cmocka_unit_test(a_failure_ends_it_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
