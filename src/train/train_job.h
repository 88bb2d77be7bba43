// SPDX-License-Identifier: GPL-3.0-or-later
/* train_job.h -- one training from files of games to a network file, with progress on the terminal.
 * After every epoch it writes PREFIX.nnue, PREFIX.checkpoint, PREFIX.csv and PREFIX.svg. */
#ifndef SAMARA_TRAIN_TRAIN_JOB_H
#define SAMARA_TRAIN_TRAIN_JOB_H

#include "train/trainer.h"

typedef struct TrainJob {
    TrainerSettings settings;
    DatasetOptions data;
    const char *out;          /* PREFIX */
    const char *from;         /* checkpoint or network to begin with; NULL: random weights */
    bool resume;              /* go on from PREFIX.checkpoint if it exists */
    bool (*tick)(void *user); /* called after every batch; false stops. NULL: nothing does */
    void *user;
    int threads;
} TrainJob;

TrainJob train_job_default(void); /* trainer_defaults, every core; out is yet to be set */

/* False, and *err says why, if it failed or was stopped. *last (may be NULL) is the last epoch's
 * point of the curve. */
bool train_job_run(const TrainJob *job, char *const *paths, int count, CurvePoint *last,
                   Error *err);

#endif
