// SPDX-License-Identifier: GPL-3.0-or-later
/* child.h -- child programs on pipes, and the promise that none of them outlives us.
 *
 * POSIX: each child leads a process group of its own, so that what it starts dies with it. A guard
 * process, forked before any thread exists, kills every group that is still registered when our end
 * of its pipe closes: that is, however we end, SIGKILL included. Windows: each child has a job
 * object that dies with us. Waiting sleeps, and an Interrupt wakes all who wait at once. */
#ifndef SAMARA_BASE_CHILD_H
#define SAMARA_BASE_CHILD_H

#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"

/* A flag that sleepers see. Raised once, it stays raised. */
typedef struct Interrupt {
    intptr_t end[2]; /* of the system */
} Interrupt;

bool interrupt_init(Interrupt *interrupt, Error *err);
void interrupt_raise(const Interrupt *interrupt); /* safe in a signal handler */
bool interrupt_raised(const Interrupt *interrupt);
bool interrupt_wait(const Interrupt *interrupt, int64_t ms); /* sleeps; true if raised */
void interrupt_free(Interrupt *interrupt);

/* The guard, and the lock under which children are started (a file descriptor must not leak into a
 * sibling). */
typedef struct Guard {
    int pipe; /* write end: pids of group leaders, negative when they are gone */
    int pid;
    Mutex starting;
} Guard;

/* Call it while there is only one thread; writing to a child that is gone fails from then on, and
 * does not end us. */
bool guard_start(Guard *guard, Error *err);
void guard_stop(Guard *guard);

typedef struct Command {
    char *const *argv;       /* NULL-terminated; argv[0] is looked up in PATH */
    const char *directory;   /* to run it in, or NULL */
    const char *stderr_path; /* appended to, or NULL: thrown away */
} Command;

typedef struct Child Child;

/* NULL and *err set if the program cannot be started (not found, no permission, no more
 * processes...). */
Child *child_start(Guard *guard, const Command *command, Error *err);

enum { CHILD_READABLE = 1, CHILD_WRITABLE = 2, CHILD_INTERRUPTED = 4 };
/* Sleeps until something of `wanted` can be done, the interrupt (NULL: none) is raised or the
 * deadline (of clock_us) has passed: then 0. It may be 0 earlier. */
unsigned child_wait(Child *child, unsigned wanted, const Interrupt *interrupt, int64_t deadline);
/* Neither waits: bytes done, 0 if there is nothing to be done now, -1 at the end: the child has
 * closed its side. */
ptrdiff_t child_read(Child *child, void *to, size_t room);
ptrdiff_t child_write(Child *child, const void *bytes, size_t len);

void child_close_input(Child *child);
bool child_ended(Child *child);

typedef struct ChildEnd {
    bool by_itself; /* it went when asked, within the grace */
    int status;     /* exit code, or -1 */
    int signal;     /* that ended it, or 0 */
} ChildEnd;

/* Kills what is left of the child and of those that it started, and frees. */
void child_reap(Child *child, ChildEnd *end);

#endif
