// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/model.h"

#include "base/memory.h"
#include "base/rng.h"
#include "nnue/net.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_QB = 1024 };

static size_t padded(size_t count) { return (count + MODEL_TILE - 1) / MODEL_TILE * MODEL_TILE; }

size_t model_row_at(const Model *model, int row, int neuron)
{
    return ((size_t)(neuron / MODEL_TILE) * (size_t)model->rows + (size_t)row) * MODEL_TILE +
           (size_t)(neuron % MODEL_TILE);
}

float model_input(const Model *model, int input, int neuron)
{
    const float own = model->weights[model_input_at(model, input, neuron)];
    return model_shared_rows(model)
               ? own + model->weights[model_row_at(model, input % NN_INPUTS, neuron)]
               : own;
}

size_t model_bias_at(const Model *model, int neuron) { return model->bias_at + (size_t)neuron; }

size_t model_output_bias_at(const Model *model, int bucket)
{
    return model->output_bias_at + (size_t)bucket;
}

static float uniform(Rng *rng, float limit) { return (float)(2 * rng_unit(rng) - 1) * limit; }

/* A neuron sums some twenty inputs: they start small enough for it to begin between its two clips.
 */
static void randomise(Model *model, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < model->bias_at; i++)
        model->weights[i] = uniform(&rng, 0.07f);
    for (int row = NN_INPUTS; row < model->rows; row++) /* buckets begin as equals */
        for (int i = 0; i < model->shape.hidden; i++)
            model->weights[model_row_at(model, row, i)] = 0;
    for (int i = 0; i < model->shape.hidden; i++)
        model->weights[model_bias_at(model, i)] = 0.1f + uniform(&rng, 0.1f);
    const float limit = sqrtf(3.0f / (float)(2 * model->shape.hidden));
    for (size_t i = model->output_at; i < model->output_bias_at; i++)
        model->weights[i] = uniform(&rng, limit);
}

/* All weights in one block, so that the optimiser can go through them as one array. */
bool model_create(Model *model, NetShape shape, uint64_t seed, Error *err)
{
    *model = (Model){.shape = shape};
    if (!nn_shape_exists(&shape))
        return error_set(err,
                         "there are no networks with %d king buckets, %d neurons and %d outputs",
                         shape.kings, shape.hidden, shape.buckets);
    const size_t hidden = (size_t)shape.hidden, buckets = (size_t)shape.buckets;
    model->rows = model_shared_rows(model) + shape.kings * NN_INPUTS;
    model->bias_at = (size_t)model->rows * hidden;
    model->output_at = model->bias_at + hidden;
    model->output_bias_at = model->output_at + buckets * 2 * hidden;
    model->count = model->output_bias_at + padded(buckets);
    model->weights = memory_alloc(model->count * sizeof(float), 64);
    if (!model->weights)
        return error_set(err, "there is not enough memory for the network");
    randomise(model, seed);
    return true;
}

void model_free(Model *model)
{
    memory_free(model->weights);
    *model = (Model){0};
}

/* In double precision and in the plainest order: the reference for the fast code. */
static double half_output(const Model *model, const uint16_t *features, int count, int bucket,
                          int half)
{
    double sum = 0;
    for (int i = 0; i < model->shape.hidden; i++) {
        double v = model->weights[model_bias_at(model, i)];
        for (int k = 0; k < count; k++)
            v += model_input(model, features[k], i);
        v = v < 0 ? 0 : v > 1 ? 1 : v;
        sum += v * v * model->weights[model_output_at(model, bucket, half, i)];
    }
    return sum;
}

double model_output(const Model *model, const Sample *sample)
{
    uint16_t own[SAMPLE_MAX_MEN], enemy[SAMPLE_MAX_MEN];
    const int men = sample_features(sample, model->shape.kings, own, enemy),
              bucket = nn_bucket(men, model->shape.buckets);
    return model->weights[model_output_bias_at(model, bucket)] +
           half_output(model, own, men, bucket, 0) + half_output(model, enemy, men, bucket, 1);
}

/* --- rounding --- */

/* The largest QB at which neither a product of 16 bits nor a sum of 32 can overflow (see net.c). */
static int choose_qb(const Model *model)
{
    double limit = MAX_QB;
    for (int bucket = 0; bucket < model->shape.buckets; bucket++) {
        double largest = 1e-6, sums[2] = {0, 0};
        for (int i = 0; i < 2 * model->shape.hidden; i++) {
            const double w = model->weights[model_output_at(model, bucket, 0, i)];
            largest = fmax(largest, fabs(w));
            sums[w > 0] += fabs(w) + 1.0 / 64; /* and what rounding may add */
        }
        const double bias =
            fabs((double)model->weights[model_output_bias_at(model, bucket)]) + 1.0 / 64;
        limit = fmin(limit, 32767.0 / MODEL_QA / largest - 0.5);
        limit = fmin(limit, 2147483647.0 / MODEL_QA / MODEL_QA / (fmax(sums[0], sums[1]) + bias));
    }
    return (int)limit;
}

static int16_t rounded(float w, double unit)
{
    const double x = nearbyint(w * unit);
    return (int16_t)(x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x);
}

/* Rounds to the integers that the engine computes with, and reads the result back to make sure that
 * it is a network the engine accepts. */
bool model_export(const Model *model, uint64_t training_id, Buffer *out, Error *err)
{
    const int hidden = model->shape.hidden, all = model->shape.kings * NN_INPUTS,
              qb = choose_qb(model);
    if (qb < 16)
        return error_set(err, "the output weights are too large to be rounded to 16 bits");
    const size_t inputs = (size_t)all * (size_t)hidden,
                 outputs = (size_t)model->shape.buckets * 2 * (size_t)hidden;
    int16_t *values = malloc((inputs + (size_t)hidden + outputs) * sizeof *values);
    if (!values)
        return error_set(err, "there is not enough memory for the network");
    int16_t *bias = values + inputs, *output = bias + hidden;
    int32_t output_bias[NN_MAX_BUCKETS];
    for (int f = 0; f < all; f++)
        for (int i = 0; i < hidden; i++)
            values[f * hidden + i] = rounded(model_input(model, f, i), MODEL_QA);
    for (int i = 0; i < hidden; i++)
        bias[i] = rounded(model->weights[model_bias_at(model, i)], MODEL_QA);
    for (size_t i = 0; i < outputs; i++)
        output[i] = rounded(model->weights[model->output_at + i], qb);
    for (int i = 0; i < model->shape.buckets; i++)
        output_bias[i] = (int32_t)lrintf(model->weights[model_output_bias_at(model, i)] *
                                         (float)(MODEL_QA * qb));
    const Net net = {.shape = model->shape,
                     .qa = MODEL_QA,
                     .qb = qb,
                     .scale = MODEL_SCALE,
                     .training_id = training_id,
                     .input = values,
                     .bias = bias,
                     .output = output,
                     .output_bias = output_bias};
    const size_t begin = out->len;
    bool ok = net_write(&net, out) || error_set(err, "there is not enough memory for the network");
    free(values);
    Net *check = ok ? net_parse(out->data + begin, out->len - begin, err) : NULL;
    net_free(check);
    return check != NULL;
}

/* An input of a network, as the mean over its king buckets. */
static float mean_over_kings(const Net *net, int input, int neuron)
{
    float sum = 0;
    for (int king = 0; king < net->shape.kings; king++)
        sum += net->input[(king * NN_INPUTS + input) * net->shape.hidden + neuron];
    return sum / (float)net->shape.kings;
}

/* The shared row takes the mean over the buckets, each bucket's row what is left. */
static void import_input(Model *model, const Net *net, int input, int neuron)
{
    const int hidden = net->shape.hidden;
    const float qa = (float)net->qa,
                shared = model_shared_rows(model) ? mean_over_kings(net, input, neuron) : 0;
    if (model_shared_rows(model))
        model->weights[model_row_at(model, input, neuron)] = shared / qa;
    for (int king = 0; king < model->shape.kings; king++) {
        const int source = king < net->shape.kings ? king : 0, at = king * NN_INPUTS + input;
        model->weights[model_input_at(model, at, neuron)] =
            ((float)net->input[(source * NN_INPUTS + input) * hidden + neuron] - shared) / qa;
    }
}

/* The output's scale in the file may differ from ours: the last layer takes the difference. */
bool model_import(Model *model, const Net *net, Error *err)
{
    const NetShape *to = &model->shape, *from = &net->shape;
    if (from->hidden != to->hidden || from->buckets != to->buckets ||
        (from->kings != to->kings && from->kings != 1))
        return error_set(
            err, "the network has %d king buckets, %d neurons and %d outputs, not %d, %d and %d",
            from->kings, from->hidden, from->buckets, to->kings, to->hidden, to->buckets);
    const float qa = (float)net->qa, qb = (float)net->qb,
                scale = (float)net->scale / (float)MODEL_SCALE;
    for (int f = 0; f < NN_INPUTS; f++)
        for (int i = 0; i < to->hidden; i++)
            import_input(model, net, f, i);
    for (int i = 0; i < to->hidden; i++)
        model->weights[model_bias_at(model, i)] = net->bias[i] / qa;
    for (size_t i = 0; i < (size_t)to->buckets * 2 * (size_t)to->hidden; i++)
        model->weights[model->output_at + i] = net->output[i] / qb * scale;
    for (int i = 0; i < to->buckets; i++)
        model->weights[model_output_bias_at(model, i)] =
            (float)net->output_bias[i] / (qa * qb) * scale;
    return true;
}
