// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_bench.c -- `samara-train bench`: how many positions a second the trainer learns from, and how
 * long the engine takes to evaluate one. */
#include "train/commands.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"
#include "chess/movegen.h"
#include "nnue/accumulator.h"
#include "train/args.h"
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

static bool measure(const Sample *samples, int hidden, int threads, int64_t milliseconds,
                    Error *err)
{
    Model model;
    if (!model_create(&model, hidden, NN_MAX_BUCKETS, 1, err))
        return false;
    uint32_t order[POOL / LEARN_RUN];
    for (uint32_t i = 0; i < POOL / LEARN_RUN; i++)
        order[i] = i;
    Team *team = team_create(threads);
    Learner *learner = team ? learner_create(&model, team, &learn_defaults, err) : NULL;
    if (!team)
        error_set(err, "the system gives no threads");
    if (learner) {
        int64_t began = 0, cpu = 0, steps = -2; /* two to warm up */
        do {
            if (steps == 0) {
                began = clock_us();
                cpu = clock_cpu_us();
            }
            const int batch = (int)((steps + 2) % BATCHES);
            const Batch part = {samples, order + batch * (BATCH / LEARN_RUN), BATCH / LEARN_RUN};
            learner_gradient(learner, &part, (Blend){0.3f, MODEL_SCALE});
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

enum { LINE = 100 };

/* A random game, as a search walks down it. */
typedef struct Walk {
    Position positions[LINE + 1];
    Delta deltas[LINE];
    int length;
} Walk;

static void draw_walk(Walk *walk, Rng *rng)
{
    pos_start(&walk->positions[0]);
    for (walk->length = 0; walk->length < LINE; walk->length++) {
        Position *next = &walk->positions[walk->length + 1];
        MoveList list;
        Undo undo;
        *next = walk->positions[walk->length];
        gen_legal(next, &list);
        if (list.count == 0)
            return;
        const Move m = list.moves[rng_below(rng, (uint64_t)list.count)];
        pos_make(next, m, &undo, &walk->deltas[walk->length]);
    }
}

static Net *random_net(int hidden, Error *err)
{
    Model model;
    Buffer file = {0};
    Net *net = NULL;
    if (model_create(&model, hidden, NN_MAX_BUCKETS, 1, err) && model_export(&model, 0, &file, err))
        net = net_parse(file.data, file.len, err);
    model_free(&model);
    buffer_free(&file);
    return net;
}

/* Nanoseconds of processor time for one position. */
static double time_walk(const Walk *walk, const Net *net, AccStack *stack, bool fresh,
                        int64_t milliseconds, int *sink)
{
    int64_t count = 0;
    const int64_t began = clock_us(), cpu = clock_cpu_us();
    do {
        acc_reset(stack, net, &walk->positions[0]);
        for (int i = 0; i < walk->length; i++) {
            const Position *p = &walk->positions[i + 1];
            if (!fresh)
                acc_push(stack, &walk->deltas[i], p);
            *sink += fresh ? net_evaluate(net, p) : acc_evaluate(stack, p);
        }
        count += walk->length;
    } while (clock_us() - began < milliseconds * 1000);
    return 1000.0 * (double)(clock_cpu_us() - cpu) / (double)count;
}

static bool measure_inference(const Walk *walk, int hidden, int64_t milliseconds, Error *err)
{
    Net *net = random_net(hidden, err);
    AccStack *stack = acc_create(LINE);
    const bool ok =
        net && (stack || error_set(err, "there is not enough memory for the accumulators"));
    if (ok) {
        int sink = 0;
        const double step = time_walk(walk, net, stack, false, milliseconds, &sink);
        const double whole = time_walk(walk, net, stack, true, milliseconds, &sink);
        printf("%6d %20.0f %20.0f\n", hidden, step, whole);
    }
    acc_destroy(stack);
    net_free(net);
    return ok;
}

int bench_main(int argc, char **argv)
{
    int64_t threads = thread_cpu_count(), milliseconds = 2000;
    const ArgSpec specs[] = {
        {"threads", ARG_INT, &threads, 1, 256, "the most threads to try"},
        {"time", ARG_INT, &milliseconds, 100, 600000, "milliseconds for each figure"},
    };
    const Command command = {"bench [options]",
                             "Measures how fast networks of each width are trained and evaluated.",
                             specs, sizeof specs / sizeof *specs, false};
    int files;
    const ArgsOutcome outcome = args_parse(&command, argc, argv, &files);
    if (outcome != ARGS_RUN)
        return outcome == ARGS_HELP ? 0 : 2;
    Sample *samples = malloc(POOL * sizeof *samples);
    if (!samples)
        return 1;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < POOL; i++)
        draw_sample(&samples[i], &rng);
#define WIDTH(H) H,
    static const int widths[] = {NN_WIDTHS(WIDTH)};
    enum { WIDTHS = sizeof widths / sizeof *widths };
    Error err;
    Walk *walk = malloc(sizeof *walk);
    bool ok = walk != NULL || error_set(&err, "there is not enough memory");
    if (ok)
        draw_walk(walk, &rng);
    printf("evaluation, %s\nneurons   ns from the parent      ns from nothing\n", net_vocabulary());
    for (int i = 0; ok && i < WIDTHS; i++)
        ok = measure_inference(walk, widths[i], milliseconds / 4, &err);
    free(walk);
    printf("training, batches of %d positions\n", BATCH);
    printf("neurons threads  M positions/s  M positions/s of one core\n");
    for (int i = 0; ok && i < WIDTHS; i++)
        for (int t = 1; ok && t <= threads; t *= 2) {
            ok = measure(samples, widths[i], t, milliseconds, &err);
            fflush(stdout);
        }
    free(samples);
    if (!ok)
        fprintf(stderr, "samara-train bench: %s\n", err.text);
    return ok ? 0 : 1;
}
