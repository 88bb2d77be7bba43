// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/speed.h"

#include "base/clock.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "nnue/accumulator.h"

#include <stdlib.h>

enum { LINE = 100 };

/* A random game, as a search walks down it. */
typedef struct Walk {
    Position positions[LINE + 1];
    Delta deltas[LINE];
    int length;
} Walk;

/* A random game of fixed seed: the same positions for every network and build. */
static void draw_walk(Walk *walk)
{
    Rng rng;
    rng_seed(&rng, 1);
    pos_start(&walk->positions[0]);
    for (walk->length = 0; walk->length < LINE; walk->length++) {
        Position *next = &walk->positions[walk->length + 1];
        MoveList list;
        Undo undo;
        *next = walk->positions[walk->length];
        gen_legal(next, &list);
        if (list.count == 0)
            return;
        const Move m = list.moves[rng_below(&rng, (uint64_t)list.count)];
        pos_make(next, m, &undo, &walk->deltas[walk->length]);
    }
}

/* Nanoseconds of CPU time per evaluation, after one round to warm up; `fresh` computes each
 * position from scratch. */
static double time_walk(const Walk *walk, const Net *net, AccStack *stack, bool fresh,
                        int64_t milliseconds)
{
    volatile int sink;                        /* keeps the work from being optimised away */
    int64_t began = 0, count = -walk->length; /* once to warm up */
    do {
        if (count == 0)
            began = clock_cpu_us();
        acc_reset(stack, net, &walk->positions[0]);
        for (int i = 0; i < walk->length; i++) {
            const Position *p = &walk->positions[i + 1];
            if (!fresh)
                acc_push(stack, &walk->deltas[i]);
            sink = fresh ? net_evaluate(net, p) : acc_evaluate(stack, p);
        }
        count += walk->length;
    } while (count == 0 || clock_cpu_us() - began < milliseconds * 1000);
    (void)sink;
    return 1000.0 * (double)(clock_cpu_us() - began) / (double)count;
}

/* Measures both ways to evaluate: step by step as in a search, and from scratch. */
bool net_speed(const Net *net, int64_t milliseconds, NetSpeed *out, Error *err)
{
    Walk *walk = malloc(sizeof *walk);
    AccStack *stack = acc_create(LINE);
    const bool ok = walk && stack;
    if (ok) {
        draw_walk(walk);
        out->step_ns = time_walk(walk, net, stack, false, milliseconds);
        out->fresh_ns = time_walk(walk, net, stack, true, milliseconds);
    } else
        error_set(err, "there is not enough memory for the accumulators");
    acc_destroy(stack);
    free(walk);
    return ok;
}
