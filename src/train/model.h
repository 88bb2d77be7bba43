// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h -- a network while it learns: floats, all in one array, and how they become a net file.
 *
 * The input weights lie in tiles of 32 neurons, [tile][row][32]: the trainer goes through a batch
 * tile by tile, and the rows of one tile stay in the second-level cache.
 *
 * With king buckets an input's weights are the sum of two rows: one that all buckets share (the
 * factoriser), from which inputs with a rare king learn what holds wherever it stands, and one of
 * its bucket. The shared rows come first. */
#ifndef SAMARA_TRAIN_MODEL_H
#define SAMARA_TRAIN_MODEL_H

#include "nnue/arch.h"
#include "train/sample.h"

enum { MODEL_TILE = 32 };

typedef struct Model {
    NetShape shape;
    int rows;                                  /* of input weights: shared ones, then buckets' */
    size_t bias_at, output_at, output_bias_at; /* where the parts begin; the input weights at 0 */
    size_t count;                              /* of all parameters, padded to whole tiles */
    float *weights;
} Model;

/* Random weights from the seed. False if memory is short or the shape is not one of arch.h. */
bool model_create(Model *model, NetShape shape, uint64_t seed, Error *err);
void model_free(Model *model);

/* Rows that all king buckets share: none if there is only one. */
static inline int model_shared_rows(const Model *model)
{
    return model->shape.kings > 1 ? NN_INPUTS : 0;
}
size_t model_row_at(const Model *model, int row, int neuron);
/* An input's own row, as feature_index() counts inputs. */
static inline size_t model_input_at(const Model *model, int input, int neuron)
{
    return model_row_at(model, model_shared_rows(model) + input, neuron);
}
/* What the input adds to the neuron: the sum of its rows. */
float model_input(const Model *model, int input, int neuron);
size_t model_bias_at(const Model *model, int neuron);
/* half 0: side to move */
static inline size_t model_output_at(const Model *model, int bucket, int half, int neuron)
{
    return model->output_at + (size_t)((bucket * 2 + half) * model->shape.hidden + neuron);
}
size_t model_output_bias_at(const Model *model, int bucket);

/* The output before the sigmoid, computed in double and without haste: for tests and measurements.
 */
double model_output(const Model *model, const Sample *sample);

/* The file of the rounded network. QB is as large as the weights allow. False, with a sentence, if
 * they are too large for any. */
bool model_export(const Model *model, uint64_t training_id, Buffer *out, Error *err);

/* The weights of a finished network as floats again, to train on from it. The shape must be the
 * model's, but a network without king buckets may become the start of one with them. */
bool model_import(Model *model, const struct Net *net, Error *err);

enum { MODEL_QA = 255, MODEL_SCALE = 400 };

#endif
