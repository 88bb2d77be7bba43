// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child.h"

#ifdef _WIN32

#include "base/clock.h"
#include "base/windows_text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* --- interrupt --- */

bool interrupt_init(Interrupt *interrupt, Error *err)
{
    interrupt->end[0] = (intptr_t)CreateEventW(NULL, TRUE, FALSE, NULL);
    return interrupt->end[0] || error_set(err, "the system has no event left");
}

void interrupt_raise(const Interrupt *interrupt) { SetEvent((HANDLE)interrupt->end[0]); }

bool interrupt_wait(const Interrupt *interrupt, int64_t ms)
{
    const DWORD wait = ms < 0 ? 0 : ms >= INFINITE ? INFINITE - 1 : (DWORD)ms;
    return WaitForSingleObject((HANDLE)interrupt->end[0], wait) == WAIT_OBJECT_0;
}

bool interrupt_raised(const Interrupt *interrupt) { return interrupt_wait(interrupt, 0); }
void interrupt_free(Interrupt *interrupt) { CloseHandle((HANDLE)interrupt->end[0]); }

/* --- guard: the jobs of the children do its work --- */

bool guard_start(Guard *guard, Error *err)
{
    (void)err;
    mutex_init(&guard->starting);
    return true;
}

void guard_stop(Guard *guard) { mutex_destroy(&guard->starting); }

/* --- child --- */

enum { CHUNK = 1 << 16 };

/* Our end of a pipe, one transfer at a time. */
typedef struct Pipe {
    HANDLE handle; /* NULL when closed */
    OVERLAPPED transfer;
    bool pending;
    DWORD len, taken; /* of a read: bytes in the chunk, and how many were handed out */
    char chunk[CHUNK];
} Pipe;

struct Child {
    HANDLE process, job;
    Pipe in, out; /* we write to `in`, read from `out` */
};

static bool pipe_pending(Pipe *pipe, BOOL done)
{
    pipe->pending = !done && GetLastError() == ERROR_IO_PENDING;
    return done || pipe->pending;
}

/* A transfer under way writes into our memory: it is cancelled and waited for first. */
static void pipe_close(Pipe *pipe)
{
    if (!pipe->handle)
        return;
    DWORD moved;
    if (pipe->pending && CancelIoEx(pipe->handle, &pipe->transfer))
        GetOverlappedResult(pipe->handle, &pipe->transfer, &moved, TRUE);
    CloseHandle(pipe->handle);
    CloseHandle(pipe->transfer.hEvent);
    pipe->handle = NULL;
    pipe->pending = false;
}

/* A pipe of two ends: ours, on which one need not wait, and `theirs`, which children inherit.
 * Anonymous pipes cannot do that; so it has a name, which nobody else knows or may open. */
static bool pipe_open(Pipe *pipe, bool we_write, HANDLE *theirs, Error *err)
{
    static AtomicU64 counter;
    wchar_t name[80];
    const DWORD mode = PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS;
    const DWORD access = we_write ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND;
    _snwprintf(name, 80, L"\\\\.\\pipe\\samara-%lu-%llu", (unsigned long)GetCurrentProcessId(),
               (unsigned long long)relaxed_add(&counter, 1));
    HANDLE ours =
        CreateNamedPipeW(name, access | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE, mode,
                         1, CHUNK, CHUNK, 0, NULL);
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    *theirs = ours == INVALID_HANDLE_VALUE
                  ? INVALID_HANDLE_VALUE
                  : CreateFileW(name, we_write ? GENERIC_READ : GENERIC_WRITE, 0, &inherit,
                                OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    pipe->transfer.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (*theirs != INVALID_HANDLE_VALUE && pipe->transfer.hEvent) {
        pipe->handle = ours;
        return true;
    }
    if (ours != INVALID_HANDLE_VALUE)
        CloseHandle(ours);
    return error_set(err, "no pipe: system error %lu", (unsigned long)GetLastError());
}

/* One argument, as programs for Windows take a command line apart: quotes around it, a backslash
 * before a quote within it, and backslashes doubled where a quote follows. */
static void quote(Buffer *line, const char *word)
{
    size_t slashes = 0;
    buffer_putc(line, '"');
    for (const char *at = word; *at; at++) {
        if (*at == '"')
            for (size_t i = 0; i <= slashes; i++)
                buffer_putc(line, '\\');
        slashes = *at == '\\' ? slashes + 1 : 0;
        buffer_putc(line, *at);
    }
    for (size_t i = 0; i < slashes; i++)
        buffer_putc(line, '\\');
    buffer_putc(line, '"');
}

/* Windows has one text for all arguments; each is quoted as its own runtime reads it. */
static wchar_t *command_line(char *const *argv)
{
    Buffer line = {0};
    for (int i = 0; argv[i]; i++) {
        if (i > 0)
            buffer_putc(&line, ' ');
        quote(&line, argv[i]);
    }
    wchar_t *wide = line.failed ? NULL : windows_wide(buffer_text(&line));
    buffer_free(&line);
    return wide;
}

static HANDLE open_errors(const char *path)
{
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    wchar_t *wide = windows_wide(path ? path : "NUL");
    HANDLE handle = INVALID_HANDLE_VALUE;
    if (wide)
        handle = CreateFileW(wide, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                             OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    free(wide);
    return handle;
}

/* Everything that the child starts belongs to its job, and the job ends with the last handle to it,
 * which is ours. */
static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job &&
        !SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits)) {
        CloseHandle(job);
        job = NULL;
    }
    return job;
}

/* Asleep at first: it joins its job before it can start anything. Ctrl-C is for us alone. */
static bool create(Child *c, const Command *command, HANDLE in, HANDLE out, HANDLE errors)
{
    wchar_t *line = command_line(command->argv);
    wchar_t *directory = command->directory ? windows_wide(command->directory) : NULL;
    STARTUPINFOW start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = in,
                          .hStdOutput = out,
                          .hStdError = errors};
    PROCESS_INFORMATION made = {0};
    const bool ok = line && (directory || !command->directory) &&
                    CreateProcessW(NULL, line, NULL, NULL, TRUE,
                                   CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW,
                                   NULL, directory, &start, &made);
    if (!ok)
        windows_set_errno();
    free(line);
    free(directory);
    if (!ok)
        return false;
    c->process = made.hProcess;
    const bool joined = AssignProcessToJobObject(c->job, made.hProcess);
    if (joined)
        ResumeThread(made.hThread);
    else
        TerminateProcess(made.hProcess, 1);
    CloseHandle(made.hThread);
    if (!joined)
        errno = EACCES;
    return joined;
}

static void close_handle(HANDLE handle)
{
    if (handle && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
}

/* The lock keeps a concurrent start from inheriting our handles. */
static bool launch(Child *c, Guard *guard, const Command *command, Error *err)
{
    HANDLE in = NULL, out = NULL, errors = NULL;
    mutex_lock(&guard->starting);
    bool ok = pipe_open(&c->in, true, &in, err) && pipe_open(&c->out, false, &out, err);
    if (ok) {
        c->job = make_job();
        errors = open_errors(command->stderr_path);
        ok = errors != INVALID_HANDLE_VALUE ||
             error_set(err, "cannot write '%.128s'", command->stderr_path);
        ok = ok && (c->job || error_set(err, "the system has no job object left"));
        ok = ok && (create(c, command, in, out, errors) ||
                    error_set(err, "cannot run '%s': %s", command->argv[0], strerror(errno)));
    }
    close_handle(in);
    close_handle(out);
    close_handle(errors);
    mutex_unlock(&guard->starting);
    return ok;
}

static void destroy(Child *c)
{
    pipe_close(&c->in);
    pipe_close(&c->out);
    close_handle(c->process);
    close_handle(c->job);
    free(c);
}

/* Asks for the next bytes of the child. False at the end. */
static bool begin_read(Pipe *pipe)
{
    pipe->len = pipe->taken = 0;
    if (pipe_pending(pipe, ReadFile(pipe->handle, pipe->chunk, CHUNK, &pipe->len, &pipe->transfer)))
        return true;
    pipe_close(pipe);
    return false;
}

/* Has the transfer come to its end? */
static bool finish(Pipe *pipe, DWORD *moved)
{
    if (!pipe->pending)
        return true;
    if (GetOverlappedResult(pipe->handle, &pipe->transfer, moved, FALSE)) {
        pipe->pending = false;
        return true;
    }
    if (GetLastError() == ERROR_IO_INCOMPLETE)
        return false;
    pipe->pending = false;
    pipe_close(pipe);
    return true;
}

/* The first read is started at once: readiness is that it has ended. */
Child *child_start(Guard *guard, const Command *command, Error *err)
{
    Child *c = calloc(1, sizeof *c);
    if (!c) {
        error_code(err, "NO_MEMORY", 0, "out of memory");
        return NULL;
    }
    if (launch(c, guard, command, err)) {
        begin_read(&c->out);
        return c;
    }
    destroy(c);
    return NULL;
}

static bool readable(Child *c) { return !c->out.handle || finish(&c->out, &c->out.len); }

static bool writable(Child *c)
{
    DWORD moved;
    return !c->in.handle || finish(&c->in, &moved);
}

/* What is there already is told without sleeping; then all events are waited for together. */
unsigned child_wait(Child *c, unsigned wanted, const Interrupt *interrupt, int64_t deadline)
{
    unsigned found = interrupt && interrupt_raised(interrupt) ? CHILD_INTERRUPTED : 0u;
    found |= wanted & CHILD_READABLE && readable(c) ? CHILD_READABLE : 0u;
    found |= wanted & CHILD_WRITABLE && writable(c) ? CHILD_WRITABLE : 0u;
    if (found)
        return found;
    HANDLE watch[3];
    DWORD count = 0;
    if (interrupt)
        watch[count++] = (HANDLE)interrupt->end[0];
    if (wanted & CHILD_READABLE)
        watch[count++] = c->out.transfer.hEvent;
    if (wanted & CHILD_WRITABLE)
        watch[count++] = c->in.transfer.hEvent;
    const int64_t left = (deadline - clock_us() + 999) / 1000;
    const DWORD wait = left <= 0 ? 0 : left >= INFINITE ? INFINITE - 1 : (DWORD)left;
    if (WaitForMultipleObjects(count, watch, FALSE, wait) == WAIT_TIMEOUT)
        return 0;
    found = interrupt && interrupt_raised(interrupt) ? CHILD_INTERRUPTED : 0u;
    found |= wanted & CHILD_READABLE && readable(c) ? CHILD_READABLE : 0u;
    found |= wanted & CHILD_WRITABLE && writable(c) ? CHILD_WRITABLE : 0u;
    return found;
}

/* Gives out what the last transfer brought, and starts the next when that is used up. */
ptrdiff_t child_read(Child *c, void *to, size_t room)
{
    Pipe *pipe = &c->out;
    if (!readable(c))
        return 0;
    if (!pipe->handle)
        return -1;
    const DWORD left = pipe->len - pipe->taken;
    const DWORD count = room < left ? (DWORD)room : left;
    memcpy(to, pipe->chunk + pipe->taken, count);
    pipe->taken += count;
    if (pipe->taken == pipe->len && !begin_read(pipe) && count == 0)
        return -1;
    return count;
}

/* Copies what fits: the system reads our memory until the transfer ends. */
ptrdiff_t child_write(Child *c, const void *bytes, size_t len)
{
    Pipe *pipe = &c->in;
    if (!writable(c))
        return 0;
    if (!pipe->handle)
        return -1;
    const DWORD count = len < CHUNK ? (DWORD)len : CHUNK;
    memcpy(pipe->chunk, bytes, count);
    if (pipe_pending(pipe, WriteFile(pipe->handle, pipe->chunk, count, NULL, &pipe->transfer)))
        return count;
    pipe_close(pipe);
    return -1;
}

void child_close_input(Child *c) { pipe_close(&c->in); }
bool child_ended(Child *c) { return WaitForSingleObject(c->process, 0) == WAIT_OBJECT_0; }

/* A program that dies of an exception leaves its number as exit code: the signal that a POSIX system
 * would have sent. */
static int signal_of(DWORD code)
{
    switch (code) {
    case EXCEPTION_ILLEGAL_INSTRUCTION:
        return 4;
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
        return 8;
    default:
        return code >= 0xC0000000 ? 11 : 0;
    }
}

void child_reap(Child *c, ChildEnd *end)
{
    const bool ended = child_ended(c);
    TerminateJobObject(c->job, 1);
    WaitForSingleObject(c->process, INFINITE);
    DWORD code = 0;
    GetExitCodeProcess(c->process, &code);
    const int signal = !ended ? 9 : signal_of(code);
    *end = (ChildEnd){.by_itself = ended, .status = signal ? -1 : (int)code, .signal = signal};
    destroy(c);
}

#endif
