// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/course.h"

#include "base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const CourseSettings course_defaults = {
    .hidden = 256,
    .buckets = 8,
    .epochs = 40,
    .batch = 16384,
    .warmup = 200,
    .rate = 1e-3,
    .rate_end = 2.7e-5,
    .result = 0.3,
    .result_end = 0.3,
    .seed = 1,
    .learn = {.beta1 = 0.9f, .beta2 = 0.999f, .weight_decay = 0.01f, .clip = 1.98f},
};

static size_t train_runs(const Course *c) { return c->data->train_count / LEARN_RUN; }
static size_t valid_runs(const Course *c) { return c->data->valid_count / LEARN_RUN; }
static size_t batch_runs(const Course *c) { return (size_t)c->settings.batch / LEARN_RUN; }
static size_t epoch_steps(const Course *c) { return train_runs(c) / batch_runs(c); }

bool course_begin(Course *c, const CourseSettings *settings, const Dataset *data, int threads,
                  Error *err)
{
    *c = (Course){.settings = *settings, .data = data};
    if (settings->batch % LEARN_RUN != 0 || epoch_steps(c) == 0)
        return error_set(err,
                         "%zu positions are not one batch of %d, or that is not a multiple of %d",
                         data->train_count, settings->batch, LEARN_RUN);
    if (!model_create(&c->model, settings->hidden, settings->buckets, settings->seed, err))
        return false;
    const size_t runs = train_runs(c) > valid_runs(c) ? train_runs(c) : valid_runs(c);
    c->order = malloc(runs * sizeof *c->order);
    c->team = team_create(threads);
    if (c->order && c->team)
        c->learner = learner_create(&c->model, c->team, &settings->learn, err);
    else
        error_set(err, "there is not enough memory to train");
    if (!c->learner) {
        course_end(c);
        return false;
    }
    return true;
}

void course_end(Course *c)
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

static double rate_at(const Course *c, size_t step)
{
    const CourseSettings *s = &c->settings;
    const double total = (double)epoch_steps(c) * s->epochs, done = (double)step / total;
    const double rate =
        s->rate_end + (s->rate - s->rate_end) * 0.5 * (1 + cos(3.14159265358979 * done));
    return step < (size_t)s->warmup ? rate * (double)(step + 1) / (s->warmup + 1) : rate;
}

static double result_share_at(const Course *c, int epoch)
{
    const CourseSettings *s = &c->settings;
    return s->epochs > 1 ? s->result + (s->result_end - s->result) * epoch / (s->epochs - 1)
                         : s->result;
}

/* Every epoch sees the runs in an order of its own. */
static void draw_order(Course *c, int epoch)
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

static double validate(Course *c)
{
    if (valid_runs(c) == 0)
        return 0;
    for (size_t i = 0; i < valid_runs(c); i++)
        c->order[i] = (uint32_t)i;
    const Batch batch = {c->data->valid, c->order, valid_runs(c)};
    /* One measure for all epochs, whatever the schedule: the blend of the end. */
    return learner_loss(c->learner, &batch, (Blend){(float)c->settings.result_end, MODEL_SCALE});
}

bool course_epoch(Course *c, CourseTick tick, void *user)
{
    const int epoch = c->epochs_done;
    const size_t steps = epoch_steps(c);
    const Blend blend = {(float)result_share_at(c, epoch), MODEL_SCALE};
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
    CourseSettings settings;
} CheckpointHeader;

static const char CHECKPOINT_MAGIC[8] = "SAMARACP";
enum { CHECKPOINT_VERSION = 1 };

static CheckpointHeader make_header(const Course *c)
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

bool write_whole_file(const char *path, const void *bytes, size_t size, Error *err)
{
    Buffer temporary = {0};
    buffer_printf(&temporary, "%s.new", path);
    FILE *file = temporary.failed ? NULL : fopen(temporary.data, "wb");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        ok = fclose(file) == 0 && ok;
    ok = ok && rename(temporary.data, path) == 0;
    if (!ok)
        error_set(err, "cannot write '%s': %s", path, strerror(errno));
    buffer_free(&temporary);
    return ok;
}

bool course_save(const Course *c, const char *path, Error *err)
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
                               : write_whole_file(path, out.data, out.len, err);
    buffer_free(&out);
    return ok;
}

static bool slurp(const char *path, Buffer *out, Error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, "cannot open '%s': %s", path, strerror(errno));
    char chunk[1 << 14];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        buffer_append(out, chunk, got);
    fclose(file);
    return !out->failed || error_set(err, "there is not enough memory for '%s'", path);
}

/* Checks the frame; where the arrays begin comes back in *arrays. */
static bool open_checkpoint(const Course *c, const char *path, Buffer *bytes,
                            CheckpointHeader *header, const char **arrays, Error *err)
{
    if (!slurp(path, bytes, err))
        return false;
    if (bytes->len < sizeof *header + 4 || memcmp(bytes->data, CHECKPOINT_MAGIC, 8) != 0)
        return error_set(err, "'%s' is not a checkpoint", path);
    memcpy(header, bytes->data, sizeof *header);
    uint32_t crc;
    memcpy(&crc, bytes->data + bytes->len - sizeof crc, sizeof crc);
    if (crc != crc32c(0, bytes->data, bytes->len - sizeof crc) ||
        header->version != CHECKPOINT_VERSION || header->epochs_done > COURSE_MAX_EPOCHS)
        return error_set(err, "'%s' is damaged or of another version", path);
    if (header->settings.hidden != c->settings.hidden ||
        header->settings.buckets != c->settings.buckets)
        return error_set(err, "'%s' is of a network with %d neurons and %d outputs", path,
                         header->settings.hidden, header->settings.buckets);
    *arrays = bytes->data + sizeof *header + header->epochs_done * sizeof(CurvePoint);
    return true;
}

static bool same_settings(const CourseSettings *a, const CourseSettings *b)
{
    return a->epochs == b->epochs && a->batch == b->batch && a->warmup == b->warmup &&
           a->rate == b->rate && a->rate_end == b->rate_end && a->result == b->result &&
           a->result_end == b->result_end && a->seed == b->seed;
}

bool course_resume(Course *c, const char *path, Error *err)
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

bool course_start_from(Course *c, const char *path, Error *err)
{
    Buffer bytes = {0};
    CheckpointHeader header;
    const char *arrays = NULL;
    const bool ok = open_checkpoint(c, path, &bytes, &header, &arrays, err);
    if (ok)
        memcpy(c->model.weights, arrays, c->model.count * sizeof(float));
    buffer_free(&bytes);
    return ok;
}
