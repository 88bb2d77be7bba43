// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/socket.h"

#ifndef _WIN32

#if defined(__linux__) && !defined(SAMARA_POSIX_ONLY)

int socket_stream(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); }

int socket_accept(int fd, struct sockaddr *from, socklen_t *len)
{
    return accept4(fd, from, len, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

#else /* in two steps */

#include <fcntl.h>

int socket_stream(int family)
{
    const int fd = socket(family, SOCK_STREAM, 0);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

int socket_accept(int fd, struct sockaddr *from, socklen_t *len)
{
    const int made = accept(fd, from, len);
    if (made < 0)
        return made;
    fcntl(made, F_SETFD, FD_CLOEXEC);
    fcntl(made, F_SETFL, fcntl(made, F_GETFL) | O_NONBLOCK);
    return made;
}

#endif

#endif
