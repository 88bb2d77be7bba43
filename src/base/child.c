// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child.h"

#ifndef _WIN32 /* else see child_windows.c */

#include "base/app.h"
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
    int fd[2];
    if (!open_pipe(fd, err))
        return false;
    set_nonblocking(fd[1]);
    *interrupt = (Interrupt){{fd[0], fd[1]}};
    return true;
}

void interrupt_raise(const Interrupt *interrupt)
{
    const int saved = errno;
    const ssize_t written = write((int)interrupt->end[1], "!", 1);
    (void)written; /* a full pipe is raised already */
    errno = saved;
}

bool interrupt_wait(const Interrupt *interrupt, int64_t ms)
{
    struct pollfd watch = {.fd = (int)interrupt->end[0], .events = POLLIN};
    return poll(&watch, 1, ms > INT_MAX ? INT_MAX : (int)ms) > 0;
}

bool interrupt_raised(const Interrupt *interrupt) { return interrupt_wait(interrupt, 0); }

void interrupt_free(Interrupt *interrupt)
{
    close((int)interrupt->end[0]);
    close((int)interrupt->end[1]);
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

/* The guard is forked before there are threads, and waits at a pipe whose other end dies with
 * us. */
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
    app_survive_broken_pipes();
    return true;
}

void guard_stop(Guard *guard)
{
    close_quietly(&guard->pipe);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    mutex_destroy(&guard->starting);
}

/* --- child --- */

struct Child {
    Guard *guard;
    pid_t pid;
    int in, out; /* we write to `in`, read from `out`; -1 when closed */
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
static bool launch(Child *c, const Command *command, Error *err)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1}, report[2] = {-1, -1};
    pid_t pid = -1;
    mutex_lock(&c->guard->starting);
    if (open_pipe(to, err) && open_pipe(from, err) && open_pipe(report, err)) {
        pid = fork();
        if (pid == 0)
            become(command, to, from, report[1], c->guard->pipe);
        if (pid < 0)
            error_set(err, "cannot fork: %s", strerror(errno));
        else
            setpgid(pid, pid); /* both sides do it, so that it is done whoever runs first */
    }
    close_quietly(&to[0]);
    close_quietly(&from[1]);
    close_quietly(&report[1]);
    mutex_unlock(&c->guard->starting);

    const int why = pid > 0 ? exec_error(report[0]) : 0;
    close_quietly(&report[0]);
    c->pid = pid;
    c->in = to[1];
    c->out = from[0];
    if (pid > 0 && !why)
        return true;

    if (pid > 0) {
        reap(c->guard, pid, NULL);
        error_set(err, "cannot run '%s': %s", command->argv[0], strerror(why));
    }
    close_quietly(&c->in);
    close_quietly(&c->out);
    return false;
}

/* Its pipes do not block: a program that hangs cannot hang us. */
Child *child_start(Guard *guard, const Command *command, Error *err)
{
    Child *c = calloc(1, sizeof *c);
    if (!c) {
        error_code(err, "NO_MEMORY", 0, "out of memory");
        return NULL;
    }
    c->guard = guard;
    if (!launch(c, command, err)) {
        free(c);
        return NULL;
    }
    set_nonblocking(c->in);
    set_nonblocking(c->out);
    return c;
}

static int poll_ms(int64_t deadline)
{
    const int64_t left = deadline - clock_us();
    return left <= 0 ? 0 : left / 1000 >= INT_MAX ? INT_MAX : (int)((left + 999) / 1000);
}

/* Sleeps until one of the wishes comes true, the deadline passes, or somebody interrupts. */
unsigned child_wait(Child *c, unsigned wanted, const Interrupt *interrupt, int64_t deadline)
{
    struct pollfd watch[3] = {
        {.fd = wanted & CHILD_READABLE ? c->out : -1, .events = POLLIN},
        {.fd = wanted & CHILD_WRITABLE ? c->in : -1, .events = POLLOUT},
        {.fd = interrupt ? (int)interrupt->end[0] : -1, .events = POLLIN},
    };
    if (poll(watch, 3, poll_ms(deadline)) < 0) {
        if (errno != EINTR) /* it will not be better next time */
            close_quietly(&c->out);
        return 0;
    }
    return (watch[0].revents ? CHILD_READABLE : 0u) | (watch[1].revents ? CHILD_WRITABLE : 0u) |
           (watch[2].revents ? CHILD_INTERRUPTED : 0u);
}

/* What read() and write() said, as child.h has it; the end closes the descriptor. */
static ptrdiff_t outcome(ssize_t done, bool nothing_is_end, int *fd)
{
    if (done > 0)
        return done;
    if (done < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (done == 0 && !nothing_is_end)
        return 0;
    close_quietly(fd);
    return -1;
}

ptrdiff_t child_read(Child *c, void *to, size_t room)
{
    return c->out < 0 ? -1 : outcome(read(c->out, to, room), true, &c->out);
}

ptrdiff_t child_write(Child *c, const void *bytes, size_t len)
{
    return c->in < 0 ? -1 : outcome(write(c->in, bytes, len), false, &c->in);
}

void child_close_input(Child *c) { close_quietly(&c->in); }

/* Leaves it unreaped, so that its number stays ours. */
bool child_ended(Child *c)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == c->pid;
}

/* Also ends a child that still runs; only one that ended by itself has a status that means
 * something. */
void child_reap(Child *c, ChildEnd *end)
{
    const bool ended = child_ended(c);
    int status = 0;
    reap(c->guard, c->pid, &status);
    *end = (ChildEnd){.by_itself = ended,
                      .status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                      .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    close_quietly(&c->in);
    close_quietly(&c->out);
    free(c);
}

#endif
