// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/kernels.h"

#include "nnue/kernel_loops.h"

#include <stddef.h>

#define DEFINE_KERNELS(H)                                                                          \
    static void change_##H(int16_t *to, const int16_t *from, const int16_t *input,                 \
                           const RowChange *rows)                                                  \
    {                                                                                              \
        kernel_change(to, from, input, rows, H);                                                   \
    }                                                                                              \
    static int32_t output_##H(const int16_t *own, const int16_t *enemy, const int16_t *weights,    \
                              int qa)                                                              \
    {                                                                                              \
        return kernel_output(own, enemy, weights, qa, H);                                          \
    }
NN_WIDTHS(DEFINE_KERNELS)

#define KERNEL_ROW(H) {H, change_##H, output_##H},
static const Kernels kernel_table[] = {NN_WIDTHS(KERNEL_ROW)};

const Kernels *kernels_for(int hidden)
{
    for (size_t i = 0; i < sizeof kernel_table / sizeof *kernel_table; i++)
        if (kernel_table[i].hidden == hidden)
            return &kernel_table[i];
    return NULL;
}

bool nn_width_exists(int hidden) { return kernels_for(hidden) != NULL; }

const char *kernels_vocabulary(void) { return SIMD_NAME; }
