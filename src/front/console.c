// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/console.h"

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    READ_SIZE = 1 << 16,
    QUEUE_MAX = 64 << 20, /* bytes of unread lines: then the reader lets the client wait */
    DROP_ABOVE = 1 << 16, /* bytes of unwritten lines: then droppable ones are dropped */
    CLOSE_WAIT_MS = 1000,
};

struct Console {
    Channel channel;
    Thread reader, writer;

    Mutex in_lock;
    Cond in_ready, in_room;
    EventQueue lines;
    int signals;
    bool too_long, no_memory, log_lost, ended, closing;
    Event mark; /* what console_next() hands out for everything but a line; its kind is all that
                   matters */

    Mutex out_lock;
    Cond out_ready, out_idle;
    Buffer pending, writing;
    bool busy, broken, finish; /* the writer holds `writing`; output failed; leave when done */
    int broken_by;             /* errno of the write that failed */

    Mutex log_lock;
    FILE *log;
};

/* --- log --- */

static bool write_log(FILE *log, const char *direction, Str line)
{
    fprintf(log, "%lld %s ", (long long)clock_ms(), direction);
    fwrite(line.ptr, 1, line.len, log);
    fputc('\n', log);
    return fflush(log) == 0 && !ferror(log);
}

static void raise_flag(Console *c, bool *flag)
{
    mutex_lock(&c->in_lock);
    *flag = true;
    cond_signal(&c->in_ready);
    mutex_unlock(&c->in_lock);
}

static void log_line(Console *c, const char *direction, Str line)
{
    mutex_lock(&c->log_lock);
    if (c->log && !write_log(c->log, direction, line)) {
        fclose(c->log);
        c->log = NULL;
        raise_flag(c, &c->log_lost);
    }
    mutex_unlock(&c->log_lock);
}

/* The new file is opened and written to first, so that a wrong path leaves the old log in place. */
bool console_log(Console *c, const char *path, Error *err)
{
    FILE *file = NULL;
    if (path[0] && !(file = file_append(path, err)))
        return false;
    if (file && !write_log(file, "--", STR("the log begins"))) {
        error_code(err, "FILE", 0, "cannot write '%.128s': %s", path, strerror(errno));
        fclose(file);
        return false;
    }
    mutex_lock(&c->log_lock);
    if (c->log)
        fclose(c->log);
    c->log = file;
    mutex_unlock(&c->log_lock);
    return true;
}

/* --- in --- */

/* Blocks the reader, and so the client, when too many lines wait: memory stays bounded. */
static void queue_line(Console *c, const char *text, size_t len)
{
    log_line(c, ">>", (Str){text, len});
    Event *event = event_new_line(text, len);
    mutex_lock(&c->in_lock);
    while (c->lines.bytes > QUEUE_MAX && !c->closing)
        cond_wait(&c->in_room, &c->in_lock);
    if (event)
        event_queue_add(&c->lines, event);
    else
        c->no_memory = true;
    cond_signal(&c->in_ready);
    mutex_unlock(&c->in_lock);
}

/* Joins the pieces of a line; one that grows too long, or finds no memory, is skipped to its
 * newline. */
typedef struct Splitter {
    Buffer line;
    bool skipping;
} Splitter;

static void split_end_line(Console *c, Splitter *s)
{
    if (!s->skipping)
        queue_line(c, buffer_text(&s->line), s->line.len);
    s->skipping = false;
    if (s->line.capacity > READ_SIZE || s->line.failed)
        buffer_free(&s->line);
    else
        buffer_clear(&s->line);
}

static void split_append(Console *c, Splitter *s, const char *text, size_t len)
{
    if (s->skipping)
        return;
    buffer_append(&s->line, text, len);
    if (s->line.failed || s->line.len > CONSOLE_MAX_LINE) {
        raise_flag(c, s->line.failed ? &c->no_memory : &c->too_long);
        s->skipping = true;
        buffer_free(&s->line);
    }
}

/* Cuts what was read into lines; a line may come in many pieces. */
static void split(Console *c, Splitter *s, const char *bytes, size_t count)
{
    const char *end = bytes + count;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        split_append(c, s, bytes, (size_t)((newline ? newline : end) - bytes));
        if (!newline)
            return;
        split_end_line(c, s);
        bytes = newline + 1;
    }
}

/* The thread that reads: commands arrive while a search runs, and `stop` must not wait. */
static void *read_lines(void *arg)
{
    Console *c = arg;
    thread_prompt();
    Splitter splitter = {0};
    char bytes[READ_SIZE];
    for (size_t count; (count = channel_read(&c->channel, bytes, sizeof bytes)) > 0;)
        split(c, &splitter, bytes, count);
    if (splitter.line.len > 0) /* the last line may lack its newline */
        split_end_line(c, &splitter);
    buffer_free(&splitter.line);
    raise_flag(c, &c->ended);
    return NULL;
}

static bool take_flag(bool *flag)
{
    const bool was = *flag;
    *flag = false;
    return was;
}

/* Signals come first, then lines in their order, then what else happened. */
static Event *next_event(Console *c)
{
    c->mark.kind = CONSOLE_SIGNAL;
    if (c->signals > 0) {
        c->signals--;
        return &c->mark;
    }
    if (take_flag(&c->log_lost)) {
        c->mark.kind = CONSOLE_LOG_LOST;
        return &c->mark;
    }
    Event *event = event_queue_take(&c->lines);
    if (event) {
        cond_signal(&c->in_room);
        return event;
    }
    if (take_flag(&c->too_long))
        c->mark.kind = CONSOLE_TOO_LONG;
    else if (take_flag(&c->no_memory))
        c->mark.kind = CONSOLE_NO_MEMORY;
    else if (take_flag(&c->ended))
        c->mark.kind = CONSOLE_END;
    else
        return NULL;
    return &c->mark;
}

Event *console_next(Console *c)
{
    Event *event;
    mutex_lock(&c->in_lock);
    while (!(event = next_event(c)))
        cond_wait(&c->in_ready, &c->in_lock);
    mutex_unlock(&c->in_lock);
    return event;
}

/* For the front end that finds out that the client speaks another protocol. */
void console_unread(Console *c, Event *event)
{
    if (event->kind != CONSOLE_LINE)
        return;
    mutex_lock(&c->in_lock);
    event_queue_return(&c->lines, event);
    mutex_unlock(&c->in_lock);
}

void console_signal(Console *c)
{
    mutex_lock(&c->in_lock);
    c->signals++;
    cond_signal(&c->in_ready);
    mutex_unlock(&c->in_lock);
}

/* --- out --- */

/* The thread that writes: a client that does not read may block it, and nobody else. */
static void *write_lines(void *arg)
{
    Console *c = arg;
    thread_prompt();
    mutex_lock(&c->out_lock);
    for (;;) {
        while (c->pending.len == 0 && !c->finish)
            cond_wait(&c->out_ready, &c->out_lock);
        if (c->pending.len == 0 || c->broken)
            break;
        const Buffer full = c->pending;
        c->pending = c->writing;
        c->writing = full;
        c->busy = true;
        mutex_unlock(&c->out_lock);
        const int failure = channel_write(&c->channel, full.data, full.len);
        mutex_lock(&c->out_lock);
        c->busy = false;
        c->broken_by = failure;
        c->broken = failure != 0;
        buffer_clear(&c->writing);
        cond_broadcast(&c->out_idle);
        if (failure)
            raise_flag(c, &c->ended);
    }
    mutex_unlock(&c->out_lock);
    return NULL;
}

static bool nothing_waits(const Console *c) { return !c->busy && c->pending.len == 0; }

static void write_now(Console *c, const char *text, size_t len)
{
    c->broken_by = channel_write(&c->channel, text, len);
    if (c->broken_by == 0)
        return;
    c->broken = true;
    raise_flag(c, &c->ended);
}

/* `text` ends in a newline. Called with out_lock held. */
static void put_locked(Console *c, const char *text, size_t len, bool droppable)
{
    if (c->broken || (droppable && c->pending.len > DROP_ABOVE))
        return;
    if (nothing_waits(c) && len <= CHANNEL_DIRECT && channel_ready(&c->channel)) {
        write_now(c, text, len);
        return;
    }
    buffer_append(&c->pending, text, len);
    cond_signal(&c->out_ready);
    if (!c->pending.failed)
        return;
    /* No memory to keep the line: wait for the client instead. */
    c->pending.failed = false;
    while (!nothing_waits(c) && !c->broken)
        cond_wait(&c->out_idle, &c->out_lock);
    if (!c->broken)
        write_now(c, text, len);
}

/* Text and newline go out in one write, so that lines of different threads never mix. */
static void put_line(Console *c, Str line, bool droppable)
{
    log_line(c, "<<", line);
    char small[CHANNEL_DIRECT];
    char *text = line.len < sizeof small ? small : malloc(line.len + 1);
    if (!text)
        return;
    memcpy(text, line.ptr, line.len);
    text[line.len] = '\n';
    mutex_lock(&c->out_lock);
    put_locked(c, text, line.len + 1, droppable);
    mutex_unlock(&c->out_lock);
    if (text != small)
        free(text);
}

void console_put(Console *c, Str line) { put_line(c, line, false); }

void console_put_droppable(Console *c, Str line) { put_line(c, line, true); }

void console_printf(Console *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const size_t size = len < 0 ? 0 : (size_t)len;
    put_line(c, (Str){text, size < sizeof text ? size : sizeof text - 1}, false);
}

/* --- life --- */

static void finish_writer(Console *c)
{
    mutex_lock(&c->out_lock);
    c->finish = true;
    cond_signal(&c->out_ready);
    mutex_unlock(&c->out_lock);
    thread_join(c->writer);
}

static bool start_threads(Console *c)
{
    if (!thread_start(&c->writer, write_lines, c))
        return false;
    if (thread_start(&c->reader, read_lines, c))
        return true;
    finish_writer(c);
    return false;
}

/* Both threads have ended. */
static void destroy(Console *c)
{
    channel_close(&c->channel);
    event_queue_free(&c->lines);
    buffer_free(&c->pending);
    buffer_free(&c->writing);
    if (c->log)
        fclose(c->log);
    mutex_destroy(&c->in_lock);
    mutex_destroy(&c->out_lock);
    mutex_destroy(&c->log_lock);
    cond_destroy(&c->in_ready);
    cond_destroy(&c->in_room);
    cond_destroy(&c->out_ready);
    cond_destroy(&c->out_idle);
    free(c);
}

/* A pipe wakes the reader when the console closes: it sleeps in poll() until then. */
Console *console_open(int in, int out, Error *err)
{
    Console *c = calloc(1, sizeof *c);
    if (!c || !channel_open(&c->channel, in, out)) {
        error_code(err, "NO_MEMORY", 0, "not enough memory or files to talk");
        free(c);
        return NULL;
    }
    event_queue_init(&c->lines);
    mutex_init(&c->in_lock);
    mutex_init(&c->out_lock);
    mutex_init(&c->log_lock);
    cond_init(&c->in_ready);
    cond_init(&c->in_room);
    cond_init(&c->out_ready);
    cond_init(&c->out_idle);
    if (start_threads(c))
        return c;
    error_code(err, "NO_THREAD", 0, "the system has no thread left");
    destroy(c);
    return NULL;
}

bool console_flush(Console *c)
{
    const int64_t end = clock_ms() + CLOSE_WAIT_MS;
    mutex_lock(&c->out_lock);
    while (!nothing_waits(c) && !c->broken && clock_ms() < end)
        cond_wait_for(&c->out_idle, &c->out_lock, end - clock_ms());
    const bool idle = !c->busy;
    mutex_unlock(&c->out_lock);
    return idle;
}

bool console_failed(Console *c, Error *err)
{
    console_flush(c);
    mutex_lock(&c->out_lock);
    const int failure = c->broken && c->broken_by != EPIPE ? c->broken_by : 0;
    mutex_unlock(&c->out_lock);
    if (failure)
        error_code(err, "FILE", 0, "cannot write to standard output: %s", strerror(failure));
    return failure != 0;
}

/* Ends the threads in order: first the reader may stop waiting for room, then the output is
 * flushed. */
void console_close(Console *c)
{
    mutex_lock(&c->in_lock);
    c->closing = true;
    cond_signal(&c->in_room);
    mutex_unlock(&c->in_lock);
    const bool woken = channel_stop(&c->channel);
    /* Else a thread hangs in the system with our memory; the process is about to end anyway. */
    if (!console_flush(c) || !woken)
        return;
    finish_writer(c);
    thread_join(c->reader);
    destroy(c);
}
