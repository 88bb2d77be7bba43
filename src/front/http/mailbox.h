// SPDX-License-Identifier: GPL-3.0-or-later
/* mailbox.h -- how other threads reach the thread that owns a set of connections: they post letters
 * and wake it. */
#ifndef SAMARA_FRONT_HTTP_MAILBOX_H
#define SAMARA_FRONT_HTTP_MAILBOX_H

#include "base/thread.h"
#include "base/poller.h"

/* Embedded in what is delivered. */
typedef struct Letter {
    struct Letter *next;
    void (*deliver)(struct Letter *letter); /* called by the owner's thread, without the lock */
    bool posted;
} Letter;

typedef struct Mailbox {
    Mutex lock; /* also guards what letters are about, see request.h */
    Letter *first, **last;
    Poller *poller;
} Mailbox;

void mailbox_init(Mailbox *box, Poller *poller);
void mailbox_destroy(Mailbox *box);
/* With the lock. False: it was posted already and is not delivered twice. */
bool mailbox_post(Mailbox *box, Letter *letter);
void mailbox_deliver(Mailbox *box); /* the owner's thread: everything that was posted so far */

#endif
