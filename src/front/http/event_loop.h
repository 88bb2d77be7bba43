// SPDX-License-Identifier: GPL-3.0-or-later
/* event_loop.h -- a thread that serves many connections: it sleeps until one of them can go on. */
#ifndef SAMARA_FRONT_HTTP_EVENT_LOOP_H
#define SAMARA_FRONT_HTTP_EVENT_LOOP_H

#include "front/http/connection.h"

typedef struct EventLoop EventLoop;

/* NULL: no memory, descriptor or thread is left. The handler and the quota outlive the loop. */
EventLoop *event_loop_start(const ConnectionHandler *handler, Quota *quota);
ConnectionSet *event_loop_set(EventLoop *loop);
void event_loop_end(EventLoop *loop);  /* begin to end: sends what is due, reads nothing more */
void event_loop_stop(EventLoop *loop); /* wait for that, not for long; NULL is fine */

#endif
