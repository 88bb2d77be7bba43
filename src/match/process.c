// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/process.h"
#include "base/clock.h"
#include <stdlib.h>
#include <string.h>

enum {
    WRITE_PATIENCE_US = 10 * 1000 * 1000,
    EXIT_PERIOD_MS = 2,
    DRAIN_PERIOD_MS = 50,
    READ_CHUNK = 1 << 16
};

struct Process {
    Child *child;
    const Interrupt *interrupt;
    char *data; /* bytes [start, end) were read and not yet handed out */
    size_t start, end, scanned, capacity;
    bool silent;     /* the child's output is at its end */
    bool skipping;   /* the tail of a line that is too long */
    int64_t read_at; /* when the last bytes came */
};

Process *process_start(Guard *guard, const Interrupt *interrupt, const Command *command, Error *err)
{
    Process *p = calloc(1, sizeof *p);
    if (!p) {
        error_code(err, "NO_MEMORY", 0, "out of memory");
        return NULL;
    }
    p->interrupt = interrupt;
    p->child = child_start(guard, command, err);
    if (!p->child) {
        free(p);
        return NULL;
    }
    return p;
}

/* Makes room for a chunk behind the unread bytes. */
static bool make_room(Process *p)
{
    if (p->start > 0) {
        memmove(p->data, p->data + p->start, p->end - p->start);
        p->end -= p->start;
        p->scanned -= p->start;
        p->start = 0;
    }
    if (p->capacity - p->end >= READ_CHUNK)
        return true;
    const size_t wanted =
        p->capacity * 2 > p->end + READ_CHUNK ? p->capacity * 2 : p->end + READ_CHUNK;
    char *grown = realloc(p->data, wanted);
    if (!grown)
        return false;
    p->data = grown;
    p->capacity = wanted;
    return true;
}

/* Takes what is there to be read. Without memory to hold it, the child might as well be silent. */
static void take_input(Process *p)
{
    const ptrdiff_t got = make_room(p) ? child_read(p->child, p->data + p->end, READ_CHUNK) : -1;
    p->silent = got < 0;
    if (got <= 0)
        return;
    p->end += (size_t)got;
    p->read_at = clock_us();
}

bool process_read_now(Process *p, Str *line)
{
    while (p->scanned < p->end) {
        char *newline = memchr(p->data + p->scanned, '\n', p->end - p->scanned);
        const size_t stop = newline ? (size_t)(newline - p->data) : p->end;
        if (!newline && stop - p->start < PROCESS_LINE_MAX) {
            p->scanned = stop;
            return false;
        }
        const bool skip = p->skipping;
        *line = str_trim((Str){p->data + p->start, stop - p->start});
        p->start = p->scanned = newline ? stop + 1 : stop;
        p->skipping = !newline;
        if (!skip)
            return true;
    }
    return false;
}

ReadStatus process_read(Process *p, int64_t deadline, Str *line, int64_t *when)
{
    for (;;) {
        if (process_read_now(p, line)) {
            *when = p->read_at;
            return READ_LINE;
        }
        if (p->silent)
            return READ_END;
        const unsigned ready = child_wait(p->child, CHILD_READABLE, p->interrupt, deadline);
        if (ready & CHILD_INTERRUPTED)
            return READ_INTERRUPTED;
        if (ready & CHILD_READABLE)
            take_input(p);
        if (!ready && clock_us() >= deadline)
            return READ_TIMEOUT;
    }
}

bool process_write(Process *p, Str text)
{
    const int64_t deadline = clock_us() + WRITE_PATIENCE_US;
    while (text.len > 0) {
        const ptrdiff_t sent = child_write(p->child, text.ptr, text.len);
        if (sent < 0)
            return false;
        text.ptr += sent;
        text.len -= (size_t)sent;
        if (sent > 0)
            continue;
        const unsigned wanted = CHILD_WRITABLE | (p->silent ? 0 : CHILD_READABLE);
        const unsigned ready = child_wait(p->child, wanted, p->interrupt, deadline);
        if ((ready & CHILD_INTERRUPTED) || (!ready && clock_us() >= deadline))
            return false;
        if (ready & CHILD_READABLE)
            take_input(p);
    }
    return true;
}

/* Its last words are read and dropped, or a full pipe would keep it from leaving. */
static void drain(Process *p)
{
    if (p->silent) {
        clock_sleep_ms(EXIT_PERIOD_MS);
        return;
    }
    const int64_t until = clock_us() + DRAIN_PERIOD_MS * 1000;
    if (child_wait(p->child, CHILD_READABLE, NULL, until) & CHILD_READABLE) {
        p->start = p->end = p->scanned = 0;
        take_input(p);
    }
}

void process_stop(Process *p, int64_t grace_ms, ProcessEnd *end)
{
    if (!p)
        return;
    child_close_input(p->child);
    const int64_t deadline = clock_us() + grace_ms * 1000;
    while (!child_ended(p->child) && clock_us() < deadline)
        drain(p);
    ProcessEnd unread;
    child_reap(p->child, end ? end : &unread);
    free(p->data);
    free(p);
}
