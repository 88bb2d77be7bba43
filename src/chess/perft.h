// SPDX-License-Identifier: GPL-3.0-or-later
/* perft.h -- counts the leaves of the move tree: the proof of the move generator. */
#ifndef SAMARA_CHESS_PERFT_H
#define SAMARA_CHESS_PERFT_H

#include "base/error.h"
#include "chess/position.h"
#include <stddef.h>

uint64_t perft(Position *p, int depth); /* p is unchanged afterwards; depth 0 gives 1 */

typedef struct PerftOptions {
    int depth;      /* 1 or more */
    int threads;    /* root moves are shared out among them */
    size_t hash_mb; /* 0: no table */
    /* Called once per root move, in generation order; may be NULL. */
    void (*divide)(void *user, Move m, uint64_t count);
    /* Asked from time to time, by any of the threads; NULL: run to the end. */
    bool (*goes_on)(void *user);
    void *user;
} PerftOptions;

/* False if memory cannot be had, or if it was not to go on: then the error is STOPPED, the total is
 * what was counted so far, and divide has been told of the moves that were finished. */
bool perft_run(const Position *p, const PerftOptions *options, uint64_t *total, Error *err);

#endif
