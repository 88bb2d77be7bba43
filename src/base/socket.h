// SPDX-License-Identifier: GPL-3.0-or-later
/* socket.h -- sockets that no child inherits, and those accepted never block. */
#ifndef SAMARA_BASE_SOCKET_H
#define SAMARA_BASE_SOCKET_H

#ifndef _WIN32

#include <sys/socket.h>

/* Both return the descriptor, or -1 with errno set. */
int socket_stream(int family);
int socket_accept(int fd, struct sockaddr *from, socklen_t *len);

#endif

#endif
