// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_train.c -- `samara-train train`: games in, network out. */
#include "train/commands.h"

#include "base/thread.h"
#include "classical/classical.h"
#include "train/args.h"
#include "train/course.h"
#include "train/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Set by Ctrl-C: the last checkpoint stands, and --resume goes on from there. */
static AtomicFlag interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

typedef struct TrainJob {
    CourseSettings settings;
    DatasetOptions data;
    const char *out, *from;
    bool resume;
    int threads;
    Progress progress;
    Course *course;
} TrainJob;

/* PREFIX.ending; the caller frees the buffer. */
static const char *path_with(Buffer *path, const char *prefix, const char *ending)
{
    buffer_clear(path);
    buffer_printf(path, "%s.%s", prefix, ending);
    return buffer_text(path);
}

static bool write_results(const TrainJob *job, Error *err)
{
    const Course *c = job->course;
    Buffer path = {0}, out = {0};
    char title[NN_NAME_SIZE];
    nn_architecture(c->settings.hidden, c->settings.buckets, title);
    bool ok = course_save(c, path_with(&path, job->out, "checkpoint"), err);
    curve_csv(c->curve, c->epochs_done, &out);
    ok = ok && write_whole_file(path_with(&path, job->out, "csv"), out.data, out.len, err);
    buffer_clear(&out);
    curve_svg(c->curve, c->epochs_done, title, &out);
    ok = ok && write_whole_file(path_with(&path, job->out, "svg"), out.data, out.len, err);
    buffer_clear(&out);
    ok = ok && model_export(&c->model, c->data->identity, &out, err);
    ok = ok && write_whole_file(path_with(&path, job->out, "nnue"), out.data, out.len, err);
    buffer_free(&path);
    buffer_free(&out);
    return ok;
}

static bool tick(void *user, size_t done, size_t steps)
{
    TrainJob *job = user;
    if (progress_due(&job->progress))
        progress_show(&job->progress, "epoch %d/%d  %3.0f %%", job->course->epochs_done + 1,
                      job->settings.epochs, 100.0 * (double)done / (double)steps);
    return !relaxed_load(&interrupted);
}

static bool run_epochs(TrainJob *job, Error *err)
{
    Course *c = job->course;
    progress_begin(&job->progress);
    while (c->epochs_done < job->settings.epochs) {
        const double began = progress_seconds(&job->progress);
        if (!course_epoch(c, tick, job))
            return error_set(err, "stopped after epoch %d; --resume goes on", c->epochs_done);
        const CurvePoint *point = &c->curve[c->epochs_done - 1];
        const double seconds = progress_seconds(&job->progress) - began;
        if (job->progress.terminal)
            fputs("\r\033[K", stderr);
        printf("epoch %3d  training %.6f  validation %.6f  rate %.2e  result %.2f  %.2f M "
               "positions/s\n",
               c->epochs_done, point->train_loss, point->valid_loss, point->rate, point->blend,
               (double)c->data->train_count / seconds / 1e6);
        fflush(stdout);
        if (!write_results(job, err))
            return false;
    }
    return true;
}

static bool begin_course(TrainJob *job, const Dataset *data, Error *err)
{
    Buffer path = {0};
    bool ok = course_begin(job->course, &job->settings, data, job->threads, err);
    if (ok && job->from)
        ok = course_start_from(job->course, job->from, err);
    path_with(&path, job->out, "checkpoint");
    if (ok && job->resume && access(buffer_text(&path), F_OK) == 0)
        ok = course_resume(job->course, buffer_text(&path), err);
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

static bool train(TrainJob *job, char *const *paths, int count, Error *err)
{
    Dataset data;
    if (!dataset_load(&data, &job->data, paths, count, err))
        return false;
    print_data(&data);
    job->course = calloc(1, sizeof *job->course);
    bool ok = job->course != NULL || error_set(err, "there is not enough memory to train");
    ok = ok && begin_course(job, &data, err) && run_epochs(job, err);
    if (job->course)
        course_end(job->course);
    free(job->course);
    dataset_free(&data);
    return ok;
}

int train_main(int argc, char **argv)
{
    TrainJob job = {.settings = course_defaults};
    job.data = (DatasetOptions){.filter = sample_filter_defaults, .valid_permille = 20};
    CourseSettings *s = &job.settings;
    int64_t hidden = s->hidden, buckets = s->buckets, epochs = s->epochs, batch = s->batch,
            warmup = s->warmup;
    int64_t seed = 1, threads = thread_cpu_count(), valid = job.data.valid_permille;
    int64_t min_ply = job.data.filter.min_ply, max_score = job.data.filter.max_score;
    int64_t imitate = 0;
    const char *teacher_path = NULL;
    double result_end = -1, decay = s->learn.weight_decay, clip = s->learn.clip;
    bool keep_duplicates = false;
    const ArgSpec specs[] = {
        {"out", ARG_TEXT, &job.out, 0, 0, "PREFIX of what is written: .nnue .checkpoint .csv .svg"},
        {"hidden", ARG_INT, &hidden, 128, NN_MAX_HIDDEN, "neurons: 128, 256, 384 or 512"},
        {"buckets", ARG_INT, &buckets, 1, NN_MAX_BUCKETS, "outputs, chosen by the number of men"},
        {"epochs", ARG_INT, &epochs, 1, COURSE_MAX_EPOCHS, "passes through the data"},
        {"batch", ARG_INT, &batch, LEARN_RUN, 1 << 20, "positions per step"},
        {"rate", ARG_REAL, &s->rate, 1e-7, 1, "learning rate at first"},
        {"rate-end", ARG_REAL, &s->rate_end, 0, 1, "and in the end (cosine between)"},
        {"warmup", ARG_INT, &warmup, 0, 1e6, "steps in which the rate rises"},
        {"result", ARG_REAL, &s->result, 0, 1, "share of the game's result in the target at first"},
        {"result-end", ARG_REAL, &result_end, -1, 1, "and in the end; -1: the same"},
        {"decay", ARG_REAL, &decay, 0, 1, "weight decay"},
        {"clip", ARG_REAL, &clip, 0.1, 1.98, "weights stay within plus and minus this"},
        {"min-ply", ARG_INT, &min_ply, 0, 1000, "leave out positions before this ply"},
        {"max-score", ARG_INT, &max_score, 1, 32767, "leave out positions with this score or more"},
        {"keep-checks", ARG_FLAG, &job.data.filter.keep_checks, 0, 0, "keep positions in check"},
        {"keep-noisy", ARG_FLAG, &job.data.filter.keep_noisy, 0, 0,
         "keep those whose best move takes or promotes"},
        {"keep-duplicates", ARG_FLAG, &keep_duplicates, 0, 0, "keep every copy of a position"},
        {"imitate", ARG_INT, &imitate, 0, 100,
         "learn the classical evaluation of so many positions around each one"},
        {"teacher", ARG_TEXT, &teacher_path, 0, 0,
         "with --imitate: learn its mean with this network instead"},
        {"validation", ARG_INT, &valid, 0, 500,
         "permille of the games that are only measured with"},
        {"seed", ARG_INT, &seed, 0, 1e18, "same seed, data and threads: same network"},
        {"threads", ARG_INT, &threads, 1, 256, "threads"},
        {"from", ARG_TEXT, &job.from, 0, 0, "begin with the weights of this checkpoint"},
        {"resume", ARG_FLAG, &job.resume, 0, 0, "go on from PREFIX.checkpoint if it exists"},
    };
    const Command command = {"train FILE... --out PREFIX [options]",
                             "Trains a network on files of games and writes it after every epoch.",
                             specs, sizeof specs / sizeof *specs, true};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    if (files == 0 || !job.out || (imitate == 0 && teacher_path)) {
        fprintf(stderr, "samara-train train: %s\n",
                files == 0 || !job.out ? "files of games and --out PREFIX are needed"
                                       : "--teacher needs --imitate");
        return 2;
    }
    s->hidden = (int)hidden;
    s->buckets = (int)buckets;
    s->epochs = (int)epochs;
    s->batch = (int)batch;
    s->warmup = (int)warmup;
    s->seed = (uint64_t)seed;
    s->result_end = result_end < 0 ? s->result : result_end;
    if (imitate > 0)
        classical_init();
    job.data.imitate = (int)imitate;
    s->learn.weight_decay = (float)decay;
    s->learn.clip = (float)clip;
    job.threads = job.data.threads = (int)threads;
    job.data.valid_permille = (int)valid;
    job.data.seed = (uint64_t)seed;
    job.data.dedupe = !keep_duplicates;
    job.data.filter.min_ply = (int)min_ply;
    job.data.filter.max_score = (int)max_score;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    Error err;
    Net *teacher = teacher_path ? net_load(teacher_path, &err) : NULL;
    job.data.teacher = teacher;
    const bool ok = (teacher || !teacher_path) && train(&job, argv + 1, files, &err);
    net_free(teacher);
    if (!ok)
        fprintf(stderr, "samara-train train: %s\n", err.text);
    return ok ? 0 : 1;
}
