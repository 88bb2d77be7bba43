// SPDX-License-Identifier: GPL-3.0-or-later
/* quick.h -- engines beside the sockets. What takes less time than waking another thread is
 * answered by the thread that read it, with one of these. There are as many as such threads, so
 * nobody ever waits for one, and no long search can hold one. */
#ifndef SAMARA_FRONT_HTTP_QUICK_H
#define SAMARA_FRONT_HTTP_QUICK_H

#include "front/http/worker_queue.h"

typedef struct Quick Quick;

Quick *quick_create(int engines, int hash_mb, SamaraError *err);
void quick_destroy(Quick *quick); /* all are back; NULL is fine */
/* Best the one that the calling thread had last: its memory is near. NULL: all are lent. */
Slot *quick_borrow(Quick *quick);
void quick_return(Quick *quick, Slot *slot);

#endif
