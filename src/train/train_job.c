// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/train_job.h"

#include "base/file.h"
#include "base/thread.h"
#include "train/progress.h"

#include <stdio.h>
#include <stdlib.h>

TrainJob train_job_default(void)
{
    const int threads = thread_cpu_count();
    return (TrainJob){.settings = trainer_defaults,
                      .data = {.filter = sample_filter_defaults,
                               .valid_permille = SAMPLE_HELD_OUT,
                               .ahead = SAMPLE_AHEAD,
                               .dedupe = true,
                               .seed = trainer_defaults.seed,
                               .threads = threads},
                      .threads = threads};
}

typedef struct Run {
    const TrainJob *job;
    Progress progress;
    Trainer *trainer;
} Run;

/* PREFIX.ending; the caller frees the buffer. */
static const char *path_with(Buffer *path, const char *prefix, const char *ending)
{
    buffer_clear(path);
    buffer_printf(path, "%s.%s", prefix, ending);
    return buffer_text(path);
}

/* After every epoch: checkpoint, curve, picture, network. A run that is stopped loses one epoch at
 * most. */
static bool write_results(const Run *run, Error *err)
{
    const TrainJob *job = run->job;
    const Trainer *c = run->trainer;
    Buffer path = {0}, out = {0};
    char title[NN_NAME_SIZE];
    nn_architecture(&c->settings.shape, title);
    bool ok = trainer_save(c, path_with(&path, job->out, "checkpoint"), err);
    curve_csv(c->curve, c->epochs_done, &out);
    ok = ok && file_save(path_with(&path, job->out, "csv"), out.data, out.len, err);
    buffer_clear(&out);
    curve_svg(c->curve, c->epochs_done, title, &out);
    ok = ok && file_save(path_with(&path, job->out, "svg"), out.data, out.len, err);
    buffer_clear(&out);
    ok = ok && model_export(&c->model, c->data->identity, &out, err);
    ok = ok && file_save(path_with(&path, job->out, "nnue"), out.data, out.len, err);
    buffer_free(&path);
    buffer_free(&out);
    return ok;
}

static bool tick(void *user, size_t done, size_t steps)
{
    Run *run = user;
    if (progress_due(&run->progress))
        progress_show(&run->progress, "epoch %d/%d  %3.0f %%", run->trainer->epochs_done + 1,
                      run->job->settings.epochs, 100.0 * (double)done / (double)steps);
    return !run->job->tick || run->job->tick(run->job->user);
}

/* Prints one line per epoch; a stop is an error that says how to go on. */
static bool run_epochs(Run *run, Error *err)
{
    const TrainJob *job = run->job;
    Trainer *c = run->trainer;
    progress_begin(&run->progress);
    while (c->epochs_done < job->settings.epochs) {
        const double began = progress_seconds(&run->progress);
        if (!trainer_epoch(c, tick, run))
            return error_set(err, "stopped after epoch %d; --resume goes on", c->epochs_done);
        const CurvePoint *point = &c->curve[c->epochs_done - 1];
        const double seconds = progress_seconds(&run->progress) - began;
        if (run->progress.terminal)
            fputs("\r\033[K", stderr);
        printf("epoch %3d  training %.6f  validation %.6f  rate %.2e  result %.2f  %.2f M "
               "positions/s\n",
               c->epochs_done, point->train_loss, point->valid_loss, point->rate, point->blend,
               (double)c->data->train_count / seconds / 1e6);
        fflush(stdout);
        if (!write_results(run, err))
            return false;
    }
    return true;
}

/* From nothing, from a network or checkpoint, or on from where it stopped. */
static bool begin_trainer(Run *run, const Dataset *data, Error *err)
{
    const TrainJob *job = run->job;
    Buffer path = {0};
    bool ok = trainer_begin(run->trainer, &job->settings, data, job->threads, err);
    if (ok && job->from)
        ok = trainer_start_from(run->trainer, job->from, err);
    path_with(&path, job->out, "checkpoint");
    if (ok && job->resume && file_exists(buffer_text(&path)))
        ok = trainer_resume(run->trainer, buffer_text(&path), err);
    buffer_free(&path);
    return ok;
}

static void print_data(const Dataset *data)
{
    printf("%llu games, %llu positions; %zu to learn from, %zu to validate with, %llu duplicates "
           "dropped\n",
           (unsigned long long)data->games, (unsigned long long)data->positions, data->train_count,
           data->valid_count, (unsigned long long)data->duplicates);
    if (data->damaged)
        printf("%llu damaged places were skipped\n", (unsigned long long)data->damaged);
    fflush(stdout);
}

static void print_scales(const Blend *blend)
{
    printf("scale of the scores, few men to many:");
    for (int i = 0; i < SCALE_GROUPS; i++)
        printf(" %.0f", (double)blend->scale[i]);
    putchar('\n');
    fflush(stdout);
}

/* Loads the data, trains, and gives the last losses to a caller that wants them. */
bool train_job_run(const TrainJob *job, char *const *paths, int count, CurvePoint *last, Error *err)
{
    Dataset data;
    Run run = {.job = job};
    if (!dataset_load(&data, &job->data, paths, count, err))
        return false;
    print_data(&data);
    run.trainer = calloc(1, sizeof *run.trainer);
    bool ok = run.trainer != NULL || error_set(err, "there is not enough memory to train");
    ok = ok && begin_trainer(&run, &data, err);
    if (ok && job->settings.fit_scale)
        print_scales(&run.trainer->blend);
    ok = ok && run_epochs(&run, err);
    if (ok && last && run.trainer->epochs_done > 0)
        *last = run.trainer->curve[run.trainer->epochs_done - 1];
    if (run.trainer)
        trainer_end(run.trainer);
    free(run.trainer);
    dataset_free(&data);
    return ok;
}
