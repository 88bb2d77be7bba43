// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/parallel_map.h"

#include "base/parallel.h"
#include <stdlib.h>

/* How far the quickest thread may be ahead of the slowest: some games are ten times as long as
 * others. */
enum { SLOTS = 64 };

typedef struct Slot {
    bool done;
    GameRecord game;
} Slot;

typedef struct Map {
    const ParallelMap *job;
    const AtomicFlag *stop;
    Mutex mutex;
    Cond room;              /* a slot became free */
    uint64_t next, deliver; /* the number to begin, the number to put */
    bool over;              /* begin nothing more */
    bool failed;
    Error error; /* the first one */
    Slot slots[SLOTS];
} Map;

static void fail(Map *map, const Error *err)
{
    if (!map->failed)
        map->error = *err;
    map->failed = map->over = true;
    cond_broadcast(&map->room);
}

/* The mutex is held. */
static Slot *begin_game(Map *map, uint64_t *number)
{
    while (!map->over && map->next - map->deliver >= SLOTS)
        cond_wait(&map->room, &map->mutex);
    if (map->stop && relaxed_load(map->stop))
        map->over = true;
    if (map->over)
        return NULL;
    Slot *slot = &map->slots[map->next % SLOTS];
    slot->done = false;
    if (!map->job->begin(map->job->user, map->next, &slot->game)) {
        map->over = true;
        cond_broadcast(&map->room);
        return NULL;
    }
    *number = map->next++;
    return slot;
}

/* The mutex is held. */
static void deliver_games(Map *map)
{
    Error err;
    while (!map->failed && map->deliver < map->next && map->slots[map->deliver % SLOTS].done) {
        Slot *slot = &map->slots[map->deliver % SLOTS];
        if (!map->job->put(map->job->user, map->deliver, &slot->game, &err)) {
            fail(map, &err);
            return;
        }
        slot->done = false;
        map->deliver++;
    }
    cond_broadcast(&map->room);
}

/* Takes the next number, works without the lock, and delivers all games that are next in order. */
static void map_thread_run(void *user, int part)
{
    Map *map = user;
    mutex_lock(&map->mutex);
    uint64_t number;
    for (Slot *slot; (slot = begin_game(map, &number)) != NULL;) {
        mutex_unlock(&map->mutex);
        Error err;
        const bool ok = map->job->work(map->job->user, part, number, &slot->game, &err);
        mutex_lock(&map->mutex);
        if (!ok) {
            fail(map, &err);
            break;
        }
        slot->done = true;
        deliver_games(map);
    }
    mutex_unlock(&map->mutex);
}

/* Returns when every game that was begun is done. */
bool parallel_map(const ParallelMap *job, int threads, uint64_t first, const AtomicFlag *stop,
                  Error *err)
{
    Map *map = calloc(1, sizeof *map);
    if (!map)
        return error_set(err, "there is not enough memory for %d threads", threads);
    map->job = job;
    map->stop = stop;
    map->next = map->deliver = first;
    mutex_init(&map->mutex);
    cond_init(&map->room);
    parallel_for(threads, map_thread_run, map);
    const bool ok = !map->failed;
    if (map->failed && err)
        *err = map->error;
    cond_destroy(&map->room);
    mutex_destroy(&map->mutex);
    free(map);
    return ok;
}
