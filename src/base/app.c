// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/app.h"

#ifndef _WIN32 /* else see app_windows.c */

#include "base/thread.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void app_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    int fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

void app_survive_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }
int app_is_terminal(int fd) { return isatty(fd); }

void app_on_interrupt(void (*on_wish)(int number))
{
    signal(SIGINT, on_wish ? on_wish : SIG_IGN);
    if (on_wish)
        signal(SIGTERM, on_wish);
}

typedef struct Job {
    int (*work)(void *user);
    void *user;
    int result;
    pthread_t waiter;
} Job;

static void *run_job(void *arg)
{
    Job *job = arg;
    job->result = job->work(job->user);
    pthread_kill(job->waiter, SIGUSR1);
    return NULL;
}

/* The work has a thread of its own, so that this one can wait for signals: no handler, no global
 * state. */
int app_run(int (*work)(void *user), void (*interrupted)(void *user), void *user, int code)
{
    Job job = {.work = work, .user = user, .waiter = pthread_self()};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);

    Thread thread;
    if (!thread_start(&thread, run_job, &job))
        return -1;
    int got, seen = 0;
    while (sigwait(&signals, &got) == 0 && got != SIGUSR1) {
        if (seen++)
            _exit(code);
        interrupted(user);
    }
    thread_join(thread);
    return job.result;
}

#endif
