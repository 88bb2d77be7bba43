// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/mailbox.h"

void mailbox_init(Mailbox *box, Poller *poller)
{
    mutex_init(&box->lock);
    box->first = NULL;
    box->last = &box->first;
    box->poller = poller;
}

void mailbox_destroy(Mailbox *box) { mutex_destroy(&box->lock); }

bool mailbox_post(Mailbox *box, Letter *letter)
{
    if (letter->posted)
        return false;
    const bool was_empty = !box->first;
    letter->posted = true;
    letter->next = NULL;
    *box->last = letter;
    box->last = &letter->next;
    if (was_empty)
        poller_wake(box->poller);
    return true;
}

void mailbox_deliver(Mailbox *box)
{
    mutex_lock(&box->lock);
    Letter *letter = box->first;
    box->first = NULL;
    box->last = &box->first;
    while (letter) {
        Letter *next = letter->next; /* from now on it may be posted again, or be freed */
        letter->posted = false;
        mutex_unlock(&box->lock);
        letter->deliver(letter);
        letter = next;
        mutex_lock(&box->lock);
    }
    mutex_unlock(&box->lock);
}
