// SPDX-License-Identifier: GPL-3.0-or-later
/* team.h -- threads that do the same thing to different parts, again and again. */
#ifndef SAMARA_TRAIN_TEAM_H
#define SAMARA_TRAIN_TEAM_H

typedef struct Team Team;
typedef void (*TeamWork)(void *user, int index);

Team *team_create(int threads); /* NULL if there is no memory or no thread left */
void team_destroy(Team *team);  /* NULL is fine */
int team_size(const Team *team);
/* Calls work(user, 0 .. size - 1), each in its thread, 0 in the caller's; returns when all are
 * done. */
void team_run(Team *team, TeamWork work, void *user);

#endif
