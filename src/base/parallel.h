// SPDX-License-Identifier: GPL-3.0-or-later
/* parallel.h -- the same work on different parts, at the same time.
 *
 * parallel_for() is for once; a Team keeps its threads for work that comes again and again, such as
 * the batches of a training run. Both give part 0 to the caller's own thread, and so every part for
 * which the system has no thread left: the work is always done, at worst one part after another. */
#ifndef SAMARA_BASE_PARALLEL_H
#define SAMARA_BASE_PARALLEL_H

typedef void (*ParallelWork)(void *user, int part);

/* Calls work(user, 0 .. parts - 1), each in its thread; returns when all are done. */
void parallel_for(int parts, ParallelWork work, void *user);

typedef struct Team Team;

Team *team_create(int size);   /* NULL if memory is short; a size below 1 counts as 1 */
void team_destroy(Team *team); /* NULL is fine */
int team_size(const Team *team);
/* Calls work(user, 0 .. size - 1), each in its thread; returns when all are done. */
void team_run(Team *team, ParallelWork work, void *user);

#endif
