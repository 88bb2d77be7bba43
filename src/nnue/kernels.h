// SPDX-License-Identifier: GPL-3.0-or-later
/* kernels.h -- the two loops in which a network spends its time, compiled for each width of
 * NN_WIDTHS and for each instruction set of simd.h. One set serves the whole process. It is chosen
 * at the first use: the best that the processor has, or the one that the environment's SAMARA_SIMD
 * names. It must first compute the same as plain C does; if not, the next one serves. */
#ifndef SAMARA_NNUE_KERNELS_H
#define SAMARA_NNUE_KERNELS_H

#include "nnue/features.h"

/* The kernels of one width. `to` and `from` may be the same. */
typedef struct Kernels {
    int hidden;
    void (*change)(int16_t *to, const int16_t *from, const int16_t *input, const RowChange *rows);
    int32_t (*output)(const int16_t *own, const int16_t *enemy, const int16_t *weights, int qa);
} Kernels;

enum { KERNEL_WIDTHS = 0 NN_WIDTHS(NN_WIDTH_COUNT) };

typedef struct KernelSet {
    const char *name; /* for people: "AVX2" */
    const char *word; /* for SAMARA_SIMD: "avx2" */
    bool (*runs_here)(void);
    Kernels width[KERNEL_WIDTHS];
} KernelSet;

/* Asks for a set by its word, before the first use; stronger than the environment. False if there
 * is none of that name. */
bool kernels_prefer(const char *word);
const Kernels *kernels_for(int hidden); /* NULL if there are none */
const char *kernels_name(void);         /* of the set that serves: "AVX2" */
/* A sentence for people if the set is not the one that was asked for, or not the best one that the
 * processor has; else NULL. */
const char *kernels_note(void);

/* --- how the choice is made; for tests --- */
typedef struct KernelChoice {
    const KernelSet *set;
    char note[200];
} KernelChoice;

/* The first of the sets, best first, that runs here and agrees with the last one, which is plain C
 * and serves if no other does. A wish (may be NULL) passes over those before the one it names. */
void kernels_choose(const KernelSet *const *sets, int count, const char *wish, KernelChoice *out);
/* Do both compute the same, at every width, from numbers as large as a network's may be? */
bool kernels_agree(const KernelSet *a, const KernelSet *b);
/* All sets of this build, best first. */
const KernelSet *const *kernels_sets(int *count);

#endif
