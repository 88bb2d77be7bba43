// SPDX-License-Identifier: GPL-3.0-or-later
/* hub.h -- watches the connections: who hung up while an engine works for him, who dawdles, whose
 * stream needs a sign of life. One thread that sleeps while there is no connection. */
#ifndef SAMARA_FRONT_HTTP_HUB_H
#define SAMARA_FRONT_HTTP_HUB_H

#include "base/thread.h"

typedef struct Hub Hub;
struct Request;

typedef struct Conn {
    int fd;
    uint32_t serial;     /* a descriptor is used again, a serial is not */
    int64_t deadline_ms; /* closed then; 0: never */
    int64_t beat_ms;     /* next sign of life */
    bool hung_up;
    struct Request *waiting; /* parked or streaming; NULL: none */
} Conn;

typedef struct HubActions {
    void (*hung_up)(struct Request *request); /* both called with the lock */
    void (*beat)(struct Request *request);
} HubActions;

enum { HUB_BEAT_MS = 10000 };

Hub *hub_create(const HubActions *actions); /* NULL: the system has no thread or descriptor left */
void hub_destroy(Hub *hub);                 /* no connection is left; NULL is fine */
Mutex *hub_lock(Hub *hub);                  /* guards connections and the state of requests */

Conn *hub_connected(Hub *hub, int fd, int64_t patience_ms); /* NULL: no memory */
void hub_disconnected(Hub *hub, Conn *conn);                /* before the descriptor is closed */
void hub_patience(Hub *hub, Conn *conn, int64_t ms);        /* from now; 0: endless */
int hub_count(Hub *hub);

#endif
