// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/hub.h"

#include "base/clock.h"
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct Hub {
    HubActions actions;
    Mutex lock;
    Thread thread;
    int epoll, bell; /* bell: wakes the thread */
    bool started, ending;
    Conn **by_fd;
    int size, count;
    uint32_t serial;
};

static void ring(Hub *hub)
{
    const uint64_t one = 1;
    if (write(hub->bell, &one, sizeof one) < 0) {
        /* the bell rings already */
    }
}

/* The data of an event: which descriptor, and which of its lives. */
static uint64_t name_of(const Conn *conn)
{
    return (uint64_t)conn->serial << 32 | (uint32_t)conn->fd;
}

static void handle(Hub *hub, const struct epoll_event *event)
{
    const uint32_t fd = (uint32_t)event->data.u64;
    Conn *conn = fd < (uint32_t)hub->size ? hub->by_fd[fd] : NULL;
    if (!conn || name_of(conn) != event->data.u64)
        return;
    conn->hung_up = true;
    if (conn->waiting)
        hub->actions.hung_up(conn->waiting);
}

static void sweep(Hub *hub, int64_t now)
{
    for (int fd = 0; fd < hub->size; fd++) {
        Conn *conn = hub->by_fd[fd];
        if (!conn)
            continue;
        if (conn->deadline_ms != 0 && now >= conn->deadline_ms) {
            conn->deadline_ms = 0;
            shutdown(conn->fd, SHUT_RDWR);
        }
        if (conn->waiting && now >= conn->beat_ms) {
            conn->beat_ms = now + HUB_BEAT_MS;
            hub->actions.beat(conn->waiting);
        }
    }
}

static void *watch(void *arg)
{
    Hub *hub = arg;
    struct epoll_event events[64];
    int timeout = -1;
    int64_t last_sweep = 0;
    for (;;) {
        const int count = epoll_wait(hub->epoll, events, 64, timeout);
        mutex_lock(&hub->lock);
        if (hub->ending)
            break;
        for (int i = 0; i < count; i++) {
            if (events[i].data.u64 == UINT64_MAX) {
                uint64_t rings;
                if (read(hub->bell, &rings, sizeof rings) < 0) {
                    /* somebody else heard it */
                }
            } else {
                handle(hub, &events[i]);
            }
        }
        const int64_t now = clock_ms();
        if (now - last_sweep >= 500) {
            last_sweep = now;
            sweep(hub, now);
        }
        timeout = hub->count > 0 ? 1000 : -1;
        mutex_unlock(&hub->lock);
    }
    mutex_unlock(&hub->lock);
    return NULL;
}

Hub *hub_create(const HubActions *actions)
{
    Hub *hub = calloc(1, sizeof *hub);
    if (!hub)
        return NULL;
    hub->actions = *actions;
    mutex_init(&hub->lock);
    hub->epoll = epoll_create1(EPOLL_CLOEXEC);
    hub->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = UINT64_MAX};
    hub->started = hub->epoll >= 0 && hub->bell >= 0 &&
                   epoll_ctl(hub->epoll, EPOLL_CTL_ADD, hub->bell, &event) == 0 &&
                   thread_start(&hub->thread, watch, hub);
    if (hub->started)
        return hub;
    hub_destroy(hub);
    return NULL;
}

void hub_destroy(Hub *hub)
{
    if (!hub)
        return;
    mutex_lock(&hub->lock);
    hub->ending = true;
    mutex_unlock(&hub->lock);
    ring(hub);
    if (hub->started)
        thread_join(hub->thread);
    if (hub->epoll >= 0)
        close(hub->epoll);
    if (hub->bell >= 0)
        close(hub->bell);
    for (int fd = 0; fd < hub->size; fd++)
        free(hub->by_fd[fd]);
    free(hub->by_fd);
    mutex_destroy(&hub->lock);
    free(hub);
}

Mutex *hub_lock(Hub *hub) { return &hub->lock; }

static bool make_room(Hub *hub, int fd)
{
    if (fd < hub->size)
        return true;
    const int size = fd * 2 + 64;
    Conn **bigger = realloc(hub->by_fd, (size_t)size * sizeof *bigger);
    if (!bigger)
        return false;
    for (int i = hub->size; i < size; i++)
        bigger[i] = NULL;
    hub->by_fd = bigger;
    hub->size = size;
    return true;
}

Conn *hub_connected(Hub *hub, int fd, int64_t patience_ms)
{
    Conn *conn = calloc(1, sizeof *conn);
    if (!conn)
        return NULL;
    mutex_lock(&hub->lock);
    *conn = (Conn){.fd = fd, .serial = ++hub->serial, .deadline_ms = clock_ms() + patience_ms};
    const bool ok = fd >= 0 && make_room(hub, fd);
    if (ok) {
        hub->by_fd[fd] = conn;
        struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.u64 = name_of(conn)};
        epoll_ctl(hub->epoll, EPOLL_CTL_ADD, fd, &event);
        if (hub->count++ == 0)
            ring(hub);
    }
    mutex_unlock(&hub->lock);
    if (ok)
        return conn;
    free(conn);
    return NULL;
}

void hub_disconnected(Hub *hub, Conn *conn)
{
    if (!conn)
        return;
    mutex_lock(&hub->lock);
    epoll_ctl(hub->epoll, EPOLL_CTL_DEL, conn->fd, NULL);
    hub->by_fd[conn->fd] = NULL;
    hub->count--;
    mutex_unlock(&hub->lock);
    free(conn);
}

void hub_patience(Hub *hub, Conn *conn, int64_t ms)
{
    mutex_lock(&hub->lock);
    conn->deadline_ms = ms > 0 ? clock_ms() + ms : 0;
    mutex_unlock(&hub->lock);
}

int hub_count(Hub *hub)
{
    mutex_lock(&hub->lock);
    const int count = hub->count;
    mutex_unlock(&hub->lock);
    return count;
}
