// SPDX-License-Identifier: GPL-3.0-or-later
/* lineup.h -- work on numbered items in parallel, results taken in strictly by number.
 *
 * Whichever worker is quicker, the outside sees item after item: that makes runs repeatable and
 * sequential tests unbiased. */
#ifndef SAMARA_MATCH_LINEUP_H
#define SAMARA_MATCH_LINEUP_H

#include "base/error.h"
#include <stdint.h>

typedef struct LineupJob {
    void *user;
    /* In each worker's thread, before its first item; NULL: it cannot work, *err says why. */
    void *(*open)(void *user, int worker, Error *err);
    /* In the worker's thread. False ends everything: no further item is begun, and lineup_run fails
     * with *err. */
    bool (*work)(void *user, void *worker, uint64_t item, void **result, Error *err);
    /* One at a time, by number. False ends everything in good order. Takes over the result. */
    bool (*take)(void *user, uint64_t item, void *result);
    void (*drop)(void *result);              /* frees a result that was never taken */
    void (*close)(void *user, void *worker); /* in the caller's thread, after all work */
    uint64_t first, end;                     /* items [first, end) */
    uint64_t window; /* item k is begun only after item k - window was taken; 0: no such limit */
    int workers;
} LineupJob;

bool lineup_run(const LineupJob *job, Error *err);

#endif
