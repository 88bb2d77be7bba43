// SPDX-License-Identifier: GPL-3.0-or-later
/* kernels.h -- the two loops in which a network spends its time, compiled for each width of
 * NN_WIDTHS. */
#ifndef SAMARA_NNUE_KERNELS_H
#define SAMARA_NNUE_KERNELS_H

#include "nnue/features.h"

/* The kernels of one width. `to` and `from` may be the same. */
typedef struct Kernels {
    int hidden;
    void (*change)(int16_t *to, const int16_t *from, const int16_t *input, const RowChange *rows);
    int32_t (*output)(const int16_t *own, const int16_t *enemy, const int16_t *weights, int qa);
} Kernels;

const Kernels *kernels_for(int hidden); /* NULL if there are none */
const char *kernels_vocabulary(void);   /* "AVX2" */

#endif
