// SPDX-License-Identifier: GPL-3.0-or-later
/* process.h -- child programs that talk in lines. Reading and writing sleep, and an Interrupt wakes
 * all of them at once. */
#ifndef SAMARA_MATCH_PROCESS_H
#define SAMARA_MATCH_PROCESS_H

#include "base/child.h"

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

typedef ChildEnd ProcessEnd;

/* Closes the child's input, gives it `grace_ms` to end, kills what is left of its group, frees.
 * `end` may be NULL. */
void process_stop(Process *process, int64_t grace_ms, ProcessEnd *end);

#endif
