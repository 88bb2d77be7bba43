// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_kernels_sse41.c -- the kernels for SSE4.1. */
#include "base/cpu.h"
#include "nnue/kernels.h"

#if defined(__x86_64__)

static bool runs_here(void) { return cpu_has(CPU_SSE41); }

TARGET_BEGIN("sse4.1")
#include "nnue/simd_sse41.h"

#include "nnue/kernel_loops.h"

DEFINE_KERNEL_SET(kernels_sse41, "sse4.1")
TARGET_END

#endif
