// SPDX-License-Identifier: GPL-3.0-or-later
/* selfplay_job.h -- self-play games as jobs of the queue. The same game comes out whoever plays it,
 * so a file made by many machines has the bytes of one made here.
 *
 *   payload   "selfplay FIRST COUNT HASH" and the rules, all numbers on one line
 *   result    the games as in a block of record.h, then the CRC-32C of payload and games, u32 */
#ifndef SAMARA_TRAIN_SELFPLAY_JOB_H
#define SAMARA_TRAIN_SELFPLAY_JOB_H

#include "queue/worker.h"
#include "train/selfplay.h"

#define SELFPLAY_JOB_KIND "selfplay"

typedef struct SelfplayJob {
    uint64_t first;
    int count, hash_mb;
    SelfplayRules rules;
} SelfplayJob;

void selfplay_job_write(const SelfplayJob *job, Buffer *payload);
bool selfplay_job_read(Str payload, SelfplayJob *out);
/* Hands each game of a result over, in order. False: damaged, or put() says no. */
bool selfplay_result_read(const SelfplayJob *job, Str result,
                          bool (*put)(void *user, uint64_t number, const GameRecord *game,
                                      Error *err),
                          void *user, Error *err);

WorkKind selfplay_work(const char *network); /* NULL: the one built in */
/* "Samara 2.0.0, samara-4f0c12ab", as front/review_job.h has it. */
bool selfplay_engine(const char *network, char out[QUEUE_NAME_SIZE], Error *err);

#endif
