// SPDX-License-Identifier: GPL-3.0-or-later
/* simd.h -- picks the vocabulary of the machine this build is for. The words are explained in
 * simd_scalar.h. SAMARA_SIMD_SCALAR forces plain C. */
#ifndef SAMARA_NNUE_SIMD_H
#define SAMARA_NNUE_SIMD_H

#if defined(SAMARA_SIMD_SCALAR)
#include "nnue/simd_scalar.h"
#elif defined(__AVX512BW__) && defined(__AVX512F__)
#include "nnue/simd_avx512.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "nnue/simd_avx2.h"
#elif defined(__SSE4_1__)
#include "nnue/simd_sse41.h"
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include "nnue/simd_neon.h"
#else
#include "nnue/simd_scalar.h"
#endif

#endif
