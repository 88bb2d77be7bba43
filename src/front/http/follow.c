// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/follow.h"

#include <stdlib.h>

enum { MOST_FOLLOWERS = 256 };

typedef struct Follower {
    Request *request;
    int64_t game;
} Follower;

struct Followers {
    Mutex lock;
    bool closing;
    int count;
    Follower list[MOST_FOLLOWERS];
};

Followers *followers_create(void)
{
    Followers *f = calloc(1, sizeof *f);
    if (f)
        mutex_init(&f->lock);
    return f;
}

void followers_destroy(Followers *f)
{
    if (!f)
        return;
    mutex_destroy(&f->lock);
    free(f);
}

/* With the lock. */
static void leave(Followers *f, int i)
{
    request_done(f->list[i].request);
    f->list[i] = f->list[--f->count];
}

/* With the lock. Clients that hung up are noticed here: nothing else looks at a request that
 * waits. */
static void sweep(Followers *f)
{
    for (int i = f->count; i-- > 0;)
        if (task_cancelled(&f->list[i].request->task))
            leave(f, i);
}

bool followers_add(Followers *f, Request *r, int64_t game)
{
    mutex_lock(&f->lock);
    sweep(f);
    const bool room = !f->closing && f->count < MOST_FOLLOWERS;
    if (room)
        f->list[f->count++] = (Follower){r, game};
    mutex_unlock(&f->lock);
    return room;
}

/* From the last to the first: one who leaves is replaced by the last of the list. */
void followers_tell(Followers *f, int64_t game, const char *name, const char *data, bool last)
{
    mutex_lock(&f->lock);
    sweep(f);
    for (int i = f->count; i-- > 0;) {
        if (f->list[i].game != game)
            continue;
        request_event(f->list[i].request, name, data);
        if (last)
            leave(f, i);
    }
    mutex_unlock(&f->lock);
}

void followers_close(Followers *f)
{
    mutex_lock(&f->lock);
    f->closing = true;
    while (f->count > 0)
        leave(f, f->count - 1);
    mutex_unlock(&f->lock);
}
