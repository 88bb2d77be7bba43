// SPDX-License-Identifier: GPL-3.0-or-later
/* samara-match -- plays chess engines against each other and judges the result. */
#include "base/cpu.h"
#include "base/file.h"
#include "base/app.h"
#include "chess/attacks.h"
#include "match/command.h"

typedef struct Invocation {
    Context context;
    int argc;
    char **argv;
} Invocation;

static int work(void *user)
{
    Invocation *job = user;
    return command_run(&job->context, job->argc, job->argv);
}

/* The first wish to end ends the match in good order, the second ends us (and that the engines). */
static void interrupted(void *user) { interrupt_raise(&((Invocation *)user)->context.interrupt); }

/* A guard process ends the engines even if we are killed, so it is started before any of them. */
int main(int argc, char **argv)
{
    app_begin(&argc, &argv);
    if (cpu_lacks()) {
        fprintf(stderr, "samara-match: this build needs a processor with %s\n", cpu_lacks());
        return EXIT_ENGINE;
    }
    Invocation job = {.context = {.out = stdout, .err = stderr, .terminal = app_is_terminal(2)},
                      .argc = argc - 1,
                      .argv = argv + 1};
    Error err;
    if (!guard_start(&job.context.guard, &err) || !interrupt_init(&job.context.interrupt, &err)) {
        fprintf(stderr, "samara-match: %s\n", err.text);
        return EXIT_ENGINE;
    }
    attacks_init();

    int code = app_run(work, interrupted, &job, EXIT_INTERRUPTED);
    if (code < 0)
        code = EXIT_ENGINE;
    if (code == EXIT_OK && !file_flush_output(&err)) {
        fprintf(stderr, "samara-match: %s\n", err.text);
        code = EXIT_USAGE;
    }
    interrupt_free(&job.context.interrupt);
    guard_stop(&job.context.guard);
    return code;
}
