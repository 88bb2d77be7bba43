// SPDX-License-Identifier: GPL-3.0-or-later
/* trainer.h -- a whole training: epochs, schedules, validation, checkpoints.
 *
 * Deterministic by seed, settings, data and number of threads; going on from a checkpoint gives the
 * same network, byte for byte, as never having stopped. */
#ifndef SAMARA_TRAIN_TRAINER_H
#define SAMARA_TRAIN_TRAINER_H

#include "train/curve.h"
#include "train/learn.h"

enum { TRAINER_MAX_EPOCHS = 1000 };

typedef struct TrainerSettings {
    NetShape shape;
    int epochs, batch;         /* batch: samples per step, whole runs */
    int warmup;                /* steps in which the learning rate rises */
    double rate, rate_end;     /* cosine between them */
    double result, result_end; /* share of the result in the target, straight line between them */
    bool fit_scale; /* scale of the scores by the men on the board, fitted to the results */
    uint64_t seed;
    LearnOptions learn;
} TrainerSettings;

extern const TrainerSettings trainer_defaults;

typedef struct Trainer {
    TrainerSettings settings;
    const Dataset *data;
    Model model;
    Team *team;
    Learner *learner;
    Blend blend;     /* its scales; the share of the result follows the schedule */
    uint32_t *order; /* of the runs of training data; room for validation too */
    int epochs_done;
    CurvePoint curve[TRAINER_MAX_EPOCHS];
} Trainer;

/* The data are borrowed. */
bool trainer_begin(Trainer *trainer, const TrainerSettings *settings, const Dataset *data,
                   int threads, Error *err);
void trainer_end(Trainer *trainer);

/* Called during an epoch with the share that is done; false stops at once (the epoch does not
 * count). */
typedef bool (*TrainerTick)(void *user, size_t steps_done, size_t steps);
bool trainer_epoch(Trainer *trainer, TrainerTick tick, void *user); /* false: stopped */

bool trainer_save(const Trainer *trainer, const char *path,
                  Error *err); /* never leaves half a file */
/* Into a trainer just begun with the same settings, shape and data. */
bool trainer_resume(Trainer *trainer, const char *path, Error *err);
/* Takes only the weights, of a checkpoint or of a finished network (.nnue): a new trainer that
 * starts where another ended. */
bool trainer_start_from(Trainer *trainer, const char *path, Error *err);

#endif
