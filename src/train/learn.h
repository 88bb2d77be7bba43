// SPDX-License-Identifier: GPL-3.0-or-later
/* learn.h -- gradients and steps: the inner loop of training.
 *
 * The loss is the mean of (sigmoid(output / scale) - target)^2, where the target blends the game's
 * result with sigmoid(score / scale) of the search's score. AdamW on mini-batches; the threads of a
 * team share a batch out, and their gradients are added in a fixed order, so that the same seed and
 * number of threads give the same network. */
#ifndef SAMARA_TRAIN_LEARN_H
#define SAMARA_TRAIN_LEARN_H

#include "base/parallel.h"
#include "train/model.h"

/* Batches are made of runs of neighbours in the (shuffled) data: order[i] names the i-th run. */
enum { LEARN_RUN = 64 };

/* What counts as 1 where a network in use has 255: the learner computes with the first layer's
 * weights rounded to 1 / LEARN_ONE. */
enum { LEARN_ONE = 16 * MODEL_QA };

typedef struct Batch {
    const Sample *samples;
    const uint32_t *order;
    size_t runs;
} Batch;

enum { SCALE_GROUPS = 8 };
ALWAYS_INLINE int scale_group(int men) { return nn_bucket(men, SCALE_GROUPS); }

/* The target of a sample. A score means more with few men on the board, so each group of men has
 * its own scale: fitted to the results, both halves of the target say the same on average. */
typedef struct Blend {
    float result;              /* share of the game's result in the target, 0 to 1 */
    float scale[SCALE_GROUPS]; /* score / scale is what the sigmoid takes */
} Blend;

Blend blend_uniform(float result, float scale);
/* The scale of each group whose scores predict its results best; MODEL_SCALE for a group of fewer
 * than 10,000 samples. */
Blend blend_fitted(float result, const Sample *samples, size_t count);

typedef struct LearnOptions {
    float beta1, beta2, weight_decay;
    float clip; /* weights stay within +- this, for the rounding */
} LearnOptions;

extern const LearnOptions learn_defaults;

typedef struct Learner Learner;

/* The model and the team are borrowed. NULL if memory is short. */
Learner *learner_create(Model *model, Team *team, const LearnOptions *options, Error *err);
void learner_destroy(Learner *learner); /* NULL is fine */

double learner_gradient(Learner *learner, const Batch *batch,
                        Blend blend);              /* adds up; returns the mean loss */
void learner_update(Learner *learner, float rate); /* steps against the gradient, and clears it */
double learner_loss(Learner *learner, const Batch *batch, Blend blend); /* looks, learns nothing */

float learner_gradient_at(const Learner *learner, size_t parameter);

/* What a checkpoint needs beside the model: both moments, model->count each, and the number of
 * steps. */
typedef struct LearnerState {
    float *mean, *variance;
    uint64_t *steps;
} LearnerState;
LearnerState learner_state(Learner *learner);

#endif
