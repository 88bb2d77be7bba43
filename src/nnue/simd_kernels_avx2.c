// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_kernels_avx2.c -- the kernels for AVX2. */
#include "base/cpu.h"
#include "nnue/kernels.h"

#if defined(__x86_64__)

static bool runs_here(void) { return cpu_has(CPU_AVX2); }

TARGET_BEGIN("avx2,fma")
#include "nnue/simd_avx2.h"

#include "nnue/kernel_loops.h"

DEFINE_KERNEL_SET(kernels_avx2, "avx2")
TARGET_END

#endif
