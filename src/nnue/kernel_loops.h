// SPDX-License-Identifier: GPL-3.0-or-later
/* kernel_loops.h -- the loops behind kernels.h, in the words of the SIMD vocabulary that was
 * included before, or that of the build. Each simd_kernels_*.c makes a set of kernels of them, and a test
 * goes through each. Inlined with a constant width. */
#ifndef SAMARA_NNUE_KERNEL_LOOPS_H
#define SAMARA_NNUE_KERNEL_LOOPS_H

#include "nnue/kernels.h"
#ifndef SIMD_NAME
#include "nnue/simd.h"
#endif

/* An ordinary move in one pass: one row in, one out. */
ALWAYS_INLINE void change_1_1(int16_t *to, const int16_t *from, const int16_t *add,
                              const int16_t *sub, int hidden)
{
    for (int i = 0; i < hidden; i += VI16_LANES)
        vi16_store(to + i,
                   vi16_add(vi16_load(from + i), vi16_sub(vi16_load(add + i), vi16_load(sub + i))));
}

/* A capture: one in, two out. */
ALWAYS_INLINE void change_1_2(int16_t *to, const int16_t *from, const int16_t *add,
                              const int16_t *sub0, const int16_t *sub1, int hidden)
{
    for (int i = 0; i < hidden; i += VI16_LANES) {
        const vi16 out = vi16_add(vi16_load(sub0 + i), vi16_load(sub1 + i));
        vi16_store(to + i, vi16_add(vi16_load(from + i), vi16_sub(vi16_load(add + i), out)));
    }
}

/* Any change, a tile of the accumulator at a time, which stays in registers meanwhile. */
ALWAYS_INLINE void change_any(int16_t *to, const int16_t *from, const int16_t *input,
                              const RowChange *rows, int hidden)
{
    enum { REGISTERS = 4 };
    for (int i = 0; i < hidden; i += REGISTERS * VI16_LANES) {
        vi16 a = vi16_load(from + i), b = vi16_load(from + i + VI16_LANES),
             c = vi16_load(from + i + 2 * VI16_LANES), d = vi16_load(from + i + 3 * VI16_LANES);
        for (int k = 0; k < rows->adds; k++) {
            const int16_t *row = input + (size_t)rows->add[k] * (size_t)hidden + i;
            a = vi16_add(a, vi16_load(row));
            b = vi16_add(b, vi16_load(row + VI16_LANES));
            c = vi16_add(c, vi16_load(row + 2 * VI16_LANES));
            d = vi16_add(d, vi16_load(row + 3 * VI16_LANES));
        }
        for (int k = 0; k < rows->subs; k++) {
            const int16_t *row = input + (size_t)rows->sub[k] * (size_t)hidden + i;
            a = vi16_sub(a, vi16_load(row));
            b = vi16_sub(b, vi16_load(row + VI16_LANES));
            c = vi16_sub(c, vi16_load(row + 2 * VI16_LANES));
            d = vi16_sub(d, vi16_load(row + 3 * VI16_LANES));
        }
        vi16_store(to + i, a);
        vi16_store(to + i + VI16_LANES, b);
        vi16_store(to + i + 2 * VI16_LANES, c);
        vi16_store(to + i + 3 * VI16_LANES, d);
    }
}

ALWAYS_INLINE void kernel_change(int16_t *to, const int16_t *from, const int16_t *input,
                                 const RowChange *rows, int hidden)
{
    const size_t width = (size_t)hidden;
    if (rows->adds == 1 && rows->subs == 1)
        change_1_1(to, from, input + rows->add[0] * width, input + rows->sub[0] * width, hidden);
    else if (rows->adds == 1 && rows->subs == 2)
        change_1_2(to, from, input + rows->add[0] * width, input + rows->sub[0] * width,
                   input + rows->sub[1] * width, hidden);
    else
        change_any(to, from, input, rows, hidden);
}

/* Sum of v * v * weight with v the neuron clipped to 0..qa. v * weight fits 16 bits (net_parse has
 * checked), so that one multiplication and one dot product do the work of a square and a product in
 * 32 bits. */
ALWAYS_INLINE vi32 add_clipped_square_dot(vi32 sum, const int16_t *neurons, const int16_t *weights,
                                          vi16 one)
{
    const vi16 v = vi16_min(vi16_max(vi16_load(neurons), vi16_set(0)), one);
    return vi32_add_dot(sum, vi16_mul(v, vi16_load(weights)), v);
}

ALWAYS_INLINE int32_t kernel_output(const int16_t *own, const int16_t *enemy,
                                    const int16_t *weights, int qa, int hidden)
{
    const vi16 one = vi16_set((int16_t)qa);
    vi32 a = vi32_zero(), b = vi32_zero();
    for (int i = 0; i < hidden; i += VI16_LANES) {
        a = add_clipped_square_dot(a, own + i, weights + i, one);
        b = add_clipped_square_dot(b, enemy + i, weights + hidden + i, one);
    }
    return vi32_sum(vi32_add(a, b));
}

/* --- a set of kernels: DEFINE_KERNEL_SET(name of the object, word for SAMARA_SIMD) after a
 * function runs_here() --- */
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
#define KERNEL_ROW(H) {H, change_##H, output_##H},
#define DEFINE_KERNEL_SET(object, word)                                                            \
    NN_WIDTHS(DEFINE_KERNELS)                                                                      \
    extern const KernelSet object;                                                                 \
    const KernelSet object = {SIMD_NAME, word, runs_here, {NN_WIDTHS(KERNEL_ROW)}};

#endif
