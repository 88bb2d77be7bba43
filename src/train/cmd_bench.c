// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_bench.c -- `samara-train bench`: how many positions a second the trainer learns from, and how
 * long the engine takes to evaluate one. */
#include "train/commands.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"
#include "nnue/speed.h"
#include "train/words.h"
#include "train/learn.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 16384, BATCHES = 4, POOL = BATCH * BATCHES };

/* Boards with the number of men that games have (21 or 22 on average); where they stand does not
 * matter here. */
static void draw_sample(Sample *sample, Rng *rng)
{
    static const PieceType kinds[16] = {PAWN,   PAWN,   PAWN,   PAWN,   PAWN, PAWN, PAWN,  PAWN,
                                        KNIGHT, KNIGHT, BISHOP, BISHOP, ROOK, ROOK, QUEEN, PAWN};
    *sample = (Sample){.score = (int16_t)((int)rng_below(rng, 800) - 400),
                       .result = (uint8_t)rng_below(rng, 3)};
    const int men = 8 + (int)(rng_below(rng, 10) + rng_below(rng, 10) + rng_below(rng, 10));
    const int limit = men < SAMPLE_MAX_MEN ? men : SAMPLE_MAX_MEN;
    while (bb_count(sample->occupied) < limit)
        sample->occupied |= bb_square((Square)rng_below(rng, 64));
    const int own = (int)rng_below(rng, (uint64_t)limit / 2),
              enemy = own + 1 + (int)rng_below(rng, (uint64_t)limit / 2);
    Bitboard b = sample->occupied;
    for (int i = 0; i < limit; i++) {
        const Square s = bb_pop(&b);
        int man = kinds[rng_below(rng, 16)] | (int)rng_below(rng, 2) << 3;
        if (i == own) {
            man = KING;
            sample->own_king = (uint8_t)s;
        } else if (i == enemy) {
            man = KING | 8;
            sample->enemy_king = (uint8_t)s;
        }
        sample->men[i >> 1] |= (uint8_t)(man << 4 * (i & 1));
    }
}

/* Steps of real size on random positions, after two to warm up; speed in wall time and per core. */
static bool measure(const Sample *samples, int hidden, int threads, int64_t milliseconds,
                    Error *err)
{
    Model model;
    if (!model_create(&model, (NetShape){1, hidden, NN_MAX_BUCKETS}, 1, err))
        return false;
    uint32_t order[POOL / LEARN_RUN];
    for (uint32_t i = 0; i < POOL / LEARN_RUN; i++)
        order[i] = i;
    Team *team = team_create(threads);
    Learner *learner = team ? learner_create(&model, team, &learn_defaults, err) : NULL;
    if (!team)
        error_set(err, "there is not enough memory for %d threads", threads);
    if (learner) {
        int64_t began = 0, cpu = 0, steps = -2; /* two to warm up */
        do {
            if (steps == 0) {
                began = clock_us();
                cpu = clock_cpu_us();
            }
            const int batch = (int)((steps + 2) % BATCHES);
            const Batch part = {samples, order + batch * (BATCH / LEARN_RUN), BATCH / LEARN_RUN};
            learner_gradient(learner, &part, blend_uniform(0.3f, MODEL_SCALE));
            learner_update(learner, 1e-3f);
            steps++;
        } while (steps < 4 || clock_us() - began < milliseconds * 1000);
        const double positions = (double)steps * BATCH, wall = (double)(clock_us() - began),
                     used = (double)(clock_cpu_us() - cpu);
        printf("%6d %8d %14.2f %24.2f\n", hidden, threads, positions / wall, positions / used);
    }
    learner_destroy(learner);
    team_destroy(team);
    model_free(&model);
    return learner != NULL;
}

/* --- inference --- */

static Net *random_net(int hidden, Error *err)
{
    Model model;
    Buffer file = {0};
    Net *net = NULL;
    if (model_create(&model, (NetShape){1, hidden, NN_MAX_BUCKETS}, 1, err) &&
        model_export(&model, 0, &file, err))
        net = net_parse(file.data, file.len, err);
    model_free(&model);
    buffer_free(&file);
    return net;
}

static bool measure_inference(int hidden, int64_t milliseconds, Error *err)
{
    NetSpeed speed;
    Net *net = random_net(hidden, err);
    const bool ok = net && net_speed(net, milliseconds, &speed, err);
    if (ok)
        printf("%6d %20.0f %20.0f\n", hidden, speed.step_ns, speed.fresh_ns);
    net_free(net);
    return ok;
}

/* First the evaluation, then training with each number of threads. */
int bench_main(int argc, char **argv)
{
    int64_t threads = thread_cpu_count(), milliseconds = 2000, hidden = 0;
    const ArgSpec specs[] = {
        ARGS_LONG_USUAL("threads", &threads, 1, 256, "N", "the most threads to try",
                        "one per core"),
        ARGS_LONG("hidden", &hidden, 0, NN_MAX_HIDDEN, "N",
                  "only this many neurons; 0: each width"),
        ARGS_LONG("time", &milliseconds, 100, 600000, "MS", "time for each figure"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "bench",
        .summary = "Measures how fast networks of each width are trained and evaluated.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    Sample *samples = malloc(POOL * sizeof *samples);
    if (!samples)
        return 1;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < POOL; i++)
        draw_sample(&samples[i], &rng);
#define WIDTH(H) H,
    static const int widths[] = {NN_WIDTHS(WIDTH)};
    const int asked_for = (int)hidden;
    const int *list = hidden ? &asked_for : widths;
    const int count = hidden ? 1 : (int)(sizeof widths / sizeof *widths);
    Error err;
    bool ok = true;
    printf("evaluation, %s\nneurons   ns from the parent      ns from nothing\n", net_vocabulary());
    for (int i = 0; ok && i < count; i++)
        ok = measure_inference(list[i], milliseconds / 4, &err);
    printf("training, batches of %d positions\n", BATCH);
    printf("neurons threads  M positions/s  M positions/s of one core\n");
    for (int i = 0; ok && i < count; i++)
        for (int t = 1; ok && t <= threads; t *= 2) {
            ok = measure(samples, list[i], t, milliseconds, &err);
            fflush(stdout);
        }
    free(samples);
    if (!ok)
        fprintf(stderr, "samara-train bench: %s\n", err.text);
    return ok ? 0 : 1;
}
