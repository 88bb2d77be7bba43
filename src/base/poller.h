// SPDX-License-Identifier: GPL-3.0-or-later
/* poller.h -- waits for many sockets at once: epoll on Linux, poll elsewhere. One thread waits,
 * adds and removes; poller_wake() may be called by any. */
#ifndef SAMARA_BASE_POLLER_H
#define SAMARA_BASE_POLLER_H

#include <stdbool.h>

enum {
    POLLER_READ = 1,
    POLLER_WRITE = 2,
    POLLER_BROKEN = 4, /* reported only: both directions are gone */
};

typedef struct Poller Poller;

typedef struct PollerEvent {
    void *user;
    unsigned what;
} PollerEvent;

Poller *poller_create(void);         /* NULL: no memory or descriptor left */
void poller_destroy(Poller *poller); /* NULL is fine */
/* `wanted`: POLLER_READ, POLLER_WRITE, both or 0. False: the system has no room. */
bool poller_add(Poller *poller, int fd, unsigned wanted, void *user);
void poller_change(Poller *poller, int fd, unsigned wanted, void *user);
void poller_remove(Poller *poller, int fd); /* before it is closed */
/* Sleeps until something happens, poller_wake() is called or the time is up (-1: never). Returns
 * how many events were written. */
int poller_wait(Poller *poller, PollerEvent *events, int max, int timeout_ms);
void poller_wake(Poller *poller); /* never blocks */

#endif
