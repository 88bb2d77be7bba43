// SPDX-License-Identifier: GPL-3.0-or-later
/* uci_job.c -- work that is no search but takes as long: it runs in a thread of its own, so that the
 * loop still answers, and signals its end as a search does. */
#include "front/uci_impl.h"

#include "base/host.h"
#include <stdio.h>
#include <string.h>

static void put_divide(void *user, const SamaraMove *move, uint64_t count)
{
    Uci *u = user;
    console_printf(u->console, "%s: %llu", move->uci, (unsigned long long)count);
}

static bool job_goes_on(void *user)
{
    const Uci *u = user;
    host_poll();
    return !relaxed_load(&u->job_stop);
}

static void say_job_error(Uci *u, const SamaraError *err)
{
    if (strcmp(err->code, "STOPPED") == 0)
        uci_say(u, err->text);
    else
        uci_say_error(u, err);
}

/* Counts the move tree, move by move, as `go perft` and `perft` show it. */
static void *perft_job(void *arg)
{
    Uci *u = arg;
    uint64_t total = 0;
    SamaraError err;
    const bool ok = samara_position_perft(u->position, u->job_depth, 1, 0, put_divide, job_goes_on,
                                          u, &total, &err);
    console_signal(u->console); /* before the last word, as in on_done() */
    if (ok)
        console_printf(u->console, "\nNodes searched: %llu\n", (unsigned long long)total);
    else
        say_job_error(u, &err);
    return NULL;
}

static bool bench_goes_on(void *user, int done, int total)
{
    Uci *u = user;
    char line[48];
    snprintf(line, sizeof line, "info string bench %d/%d", done, total);
    console_put_droppable(u->console, str_from(line));
    return job_goes_on(u);
}

/* The fixed searches whose node count is the signature of a build; see docs/TESTING.md. */
static void *bench_job(void *arg)
{
    Uci *u = arg;
    SamaraBench bench;
    SamaraError err;
    const bool ok = samara_bench(u->job_depth, bench_goes_on, u, &bench, &err);
    console_signal(u->console);
    if (ok) {
        const int64_t ms = bench.time_ms > 0 ? bench.time_ms : 1;
        console_printf(u->console,
                       "Total time (ms): %lld\nNodes searched: %llu\nNodes/second: %llu",
                       (long long)ms, (unsigned long long)bench.nodes,
                       (unsigned long long)(bench.nodes * 1000 / (uint64_t)ms));
    } else {
        say_job_error(u, &err);
    }
    return NULL;
}

static void start_job(Uci *u, void *(*run)(void *), int depth)
{
    u->job_depth = depth;
    relaxed_store(&u->job_stop, false);
    if (!thread_exists() || thread_start(&u->job, run, u)) {
        u->work = UCI_JOB;
        u->until = UNTIL_LIMIT;
        if (!thread_exists())
            run(u);
    } else {
        uci_say(u, "refused: NO_THREAD the system has no thread left");
    }
}

void uci_start_perft(Uci *u, int depth) { start_job(u, perft_job, depth); }

void uci_start_bench(Uci *u, int depth) { start_job(u, bench_job, depth); }
