// SPDX-License-Identifier: GPL-3.0-or-later
/* parallel_map.h -- many games at a time, one thread each, delivered in order.
 *
 * Games are numbered. Threads take numbers as they become free and may run ahead of each other, but
 * begin() is called in the order of the numbers and so is put(): what comes out does not depend on
 * the number of threads or on their speed. */
#ifndef SAMARA_TRAIN_PARALLEL_MAP_H
#define SAMARA_TRAIN_PARALLEL_MAP_H

#include "base/error.h"
#include "base/thread.h"
#include "train/record.h"

typedef struct ParallelMap {
    void *user;
    /* One thread at a time, numbers ascending. May fill in *game for work(); false: there are no
     * more. */
    bool (*begin)(void *user, uint64_t number, GameRecord *game);
    /* Many threads at a time; `thread` tells them apart. */
    bool (*work)(void *user, int thread, uint64_t number, GameRecord *game, Error *err);
    /* One thread at a time, numbers ascending. */
    bool (*put)(void *user, uint64_t number, const GameRecord *game, Error *err);
} ParallelMap;

/* Runs until begin() says no, *stop becomes true (NULL: never) or something fails. Games that were
 * begun are finished and delivered unless something failed. */
bool parallel_map(const ParallelMap *job, int threads, uint64_t first, const AtomicFlag *stop,
                  Error *err);

#endif
