// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/listener.h"

#include "base/clock.h"
#include "base/socket.h"
#include "base/text.h"
#include "base/thread.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
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

/* Numbers only. Not by getaddrinfo(), which drags the system's name service into static programs. */
static bool resolve(const char *address, int port, struct sockaddr_storage *out, socklen_t *len,
                    Error *err)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    const char *number = strcmp(address, "localhost") == 0 ? "127.0.0.1" : address;
    if (inet_pton(AF_INET, number, &v4.sin_addr) == 1) {
        memcpy(out, &v4, *len = sizeof v4);
        return true;
    }
    char host[INET6_ADDRSTRLEN]; /* before the name of an interface: fe80::1%eth0 */
    const char *interface = strchr(number, '%');
    const Str name = {number, interface ? (size_t)(interface - number) : strlen(number)};
    v6.sin6_scope_id = interface ? if_nametoindex(interface + 1) : 0;
    if (!str_copy(host, sizeof host, name) || inet_pton(AF_INET6, host, &v6.sin6_addr) != 1 ||
        (interface && v6.sin6_scope_id == 0))
        return error_set(err, "'%s' is not an address; give a number like 127.0.0.1 or ::1",
                         address);
    memcpy(out, &v6, *len = sizeof v6);
    return true;
}

/* An IPv6 address means IPv6 alone: what comes in has the form that the guard knows. */
static int listen_at(const struct sockaddr_storage *place, socklen_t len)
{
    const int one = 1;
    const int fd = socket_stream(place->ss_family);
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
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } place = {0};
    socklen_t len = sizeof place;
    if (getsockname(listener->fd, &place.any, &len) != 0)
        return 0;
    return ntohs(place.any.sa_family == AF_INET6 ? place.v6.sin6_port : place.v4.sin_port);
}

/* --- accepting --- */

/* Accepts and hands on. When descriptors run out it waits instead of spinning. */
static void *attend(void *arg)
{
    Listener *listener = arg;
    while (!atomic_load(&listener->closing)) {
        struct sockaddr_storage from;
        socklen_t len = sizeof from;
        const int fd = socket_accept(listener->fd, (struct sockaddr *)&from, &len);
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
