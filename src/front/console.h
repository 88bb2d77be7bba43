// SPDX-License-Identifier: GPL-3.0-or-later
/* console.h -- lines in, lines out, for protocols on two file descriptors.
 *
 * A reader thread only reads and splits lines, so that no command waits behind a search. Lines out
 * are written at once where the client reads them; where it does not, a writer thread keeps them,
 * and those that may be dropped are. A client that is gone (end of input, broken pipe) shows as
 * CONSOLE_END. */
#ifndef SAMARA_FRONT_CONSOLE_H
#define SAMARA_FRONT_CONSOLE_H

#include "base/error.h"
#include "base/text.h"
#include "front/event_queue.h"

enum { CONSOLE_MAX_LINE = 16 << 20 }; /* bytes; a longer line is skipped to its end */

typedef struct Console Console;

Console *console_open(int in, int out, Error *err); /* NULL if there is no memory or no thread */
/* Writes what is left, for at most a second, and ends both threads. Nobody may use it any more. */
void console_close(Console *c);
bool console_flush(Console *c); /* false: the client did not read within a second */
/* What was written could not be delivered, for another reason than a client that is gone. */
bool console_failed(Console *c, Error *err);

/* Sleeps until something happens. The caller hands the event back to event_free() or
 * console_unread(). */
Event *console_next(Console *c);
void console_unread(Console *c, Event *event); /* the next call of console_next() gives it again */
void console_signal(Console *c);               /* from any thread; never fails */

/* From any thread; a newline is added. */
void console_put(Console *c, Str line);
void console_printf(Console *c, const char *format, ...) PRINTF_LIKE(2, 3);
void console_put_droppable(Console *c, Str line); /* lost if the client does not read */

/* Copies the conversation to a file from now on; "" ends it. False, and the old one goes on, if the
 * file cannot be written. */
bool console_log(Console *c, const char *path, Error *err);

#endif
