// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/quick.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Place {
    Slot slot; /* first: a borrower gives this back */
    Thread last;
    bool used, lent; /* used: `last` is somebody */
} Place;

struct Quick {
    Mutex lock; /* guards who has what */
    AtomicFlag closing;
    int count;
    Place place[];
};

Quick *quick_create(int engines, int hash_mb, SamaraError *err)
{
    Quick *quick = calloc(1, sizeof *quick + (size_t)engines * sizeof *quick->place);
    if (!quick) {
        snprintf(err->text, sizeof err->text, "not enough memory for the engines");
        return NULL;
    }
    mutex_init(&quick->lock);
    const SamaraConfig config = {.hash_mb = hash_mb};
    for (quick->count = 0; quick->count < engines; quick->count++)
        if (!slot_open(&quick->place[quick->count].slot, &config, &quick->closing, err)) {
            slot_close(&quick->place[quick->count].slot);
            quick_destroy(quick);
            return NULL;
        }
    return quick;
}

void quick_destroy(Quick *quick)
{
    if (!quick)
        return;
    for (int i = 0; i < quick->count; i++)
        slot_close(&quick->place[i].slot);
    mutex_destroy(&quick->lock);
    free(quick);
}

Slot *quick_borrow(Quick *quick)
{
    const Thread self = pthread_self();
    Place *found = NULL;
    mutex_lock(&quick->lock);
    for (int i = 0; i < quick->count; i++) {
        Place *place = &quick->place[i];
        if (place->lent)
            continue;
        const bool mine = place->used && pthread_equal(place->last, self);
        if (mine || !found || (found->used && !place->used))
            found = place;
        if (mine)
            break;
    }
    if (found) {
        found->lent = found->used = true;
        found->last = self;
    }
    mutex_unlock(&quick->lock);
    return found ? &found->slot : NULL;
}

void quick_return(Quick *quick, Slot *slot)
{
    mutex_lock(&quick->lock);
    ((Place *)slot)->lent = false;
    mutex_unlock(&quick->lock);
}
