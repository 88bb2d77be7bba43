// SPDX-License-Identifier: GPL-3.0-or-later
/* net_maker.h -- networks with random weights, for tests. */
#ifndef SAMARA_TESTS_NET_MAKER_H
#define SAMARA_TESTS_NET_MAKER_H

#include "base/rng.h"
#include "nnue/arch.h"
#include "nnue/net.h"

#include <assert.h>
#include <stdlib.h>

/* A whole number in -limit..limit. */
static inline int random_weight(Rng *rng, int limit)
{
    return (int)rng_below(rng, 2 * (uint64_t)limit + 1) - limit;
}

/* The file of a random network; input weights within +-limit. */
static inline void random_net_file(Buffer *out, NetShape shape, int limit, uint64_t seed)
{
    static int16_t input[NN_MAX_KINGS * NN_INPUTS * NN_MAX_HIDDEN], bias[NN_MAX_HIDDEN];
    static int16_t output[NN_MAX_BUCKETS * 2 * NN_MAX_HIDDEN];
    static int32_t output_bias[NN_MAX_BUCKETS];
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < shape.kings * NN_INPUTS * shape.hidden; i++)
        input[i] = (int16_t)random_weight(&rng, limit);
    for (int i = 0; i < shape.hidden; i++)
        bias[i] = (int16_t)random_weight(&rng, 120);
    for (int i = 0; i < shape.buckets * 2 * shape.hidden; i++)
        output[i] = (int16_t)random_weight(&rng, 60);
    for (int i = 0; i < shape.buckets; i++)
        output_bias[i] = random_weight(&rng, 8000);
    const Net net = {.shape = shape,
                     .qa = 255,
                     .qb = 64,
                     .scale = 400,
                     .training_id = seed,
                     .input = input,
                     .bias = bias,
                     .output = output,
                     .output_bias = output_bias};
    const bool written = net_write(&net, out);
    assert(written);
    (void)written;
}

static inline Net *random_net_of(NetShape shape, uint64_t seed)
{
    Buffer file = {0};
    random_net_file(&file, shape, 90, seed);
    Net *net = net_parse(file.data, file.len, NULL);
    buffer_free(&file);
    return net;
}

/* Without king buckets. */
static inline Net *random_net(int hidden, int buckets, uint64_t seed)
{
    return random_net_of((NetShape){1, hidden, buckets}, seed);
}

#endif
