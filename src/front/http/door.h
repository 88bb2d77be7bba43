// SPDX-License-Identifier: GPL-3.0-or-later
/* door.h -- where connections come in: one thread that accepts them and hands them on. It exists
 * so that they are dealt out evenly: threads that accept for themselves take what they get, and one
 * may end up with all the work. */
#ifndef SAMARA_FRONT_HTTP_DOOR_H
#define SAMARA_FRONT_HTTP_DOOR_H

#include "base/error.h"
#include <sys/socket.h>

typedef struct Door Door;

/* Takes over the descriptor, whatever becomes of it. Called by the door's thread. */
typedef void (*DoorTake)(void *user, int fd, const struct sockaddr *address, socklen_t len);

/* address: numeric, or "localhost"; port 0: any free one. NULL, and *err set: nobody can listen
 * there. */
Door *door_open(const char *address, int port, Error *err);
int door_port(const Door *door);
bool door_start(Door *door, DoorTake take, void *user); /* false: the system has no thread left */
void door_close(Door *door);                            /* nobody comes in any more; NULL is fine */

#endif
