// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/parallel.h"

#include "base/thread.h"
#include <stdlib.h>

typedef struct Member {
    Team *team;
    int part;
    Thread thread;
} Member;

struct Team {
    Mutex mutex;
    Cond begin, end;
    uint64_t round; /* counts the calls of team_run */
    int busy;       /* members that have not finished this round */
    bool dismissed;
    ParallelWork work;
    void *user;
    int size, threads; /* parts; those of them that have a thread, the caller's included */
    Member members[];
};

/* A member sleeps until its next round begins. It counts the rounds itself, so that a quick caller
 * cannot make it work twice on one. */
static void *member_run(void *arg)
{
    const Member *self = arg;
    Team *team = self->team;
    mutex_lock(&team->mutex);
    for (uint64_t round = 1;; round++) {
        while (!team->dismissed && team->round < round)
            cond_wait(&team->begin, &team->mutex);
        if (team->dismissed)
            break;
        mutex_unlock(&team->mutex);
        team->work(team->user, self->part);
        mutex_lock(&team->mutex);
        if (--team->busy == 0)
            cond_signal(&team->end);
    }
    mutex_unlock(&team->mutex);
    return NULL;
}

/* Starts as many threads as the system gives; team_run() does the parts that have none. */
Team *team_create(int size)
{
    size = size < 1 ? 1 : size;
    Team *team = calloc(1, sizeof *team + (size_t)size * sizeof *team->members);
    if (!team)
        return NULL;
    team->size = size;
    mutex_init(&team->mutex);
    cond_init(&team->begin);
    cond_init(&team->end);
    for (team->threads = 1; team->threads < size; team->threads++) {
        Member *member = &team->members[team->threads];
        *member = (Member){.team = team, .part = team->threads};
        if (!thread_start(&member->thread, member_run, member))
            break;
    }
    return team;
}

/* The members leave at their next wait, so no round may be running. */
void team_destroy(Team *team)
{
    if (!team)
        return;
    mutex_lock(&team->mutex);
    team->dismissed = true;
    cond_broadcast(&team->begin);
    mutex_unlock(&team->mutex);
    for (int i = 1; i < team->threads; i++)
        thread_join(team->members[i].thread);
    cond_destroy(&team->begin);
    cond_destroy(&team->end);
    mutex_destroy(&team->mutex);
    free(team);
}

int team_size(const Team *team) { return team->size; }

/* Wakes the members, does the caller's own parts meanwhile, and waits for the last member. */
void team_run(Team *team, ParallelWork work, void *user)
{
    mutex_lock(&team->mutex);
    team->work = work;
    team->user = user;
    team->busy = team->threads - 1;
    team->round++;
    cond_broadcast(&team->begin);
    mutex_unlock(&team->mutex);

    work(user, 0);
    for (int part = team->threads; part < team->size; part++)
        work(user, part);

    mutex_lock(&team->mutex);
    while (team->busy > 0)
        cond_wait(&team->end, &team->mutex);
    mutex_unlock(&team->mutex);
}

void parallel_for(int parts, ParallelWork work, void *user)
{
    Team *team = parts > 1 ? team_create(parts) : NULL;
    if (team)
        team_run(team, work, user);
    for (int part = 0; !team && part < parts; part++)
        work(user, part);
    team_destroy(team);
}
