// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/trainer.h"

#include "base/file.h"
#include "base/rng.h"
#include "nnue/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const TrainerSettings trainer_defaults = {
    .shape = {.kings = 1, .hidden = 512, .buckets = 8},
    .epochs = 20,
    .batch = 16384,
    .warmup = 200,
    .rate = 1e-3,
    .rate_end = 1e-5,
    .result = 0,
    .result_end = 0,
    .seed = 1,
    .learn = {.beta1 = 0.9f, .beta2 = 0.999f, .weight_decay = 0.01f, .clip = 1.98f},
};

static size_t train_runs(const Trainer *c) { return c->data->train_count / LEARN_RUN; }
static size_t valid_runs(const Trainer *c) { return c->data->valid_count / LEARN_RUN; }
static size_t batch_runs(const Trainer *c) { return (size_t)c->settings.batch / LEARN_RUN; }
static size_t epoch_steps(const Trainer *c) { return train_runs(c) / batch_runs(c); }

/* Allocates everything; the data stays the caller's. */
bool trainer_begin(Trainer *c, const TrainerSettings *settings, const Dataset *data, int threads,
                   Error *err)
{
    *c = (Trainer){.settings = *settings, .data = data};
    if (settings->batch % LEARN_RUN != 0 || epoch_steps(c) == 0)
        return error_set(err,
                         "%zu positions are not one batch of %d, or that is not a multiple of %d",
                         data->train_count, settings->batch, LEARN_RUN);
    if (!model_create(&c->model, settings->shape, settings->seed, err))
        return false;
    c->blend = settings->fit_scale ? blend_fitted(0, data->train, data->train_count)
                                   : blend_uniform(0, MODEL_SCALE);
    const size_t runs = train_runs(c) > valid_runs(c) ? train_runs(c) : valid_runs(c);
    c->order = malloc(runs * sizeof *c->order);
    c->team = team_create(threads);
    if (c->order && c->team)
        c->learner = learner_create(&c->model, c->team, &settings->learn, err);
    else
        error_set(err, "there is not enough memory to train");
    if (!c->learner) {
        trainer_end(c);
        return false;
    }
    return true;
}

void trainer_end(Trainer *c)
{
    if (c->team)
        learner_destroy(c->learner);
    team_destroy(c->team);
    model_free(&c->model);
    free(c->order);
    c->learner = NULL;
    c->team = NULL;
    c->order = NULL;
}

/* --- schedules --- */

static double rate_at(const Trainer *c, size_t step)
{
    const TrainerSettings *s = &c->settings;
    const double total = (double)epoch_steps(c) * s->epochs, done = (double)step / total;
    const double rate =
        s->rate_end + (s->rate - s->rate_end) * 0.5 * (1 + cos(3.14159265358979 * done));
    return step < (size_t)s->warmup ? rate * (double)(step + 1) / (s->warmup + 1) : rate;
}

static double result_share_at(const Trainer *c, int epoch)
{
    const TrainerSettings *s = &c->settings;
    return s->epochs > 1 ? s->result + (s->result_end - s->result) * epoch / (s->epochs - 1)
                         : s->result;
}

/* Every epoch sees the runs in an order of its own. */
static void draw_order(Trainer *c, int epoch)
{
    Rng rng;
    rng_seed(&rng, c->settings.seed * 0x9E3779B97F4A7C15 + (uint64_t)epoch);
    const size_t runs = train_runs(c);
    for (size_t i = 0; i < runs; i++) {
        const size_t j = rng_below(&rng, i + 1);
        c->order[i] = c->order[j];
        c->order[j] = (uint32_t)i;
    }
}

/* The same positions in the same order after every epoch. */
static double validate(Trainer *c)
{
    if (valid_runs(c) == 0)
        return 0;
    for (size_t i = 0; i < valid_runs(c); i++)
        c->order[i] = (uint32_t)i;
    const Batch batch = {c->data->valid, c->order, valid_runs(c)};
    /* One measure for all epochs, whatever the schedule: the blend of the end. */
    Blend blend = c->blend;
    blend.result = (float)c->settings.result_end;
    return learner_loss(c->learner, &batch, blend);
}

/* All batches in a new order, then the validation loss. False if tick() wants to stop; the epoch
 * then does not count. */
bool trainer_epoch(Trainer *c, TrainerTick tick, void *user)
{
    const int epoch = c->epochs_done;
    const size_t steps = epoch_steps(c);
    Blend blend = c->blend;
    blend.result = (float)result_share_at(c, epoch);
    draw_order(c, epoch);
    double loss = 0, rate = 0;
    for (size_t step = 0; step < steps; step++) {
        const Batch batch = {c->data->train, c->order + step * batch_runs(c), batch_runs(c)};
        loss += learner_gradient(c->learner, &batch, blend);
        rate = rate_at(c, (size_t)epoch * steps + step);
        learner_update(c->learner, (float)rate);
        if (tick && !tick(user, step + 1, steps))
            return false;
    }
    c->curve[epoch] = (CurvePoint){loss / (double)steps, validate(c), rate, blend.result};
    c->epochs_done++;
    return true;
}

/* --- checkpoints: header, curve, weights, moments, CRC-32C; in the byte order of the machine ---
 */

typedef struct CheckpointHeader {
    char magic[8];
    uint32_t version, epochs_done;
    uint64_t steps, count, identity;
    TrainerSettings settings;
} CheckpointHeader;

static const char CHECKPOINT_MAGIC[8] = "SAMARACP";
enum { CHECKPOINT_VERSION = 3 };

/* What a checkpoint must agree on with the run that resumes it. */
static CheckpointHeader make_header(const Trainer *c)
{
    CheckpointHeader header;
    memset(&header, 0, sizeof header); /* padding too: it goes to the disk */
    memcpy(header.magic, CHECKPOINT_MAGIC, sizeof header.magic);
    header.version = CHECKPOINT_VERSION;
    header.epochs_done = (uint32_t)c->epochs_done;
    header.steps = *learner_state(c->learner).steps;
    header.count = c->model.count;
    header.identity = c->data->identity;
    header.settings = c->settings;
    return header;
}

/* Weights and both moments of Adam: training goes on from here exactly as if it had not stopped. */
bool trainer_save(const Trainer *c, const char *path, Error *err)
{
    const CheckpointHeader header = make_header(c);
    const LearnerState state = learner_state(c->learner);
    const size_t bytes = c->model.count * sizeof(float);
    Buffer out = {0};
    buffer_append(&out, &header, sizeof header);
    buffer_append(&out, c->curve, (size_t)c->epochs_done * sizeof *c->curve);
    buffer_append(&out, c->model.weights, bytes);
    buffer_append(&out, state.mean, bytes);
    buffer_append(&out, state.variance, bytes);
    const uint32_t crc = out.failed ? 0 : crc32c(0, out.data, out.len);
    buffer_append(&out, &crc, sizeof crc);
    const bool ok = out.failed ? error_set(err, "there is not enough memory for a checkpoint")
                               : file_save(path, out.data, out.len, err);
    buffer_free(&out);
    return ok;
}

/* Checks the frame; where the arrays begin comes back in *arrays. */
static bool open_checkpoint(const Trainer *c, const char *path, Buffer *bytes,
                            CheckpointHeader *header, const char **arrays, Error *err)
{
    if (!file_read_all(path, SIZE_MAX, bytes, err))
        return false;
    if (bytes->len < sizeof *header + 4 || memcmp(bytes->data, CHECKPOINT_MAGIC, 8) != 0)
        return error_set(err, "'%s' is not a checkpoint", path);
    memcpy(header, bytes->data, sizeof *header);
    uint32_t crc;
    memcpy(&crc, bytes->data + bytes->len - sizeof crc, sizeof crc);
    if (crc != crc32c(0, bytes->data, bytes->len - sizeof crc) ||
        header->version != CHECKPOINT_VERSION || header->epochs_done > TRAINER_MAX_EPOCHS)
        return error_set(err, "'%s' is damaged or of another version", path);
    const NetShape *shape = &header->settings.shape, *wanted = &c->settings.shape;
    if (shape->kings != wanted->kings || shape->hidden != wanted->hidden ||
        shape->buckets != wanted->buckets)
        return error_set(err,
                         "'%s' is of a network with %d king buckets, %d neurons and %d outputs",
                         path, shape->kings, shape->hidden, shape->buckets);
    *arrays = bytes->data + sizeof *header + header->epochs_done * sizeof(CurvePoint);
    return true;
}

static bool same_settings(const TrainerSettings *a, const TrainerSettings *b)
{
    return a->epochs == b->epochs && a->batch == b->batch && a->warmup == b->warmup &&
           a->rate == b->rate && a->rate_end == b->rate_end && a->result == b->result &&
           a->result_end == b->result_end && a->seed == b->seed &&
           a->learn.weight_decay == b->learn.weight_decay && a->learn.clip == b->learn.clip &&
           a->fit_scale == b->fit_scale;
}

/* Refuses a checkpoint of other settings or other data: the result would be neither run. */
bool trainer_resume(Trainer *c, const char *path, Error *err)
{
    Buffer bytes = {0};
    CheckpointHeader header;
    const char *arrays = NULL;
    bool ok = open_checkpoint(c, path, &bytes, &header, &arrays, err);
    if (ok &&
        (!same_settings(&header.settings, &c->settings) || header.identity != c->data->identity))
        ok = error_set(err, "'%s' was made with other settings or other data", path);
    if (ok) {
        const LearnerState state = learner_state(c->learner);
        const size_t size = c->model.count * sizeof(float);
        memcpy(c->curve, bytes.data + sizeof header, header.epochs_done * sizeof(CurvePoint));
        memcpy(c->model.weights, arrays, size);
        memcpy(state.mean, arrays + size, size);
        memcpy(state.variance, arrays + 2 * size, size);
        *state.steps = header.steps;
        c->epochs_done = (int)header.epochs_done;
    }
    buffer_free(&bytes);
    return ok;
}

static bool start_from_network(Trainer *c, const Buffer *bytes, Error *err)
{
    Net *net = net_parse(bytes->data, bytes->len, err);
    const bool ok = net && model_import(&c->model, net, err);
    net_free(net);
    return ok;
}

/* A checkpoint if it looks like one, else a finished network. */
bool trainer_start_from(Trainer *c, const char *path, Error *err)
{
    Buffer bytes = {0};
    CheckpointHeader header;
    const char *arrays = NULL;
    if (!file_read_all(path, SIZE_MAX, &bytes, err))
        return false;
    if (bytes.len < 8 || memcmp(bytes.data, CHECKPOINT_MAGIC, 8) != 0) {
        const bool ok = start_from_network(c, &bytes, err);
        buffer_free(&bytes);
        return ok;
    }
    buffer_clear(&bytes);
    const bool ok = open_checkpoint(c, path, &bytes, &header, &arrays, err);
    if (ok)
        memcpy(c->model.weights, arrays, c->model.count * sizeof(float));
    buffer_free(&bytes);
    return ok;
}
