// SPDX-License-Identifier: GPL-3.0-or-later
/* samara-match -- plays chess engines against each other and judges the result. */
#include "base/file.h"
#include "base/cpu.h"
#include "chess/attacks.h"
#include "match/command.h"
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* The work runs in a thread of its own, so that this one can wait for signals: no handler, no
 * global state. */
typedef struct Job {
    Context context;
    int argc;
    char **argv;
    int code;
    pthread_t waiter;
} Job;

static void *work(void *arg)
{
    Job *job = arg;
    job->code = command_run(&job->context, job->argc, job->argv);
    pthread_kill(job->waiter, SIGUSR1);
    return NULL;
}

/* The first signal ends the match in good order, the second ends us (and the guard then ends the
 * engines). */
static void wait_for(const sigset_t *signals, const Interrupt *interrupt)
{
    int got, seen = 0;
    while (sigwait(signals, &got) == 0 && got != SIGUSR1) {
        if (seen++)
            _exit(EXIT_INTERRUPTED);
        interrupt_raise(interrupt);
    }
}

int main(int argc, char **argv)
{
    if (cpu_lacks()) {
        fprintf(stderr, "samara-match: this build needs a processor with %s\n", cpu_lacks());
        return EXIT_ENGINE;
    }
    Job job = {.context = {.out = stdout, .err = stderr, .terminal = isatty(STDERR_FILENO)},
               .argc = argc - 1,
               .argv = argv + 1,
               .waiter = pthread_self()};
    Error err;
    file_hold_standard();
    if (!guard_start(&job.context.guard, &err) || !interrupt_init(&job.context.interrupt, &err)) {
        fprintf(stderr, "samara-match: %s\n", err.text);
        return EXIT_ENGINE;
    }
    attacks_init();

    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);

    Thread thread;
    if (thread_start(&thread, work, &job)) {
        wait_for(&signals, &job.context.interrupt);
        thread_join(thread);
    } else {
        job.code = EXIT_ENGINE;
    }
    if (job.code == EXIT_OK && !file_flush_output(&err)) {
        fprintf(stderr, "samara-match: %s\n", err.text);
        job.code = EXIT_USAGE;
    }
    interrupt_free(&job.context.interrupt);
    guard_stop(&job.context.guard);
    return job.code;
}
