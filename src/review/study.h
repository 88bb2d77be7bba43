// SPDX-License-Identifier: GPL-3.0-or-later
/* study.h -- searching on behalf of a review. Every study has an engine of its own, made in one
 * way, so that the same question gets the same answer wherever it is asked. */
#ifndef SAMARA_REVIEW_STUDY_H
#define SAMARA_REVIEW_STUDY_H

#include "review/judge.h"
#include "review/line.h"

enum { REVIEW_NODES = 150000, REVIEW_HASH_MB = 16 };

/* How hard to look, and what may be asked beside the search. All zero is the usual effort. */
typedef struct ReviewEffort {
    SamaraLimits
        limits; /* of one look; only depth and nodes are repeatable. All zero: REVIEW_NODES */
    int jobs;   /* games: threads that share the work, with the same result. 0: 1 */
    const char *tables; /* folders with Syzygy tables, or NULL */
    const char *book;   /* Polyglot file, or NULL */
    bool thorough;      /* say what good moves achieve, too */
} ReviewEffort;

typedef struct ReviewEvents {
    void *user;
    bool (*goes_on)(void *user); /* asked from time to time, by any thread; NULL: to the end */
    /* Heard after each step, by any thread; NULL: nobody listens. */
    void (*progress)(void *user, size_t done, size_t total);
} ReviewEvents;

typedef struct Study {
    Samara *engine;
    SamaraLimits limits;
    const ReviewEvents *events;
    bool thorough;
    bool stopped;
    uint64_t nodes; /* spent so far */
    SamaraError err;
} Study;

/* What one search found. */
typedef struct Found {
    Worth worth;
    int depth;
    ReviewLine line;
} Found;

bool study_open(Study *study, const ReviewEffort *effort, const ReviewEvents *events);
void study_close(Study *study); /* opened or not */
bool study_goes_on(Study *study);

/* Searches `position`, whose game is not over, with `share` of the usual effort. moves: only these,
 * if count > 0. fresh: nothing from earlier searches counts. False: study->err, or it was stopped. */
bool study_search(Study *study, const SamaraPosition *position, double share,
                  const SamaraMove *moves, size_t count, bool fresh, Found *out);

#endif
