// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/process.h"
#include "base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WRITE_PATIENCE_US = 10 * 1000 * 1000,
    EXIT_PERIOD_MS = 2,
    DRAIN_PERIOD_MS = 50,
    READ_CHUNK = 1 << 16
};

static void close_quietly(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool open_pipe(int fd[2], Error *err)
{
    if (pipe(fd)) {
        fd[0] = fd[1] = -1;
        return error_set(err, "no pipe: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++)
        fcntl(fd[i], F_SETFD, FD_CLOEXEC);
    return true;
}

static void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

/* --- interrupt --- */

bool interrupt_init(Interrupt *interrupt, Error *err)
{
    if (!open_pipe(interrupt->fd, err))
        return false;
    set_nonblocking(interrupt->fd[1]);
    return true;
}

void interrupt_raise(const Interrupt *interrupt)
{
    const int saved = errno;
    const ssize_t written = write(interrupt->fd[1], "!", 1);
    (void)written; /* a full pipe is raised already */
    errno = saved;
}

bool interrupt_wait(const Interrupt *interrupt, int64_t ms)
{
    struct pollfd watch = {.fd = interrupt->fd[0], .events = POLLIN};
    return poll(&watch, 1, ms > INT_MAX ? INT_MAX : (int)ms) > 0;
}

bool interrupt_raised(const Interrupt *interrupt) { return interrupt_wait(interrupt, 0); }

void interrupt_free(Interrupt *interrupt)
{
    close_quietly(&interrupt->fd[0]);
    close_quietly(&interrupt->fd[1]);
}

/* --- guard --- */

enum { GUARDED_MAX = 4096 };

/* Runs in the guard process: keeps the list of living groups until the pipe closes, then leaves
 * none of them. */
static void guard_watch(int pipe_end)
{
    pid_t group[GUARDED_MAX];
    int count = 0;
    int32_t message; /* shorter than PIPE_BUF and so never torn */
    while (read(pipe_end, &message, sizeof message) == sizeof message) {
        if (message > 0 && count < GUARDED_MAX)
            group[count++] = message;
        for (int i = 0; message < 0 && i < count; i++)
            if (group[i] == -message) {
                group[i] = group[--count];
                break;
            }
    }
    for (int i = 0; i < count; i++)
        kill(-group[i], SIGKILL);
}

static void guard_tell(int pipe_end, int32_t message)
{
    while (write(pipe_end, &message, sizeof message) < 0 && errno == EINTR)
        continue;
}

bool guard_start(Guard *guard, Error *err)
{
    int fd[2];
    if (!open_pipe(fd, err))
        return false;
    const pid_t pid = fork();
    if (pid < 0) {
        close(fd[0]);
        close(fd[1]);
        return error_set(err, "cannot fork: %s", strerror(errno));
    }
    if (pid == 0) {
        /* Out of our session: a Ctrl-C or a kill of our group must not take the guard along. Its
         * copies of our streams are closed, or a reader of our output would wait for it. */
        setsid();
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        const int limit = (int)sysconf(_SC_OPEN_MAX);
        for (int i = 0; i < (limit > 0 && limit < 4096 ? limit : 4096); i++)
            if (i != fd[0])
                close(i);
        guard_watch(fd[0]);
        _exit(0);
    }
    close(fd[0]);
    guard->pipe = fd[1];
    guard->pid = pid;
    mutex_init(&guard->starting);
    signal(SIGPIPE, SIG_IGN);
    return true;
}

void guard_stop(Guard *guard)
{
    close_quietly(&guard->pipe);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    mutex_destroy(&guard->starting);
}

/* --- process --- */

struct Process {
    Guard *guard;
    const Interrupt *interrupt;
    pid_t pid;
    int in, out; /* we write to `in`, read from `out`; -1 when closed */
    char *data;  /* bytes [start, end) were read and not yet handed out */
    size_t start, end, scanned, capacity;
    bool skipping;   /* the tail of a line that is too long */
    int64_t read_at; /* when the last bytes came */
};

/* In the child, between fork and exec: only async-signal-safe calls. Ends in exec or in a report of
 * errno. */
static void become(const Command *command, const int to[2], const int from[2], int report,
                   int guard)
{
    setpgid(0, 0);
    guard_tell(guard, getpid());
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    const char *log = command->stderr_path ? command->stderr_path : "/dev/null";
    const int err = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool ok = err >= 0 && dup2(to[0], 0) >= 0 && dup2(from[1], 1) >= 0 && dup2(err, 2) >= 0;
    ok = ok && (!command->directory || chdir(command->directory) == 0);
    if (ok)
        execvp(command->argv[0], command->argv);

    const int why = errno;
    const ssize_t written = write(report, &why, sizeof why);
    (void)written;
    _exit(127);
}

/* 0 once exec has succeeded (the pipe closes with it), else the child's errno. */
static int exec_error(int report)
{
    int why = 0;
    ssize_t got;
    while ((got = read(report, &why, sizeof why)) < 0 && errno == EINTR)
        continue;
    return got == sizeof why ? why : 0;
}

static void reap(Guard *guard, pid_t pid, int *status)
{
    kill(-pid, SIGKILL); /* before waitpid frees the number for someone else */
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    guard_tell(guard->pipe, -pid);
}

/* Forks with all pipes in place; the lock keeps a concurrent start from inheriting them before they
 * are marked. */
static bool launch(Process *p, const Command *command, Error *err)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1}, report[2] = {-1, -1};
    pid_t pid = -1;
    mutex_lock(&p->guard->starting);
    if (open_pipe(to, err) && open_pipe(from, err) && open_pipe(report, err)) {
        pid = fork();
        if (pid == 0)
            become(command, to, from, report[1], p->guard->pipe);
        if (pid < 0)
            error_set(err, "cannot fork: %s", strerror(errno));
        else
            setpgid(pid, pid); /* both sides do it, so that it is done whoever runs first */
    }
    close_quietly(&to[0]);
    close_quietly(&from[1]);
    close_quietly(&report[1]);
    mutex_unlock(&p->guard->starting);

    const int why = pid > 0 ? exec_error(report[0]) : 0;
    close_quietly(&report[0]);
    p->pid = pid;
    p->in = to[1];
    p->out = from[0];
    if (pid > 0 && !why)
        return true;

    if (pid > 0) {
        reap(p->guard, pid, NULL);
        error_set(err, "cannot run '%s': %s", command->argv[0], strerror(why));
    }
    close_quietly(&p->in);
    close_quietly(&p->out);
    return false;
}

Process *process_start(Guard *guard, const Interrupt *interrupt, const Command *command, Error *err)
{
    Process *p = calloc(1, sizeof *p);
    if (!p) {
        error_code(err, "NO_MEMORY", 0, "out of memory");
        return NULL;
    }
    p->guard = guard;
    p->interrupt = interrupt;
    if (!launch(p, command, err)) {
        free(p);
        return NULL;
    }
    set_nonblocking(p->in);
    set_nonblocking(p->out);
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

/* Takes what is there to be read. False at the end of the child's output (or without memory to hold
 * it). */
static bool take_input(Process *p)
{
    if (!make_room(p))
        return false;
    const ssize_t got = read(p->out, p->data + p->end, READ_CHUNK);
    if (got > 0) {
        p->end += (size_t)got;
        p->read_at = clock_us();
        return true;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
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

static int poll_ms(int64_t deadline)
{
    const int64_t left = deadline - clock_us();
    return left <= 0 ? 0 : left / 1000 >= INT_MAX ? INT_MAX : (int)((left + 999) / 1000);
}

ReadStatus process_read(Process *p, int64_t deadline, Str *line, int64_t *when)
{
    for (;;) {
        if (process_read_now(p, line)) {
            *when = p->read_at;
            return READ_LINE;
        }
        if (p->out < 0)
            return READ_END;
        struct pollfd watch[2] = {{.fd = p->out, .events = POLLIN},
                                  {.fd = p->interrupt->fd[0], .events = POLLIN}};
        const int ready = poll(watch, 2, poll_ms(deadline));
        if (ready < 0 && errno != EINTR)
            return READ_END;
        if (ready > 0 && watch[1].revents)
            return READ_INTERRUPTED;
        if (ready > 0 && watch[0].revents && !take_input(p))
            close_quietly(&p->out);
        if (ready == 0 && clock_us() >= deadline)
            return READ_TIMEOUT;
    }
}

bool process_write(Process *p, Str text)
{
    const int64_t deadline = clock_us() + WRITE_PATIENCE_US;
    while (text.len > 0) {
        if (p->in < 0)
            return false;
        const ssize_t sent = write(p->in, text.ptr, text.len);
        if (sent > 0) {
            text.ptr += sent;
            text.len -= (size_t)sent;
            continue;
        }
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN) {
            close_quietly(&p->in);
            return false;
        }
        struct pollfd watch[3] = {{.fd = p->in, .events = POLLOUT},
                                  {.fd = p->interrupt->fd[0], .events = POLLIN},
                                  {.fd = p->out, .events = POLLIN}};
        if (poll(watch, 3, poll_ms(deadline)) == 0 || watch[1].revents)
            return false;
        if (watch[2].revents && !take_input(p))
            close_quietly(&p->out);
    }
    return true;
}

/* Has it ended? Leaves it unreaped, so that its number stays ours. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

void process_stop(Process *p, int64_t grace_ms, ProcessEnd *end)
{
    if (!p)
        return;
    close_quietly(&p->in);
    const int64_t deadline = clock_us() + grace_ms * 1000;
    bool ended = has_ended(p->pid);
    while (!ended && clock_us() < deadline) {
        /* Its last words are read and dropped, or a full pipe would keep it from leaving. */
        struct pollfd watch = {.fd = p->out, .events = POLLIN};
        const bool open = p->out >= 0;
        poll(&watch, open, open ? DRAIN_PERIOD_MS : EXIT_PERIOD_MS);
        if (open && watch.revents) {
            p->start = p->end = p->scanned = 0;
            if (!take_input(p))
                close_quietly(&p->out);
        }
        ended = has_ended(p->pid);
    }
    int status = 0;
    reap(p->guard, p->pid, &status);
    if (end)
        *end = (ProcessEnd){.by_itself = ended,
                            .status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    close_quietly(&p->out);
    free(p->data);
    free(p);
}
