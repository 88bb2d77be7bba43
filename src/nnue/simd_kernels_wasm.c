// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_kernels_wasm.c -- the kernels for WebAssembly's vectors. */
#include "nnue/kernels.h"

#if defined(__wasm_simd128__)

static bool runs_here(void) { return true; }

#include "nnue/simd_wasm.h"

#include "nnue/kernel_loops.h"

DEFINE_KERNEL_SET(kernels_wasm, "wasm")

#endif
