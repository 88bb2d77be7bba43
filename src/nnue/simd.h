// SPDX-License-Identifier: GPL-3.0-or-later
/* simd.h -- the vocabulary of the machine this build is for (the words are explained in
 * simd_scalar.h; SAMARA_SIMD_SCALAR forces plain C), and the list of all those of which kernels are
 * made. */
#ifndef SAMARA_NNUE_SIMD_H
#define SAMARA_NNUE_SIMD_H

#if defined(SAMARA_SIMD_SCALAR)
#include "nnue/simd_scalar.h"
#elif defined(__AVX512BW__) && defined(__AVX512F__)
#ifdef __AVX512VNNI__
#define SIMD_VNNI
#endif
#include "nnue/simd_avx512.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "nnue/simd_avx2.h"
#elif defined(__SSE4_1__)
#include "nnue/simd_sse41.h"
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include "nnue/simd_neon.h"
#elif defined(__wasm_simd128__)
#include "nnue/simd_wasm.h"
#else
#include "nnue/simd_scalar.h"
#endif

/* The sets of kernels in this program, best first: X(object). Each is made by simd_kernels_*.c. */
#if defined(__x86_64__)
#define SIMD_SETS(X) X(kernels_avx512) X(kernels_avx2) X(kernels_sse41) X(kernels_scalar)
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define SIMD_SETS(X) X(kernels_neon) X(kernels_scalar)
#elif defined(__wasm_simd128__)
#define SIMD_SETS(X) X(kernels_wasm) X(kernels_scalar)
#else
#define SIMD_SETS(X) X(kernels_scalar)
#endif

#endif
