// SPDX-License-Identifier: GPL-3.0-or-later
/* pool.h -- the interface of the search: threads that wait, search together, and report through
 * callbacks.
 *
 * Owner: one caller thread starts, stops and waits. Callbacks come from the main search thread. */
#ifndef SAMARA_SEARCH_POOL_H
#define SAMARA_SEARCH_POOL_H

#include "base/error.h"
#include "probe/syzygy.h"
#include "search/events.h"
#include "search/limits.h"

typedef struct TTable TTable;
typedef struct Net Net;
typedef struct Pool Pool;

typedef struct SearchSetup {
    const Position *root;
    const Key *keys; /* of the earlier positions of the game, oldest first */
    int key_count;
    Limits limits;
    SearchEvents events;
    int multipv;                        /* 1 or more */
    const Net *net;                     /* NULL: classical evaluation */
    Syzygy *tables;                     /* NULL: no tablebases */
    int tb_probe_depth, tb_probe_limit; /* limit 0: do not ask them */
    bool tb_rule50;
} SearchSetup;

Pool *pool_create(int threads, Error *err);                 /* NULL on failure */
void pool_destroy(Pool *pool);                              /* stops a running search first */
bool pool_set_threads(Pool *pool, int threads, Error *err); /* failure keeps the old ones */
int pool_threads(const Pool *pool);
void pool_clear(Pool *pool); /* forget everything learned: a new game */
void pool_start(Pool *pool, TTable *tt,
                const SearchSetup *setup); /* copies what it needs; returns at once */
void pool_stop(Pool *pool);                /* from any thread; done() still comes */
void pool_ponderhit(Pool *pool);
void pool_wait(Pool *pool); /* until done() has returned */
bool pool_busy(const Pool *pool);
/* The same search in the calling thread with one worker: deterministic; for bench, self-play,
 * tests. */
void pool_run(Pool *pool, TTable *tt, const SearchSetup *setup, SearchResult *result);
uint64_t pool_nodes(const Pool *pool);
/* Puts an exact score for p (its mover's view) into the table, as if searched to this depth: for
 * front ends that let a person correct the engine. */
void pool_teach(TTable *tt, const Position *p, Score score, int depth);

#endif
