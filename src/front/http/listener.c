// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/listener.h"

#include "base/clock.h"
#include "base/thread.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 1024, SHORTAGE_PAUSE_MS = 20 };

struct Listener {
    int fd;
    Thread thread;
    bool started;
    AtomicFlag closing;
    ListenerTake take;
    void *user;
};

/* --- listening --- */

/* Numbers only: a name server must not delay or redirect the start. */
static bool resolve(const char *address, int port, struct sockaddr_storage *out, socklen_t *len,
                    Error *err)
{
    const char *number = strcmp(address, "localhost") == 0 ? "127.0.0.1" : address;
    char service[8];
    snprintf(service, sizeof service, "%d", port);
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    if (getaddrinfo(number, service, &hints, &found) != 0)
        return error_set(err, "'%s' is not an address; give a number like 127.0.0.1 or ::1",
                         address);
    memcpy(out, found->ai_addr, found->ai_addrlen);
    *len = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

/* An IPv6 address means IPv6 alone: what comes in has the form that the guard knows. */
static int listen_at(const struct sockaddr_storage *place, socklen_t len)
{
    const int one = 1;
    const int fd = socket(place->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (place->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(fd, (const struct sockaddr *)place, len) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Binds before anything else is started, so that a taken port is reported at once. */
Listener *listener_open(const char *address, int port, Error *err)
{
    struct sockaddr_storage place = {0};
    socklen_t len = 0;
    if (!resolve(address, port, &place, &len, err))
        return NULL;
    Listener *listener = calloc(1, sizeof *listener);
    const int fd = listener ? listen_at(&place, len) : -1;
    if (fd < 0) {
        free(listener);
        error_set(err, "cannot listen on %s port %d: is something else there?", address, port);
        return NULL;
    }
    listener->fd = fd;
    return listener;
}

int listener_port(const Listener *listener)
{
    struct sockaddr_storage place = {0};
    socklen_t len = sizeof place;
    getsockname(listener->fd, (struct sockaddr *)&place, &len);
    return ntohs(place.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&place)->sin6_port
                                             : ((struct sockaddr_in *)&place)->sin_port);
}

/* --- accepting --- */

/* Accepts and hands on. When descriptors run out it waits instead of spinning. */
static void *attend(void *arg)
{
    Listener *listener = arg;
    while (!atomic_load(&listener->closing)) {
        struct sockaddr_storage from;
        socklen_t len = sizeof from;
        const int fd =
            accept4(listener->fd, (struct sockaddr *)&from, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0)
            listener->take(listener->user, fd, (const struct sockaddr *)&from);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            clock_sleep_ms(SHORTAGE_PAUSE_MS); /* they wait outside until something is free */
    }
    return NULL;
}

bool listener_start(Listener *listener, ListenerTake take, void *user)
{
    listener->take = take;
    listener->user = user;
    listener->started = thread_start(&listener->thread, attend, listener);
    return listener->started;
}

void listener_close(Listener *listener)
{
    if (!listener)
        return;
    atomic_store(&listener->closing, true);
    shutdown(listener->fd, SHUT_RDWR); /* wakes the thread */
    if (listener->started)
        thread_join(listener->thread);
    close(listener->fd);
    free(listener);
}
