// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/poller.h"

#ifndef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__) && !defined(SAMARA_POSIX_ONLY)

#include <sys/epoll.h>
#include <sys/eventfd.h>

struct Poller {
    int epoll, bell;
};

static uint32_t flags_of(unsigned wanted)
{
    return (wanted & POLLER_READ ? EPOLLIN : 0u) | (wanted & POLLER_WRITE ? EPOLLOUT : 0u);
}

/* The bell is in the set from the start, with no user: poller_wait() knows it by that. */
Poller *poller_create(void)
{
    Poller *poller = calloc(1, sizeof *poller);
    if (!poller)
        return NULL;
    poller->epoll = epoll_create1(EPOLL_CLOEXEC);
    poller->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (poller->epoll >= 0 && poller->bell >= 0 &&
        poller_add(poller, poller->bell, POLLER_READ, NULL))
        return poller;
    poller_destroy(poller);
    return NULL;
}

void poller_destroy(Poller *poller)
{
    if (!poller)
        return;
    if (poller->epoll >= 0)
        close(poller->epoll);
    if (poller->bell >= 0)
        close(poller->bell);
    free(poller);
}

bool poller_add(Poller *poller, int fd, unsigned wanted, void *user)
{
    struct epoll_event event = {.events = flags_of(wanted), .data.ptr = user};
    return epoll_ctl(poller->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void poller_change(Poller *poller, int fd, unsigned wanted, void *user)
{
    struct epoll_event event = {.events = flags_of(wanted), .data.ptr = user};
    epoll_ctl(poller->epoll, EPOLL_CTL_MOD, fd, &event);
}

void poller_remove(Poller *poller, int fd) { epoll_ctl(poller->epoll, EPOLL_CTL_DEL, fd, NULL); }

static void quiet_bell(Poller *poller)
{
    uint64_t rings;
    if (read(poller->bell, &rings, sizeof rings) < 0) {
        /* it was quiet already */
    }
}

/* A ring of the bell ends the wait but is no event for the caller. */
int poller_wait(Poller *poller, PollerEvent *events, int max, int timeout_ms)
{
    struct epoll_event found[64];
    const int count = epoll_wait(poller->epoll, found, max < 64 ? max : 64, timeout_ms);
    int written = 0;
    for (int i = 0; i < count; i++) {
        if (!found[i].data.ptr) {
            quiet_bell(poller);
            continue;
        }
        const uint32_t flags = found[i].events;
        events[written++] = (PollerEvent){found[i].data.ptr,
                                          (flags & EPOLLIN ? POLLER_READ : 0u) |
                                              (flags & EPOLLOUT ? POLLER_WRITE : 0u) |
                                              (flags & (EPOLLERR | EPOLLHUP) ? POLLER_BROKEN : 0u)};
    }
    return written;
}

void poller_wake(Poller *poller)
{
    const uint64_t one = 1;
    if (write(poller->bell, &one, sizeof one) < 0) {
        /* it rings already */
    }
}

#else /* POSIX alone */

#include <poll.h>

/* The descriptors in no order; where[fd] is the place of one, -1 for none. Place 0 is the pipe. */
struct Poller {
    int pipe[2];
    struct pollfd *fd;
    void **user;
    int count, room;
    int *where, where_size;
};

static short flags_of(unsigned wanted)
{
    return (short)((wanted & POLLER_READ ? POLLIN : 0) | (wanted & POLLER_WRITE ? POLLOUT : 0));
}

static bool make_nonblocking(int fd)
{
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

/* The bell is in the set from the start, with no user: poller_wait() knows it by that. */
Poller *poller_create(void)
{
    Poller *poller = calloc(1, sizeof *poller);
    if (!poller)
        return NULL;
    if (pipe(poller->pipe) != 0)
        poller->pipe[0] = poller->pipe[1] = -1;
    if (poller->pipe[0] >= 0 && make_nonblocking(poller->pipe[0]) &&
        make_nonblocking(poller->pipe[1]) && poller_add(poller, poller->pipe[0], POLLER_READ, NULL))
        return poller;
    poller_destroy(poller);
    return NULL;
}

/* Also cleans up behind a poller_create() that failed halfway. */
void poller_destroy(Poller *poller)
{
    if (!poller)
        return;
    for (int i = 0; i < 2; i++)
        if (poller->pipe[i] >= 0)
            close(poller->pipe[i]);
    free(poller->fd);
    free(poller->user);
    free(poller->where);
    free(poller);
}

/* Room for one more descriptor with this number. Failing halfway leaves everything usable. */
static bool make_room(Poller *poller, int fd)
{
    if (poller->count == poller->room) {
        const int room = 2 * poller->room + 16;
        struct pollfd *fds = realloc(poller->fd, (size_t)room * sizeof *fds);
        if (fds)
            poller->fd = fds;
        void **users = realloc(poller->user, (size_t)room * sizeof *users);
        if (users)
            poller->user = users;
        if (!fds || !users)
            return false;
        poller->room = room;
    }
    if (fd >= poller->where_size) {
        const int size = 2 * fd + 16;
        int *where = realloc(poller->where, (size_t)size * sizeof *where);
        if (!where)
            return false;
        for (int i = poller->where_size; i < size; i++)
            where[i] = -1;
        poller->where = where;
        poller->where_size = size;
    }
    return true;
}

bool poller_add(Poller *poller, int fd, unsigned wanted, void *user)
{
    if (!make_room(poller, fd))
        return false;
    poller->fd[poller->count] = (struct pollfd){.fd = fd, .events = flags_of(wanted)};
    poller->user[poller->count] = user;
    poller->where[fd] = poller->count++;
    return true;
}

void poller_change(Poller *poller, int fd, unsigned wanted, void *user)
{
    const int place = poller->where[fd];
    poller->fd[place].events = flags_of(wanted);
    poller->user[place] = user;
}

void poller_remove(Poller *poller, int fd)
{
    const int place = poller->where[fd], last = --poller->count;
    poller->fd[place] = poller->fd[last];
    poller->user[place] = poller->user[last];
    poller->where[poller->fd[place].fd] = place;
    poller->where[fd] = -1;
}

static void empty_pipe(Poller *poller)
{
    char bytes[4096];
    while (read(poller->pipe[0], bytes, sizeof bytes) > 0)
        ;
}

/* A ring of the bell ends the wait but is no event for the caller. */
int poller_wait(Poller *poller, PollerEvent *events, int max, int timeout_ms)
{
    int left = poll(poller->fd, (nfds_t)poller->count, timeout_ms), written = 0;
    for (int i = 0; i < poller->count && left > 0 && written < max; i++) {
        const short flags = poller->fd[i].revents;
        left -= flags != 0;
        if (flags != 0 && !poller->user[i])
            empty_pipe(poller);
        else if (flags != 0)
            events[written++] = (PollerEvent){
                poller->user[i], (flags & POLLIN ? POLLER_READ : 0u) |
                                     (flags & POLLOUT ? POLLER_WRITE : 0u) |
                                     (flags & (POLLERR | POLLHUP | POLLNVAL) ? POLLER_BROKEN : 0u)};
    }
    return written;
}

void poller_wake(Poller *poller)
{
    if (write(poller->pipe[1], "", 1) < 0) {
        /* it is full: the reader will wake anyway */
    }
}

#endif

#endif
