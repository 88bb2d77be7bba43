// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_kernels_scalar.c -- the kernels for any processor: plain C. */
#include "nnue/kernels.h"

static bool runs_here(void) { return true; }

#include "nnue/simd_scalar.h"

#include "nnue/kernel_loops.h"

DEFINE_KERNEL_SET(kernels_scalar, "scalar")
