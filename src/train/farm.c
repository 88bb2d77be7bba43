// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/farm.h"

#include <stdlib.h>

/* How far the quickest thread may be ahead of the slowest: some games are ten times as long as
 * others. */
enum { SLOTS = 64 };

typedef struct Slot {
    bool done;
    GameRecord game;
} Slot;

typedef struct Farm {
    const FarmJob *job;
    const AtomicFlag *stop;
    Mutex mutex;
    Cond room;              /* a slot became free */
    uint64_t next, deliver; /* the number to begin, the number to put */
    bool over;              /* begin nothing more */
    bool failed;
    Error error; /* the first one */
    Slot slots[SLOTS];
} Farm;

typedef struct Hand {
    Farm *farm;
    int index;
    Thread thread;
} Hand;

static void fail(Farm *farm, const Error *err)
{
    if (!farm->failed)
        farm->error = *err;
    farm->failed = farm->over = true;
    cond_broadcast(&farm->room);
}

/* The mutex is held. */
static Slot *begin_game(Farm *farm, uint64_t *number)
{
    while (!farm->over && farm->next - farm->deliver >= SLOTS)
        cond_wait(&farm->room, &farm->mutex);
    if (farm->stop && relaxed_load(farm->stop))
        farm->over = true;
    if (farm->over)
        return NULL;
    Slot *slot = &farm->slots[farm->next % SLOTS];
    slot->done = false;
    if (!farm->job->begin(farm->job->user, farm->next, &slot->game)) {
        farm->over = true;
        cond_broadcast(&farm->room);
        return NULL;
    }
    *number = farm->next++;
    return slot;
}

/* The mutex is held. */
static void deliver_games(Farm *farm)
{
    Error err;
    while (!farm->failed && farm->deliver < farm->next && farm->slots[farm->deliver % SLOTS].done) {
        Slot *slot = &farm->slots[farm->deliver % SLOTS];
        if (!farm->job->put(farm->job->user, farm->deliver, &slot->game, &err)) {
            fail(farm, &err);
            return;
        }
        slot->done = false;
        farm->deliver++;
    }
    cond_broadcast(&farm->room);
}

static void *hand_run(void *arg)
{
    const Hand *hand = arg;
    Farm *farm = hand->farm;
    mutex_lock(&farm->mutex);
    uint64_t number;
    for (Slot *slot; (slot = begin_game(farm, &number)) != NULL;) {
        mutex_unlock(&farm->mutex);
        Error err;
        const bool ok = farm->job->work(farm->job->user, hand->index, number, &slot->game, &err);
        mutex_lock(&farm->mutex);
        if (!ok) {
            fail(farm, &err);
            break;
        }
        slot->done = true;
        deliver_games(farm);
    }
    mutex_unlock(&farm->mutex);
    return NULL;
}

bool farm_run(const FarmJob *job, int threads, uint64_t first, const AtomicFlag *stop, Error *err)
{
    Farm *farm = calloc(1, sizeof *farm);
    Hand *hands = calloc((size_t)threads, sizeof *hands);
    if (!farm || !hands) {
        free(farm);
        free(hands);
        return error_set(err, "there is not enough memory for %d threads", threads);
    }
    farm->job = job;
    farm->stop = stop;
    farm->next = farm->deliver = first;
    mutex_init(&farm->mutex);
    cond_init(&farm->room);

    int started = 0;
    for (; started < threads; started++) {
        hands[started] = (Hand){.farm = farm, .index = started};
        if (!thread_start(&hands[started].thread, hand_run, &hands[started]))
            break;
    }
    for (int i = 0; i < started; i++)
        thread_join(hands[i].thread);
    const bool ok = started > 0 && !farm->failed;
    if (started == 0)
        error_set(err, "the system gives no threads");
    else if (farm->failed && err)
        *err = farm->error;
    cond_destroy(&farm->room);
    mutex_destroy(&farm->mutex);
    free(farm);
    free(hands);
    return ok;
}
