// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_train.c -- `samara-train train`: games in, network out. */
#include "train/commands.h"

#include "base/app.h"
#include "base/thread.h"
#include "classical/classical.h"
#include "train/words.h"
#include "train/train_job.h"

#include <stdio.h>

/* Set by Ctrl-C: the last checkpoint stands, and --resume goes on from there. */
static AtomicFlag interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

static bool goes_on(void *user)
{
    (void)user;
    return !relaxed_load(&interrupted);
}

/* All settings of a training run; the defaults are those of the shipped network. */
int train_main(int argc, char **argv)
{
    TrainJob job = train_job_default();
    job.tick = goes_on;
    TrainerSettings *s = &job.settings;
    int64_t kings = s->shape.kings, hidden = s->shape.hidden, buckets = s->shape.buckets;
    int64_t epochs = s->epochs, batch = s->batch, warmup = s->warmup;
    int64_t seed = 1, threads = job.threads, valid = job.data.valid_permille;
    int64_t min_ply = job.data.filter.min_ply, max_score = job.data.filter.max_score;
    int64_t imitate = 0;
    double result_end = -1, decay = s->learn.weight_decay, clip = s->learn.clip;
    bool keep_duplicates = false;
    const ArgSpec specs[] = {
        ARGS_NEEDED("out", &job.out, "PREFIX",
                    "name of what is written: .nnue .checkpoint .csv .svg"),
        ARGS_LONG("kings", &kings, 1, NN_MAX_KINGS, "N",
                  "king buckets: 1, or 4, where the own king's place chooses the inputs"),
        ARGS_LONG("hidden", &hidden, 128, NN_MAX_HIDDEN, "N",
                  "neurons: 128, 256, 384, 512, 640, 768 or 1024"),
        ARGS_LONG("buckets", &buckets, 1, NN_MAX_BUCKETS, "N",
                  "outputs, chosen by the number of men"),
        ARGS_LONG("epochs", &epochs, 1, TRAINER_MAX_EPOCHS, "N", "passes through the data"),
        ARGS_LONG("batch", &batch, LEARN_RUN, 1 << 20, "N", "positions per step"),
        ARGS_REAL("rate", &s->rate, 1e-7, 1, "X", "learning rate at first"),
        ARGS_REAL("rate-end", &s->rate_end, 0, 1, "X", "and in the end (cosine between)"),
        ARGS_LONG("warmup", &warmup, 0, 1e6, "N", "steps in which the rate rises"),
        ARGS_REAL("result", &s->result, 0, 1, "X",
                  "share of the game's result in the target at first"),
        ARGS_REAL("result-end", &result_end, -1, 1, "X", "and in the end; -1: the same"),
        ARGS_REAL("ahead", &job.data.ahead, 0, 0.99, "X",
                  "share of the next ply's target in that of each ply, so that it looks ahead"),
        ARGS_FLAG("fit-scale", &s->fit_scale,
                  "scale scores by the men on the board, as the results tell; else by 400"),
        ARGS_REAL("decay", &decay, 0, 1, "X", "weight decay"),
        ARGS_REAL("clip", &clip, 0.1, 1.98, "X", "weights stay within plus and minus this"),
        ARGS_LONG("min-ply", &min_ply, 0, 1000, "N", "leave out positions before this ply"),
        ARGS_LONG("max-score", &max_score, 1, 32767, "N",
                  "leave out positions with this score or more"),
        ARGS_FLAG("keep-checks", &job.data.filter.keep_checks, "keep positions in check"),
        ARGS_FLAG("keep-noisy", &job.data.filter.keep_noisy,
                  "keep those whose best move takes or promotes"),
        ARGS_FLAG("keep-duplicates", &keep_duplicates, "keep every copy of a position"),
        ARGS_LONG("imitate", &imitate, 0, 100, "N",
                  "learn the classical evaluation of so many positions around each one"),
        ARGS_LONG("validation", &valid, 0, 500, "N",
                  "permille of the games that are only measured with"),
        ARGS_LONG("seed", &seed, 0, 1e18, "N", "same seed, data and threads: same network"),
        ARGS_LONG_USUAL("threads", &threads, 1, 256, "N", "threads", "one per core"),
        ARGS_TEXT("from", &job.from, "FILE",
                  "begin with the weights of this checkpoint or network"),
        ARGS_FLAG("resume", &job.resume, "go on from PREFIX.checkpoint if it exists"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "train",
        .operands = "GAMES...",
        .least = 1,
        .summary = "Trains a network on files of games and writes it after every epoch.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    s->shape = (NetShape){(int)kings, (int)hidden, (int)buckets};
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
    app_on_interrupt(interrupt);
    Error err;
    const bool ok = train_job_run(&job, argv + 1, files, NULL, &err);
    return ok ? EXIT_OK : train_fail(argv[0], &err);
}
