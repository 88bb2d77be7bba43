// SPDX-License-Identifier: GPL-3.0-or-later
/* connection.h -- the life of a connection: read a request, have it answered, send the answer, and
 * again. A connection belongs to one thread and is touched by no other; what engines have to say
 * arrives by mailbox.
 *
 *   READING_HEAD -> READING_BODY -> [ WAITING -> ] SENDING -> READING_HEAD, or LINGERING -> closed
 *                                        \-> STREAMING --^
 *
 * Requests that are sent in advance wait in a small buffer: they are answered in order. */
#ifndef SAMARA_FRONT_HTTP_CONNECTION_H
#define SAMARA_FRONT_HTTP_CONNECTION_H

#include "front/http/quota.h"
#include "front/http/request.h"
#include "front/http/turns.h"

typedef struct Connection Connection;

/* What the server makes of requests. */
typedef struct ConnectionHandler {
    App *app;
    void *user;
    /* The head is read and well formed. Sets what the request says about its body; a reply refuses
     * it. */
    void (*admit)(void *user, Request *r);
    void (*dispatch)(void *user, Request *r); /* all is read: replies, or submits to a queue */
} ConnectionHandler;

/* The connections of one thread, and what they share. */
typedef struct ConnectionSet {
    const ConnectionHandler *handler;
    Quota *quota; /* where connections are counted */
    Poller *poller;
    Mailbox mailbox;
    Turns turns;
    Connection *first;
    Connection *ready;   /* have bytes left to look at, in turn after the others */
    Connection *dead;    /* closed, not yet freed */
    int64_t deadline_ms; /* nothing is due before */
    AtomicI32 count;     /* with those that are still in the mailbox */
    AtomicFlag ending;   /* no request is read any more */
    Buffer event;
    char scratch[64 << 10];
} ConnectionSet;

/* Takes over a nonblocking socket and posts it to the set's thread; the quota was taken for
 * `peer`. Called by any thread. False: no memory; the socket is still the caller's. */
bool connection_open(ConnectionSet *set, int fd, ClientId peer, bool peer_is_proxy);
void connection_ready(Connection *c, unsigned what);     /* what: of poller.h */
void connections_continue(ConnectionSet *set);           /* those in set->ready */
void connections_sweep(ConnectionSet *set, int64_t now); /* deadlines and heartbeats */
void connections_bury(ConnectionSet *set); /* frees what was closed; no event is in hand */
/* Closes those that are idle, all of them if told so; how many are left. */
int connections_close(ConnectionSet *set, bool all);

ClientId connection_peer(const Connection *c);
bool connection_peer_is_proxy(const Connection *c);
Turns *connection_turns(const Connection *c); /* of its event loop */

#endif
