// SPDX-License-Identifier: GPL-3.0-or-later
/* listener.h -- where connections come in: one thread that accepts them and hands them on. It
 * exists so that they are dealt out evenly: threads that accept for themselves take what they get,
 * and one may end up with all the work. */
#ifndef SAMARA_FRONT_HTTP_LISTENER_H
#define SAMARA_FRONT_HTTP_LISTENER_H

#include "base/error.h"
#include <sys/socket.h>

typedef struct Listener Listener;

/* Takes over the descriptor (nonblocking), whatever becomes of it. Called by the listener's thread.
 */
typedef void (*ListenerTake)(void *user, int fd, const struct sockaddr *from);

/* address: numeric, or "localhost"; port 0: any free one. NULL, and *err set: nobody can listen
 * there. */
Listener *listener_open(const char *address, int port, Error *err);
int listener_port(const Listener *listener);
bool listener_start(Listener *listener, ListenerTake take,
                    void *user);         /* false: the system has no thread left */
void listener_close(Listener *listener); /* nobody comes in any more; NULL is fine */

#endif
