// SPDX-License-Identifier: GPL-3.0-or-later
/* datagen.h -- self-play games in a file, played by several threads, going on where it was stopped. */
#ifndef SAMARA_TRAIN_DATAGEN_H
#define SAMARA_TRAIN_DATAGEN_H

#include "base/thread.h"
#include "train/selfplay.h"

enum { DATAGEN_MAX_THREADS = 256 };

/* Several players of one kind, one for each thread. */
typedef struct Crew {
    int threads;
    Player *players[DATAGEN_MAX_THREADS];
} Crew;

bool crew_create(Crew *crew, int threads, const char *net, int hash_mb, Error *err);
void crew_free(Crew *crew);

/* "Samara 2.0.0, samara-4f0c12ab, plain": part of a file's header, so that a run is not continued by
 * another player. */
bool describe_player(char out[RECORD_MAKER_SIZE], const char *net_path, Error *err);

typedef struct DatagenJob {
    const char *path;
    const char *net; /* NULL: the network of the build, "" the classical evaluation */
    SelfplayRules rules;
    uint64_t games;     /* in the file in the end, */
    uint64_t positions; /* or so many searched positions, whichever comes first; 0: no such end */
    int threads, hash_mb;
    struct Queue *queue; /* NULL: this machine plays; else workers do, `threads` jobs at a time */
    const AtomicFlag *stop;   /* games under way are finished and written */
    void (*wait)(void *user); /* called before each game, by one thread at a time; may be NULL */
    void *user;
} DatagenJob;

typedef struct DatagenTotals {
    uint64_t games, positions; /* of the whole file */
    uint64_t half_points[3];   /* of this run: White's losses, draws, wins */
} DatagenTotals;

/* Shows its progress on the terminal. *totals may be NULL. */
bool datagen_run(const DatagenJob *job, DatagenTotals *totals, Error *err);

#endif
