// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/model.h"

#include "base/memory.h"
#include "base/rng.h"
#include "nnue/net.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_QB = 1024 };

static size_t padded(size_t count) { return (count + MODEL_TILE - 1) / MODEL_TILE * MODEL_TILE; }

size_t model_input_at(const Model *model, int input, int neuron)
{
    (void)model;
    return ((size_t)(neuron / MODEL_TILE) * NN_INPUTS + (size_t)input) * MODEL_TILE +
           (size_t)(neuron % MODEL_TILE);
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
    for (int i = 0; i < model->hidden; i++)
        model->weights[model_bias_at(model, i)] = 0.1f + uniform(&rng, 0.1f);
    const float limit = sqrtf(3.0f / (float)(2 * model->hidden));
    for (size_t i = model->output_at; i < model->output_bias_at; i++)
        model->weights[i] = uniform(&rng, limit);
}

/* All weights in one block, so that the optimiser can go through them as one array. */
bool model_create(Model *model, int hidden, int buckets, uint64_t seed, Error *err)
{
    *model = (Model){.hidden = hidden, .buckets = buckets};
    if (!nn_width_exists(hidden) || buckets < 1 || buckets > NN_MAX_BUCKETS)
        return error_set(err, "there are no networks with %d neurons and %d outputs", hidden,
                         buckets);
    model->bias_at = (size_t)NN_INPUTS * (size_t)hidden;
    model->output_at = model->bias_at + (size_t)hidden;
    model->output_bias_at = model->output_at + (size_t)buckets * 2 * (size_t)hidden;
    model->count = model->output_bias_at + padded((size_t)buckets);
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
    for (int i = 0; i < model->hidden; i++) {
        double v = model->weights[model_bias_at(model, i)];
        for (int k = 0; k < count; k++)
            v += model->weights[model_input_at(model, features[k], i)];
        v = v < 0 ? 0 : v > 1 ? 1 : v;
        sum += v * v * model->weights[model_output_at(model, bucket, half, i)];
    }
    return sum;
}

double model_output(const Model *model, const Sample *sample)
{
    uint16_t own[SAMPLE_MAX_MEN], enemy[SAMPLE_MAX_MEN];
    const int men = sample_features(sample, own, enemy), bucket = nn_bucket(men, model->buckets);
    return model->weights[model_output_bias_at(model, bucket)] +
           half_output(model, own, men, bucket, 0) + half_output(model, enemy, men, bucket, 1);
}

/* --- rounding --- */

/* The largest QB at which neither a product of 16 bits nor a sum of 32 can overflow (see net.c). */
static int choose_qb(const Model *model)
{
    double limit = MAX_QB;
    for (int bucket = 0; bucket < model->buckets; bucket++) {
        double largest = 1e-6, sums[2] = {0, 0};
        for (int i = 0; i < 2 * model->hidden; i++) {
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
    const int hidden = model->hidden, qb = choose_qb(model);
    if (qb < 16)
        return error_set(err, "the output weights are too large to be rounded to 16 bits");
    const size_t inputs = (size_t)NN_INPUTS * (size_t)hidden,
                 outputs = (size_t)model->buckets * 2 * (size_t)hidden;
    int16_t *values = malloc((inputs + (size_t)hidden + outputs) * sizeof *values);
    if (!values)
        return error_set(err, "there is not enough memory for the network");
    int16_t *bias = values + inputs, *output = bias + hidden;
    int32_t output_bias[NN_MAX_BUCKETS];
    for (int f = 0; f < NN_INPUTS; f++)
        for (int i = 0; i < hidden; i++)
            values[f * hidden + i] = rounded(model->weights[model_input_at(model, f, i)], MODEL_QA);
    for (int i = 0; i < hidden; i++)
        bias[i] = rounded(model->weights[model_bias_at(model, i)], MODEL_QA);
    for (size_t i = 0; i < outputs; i++)
        output[i] = rounded(model->weights[model->output_at + i], qb);
    for (int i = 0; i < model->buckets; i++)
        output_bias[i] = (int32_t)lrintf(model->weights[model_output_bias_at(model, i)] *
                                         (float)(MODEL_QA * qb));
    const Net net = {.hidden = hidden,
                     .buckets = model->buckets,
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

/* The output's scale in the file may differ from ours: the last layer takes the difference. */
bool model_import(Model *model, const Net *net, Error *err)
{
    if (net->hidden != model->hidden || net->buckets != model->buckets)
        return error_set(err, "the network has %d neurons and %d outputs, not %d and %d",
                         net->hidden, net->buckets, model->hidden, model->buckets);
    const float qa = (float)net->qa, qb = (float)net->qb,
                scale = (float)net->scale / (float)MODEL_SCALE;
    for (int f = 0; f < NN_INPUTS; f++)
        for (int i = 0; i < model->hidden; i++)
            model->weights[model_input_at(model, f, i)] = net->input[f * model->hidden + i] / qa;
    for (int i = 0; i < model->hidden; i++)
        model->weights[model_bias_at(model, i)] = net->bias[i] / qa;
    for (size_t i = 0; i < (size_t)model->buckets * 2 * (size_t)model->hidden; i++)
        model->weights[model->output_at + i] = net->output[i] / qb * scale;
    for (int i = 0; i < model->buckets; i++)
        model->weights[model_output_bias_at(model, i)] =
            (float)net->output_bias[i] / (qa * qb) * scale;
    return true;
}
