// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/team.h"

#include "base/thread.h"

#include <stdlib.h>

typedef struct Member {
    Team *team;
    int index;
    Thread thread;
} Member;

struct Team {
    Mutex mutex;
    Cond begin, end;
    uint64_t round; /* counts the calls of team_run */
    int busy;       /* members that have not finished this round */
    bool dismissed;
    TeamWork work;
    void *user;
    int size; /* with the caller */
    Member members[];
};

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
        team->work(team->user, self->index);
        mutex_lock(&team->mutex);
        if (--team->busy == 0)
            cond_signal(&team->end);
    }
    mutex_unlock(&team->mutex);
    return NULL;
}

Team *team_create(int threads)
{
    Team *team = calloc(1, sizeof *team + (size_t)threads * sizeof *team->members);
    if (!team)
        return NULL;
    mutex_init(&team->mutex);
    cond_init(&team->begin);
    cond_init(&team->end);
    for (team->size = 1; team->size < threads; team->size++) {
        Member *member = &team->members[team->size];
        *member = (Member){.team = team, .index = team->size};
        if (!thread_start(&member->thread, member_run, member)) {
            team_destroy(team);
            return NULL;
        }
    }
    return team;
}

void team_destroy(Team *team)
{
    if (!team)
        return;
    mutex_lock(&team->mutex);
    team->dismissed = true;
    cond_broadcast(&team->begin);
    mutex_unlock(&team->mutex);
    for (int i = 1; i < team->size; i++)
        thread_join(team->members[i].thread);
    cond_destroy(&team->begin);
    cond_destroy(&team->end);
    mutex_destroy(&team->mutex);
    free(team);
}

int team_size(const Team *team) { return team->size; }

void team_run(Team *team, TeamWork work, void *user)
{
    mutex_lock(&team->mutex);
    team->work = work;
    team->user = user;
    team->busy = team->size - 1;
    team->round++;
    cond_broadcast(&team->begin);
    mutex_unlock(&team->mutex);

    work(user, 0);

    mutex_lock(&team->mutex);
    while (team->busy > 0)
        cond_wait(&team->end, &team->mutex);
    mutex_unlock(&team->mutex);
}
