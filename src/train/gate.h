// SPDX-License-Identifier: GPL-3.0-or-later
/* gate.h -- a short match between two networks at fixed nodes: is the new one at least as good? */
#ifndef SAMARA_TRAIN_GATE_H
#define SAMARA_TRAIN_GATE_H

#include "base/thread.h"
#include "train/selfplay.h"

typedef struct GateJob {
    const char *new_net, *old_net; /* NULL: the network of the build, "" the classical evaluation */
    int pairs;                     /* openings, each played twice with colours swapped */
    uint32_t nodes;                /* per move */
    uint64_t seed;
    int threads, hash_mb;
    const AtomicFlag *stop;
    void (*wait)(void *user); /* as in DatagenJob */
    void *user;
} GateJob;

typedef struct GateResult {
    int wins, losses, draws; /* of the new one */
    double score;            /* 0 to 1 */
    double elo, error;       /* and the half width of its 95 % interval, by pairs */
} GateResult;

bool gate_run(const GateJob *job, GateResult *result, Error *err);
/* From the points of the new one in each pair, in half points (0 to 4). */
GateResult gate_result(const uint64_t pairs[5], int wins, int losses, int draws);

#endif
