// SPDX-License-Identifier: GPL-3.0-or-later
/* event_queue.h -- what a console hears, and lines that wait, oldest first. The owner's lock guards them. */
#ifndef SAMARA_FRONT_EVENT_QUEUE_H
#define SAMARA_FRONT_EVENT_QUEUE_H

#include "base/text.h"

typedef enum EventKind {
    CONSOLE_LINE,
    CONSOLE_TOO_LONG,  /* a line was skipped: longer than CONSOLE_MAX_LINE */
    CONSOLE_NO_MEMORY, /* a line was lost */
    CONSOLE_LOG_LOST,  /* the log could not be written and was closed */
    CONSOLE_SIGNAL,    /* somebody called console_signal() */
    CONSOLE_END,       /* the client is gone; only signals can follow */
} EventKind;

typedef struct Event {
    struct Event *next; /* for queues of the receiver */
    EventKind kind;
    size_t len;
    const char *text; /* of a line: without its newline, NUL-terminated (and may contain NULs) */
} Event;

typedef struct EventQueue {
    Event *first, **last;
    size_t bytes; /* of all lines */
} EventQueue;

void event_queue_init(EventQueue *queue);
void event_queue_free(EventQueue *queue); /* frees the lines, too */
void event_queue_add(EventQueue *queue, Event *event);
void event_queue_return(EventQueue *queue, Event *event); /* before all others */
Event *event_queue_take(EventQueue *queue);               /* NULL: it is empty */

void event_free(Event *event);
Str event_line(const Event *event);                  /* trimmed */
Event *event_new_line(const char *text, size_t len); /* a copy; NULL if memory is short */

#endif
