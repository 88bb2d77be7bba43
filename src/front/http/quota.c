// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/quota.h"

#include "base/thread.h"
#include <assert.h>
#include <stdlib.h>

typedef struct Holder {
    uint64_t client;
    int count; /* 0: the place is free */
} Holder;

/* A hash table with linear probing. It has at most `total` holders and at least twice as many
 * places, so it never grows and a search always ends at a free place. */
struct Quota {
    Mutex lock;
    int total, per_client, held;
    uint64_t mask;
    Holder holder[];
};

Quota *quota_create(int total, int per_client)
{
    uint64_t places = 16;
    while (places < 2 * (uint64_t)total)
        places *= 2;
    Quota *quota = calloc(1, sizeof *quota + places * sizeof *quota->holder);
    if (!quota)
        return NULL;
    mutex_init(&quota->lock);
    quota->total = total;
    quota->per_client = per_client;
    quota->mask = places - 1;
    return quota;
}

void quota_destroy(Quota *quota)
{
    if (!quota)
        return;
    mutex_destroy(&quota->lock);
    free(quota);
}

static uint64_t home(const Quota *quota, uint64_t client)
{
    return (client * 0x9e3779b97f4a7c15u >> 32) & quota->mask;
}

/* Where the client is, or the free place where it belongs. */
static uint64_t place_of(const Quota *quota, uint64_t client)
{
    uint64_t at = home(quota, client);
    while (quota->holder[at].count > 0 && quota->holder[at].client != client)
        at = (at + 1) & quota->mask;
    return at;
}

static QuotaVerdict take(Quota *quota, uint64_t client, int share)
{
    mutex_lock(&quota->lock);
    Holder *holder = &quota->holder[place_of(quota, client)];
    const QuotaVerdict verdict = holder->count >= share        ? QUOTA_CLIENT_FULL
                                 : quota->held >= quota->total ? QUOTA_ALL_FULL
                                                               : QUOTA_GRANTED;
    if (verdict == QUOTA_GRANTED) {
        holder->client = client;
        holder->count++;
        quota->held++;
    }
    mutex_unlock(&quota->lock);
    return verdict;
}

QuotaVerdict quota_take(Quota *quota, uint64_t client)
{
    return take(quota, client, quota->per_client);
}

QuotaVerdict quota_take_any(Quota *quota, uint64_t client)
{
    return take(quota, client, quota->total);
}

/* Frees a place and moves up those behind it that would no longer be found. */
static void remove_holder(Quota *quota, uint64_t hole)
{
    quota->holder[hole].count = 0;
    for (uint64_t at = (hole + 1) & quota->mask; quota->holder[at].count > 0;
         at = (at + 1) & quota->mask) {
        const uint64_t wish = home(quota, quota->holder[at].client);
        if (((at - wish) & quota->mask) < ((at - hole) & quota->mask))
            continue; /* it is at home between the hole and here */
        quota->holder[hole] = quota->holder[at];
        quota->holder[at].count = 0;
        hole = at;
    }
}

void quota_give(Quota *quota, uint64_t client)
{
    mutex_lock(&quota->lock);
    const uint64_t at = place_of(quota, client);
    assert(quota->holder[at].count > 0 && quota->held > 0);
    quota->held--;
    if (--quota->holder[at].count == 0)
        remove_holder(quota, at);
    mutex_unlock(&quota->lock);
}

int quota_held(Quota *quota)
{
    mutex_lock(&quota->lock);
    const int held = quota->held;
    mutex_unlock(&quota->lock);
    return held;
}
