// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/channel.h"

#ifndef _WIN32 /* else see channel_windows.c */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

/* A byte in the pipe `wake` ends the reading. */
bool channel_open(Channel *channel, int in, int out)
{
    int fd[2];
    static_assert((int)CHANNEL_DIRECT <= PIPE_BUF,
                  "a pipe that polls writable takes PIPE_BUF bytes");
    if (pipe(fd) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fcntl(fd[i], F_SETFD, FD_CLOEXEC);
    *channel = (Channel){.in = in, .out = out, .wake = {fd[0], fd[1]}};
    return true;
}

void channel_close(Channel *channel)
{
    for (int i = 0; i < 2; i++)
        close((int)channel->wake[i]);
}

/* Waits for bytes or for channel_wake(); 0 is the end in both cases. */
size_t channel_read(Channel *channel, void *to, size_t room)
{
    for (;;) {
        struct pollfd ready[2] = {{.fd = channel->in, .events = POLLIN},
                                  {.fd = (int)channel->wake[0], .events = POLLIN}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR)
            return 0;
        if (ready[1].revents)
            return 0;
        if (!ready[0].revents)
            continue;
        const ssize_t got = read(channel->in, to, room);
        if (got >= 0)
            return (size_t)got;
        if (errno != EINTR && errno != EAGAIN)
            return 0;
    }
}

bool channel_stop(Channel *channel) { return write((int)channel->wake[1], "", 1) == 1; }

bool channel_ready(const Channel *channel)
{
    struct pollfd ready = {.fd = channel->out, .events = POLLOUT};
    return poll(&ready, 1, 0) != 0;
}

/* All of it: a pipe that is full for a moment is waited for. */
int channel_write(Channel *channel, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len > 0) {
        const ssize_t done = write(channel->out, at, len);
        if (done < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = channel->out, .events = POLLOUT}, 1, -1);
        else if (done < 0 && errno != EINTR)
            return errno;
        if (done > 0) {
            at += done;
            len -= (size_t)done;
        }
    }
    return 0;
}

#endif
