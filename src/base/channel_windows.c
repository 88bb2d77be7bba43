// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/channel.h"

#ifdef _WIN32

#include "base/windows_text.h"
#include <errno.h>
#include <io.h>
#include <windows.h>

/* wake[0] is the reading thread, once it reads. */
bool channel_open(Channel *channel, int in, int out)
{
    *channel = (Channel){.in = in, .out = out};
    return true;
}

void channel_close(Channel *channel)
{
    if (channel->wake[0])
        CloseHandle((HANDLE)channel->wake[0]);
}

size_t channel_read(Channel *channel, void *to, size_t room)
{
    if (!channel->wake[0])
        channel->wake[0] = (intptr_t)OpenThread(THREAD_TERMINATE, FALSE, GetCurrentThreadId());
    atomic_store(&channel->reading, true);
    DWORD got = 0;
    if (!atomic_load(&channel->stopped))
        ReadFile((HANDLE)_get_osfhandle(channel->in), to, (DWORD)room, &got, NULL);
    atomic_store(&channel->reading, false);
    return atomic_load(&channel->stopped) ? 0 : got;
}

/* A read that has not begun yet cannot be ended: hence more than one attempt. */
bool channel_stop(Channel *channel)
{
    enum { PATIENCE_MS = 1000 };
    atomic_store(&channel->stopped, true);
    for (int i = 0; atomic_load(&channel->reading); i++) {
        if (i == PATIENCE_MS)
            return false;
        CancelSynchronousIo((HANDLE)channel->wake[0]);
        Sleep(1);
    }
    return true;
}

bool channel_ready(const Channel *channel)
{
    (void)channel;
    return false;
}

/* In pieces: large writes to a console fail. */
int channel_write(Channel *channel, const void *bytes, size_t len)
{
    enum { LARGEST = 1 << 16 };
    const char *at = bytes;
    while (len > 0) {
        DWORD done = 0;
        const DWORD some = len < LARGEST ? (DWORD)len : LARGEST;
        if (!WriteFile((HANDLE)_get_osfhandle(channel->out), at, some, &done, NULL)) {
            const DWORD why = GetLastError();
            windows_set_errno();
            return why == ERROR_NO_DATA || why == ERROR_BROKEN_PIPE ? EPIPE : errno;
        }
        at += done;
        len -= done;
    }
    return 0;
}

#endif
