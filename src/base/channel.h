// SPDX-License-Identifier: GPL-3.0-or-later
/* channel.h -- a conversation on two file descriptors: reading that another thread can end, writing
 * that says beforehand whether it would wait. */
#ifndef SAMARA_BASE_CHANNEL_H
#define SAMARA_BASE_CHANNEL_H

#include "base/thread.h"
#include <stddef.h>

enum { CHANNEL_DIRECT = 4096 }; /* bytes that a channel which is ready takes without waiting */

typedef struct Channel {
    int in, out;
    intptr_t wake[2]; /* of the system */
    AtomicFlag stopped, reading;
} Channel;

bool channel_open(Channel *channel, int in, int out); /* false: no descriptor left */
void channel_close(Channel *channel);                 /* both descriptors stay open */

/* Sleeps until there is something; one thread reads. 0 at the end of input and after
 * channel_stop(). */
size_t channel_read(Channel *channel, void *to, size_t room);
/* From another thread: ends the reading for good. False: the reader hangs in the system. */
bool channel_stop(Channel *channel);

/* Would writing CHANNEL_DIRECT bytes return at once? False where the system does not tell. */
bool channel_ready(const Channel *channel);
/* All of it, however long it takes. 0, or the errno of the failure. */
int channel_write(Channel *channel, const void *bytes, size_t len);

#endif
