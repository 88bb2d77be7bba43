// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_train.c -- `samara-train train`: games in, network out. */
#include "train/commands.h"

#include "base/thread.h"
#include "classical/classical.h"
#include "train/args.h"
#include "train/train_job.h"

#include <signal.h>
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

int train_main(int argc, char **argv)
{
    TrainJob job = train_job_default();
    job.tick = goes_on;
    TrainerSettings *s = &job.settings;
    int64_t hidden = s->hidden, buckets = s->buckets, epochs = s->epochs, batch = s->batch,
            warmup = s->warmup;
    int64_t seed = 1, threads = job.threads, valid = job.data.valid_permille;
    int64_t min_ply = job.data.filter.min_ply, max_score = job.data.filter.max_score;
    int64_t imitate = 0;
    double result_end = -1, decay = s->learn.weight_decay, clip = s->learn.clip;
    bool keep_duplicates = false;
    const ArgSpec specs[] = {
        {"out", ARG_TEXT, &job.out, 0, 0, "PREFIX of what is written: .nnue .checkpoint .csv .svg"},
        {"hidden", ARG_INT, &hidden, 128, NN_MAX_HIDDEN,
         "neurons: 128, 256, 384, 512, 640, 768 or 1024"},
        {"buckets", ARG_INT, &buckets, 1, NN_MAX_BUCKETS, "outputs, chosen by the number of men"},
        {"epochs", ARG_INT, &epochs, 1, TRAINER_MAX_EPOCHS, "passes through the data"},
        {"batch", ARG_INT, &batch, LEARN_RUN, 1 << 20, "positions per step"},
        {"rate", ARG_REAL, &s->rate, 1e-7, 1, "learning rate at first"},
        {"rate-end", ARG_REAL, &s->rate_end, 0, 1, "and in the end (cosine between)"},
        {"warmup", ARG_INT, &warmup, 0, 1e6, "steps in which the rate rises"},
        {"result", ARG_REAL, &s->result, 0, 1, "share of the game's result in the target at first"},
        {"result-end", ARG_REAL, &result_end, -1, 1, "and in the end; -1: the same"},
        {"fit-scale", ARG_FLAG, &s->fit_scale, 0, 0,
         "scale scores by the men on the board, as the results tell; else by 400"},
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
        {"validation", ARG_INT, &valid, 0, 500,
         "permille of the games that are only measured with"},
        {"seed", ARG_INT, &seed, 0, 1e18, "same seed, data and threads: same network"},
        {"threads", ARG_INT, &threads, 1, 256, "threads"},
        {"from", ARG_TEXT, &job.from, 0, 0, "begin with the weights of this checkpoint or network"},
        {"resume", ARG_FLAG, &job.resume, 0, 0, "go on from PREFIX.checkpoint if it exists"},
    };
    const Command command = {"train FILE... --out PREFIX [options]",
                             "Trains a network on files of games and writes it after every epoch.",
                             specs, sizeof specs / sizeof *specs, true};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    if (files == 0 || !job.out) {
        fprintf(stderr, "samara-train train: files of games and --out PREFIX are needed\n");
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
    const bool ok = train_job_run(&job, argv + 1, files, NULL, &err);
    if (!ok)
        fprintf(stderr, "samara-train train: %s\n", err.text);
    return ok ? 0 : 1;
}
