// SPDX-License-Identifier: GPL-3.0-or-later
/* process.h -- child programs that talk in lines, and the promise that none of them outlives us.
 *
 * Each child leads a process group of its own, so that what it starts dies with it. A guard
 * process, forked before any thread exists, kills every group that is still registered when our end
 * of its pipe closes: that is, however we end, SIGKILL included. Reading and writing sleep in
 * poll(), and an Interrupt wakes all of them at once. */
#ifndef SAMARA_MATCH_PROCESS_H
#define SAMARA_MATCH_PROCESS_H

#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"
#include <stdbool.h>
#include <stdint.h>

/* A flag that poll() can see. Raised once, it stays raised. */
typedef struct Interrupt {
    int fd[2];
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

bool guard_start(Guard *guard,
                 Error *err); /* call it while there is only one thread; ignores SIGPIPE for good */
void guard_stop(Guard *guard);

typedef struct Command {
    char *const *argv;       /* NULL-terminated; argv[0] is looked up in PATH */
    const char *directory;   /* to run it in, or NULL */
    const char *stderr_path; /* appended to, or NULL: thrown away */
} Command;

typedef struct Process Process;

enum { PROCESS_LINE_MAX = 1 << 20 }; /* longer lines lose their tail */

typedef enum ReadStatus { READ_LINE, READ_TIMEOUT, READ_END, READ_INTERRUPTED } ReadStatus;

/* NULL and *err set if the program cannot be started (not found, no permission, no more
 * processes...). */
Process *process_start(Guard *guard, const Interrupt *interrupt, const Command *command,
                       Error *err);

/* Writes all of it, reading meanwhile what the child says so that neither side can block the other.
 * False if the child has closed its input, does not take it within ten seconds, or an interrupt
 * came. */
bool process_write(Process *process, Str text);

/* The next line, without its end; valid until the next call. *when: the moment its last byte was
 * read. READ_TIMEOUT once `deadline` (of clock_us) has passed and no complete line is there. */
ReadStatus process_read(Process *process, int64_t deadline, Str *line, int64_t *when);
/* A line that has arrived already; false at once if there is none. */
bool process_read_now(Process *process, Str *line);

typedef struct ProcessEnd {
    bool by_itself; /* it went when asked, within the grace */
    int status;     /* exit code, or -1 */
    int signal;     /* that ended it, or 0 */
} ProcessEnd;

/* Closes the child's input, gives it `grace_ms` to end, kills what is left of its group, frees.
 * `end` may be NULL. */
void process_stop(Process *process, int64_t grace_ms, ProcessEnd *end);

#endif
