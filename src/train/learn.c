// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/learn.h"

#include "base/memory.h"
#include "nnue/simd.h"

#include <math.h>
#include <string.h>

/* The first layer takes nearly all the time: it sums rows of numbers in the forward and in the
 * backward pass. There they are int16, which is half the bytes and half the additions:
 *   forward   the weights, in units of 1 / ONE; a copy is rounded before each batch;
 *   backward  the gradients of the neurons, in units that make the largest that is possible a fourth
 *             of what an int16 holds, so that four rows are added before they are widened.
 * The weights themselves, the sums of the gradients and the second layer are floats. */
enum {
    MICRO = 512,      /* samples that go through the network together */
    ROWS = 2 * MICRO, /* one for each side */
    MICRO_RUNS = MICRO / LEARN_RUN,
    ONE = LEARN_ONE,
    GROUP = 4, /* see add_rows */
    GRADIENT_MAX = INT16_MAX / GROUP,
    REGISTERS = MODEL_TILE / VI16_LANES, /* that hold a tile */
    HALF = VF32_LANES,                   /* of the lanes of int16, even or odd, as floats */
    MAX_INPUTS = NN_MAX_KINGS * NN_INPUTS
};
_Static_assert(VI16_LANES == 2 * VF32_LANES, "a vector of int16 becomes two of float");

const LearnOptions learn_defaults = {
    .beta1 = 0.9f, .beta2 = 0.999f, .weight_decay = 0.01f, .clip = 1.98f};

/* One thread's workplace. */
typedef struct Workspace {
    float *gradient;  /* model->count */
    int16_t *neurons; /* [tile][row][MODEL_TILE]: before the clipping; then the gradient with
                         respect to it. The row after the last one is zero. */
    double loss;
    _Alignas(64) float output[MICRO][VF32_LANES]; /* the lanes are yet to be added */
    float error[MICRO];                           /* d loss / d output */
    float most;                                   /* the largest one */
    float target[MICRO];
    float gain[MICRO]; /* the sigmoid takes output * gain */
    uint8_t bucket[MICRO];
    uint8_t men[MICRO];
    uint16_t inputs[ROWS][SAMPLE_MAX_MEN]; /* that are on */
    /* rows[first[f] .. first[f + 1]) are those in which input f is on, and the row of zeros as
     * often as is needed for whole groups. They go by where their numbers begin in a tile,
     * MODEL_TILE apart. */
    uint32_t first[MAX_INPUTS + 1];
    uint32_t rows_of[MAX_INPUTS]; /* how many; then where to put the next one */
    uint16_t rows[ROWS * SAMPLE_MAX_MEN + MAX_INPUTS * (GROUP - 1)];
    uint16_t all[ROWS];
} Workspace;

struct Learner {
    Model *model;
    Team *team;
    LearnOptions options;
    float *mean, *variance;
    int16_t *rounded; /* the first layer's weights, [tile][input][MODEL_TILE], and biases; the
                         neurons of a vector's first half have its even lanes, those of the second
                         the odd */
    float *unit;      /* of each neuron's gradient, if the largest error in an output were 1 */
    float *pull;      /* the second layer's weights in these units */
    uint64_t steps;
    Workspace **workspaces;
    /* the job at hand */
    const Batch *batch;
    Blend blend;
    bool learning;
    float rate;
};

/* --- making --- */

static Workspace *workspace_create(const Model *model)
{
    Workspace *space = memory_alloc(sizeof *space, 64);
    if (!space)
        return NULL;
    space->gradient = memory_alloc(model->count * sizeof(float), 64);
    for (int row = 0; row < ROWS; row++)
        space->all[row] = (uint16_t)(row * MODEL_TILE);
    space->neurons = memory_alloc((ROWS + 1) * (size_t)model->shape.hidden * sizeof(int16_t), 64);
    return space;
}

static void workspace_destroy(Workspace *space)
{
    if (!space)
        return;
    memory_free(space->gradient);
    memory_free(space->neurons);
    memory_free(space);
}

/* The model and the team are the caller's. */
void learner_destroy(Learner *learner)
{
    if (!learner)
        return;
    for (int i = 0; learner->workspaces && i < team_size(learner->team); i++)
        workspace_destroy(learner->workspaces[i]);
    memory_free(learner->workspaces);
    memory_free(learner->mean);
    memory_free(learner->variance);
    memory_free(learner->rounded);
    memory_free(learner->unit);
    memory_free(learner->pull);
    memory_free(learner);
}

/* Inputs of the network: rows of `rounded` in a tile. */
static int inputs_of(const Model *model) { return model->shape.kings * NN_INPUTS; }

/* Everything that training needs; nothing is allocated while it runs. */
static bool allocate(Learner *learner)
{
    const int threads = team_size(learner->team);
    const size_t hidden = (size_t)learner->model->shape.hidden,
                 inputs = (size_t)inputs_of(learner->model);
    learner->mean = memory_alloc(learner->model->count * sizeof(float), 64);
    learner->variance = memory_alloc(learner->model->count * sizeof(float), 64);
    learner->rounded = memory_alloc((inputs + 1) * hidden * sizeof(int16_t), 64);
    learner->unit = memory_alloc(hidden * sizeof(float), 64);
    learner->pull = memory_alloc(
        (learner->model->output_bias_at - learner->model->output_at) * sizeof(float), 64);
    learner->workspaces = memory_alloc((size_t)threads * sizeof *learner->workspaces, 64);
    bool ok = learner->mean && learner->variance && learner->rounded && learner->unit &&
              learner->pull && learner->workspaces;
    for (int i = 0; ok && i < threads; i++) {
        Workspace *space = learner->workspaces[i] = workspace_create(learner->model);
        ok = space && space->gradient && space->neurons;
    }
    return ok;
}

/* The moments of Adam begin at zero. */
Learner *learner_create(Model *model, Team *team, const LearnOptions *options, Error *err)
{
    Learner *learner = memory_alloc(sizeof *learner, 64);
    if (learner) {
        *learner = (Learner){.model = model, .team = team, .options = *options};
        if (allocate(learner))
            return learner;
        learner_destroy(learner);
    }
    error_set(err, "there is not enough memory to learn");
    return NULL;
}

/* --- one micro-batch --- */

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

/* Features, target and gain of one run of positions. The rows that a batch touches are counted, so
 * that only these are cleared and added. */
static void read_samples(Workspace *space, const Sample *samples, int at, const Blend *blend,
                         const NetShape *shape)
{
    for (int i = 0; i < LEARN_RUN; i++) {
        const Sample *sample = &samples[i];
        const int k = at + i;
        uint16_t *own = space->inputs[2 * k], *enemy = space->inputs[2 * k + 1];
        const int men = sample_features(sample, shape->kings, own, enemy);
        for (int m = 0; m < men; m++) {
            space->rows_of[own[m]]++;
            space->rows_of[enemy[m]]++;
        }
        space->men[k] = (uint8_t)men;
        space->bucket[k] = (uint8_t)nn_bucket(men, shape->buckets);
        const float share = sample->result == SAMPLE_NO_RESULT ? 0 : blend->result,
                    scale = blend->scale[scale_group(men)];
        space->gain[k] = MODEL_SCALE / scale;
        space->target[k] = share * 0.5f * (float)sample->result +
                           (1 - share) * sigmoid((float)sample->score / scale);
    }
}

/* Counting sort: for each input the rows in which it is on, so that its gradient is summed in
 * registers. */
static void sort_rows(Workspace *space, int inputs, int count)
{
    uint32_t *fill = space->rows_of;
    space->first[0] = 0;
    for (int f = 0; f < inputs; f++) {
        space->first[f + 1] = space->first[f] + (fill[f] + GROUP - 1) / GROUP * GROUP;
        fill[f] = space->first[f];
    }
    for (int row = 0; row < 2 * count; row++)
        for (int k = 0; k < space->men[row / 2]; k++)
            space->rows[fill[space->inputs[row][k]]++] = (uint16_t)(row * MODEL_TILE);
    for (int f = 0; f < inputs; f++)
        while (fill[f] < space->first[f + 1])
            space->rows[fill[f]++] = ROWS * MODEL_TILE;
}

static int16_t *tile_neurons(const Workspace *space, int tile)
{
    return space->neurons + (size_t)tile * (ROWS + 1) * MODEL_TILE;
}

static vi16 clipped(vi16 x) { return vi16_min(vi16_max(x, vi16_set(0)), vi16_set(ONE)); }
static vf32 even(vi16 x) { return vf32_of(vi16_even(x)); }
static vf32 odd(vi16 x) { return vf32_of(vi16_odd(x)); }

/* Keeps one half of a sample's neurons, and returns the output with their part in it: clip, square,
 * weigh. */
ALWAYS_INLINE vf32 keep_neurons(int16_t *neurons, const vi16 sum[REGISTERS], const float *weights,
                                vf32 output)
{
    for (int v = 0; v < REGISTERS; v++) {
        const int at = v * VI16_LANES;
        const vi16 x = clipped(sum[v]);
        const vf32 a = even(x), b = odd(x);
        vi16_store(neurons + at, sum[v]);
        output = vf32_muladd(vf32_mul(a, a), vf32_load(weights + at), output);
        output = vf32_muladd(vf32_mul(b, b), vf32_load(weights + at + HALF), output);
    }
    return output;
}

/* One tile of neurons for all samples, and, while they are at hand, their part in the outputs. */
static void forward_tile(const Learner *learner, Workspace *space, int tile, int count)
{
    const Model *model = learner->model;
    const size_t inputs = (size_t)inputs_of(model);
    const int16_t *weights = learner->rounded + (size_t)tile * inputs * MODEL_TILE;
    const int16_t *bias =
        learner->rounded + inputs * (size_t)model->shape.hidden + tile * MODEL_TILE;
    int16_t *neurons = tile_neurons(space, tile);
    for (int i = 0; i < count; i++, neurons += 2 * MODEL_TILE) {
        const uint16_t *own = space->inputs[2 * i], *enemy = space->inputs[2 * i + 1];
        vi16 a[REGISTERS], b[REGISTERS];
        for (int v = 0; v < REGISTERS; v++)
            a[v] = b[v] = vi16_load(bias + v * VI16_LANES);
        for (int k = 0; k < space->men[i]; k++)
            for (int v = 0; v < REGISTERS; v++) {
                const int16_t *x = weights + (size_t)own[k] * MODEL_TILE + v * VI16_LANES,
                              *y = weights + (size_t)enemy[k] * MODEL_TILE + v * VI16_LANES;
                a[v] = vi16_add_saturated(a[v], vi16_load(x));
                b[v] = vi16_add_saturated(b[v], vi16_load(y));
            }
        const float *output =
            model->weights + model_output_at(model, space->bucket[i], 0, tile * MODEL_TILE);
        vf32 part = vf32_load(space->output[i]);
        part = keep_neurons(neurons, a, output, part);
        part = keep_neurons(neurons + MODEL_TILE, b, output + model->shape.hidden, part);
        vf32_store(space->output[i], part);
    }
}

/* How far each sample's output is off, and what that means for the output. */
static void judge_outputs(Workspace *space, const Model *model, int count, float weight)
{
    space->most = 1e-20f;
    for (int i = 0; i < count; i++) {
        const size_t bias = model_output_bias_at(model, space->bucket[i]);
        const float sum = vf32_sum(vf32_load(space->output[i])) / ((float)ONE * ONE);
        const float y = sigmoid(space->gain[i] * (sum + model->weights[bias]));
        const float miss = y - space->target[i];
        space->loss += (double)(miss * miss);
        space->error[i] = 2 * miss * y * (1 - y) * space->gain[i] * weight;
        space->most = fmaxf(space->most, fabsf(space->error[i]));
    }
}

/* Adds slope * x * x to the gradient of a weight of the second layer. */
static void add_squares(float *gradient, vf32 x, vf32 slope)
{
    vf32_store(gradient, vf32_muladd(slope, vf32_mul(x, x), vf32_load(gradient)));
}

/* Sends the errors in the outputs back to one tile of neurons, whose place they take, and to the
 * second layer's weights. */
static void backward_outputs(const Learner *learner, Workspace *space, int tile, int count)
{
    const Model *model = learner->model;
    int16_t *neurons = tile_neurons(space, tile);
    for (int row = 0; row < 2 * count; row++, neurons += MODEL_TILE) {
        const size_t output =
            model_output_at(model, space->bucket[row / 2], row & 1, tile * MODEL_TILE);
        const float *pull = learner->pull + (output - model->output_at);
        float *gradient = space->gradient + output;
        const float error = space->error[row / 2];
        const vf32 slope = vf32_set(error / ((float)ONE * ONE)),
                   push = vf32_set(error / space->most);
        for (int v = 0; v < REGISTERS; v++) {
            const int at = v * VI16_LANES;
            const vi16 raw = vi16_load(neurons + at), x = clipped(raw);
            const vf32 a = even(x), b = odd(x);
            add_squares(gradient + at, a, slope);
            add_squares(gradient + at + HALF, b, slope);
            const vi16 g = vi16_round(vf32_mul(vf32_mul(push, a), vf32_load(pull + at)),
                                      vf32_mul(vf32_mul(push, b), vf32_load(pull + at + HALF)));
            vi16_store(neurons + at, vi16_if_equal(raw, x, g)); /* a clipped neuron does not move */
        }
    }
}

/* Adds the gradients of rows, in whole groups, to one parameter's for each neuron of a tile. */
ALWAYS_INLINE void add_rows(float *gradient, const int16_t *neurons, const float *unit, vf32 most,
                            const uint16_t *rows, const uint16_t *end)
{
    _Static_assert(GROUP == 4 && LEARN_RUN % GROUP == 0, "a to d, and all rows of a batch");
    vi32 sum[2 * REGISTERS];
    for (int v = 0; v < 2 * REGISTERS; v++)
        sum[v] = vi32_zero();
    for (; rows < end; rows += GROUP) {
        const int16_t *a = neurons + rows[0], *b = neurons + rows[1], *c = neurons + rows[2],
                      *d = neurons + rows[3];
        for (int v = 0; v < REGISTERS; v++) {
            const int at = v * VI16_LANES;
            const vi16 group = vi16_add(vi16_add(vi16_load(a + at), vi16_load(b + at)),
                                        vi16_add(vi16_load(c + at), vi16_load(d + at)));
            sum[2 * v] = vi32_add(sum[2 * v], vi16_even(group));
            sum[2 * v + 1] = vi32_add(sum[2 * v + 1], vi16_odd(group));
        }
    }
    for (int v = 0; v < 2 * REGISTERS; v++) {
        float *to = gradient + v * HALF;
        const vf32 units = vf32_mul(most, vf32_load(unit + v * HALF));
        vf32_store(to, vf32_muladd(vf32_of(sum[v]), units, vf32_load(to)));
    }
}

/* The first layer's gradient, one tile: for each input, the sum over the rows in which it was on.
 */
static void backward_inputs(const Learner *learner, Workspace *space, int tile, int count)
{
    const int16_t *neurons = tile_neurons(space, tile);
    const float *unit = learner->unit + tile * MODEL_TILE;
    const vf32 most = vf32_set(space->most);
    float *gradient = space->gradient + model_input_at(learner->model, 0, tile * MODEL_TILE);
    for (int f = 0; f < inputs_of(learner->model); f++)
        if (space->first[f] < space->first[f + 1])
            add_rows(gradient + (size_t)f * MODEL_TILE, neurons, unit, most,
                     space->rows + space->first[f], space->rows + space->first[f + 1]);
    add_rows(space->gradient + learner->model->bias_at + tile * MODEL_TILE, neurons, unit, most,
             space->all, space->all + 2 * count);
}

/* Forward and backward pass, tile by tile: what a tile needs stays in the second-level cache, and
 * only its neurons are kept for the way back. */
static void micro_batch(Learner *learner, Workspace *space, int count, float weight)
{
    const Model *model = learner->model;
    const int tiles = model->shape.hidden / MODEL_TILE;
    memset(space->output, 0, sizeof space->output);
    for (int tile = 0; tile < tiles; tile++)
        forward_tile(learner, space, tile, count);
    judge_outputs(space, model, count, weight);
    if (!learner->learning)
        return;
    for (int i = 0; i < count; i++)
        space->gradient[model_output_bias_at(model, space->bucket[i])] += space->error[i];
    sort_rows(space, inputs_of(model), count);
    for (int tile = tiles - 1; tile >= 0; tile--) { /* the last one is still warm */
        backward_outputs(learner, space, tile, count);
        backward_inputs(learner, space, tile, count);
    }
}

/* --- batches and steps --- */

/* A shared row is part of every bucket's input: its gradient is the sum of theirs. */
static void share_gradients(const Model *model, Workspace *space)
{
    const size_t row = (size_t)NN_INPUTS * MODEL_TILE;
    for (int tile = 0; model_shared_rows(model) && tile < model->shape.hidden / MODEL_TILE;
         tile++) {
        float *shared = space->gradient + model_row_at(model, 0, tile * MODEL_TILE);
        for (size_t i = 0; i < row; i += VF32_LANES) {
            vf32 sum = vf32_set(0);
            for (int king = 1; king <= model->shape.kings; king++)
                sum = vf32_add(sum, vf32_load(shared + (size_t)king * row + i));
            vf32_store(shared + i, sum);
        }
    }
}

/* Each thread takes a fixed share of the batch and adds into a workspace of its own: the sum does
 * not depend on timing. */
static void batch_share(void *user, int index)
{
    Learner *learner = user;
    Workspace *space = learner->workspaces[index];
    const Batch *batch = learner->batch;
    const size_t threads = (size_t)team_size(learner->team);
    const size_t begin = batch->runs * (size_t)index / threads,
                 end = batch->runs * ((size_t)index + 1) / threads;
    const float weight = 1.0f / (float)(batch->runs * LEARN_RUN);
    space->loss = 0;
    for (size_t run = begin; run < end; run += MICRO_RUNS) {
        const size_t runs = end - run < MICRO_RUNS ? end - run : MICRO_RUNS;
        memset(space->rows_of, 0, sizeof space->rows_of);
        for (size_t i = 0; i < runs; i++)
            read_samples(space, batch->samples + (size_t)batch->order[run + i] * LEARN_RUN,
                         (int)i * LEARN_RUN, &learner->blend, &learner->model->shape);
        micro_batch(learner, space, (int)runs * LEARN_RUN, weight);
    }
    if (learner->learning)
        share_gradients(learner->model, space);
}

/* A neuron's gradient is error * 2 * x * weight, where x is 1 at most. */
static void choose_units(Learner *learner)
{
    const Model *model = learner->model;
    const int halves = 2 * model->shape.buckets, hidden = model->shape.hidden;
    const float *weights = model->weights + model->output_at;
    for (int n = 0; n < hidden; n++) {
        float heaviest = 1e-12f;
        for (int i = 0; i < halves; i++)
            heaviest = fmaxf(heaviest, fabsf(weights[i * hidden + n]));
        learner->unit[n] = 2 * heaviest / GRADIENT_MAX;
        for (int i = 0; i < halves; i++)
            learner->pull[i * hidden + n] =
                weights[i * hidden + n] * (2.0f / ONE) / learner->unit[n];
    }
}

/* Rounds `count` weights; `more` is added to them first. */
static void round_weights(int16_t *to, const float *from, const float *more, size_t count)
{
    const vf32 one = vf32_set(ONE);
    for (size_t i = 0; i < count; i += VI16_LANES) {
        vf32 a = vf32_load(from + i), b = vf32_load(from + i + HALF);
        if (more) {
            a = vf32_add(a, vf32_load(more + i));
            b = vf32_add(b, vf32_load(more + i + HALF));
        }
        vi16_store(to + i, vi16_round(vf32_mul(a, one), vf32_mul(b, one)));
    }
}

/* Rounds a thread's share of the first layer: for each tile the rows of each king bucket, with the
 * shared ones added. */
static void round_share(void *user, int index)
{
    const Learner *learner = user;
    const Model *model = learner->model;
    const int threads = team_size(learner->team), tiles = model->shape.hidden / MODEL_TILE;
    const size_t rows = (size_t)NN_INPUTS * MODEL_TILE;
    for (int tile = tiles * index / threads; tile < tiles * (index + 1) / threads; tile++)
        for (int king = 0; king < model->shape.kings; king++) {
            const int neuron = tile * MODEL_TILE;
            const float *from = model->weights + model_input_at(model, king * NN_INPUTS, neuron);
            round_weights(
                learner->rounded + (size_t)(tile * model->shape.kings + king) * rows, from,
                model_shared_rows(model) ? model->weights + model_row_at(model, 0, neuron) : NULL,
                rows);
        }
    if (index == 0)
        round_weights(learner->rounded + (size_t)inputs_of(model) * (size_t)model->shape.hidden,
                      model->weights + model->bias_at, NULL, (size_t)model->shape.hidden);
}

/* One batch, forward and, when learning, backward; returns the mean loss. */
static double go_through(Learner *learner, const Batch *batch, Blend blend, bool learning)
{
    learner->batch = batch;
    learner->blend = blend;
    learner->learning = learning;
    choose_units(learner);
    team_run(learner->team, round_share, learner);
    team_run(learner->team, batch_share, learner);
    double loss = 0;
    for (int i = 0; i < team_size(learner->team); i++)
        loss += learner->workspaces[i]->loss;
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
        sum += learner->workspaces[i]->gradient[parameter];
    return sum;
}

static vf32 gather_gradient(const Learner *learner, int threads, size_t at)
{
    vf32 sum = vf32_set(0);
    for (int i = 0; i < threads; i++) {
        float *gradient = learner->workspaces[i]->gradient + at;
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
