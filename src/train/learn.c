// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/learn.h"

#include "base/memory.h"
#include "nnue/simd.h"

#include <math.h>
#include <string.h>

enum {
    MICRO = 512,      /* samples that go through the network together */
    ROWS = 2 * MICRO, /* one for each side */
    MICRO_RUNS = MICRO / LEARN_RUN,
    REGISTERS = MODEL_TILE / VF32_LANES /* that hold a tile */
};

const LearnOptions learn_defaults = {
    .beta1 = 0.9f, .beta2 = 0.999f, .weight_decay = 0.01f, .clip = 1.98f};

/* One thread's workplace. */
typedef struct Desk {
    float *gradient; /* model->count */
    float *neurons;  /* [tile][row][MODEL_TILE]: before the clipping; then the gradient with respect
                        to it */
    double loss;
    _Alignas(64) float output[MICRO][VF32_LANES]; /* the lanes are yet to be added */
    float error[MICRO];                           /* d loss / d output */
    float target[MICRO];
    uint8_t bucket[MICRO];
    uint8_t men[MICRO];
    uint16_t features[ROWS][SAMPLE_MAX_MEN];
    uint32_t first[NN_INPUTS + 1], fill[NN_INPUTS]; /* rows in which an input is on: */
    uint16_t rows[ROWS * SAMPLE_MAX_MEN];           /* rows[first[f] .. first[f + 1]) */
} Desk;

struct Learner {
    Model *model;
    Team *team;
    LearnOptions options;
    float *mean, *variance;
    uint64_t steps;
    Desk **desks;
    /* the job at hand */
    const Batch *batch;
    Blend blend;
    bool learning;
    float rate;
};

/* --- making --- */

static Desk *desk_create(const Model *model)
{
    Desk *desk = memory_alloc(sizeof *desk, 64);
    if (!desk)
        return NULL;
    desk->gradient = memory_alloc(model->count * sizeof(float), 64);
    desk->neurons = memory_alloc((size_t)ROWS * (size_t)model->hidden * sizeof(float), 64);
    return desk;
}

static void desk_destroy(Desk *desk)
{
    if (!desk)
        return;
    memory_free(desk->gradient);
    memory_free(desk->neurons);
    memory_free(desk);
}

void learner_destroy(Learner *learner)
{
    if (!learner)
        return;
    for (int i = 0; learner->desks && i < team_size(learner->team); i++)
        desk_destroy(learner->desks[i]);
    memory_free(learner->desks);
    memory_free(learner->mean);
    memory_free(learner->variance);
    memory_free(learner);
}

static bool furnish(Learner *learner)
{
    const int threads = team_size(learner->team);
    learner->mean = memory_alloc(learner->model->count * sizeof(float), 64);
    learner->variance = memory_alloc(learner->model->count * sizeof(float), 64);
    learner->desks = memory_alloc((size_t)threads * sizeof *learner->desks, 64);
    bool ok = learner->mean && learner->variance && learner->desks;
    for (int i = 0; ok && i < threads; i++) {
        Desk *desk = learner->desks[i] = desk_create(learner->model);
        ok = desk && desk->gradient && desk->neurons;
    }
    return ok;
}

Learner *learner_create(Model *model, Team *team, const LearnOptions *options, Error *err)
{
    Learner *learner = memory_alloc(sizeof *learner, 64);
    if (learner) {
        *learner = (Learner){.model = model, .team = team, .options = *options};
        if (furnish(learner))
            return learner;
        learner_destroy(learner);
    }
    error_set(err, "there is not enough memory to learn");
    return NULL;
}

/* --- one micro-batch --- */

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

static void read_samples(Desk *desk, const Sample *samples, int at, Blend blend, int buckets)
{
    for (int i = 0; i < LEARN_RUN; i++) {
        const Sample *sample = &samples[i];
        const int k = at + i;
        const int men = sample_features(sample, desk->features[2 * k], desk->features[2 * k + 1]);
        desk->men[k] = (uint8_t)men;
        desk->bucket[k] = (uint8_t)nn_bucket(men, buckets);
        const float share = sample->result == SAMPLE_NO_RESULT ? 0 : blend.result;
        desk->target[k] = share * 0.5f * (float)sample->result +
                          (1 - share) * sigmoid((float)sample->score / blend.scale);
    }
}

/* Counting sort: for each input the rows in which it is on, so that its gradient is summed in
 * registers. */
static void sort_rows(Desk *desk, int count)
{
    memset(desk->first, 0, sizeof desk->first);
    for (int row = 0; row < 2 * count; row++)
        for (int k = 0; k < desk->men[row / 2]; k++)
            desk->first[desk->features[row][k] + 1]++;
    for (int f = 0; f < NN_INPUTS; f++) {
        desk->first[f + 1] += desk->first[f];
        desk->fill[f] = desk->first[f];
    }
    for (int row = 0; row < 2 * count; row++)
        for (int k = 0; k < desk->men[row / 2]; k++)
            desk->rows[desk->fill[desk->features[row][k]]++] = (uint16_t)row;
}

static float *tile_neurons(const Desk *desk, int tile)
{
    return desk->neurons + (size_t)tile * ROWS * MODEL_TILE;
}

static vf32 clipped(vf32 x) { return vf32_min(vf32_max(x, vf32_set(0)), vf32_set(1)); }

/* The first layer of one row, one tile of neurons. */
ALWAYS_INLINE void forward_row(const Desk *desk, const float *weights, const float *bias, int row,
                               vf32 sum[REGISTERS])
{
    for (int v = 0; v < REGISTERS; v++)
        sum[v] = vf32_load(bias + v * VF32_LANES);
    for (int k = 0; k < desk->men[row / 2]; k++) {
        const float *w = weights + (size_t)desk->features[row][k] * MODEL_TILE;
        for (int v = 0; v < REGISTERS; v++)
            sum[v] = vf32_add(sum[v], vf32_load(w + v * VF32_LANES));
    }
}

/* One tile of neurons for all samples, and, while they are at hand, their part in the outputs:
 * clip, square, weigh. */
static void forward_tile(Desk *desk, const Model *model, int tile, int count)
{
    const float *weights = model->weights + (size_t)tile * NN_INPUTS * MODEL_TILE;
    const float *bias = model->weights + model->bias_at + tile * MODEL_TILE;
    float *neurons = tile_neurons(desk, tile);
    for (int row = 0; row < 2 * count; row++) {
        const int sample = row / 2;
        const float *output = model->weights + model_output_at(model, desk->bucket[sample], row & 1,
                                                               tile * MODEL_TILE);
        vf32 sum[REGISTERS], part = vf32_load(desk->output[sample]);
        forward_row(desk, weights, bias, row, sum);
        for (int v = 0; v < REGISTERS; v++) {
            const vf32 x = clipped(sum[v]);
            vf32_store(neurons + (size_t)row * MODEL_TILE + v * VF32_LANES, sum[v]);
            part = vf32_muladd(vf32_mul(x, x), vf32_load(output + v * VF32_LANES), part);
        }
        vf32_store(desk->output[sample], part);
    }
}

/* How far each sample's output is off, and what that means for the output. */
static void judge_outputs(Desk *desk, const Model *model, int count, float weight)
{
    for (int i = 0; i < count; i++) {
        const size_t bias = model_output_bias_at(model, desk->bucket[i]);
        const float y = sigmoid(vf32_sum(vf32_load(desk->output[i])) + model->weights[bias]);
        const float miss = y - desk->target[i];
        desk->loss += (double)(miss * miss);
        desk->error[i] = 2 * miss * y * (1 - y) * weight;
    }
}

/* Sends the errors in the outputs back to one tile of neurons, whose place they take, and to the
 * second layer's weights. */
static void backward_outputs(Desk *desk, const Model *model, int tile, int count)
{
    float *neurons = tile_neurons(desk, tile);
    float *bias = desk->gradient + model->bias_at + tile * MODEL_TILE;
    vf32 bias_sum[REGISTERS];
    for (int v = 0; v < REGISTERS; v++)
        bias_sum[v] = vf32_load(bias + v * VF32_LANES);
    for (int row = 0; row < 2 * count; row++, neurons += MODEL_TILE) {
        const size_t at = model_output_at(model, desk->bucket[row / 2], row & 1, tile * MODEL_TILE);
        const float *weights = model->weights + at;
        float *gradient = desk->gradient + at;
        const vf32 slope = vf32_set(desk->error[row / 2]), twice = vf32_add(slope, slope);
        for (int v = 0; v < REGISTERS; v++) {
            const int i = v * VF32_LANES;
            const vf32 raw = vf32_load(neurons + i), x = clipped(raw);
            vf32_store(gradient + i, vf32_muladd(slope, vf32_mul(x, x), vf32_load(gradient + i)));
            /* A clipped neuron does not move. */
            const vf32 g =
                vf32_if_equal(raw, x, vf32_mul(vf32_mul(twice, x), vf32_load(weights + i)));
            vf32_store(neurons + i, g);
            bias_sum[v] = vf32_add(bias_sum[v], g);
        }
    }
    for (int v = 0; v < REGISTERS; v++)
        vf32_store(bias + v * VF32_LANES, bias_sum[v]);
}

/* The first layer's gradient, one tile: for each input, the sum over the rows in which it was on.
 */
static void backward_inputs(Desk *desk, int tile)
{
    const float *neurons = tile_neurons(desk, tile);
    float *gradient = desk->gradient + (size_t)tile * NN_INPUTS * MODEL_TILE;
    for (int f = 0; f < NN_INPUTS; f++) {
        const uint32_t begin = desk->first[f], end = desk->first[f + 1];
        if (begin == end)
            continue;
        vf32 sum[REGISTERS];
        for (int v = 0; v < REGISTERS; v++)
            sum[v] = vf32_load(gradient + (size_t)f * MODEL_TILE + v * VF32_LANES);
        for (uint32_t k = begin; k < end; k++) {
            const float *row = neurons + (size_t)desk->rows[k] * MODEL_TILE;
            for (int v = 0; v < REGISTERS; v++)
                sum[v] = vf32_add(sum[v], vf32_load(row + v * VF32_LANES));
        }
        for (int v = 0; v < REGISTERS; v++)
            vf32_store(gradient + (size_t)f * MODEL_TILE + v * VF32_LANES, sum[v]);
    }
}

/* Forth and back, tile by tile: what a tile needs stays in the second-level cache, and only its
 * neurons are kept for the way back. */
static void micro_batch(Learner *learner, Desk *desk, int count, float weight)
{
    const Model *model = learner->model;
    const int tiles = model->hidden / MODEL_TILE;
    memset(desk->output, 0, sizeof desk->output);
    for (int tile = 0; tile < tiles; tile++)
        forward_tile(desk, model, tile, count);
    judge_outputs(desk, model, count, weight);
    if (!learner->learning)
        return;
    for (int i = 0; i < count; i++)
        desk->gradient[model_output_bias_at(model, desk->bucket[i])] += desk->error[i];
    sort_rows(desk, count);
    for (int tile = tiles - 1; tile >= 0; tile--) { /* the last one is still warm */
        backward_outputs(desk, model, tile, count);
        backward_inputs(desk, tile);
    }
}

/* --- batches and steps --- */

static void batch_share(void *user, int index)
{
    Learner *learner = user;
    Desk *desk = learner->desks[index];
    const Batch *batch = learner->batch;
    const size_t threads = (size_t)team_size(learner->team);
    const size_t begin = batch->runs * (size_t)index / threads,
                 end = batch->runs * ((size_t)index + 1) / threads;
    const float weight = 1.0f / (float)(batch->runs * LEARN_RUN);
    desk->loss = 0;
    for (size_t run = begin; run < end; run += MICRO_RUNS) {
        const size_t runs = end - run < MICRO_RUNS ? end - run : MICRO_RUNS;
        for (size_t i = 0; i < runs; i++)
            read_samples(desk, batch->samples + (size_t)batch->order[run + i] * LEARN_RUN,
                         (int)i * LEARN_RUN, learner->blend, learner->model->buckets);
        micro_batch(learner, desk, (int)runs * LEARN_RUN, weight);
    }
}

static double go_through(Learner *learner, const Batch *batch, Blend blend, bool learning)
{
    learner->batch = batch;
    learner->blend = blend;
    learner->learning = learning;
    team_run(learner->team, batch_share, learner);
    double loss = 0;
    for (int i = 0; i < team_size(learner->team); i++)
        loss += learner->desks[i]->loss;
    return loss / (double)(batch->runs * LEARN_RUN);
}

double learner_gradient(Learner *learner, const Batch *batch, Blend blend)
{
    return go_through(learner, batch, blend, true);
}

double learner_loss(Learner *learner, const Batch *batch, Blend blend)
{
    return go_through(learner, batch, blend, false);
}

float learner_gradient_at(const Learner *learner, size_t parameter)
{
    float sum = 0;
    for (int i = 0; i < team_size(learner->team); i++)
        sum += learner->desks[i]->gradient[parameter];
    return sum;
}

static vf32 gather_gradient(const Learner *learner, int threads, size_t at)
{
    vf32 sum = vf32_set(0);
    for (int i = 0; i < threads; i++) {
        float *gradient = learner->desks[i]->gradient + at;
        sum = vf32_add(sum, vf32_load(gradient));
        vf32_store(gradient, vf32_set(0));
    }
    return sum;
}

/* AdamW on parameters [begin, end): moments, bias-corrected step, decay, clip. */
static void adam(const Learner *learner, size_t begin, size_t end, float decay, float clip)
{
    const LearnOptions *o = &learner->options;
    const int threads = team_size(learner->team);
    const double steps = (double)learner->steps;
    const vf32 b1 = vf32_set(o->beta1), c1 = vf32_set(1 - o->beta1), b2 = vf32_set(o->beta2),
               c2 = vf32_set(1 - o->beta2);
    const vf32 step = vf32_set((float)(-learner->rate / (1 - pow(o->beta1, steps))));
    const vf32 correct = vf32_set((float)(1 / (1 - pow(o->beta2, steps)))), tiny = vf32_set(1e-8f);
    const vf32 keep = vf32_set(1 - learner->rate * decay), top = vf32_set(clip),
               bottom = vf32_set(-clip);
    for (size_t i = begin; i < end; i += VF32_LANES) {
        const vf32 g = gather_gradient(learner, threads, i);
        const vf32 m = vf32_muladd(b1, vf32_load(learner->mean + i), vf32_mul(c1, g));
        const vf32 v =
            vf32_muladd(b2, vf32_load(learner->variance + i), vf32_mul(vf32_mul(c2, g), g));
        vf32_store(learner->mean + i, m);
        vf32_store(learner->variance + i, v);
        const vf32 change =
            vf32_div(vf32_mul(step, m), vf32_add(vf32_sqrt(vf32_mul(v, correct)), tiny));
        float *w = learner->model->weights + i;
        const vf32 moved = vf32_muladd(keep, vf32_load(w), change);
        vf32_store(w, vf32_min(vf32_max(moved, bottom), top));
    }
}

static void update_share(void *user, int index)
{
    const Learner *learner = user;
    const size_t threads = (size_t)team_size(learner->team), split = learner->model->output_bias_at;
    const size_t tiles = split / MODEL_TILE;
    adam(learner, tiles * (size_t)index / threads * MODEL_TILE,
         tiles * ((size_t)index + 1) / threads * MODEL_TILE, learner->options.weight_decay,
         learner->options.clip);
    if (index == 0) /* the output's bias is free */
        adam(learner, split, learner->model->count, 0, 100);
}

void learner_update(Learner *learner, float rate)
{
    learner->steps++;
    learner->rate = rate;
    team_run(learner->team, update_share, learner);
}

LearnerState learner_state(Learner *learner)
{
    return (LearnerState){learner->mean, learner->variance, &learner->steps};
}
