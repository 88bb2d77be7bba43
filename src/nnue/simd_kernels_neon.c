// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_kernels_neon.c -- the kernels for 64-bit ARM. */
#include "nnue/kernels.h"

#if defined(__aarch64__) && defined(__ARM_NEON)

static bool runs_here(void) { return true; }

#include "nnue/simd_neon.h"

#include "nnue/kernel_loops.h"

DEFINE_KERNEL_SET(kernels_neon, "neon")

#endif
