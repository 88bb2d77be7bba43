// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/app.h"

#ifdef _WIN32

#include "base/thread.h"
#include "base/windows_text.h"
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>

/* Keeps the old ones if there is no memory for the new. */
static void take_arguments(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **words = wide ? calloc((size_t)count + 1, sizeof *words) : NULL;
    bool ok = words != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = (words[i] = windows_utf8(wide[i])) != NULL;
    LocalFree(wide);
    if (!ok)
        return;
    *argc = count;
    *argv = words;
}

void app_begin(int *argc, char ***argv)
{
    take_arguments(argc, argv);
    for (int fd = 0; fd < 3; fd++)
        _setmode(fd, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

void app_survive_broken_pipes(void) {}
int app_is_terminal(int fd) { return _isatty(fd); }

void app_on_interrupt(void (*on_wish)(int number))
{
    signal(SIGINT, on_wish ? on_wish : SIG_IGN);
    if (on_wish)
        signal(SIGBREAK, on_wish);
}

/* Windows hands the handler nothing that is ours, so what it needs has to lie where it finds it.
 * Written once, before the handler is set. */
static struct {
    void (*interrupted)(void *user);
    void *user;
    int code;
    AtomicFlag seen;
} wish;

static BOOL WINAPI on_control(DWORD event)
{
    (void)event;
    if (atomic_exchange(&wish.seen, true))
        ExitProcess((UINT)wish.code);
    wish.interrupted(wish.user);
    if (event == CTRL_CLOSE_EVENT)
        Sleep(INFINITE); /* the process ends when this returns, and by itself when all is done */
    return TRUE;
}

typedef struct Job {
    int (*work)(void *user);
    void *user;
    int result;
} Job;

static void *run_job(void *arg)
{
    Job *job = arg;
    job->result = job->work(job->user);
    return NULL;
}

/* The work has a thread of its own for the sake of its stack. */
int app_run(int (*work)(void *user), void (*interrupted)(void *user), void *user, int code)
{
    Job job = {.work = work, .user = user};
    Thread thread;
    wish.interrupted = interrupted;
    wish.user = user;
    wish.code = code;
    SetConsoleCtrlHandler(on_control, TRUE);
    if (!thread_start(&thread, run_job, &job))
        return -1;
    thread_join(thread);
    SetConsoleCtrlHandler(on_control, FALSE);
    return job.result;
}

#endif
