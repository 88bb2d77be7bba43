// SPDX-License-Identifier: GPL-3.0-or-later
#include "classical/weights.h"

#define V(mg, eg) PACK(mg, eg)

const Packed classical_weights[WEIGHT_COUNT] = {
#define VALUES(name, ...) [W_##name] = __VA_ARGS__,
#include "classical/weights.def"
#undef VALUES
};

/* A list that is too long would run into its neighbour. */
#define VALUES(name, ...)                                                                          \
    _Static_assert(sizeof((Packed[]){__VA_ARGS__}) / sizeof(Packed) ==                             \
                       W_LAST_##name - W_##name + 1,                                               \
                   #name " in weights.def has another length than in terms.def");
#include "classical/weights.def"
#undef VALUES

const WeightGroup weight_groups[WEIGHT_GROUP_COUNT] = {
#define WEIGHT(name, count, term, kind) {#name, W_##name, count, term, kind},
#include "classical/terms.def"
#undef WEIGHT
};
