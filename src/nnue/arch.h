// SPDX-License-Identifier: GPL-3.0-or-later
/* arch.h -- the network's shape, written down once for the engine and the trainer.
 *
 *   768 inputs   own and enemy men on 64 squares, seen from one side, the board mirrored so that
 *                the own king stands on files a to d; once for each king bucket: where the own
 *                king stands decides which 768 speak
 *   H neurons    once for each side, the same weights; clipped to 0..1 and squared
 *   one output   chosen among the buckets by the number of men
 *
 * Numbers: a neuron is an int16 in which QA stands for 1.0; an output weight is an int16 in which
 * QB does. net_parse() proves, weight by weight, that on no board of up to 64 men any of the sums
 * can overflow; so every order of summation, and every instruction set, gives the same number. */
#ifndef SAMARA_NNUE_ARCH_H
#define SAMARA_NNUE_ARCH_H

#include "base/text.h"
#include "chess/types.h"

enum {
    NN_INPUTS = 768,
    NN_MAX_HIDDEN = 1024,
    NN_MAX_KINGS = 4, /* king buckets: 1, or all of features.h */
    NN_MAX_BUCKETS = 8,
    NN_EVAL_MAX = 20000, /* evaluations stay within +- this */
    NN_NAME_SIZE = 32,
};

/* The widths that have kernels of their own: X(width). Each is a multiple of 128. */
#define NN_WIDTHS(X) X(128) X(256) X(384) X(512) X(640) X(768) X(1024)
#define NN_WIDTH_COUNT(width) +1

/* What distinguishes one network's architecture from another's. */
typedef struct NetShape {
    int kings;   /* king buckets */
    int hidden;  /* neurons */
    int buckets; /* outputs */
} NetShape;

struct Net {
    NetShape shape;
    int qa, qb, scale;
    int64_t multiplier;         /* output sum -> evaluation, in units of 2^-32 */
    uint64_t identity;          /* of the contents: two nets with the same one compute the same */
    uint64_t training_id;       /* names the data it was trained with */
    const int16_t *input;       /* [kings][NN_INPUTS][hidden] */
    const int16_t *bias;        /* [hidden] */
    const int16_t *output;      /* [buckets][2][hidden]: side to move first */
    const int32_t *output_bias; /* [buckets], in units of 1 / (QA * QA * QB) divided by QA */
    const struct Kernels *kernels;
    uint8_t bucket[MAX_MEN + 1]; /* nn_bucket() of so many men */
    char name[NN_NAME_SIZE], architecture[NN_NAME_SIZE];
};

bool nn_width_exists(int hidden);
bool nn_shape_exists(const NetShape *shape);
/* "768hm-256x2-screlu-ob8"; with four king buckets "768x4hm-256x2-screlu-ob8" */
void nn_architecture(const NetShape *shape, char out[NN_NAME_SIZE]);

/* Which output speaks for a board with so many men: an even share of 2 to 32 each, more men the
 * last. */
ALWAYS_INLINE int nn_bucket(int men, int buckets)
{
    const int share = (32 + buckets - 1) / buckets;
    const int bucket = men < 2 ? 0 : (men - 2) / share;
    return bucket < buckets ? bucket : buckets - 1;
}

#endif
