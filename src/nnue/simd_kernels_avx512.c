// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_kernels_avx512.c -- the kernels for AVX-512 with VNNI. */
#include "base/cpu.h"
#include "nnue/kernels.h"

#if defined(__x86_64__)

static bool runs_here(void) { return cpu_has(CPU_AVX512); }

TARGET_BEGIN("avx512f,avx512bw,avx512vnni,fma")
#define SIMD_VNNI
#include "nnue/simd_avx512.h"

#include "nnue/kernel_loops.h"

DEFINE_KERNEL_SET(kernels_avx512, "avx512")
TARGET_END

#endif
