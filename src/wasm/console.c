// SPDX-License-Identifier: GPL-3.0-or-later
/* console.c -- front/console.h for a module whose host brings lines in and takes lines away: no
 * descriptors, no threads of its own. */
#include "wasm/console.h"

#include "base/thread.h"
#include "wasm/host_calls.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct Console {
    Mutex lock; /* of the queue: searches signal from their threads */
    EventQueue lines;
    int signals;
    Event mark;
    Buffer out; /* lines on their way to the host, each with its newline */
};

Console *console_open(int in, int out, Error *err)
{
    (void)in;
    (void)out;
    Console *c = calloc(1, sizeof *c);
    if (!c) {
        error_code(err, "NO_MEMORY", 0, "not enough memory to talk");
        return NULL;
    }
    mutex_init(&c->lock);
    event_queue_init(&c->lines);
    return c;
}

void console_close(Console *c)
{
    event_queue_free(&c->lines);
    mutex_destroy(&c->lock);
    buffer_free(&c->out);
    free(c);
}

/* Only the thread that talks to the host: so lines keep their order, whoever wrote them. */
bool console_flush(Console *c)
{
    mutex_lock(&c->lock);
    const Buffer out = c->out;
    c->out = (Buffer){0};
    mutex_unlock(&c->lock);
    if (out.len > 0)
        host_write(out.data, out.len);
    free(out.data);
    return true;
}

bool console_failed(Console *c, Error *err)
{
    (void)c;
    (void)err;
    return false;
}

/* --- in --- */

bool console_hear(Console *c, Str line)
{
    Event *event = event_new_line(line.ptr, line.len);
    if (!event)
        return false;
    mutex_lock(&c->lock);
    event_queue_add(&c->lines, event);
    mutex_unlock(&c->lock);
    return true;
}

/* Signals come before lines, as in front/console.c. */
Event *console_next(Console *c)
{
    Event *event = NULL;
    mutex_lock(&c->lock);
    if (c->signals > 0) {
        c->signals--;
        c->mark.kind = CONSOLE_SIGNAL;
        event = &c->mark;
    } else {
        event = event_queue_take(&c->lines);
    }
    mutex_unlock(&c->lock);
    return event;
}

void console_unread(Console *c, Event *event)
{
    if (event->kind != CONSOLE_LINE)
        return;
    mutex_lock(&c->lock);
    event_queue_return(&c->lines, event);
    mutex_unlock(&c->lock);
}

void console_signal(Console *c)
{
    mutex_lock(&c->lock);
    c->signals++;
    mutex_unlock(&c->lock);
    host_wake();
}

/* --- out --- */

void console_put(Console *c, Str line)
{
    mutex_lock(&c->lock);
    if (buffer_reserve(&c->out, line.len + 1)) {
        buffer_append(&c->out, line.ptr, line.len);
        buffer_putc(&c->out, '\n');
    }
    c->out.failed = false;
    mutex_unlock(&c->lock);
    if (thread_exists())
        host_wake();
    else
        console_flush(c);
}

void console_put_droppable(Console *c, Str line) { console_put(c, line); }

void console_printf(Console *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const size_t size = len < 0 ? 0 : (size_t)len;
    console_put(c, (Str){text, size < sizeof text ? size : sizeof text - 1});
}

bool console_log(Console *c, const char *path, Error *err)
{
    (void)c;
    return !path[0] || error_code(err, "FILE", 0, "there are no files here");
}
