// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_avx512.h -- the vocabulary of simd_scalar.h for AVX-512 with byte and word instructions;
 * with SIMD_VNNI also those for dot products. */
#ifndef SAMARA_NNUE_SIMD_AVX512_H
#define SAMARA_NNUE_SIMD_AVX512_H

#include "base/compiler.h"
#include <immintrin.h>

#ifdef SIMD_VNNI
#define SIMD_NAME "AVX-512 VNNI"
#else
#define SIMD_NAME "AVX-512"
#endif
enum { VI16_LANES = 32, VF32_LANES = 16 };

typedef __m512i vi16;
typedef __m512i vi32;
typedef __m512 vf32;

ALWAYS_INLINE vi16 vi16_load(const int16_t *from) { return _mm512_load_si512(from); }
ALWAYS_INLINE void vi16_store(int16_t *to, vi16 a) { _mm512_store_si512(to, a); }
ALWAYS_INLINE vi16 vi16_set(int16_t x) { return _mm512_set1_epi16(x); }
ALWAYS_INLINE vi16 vi16_add(vi16 a, vi16 b) { return _mm512_add_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_add_saturated(vi16 a, vi16 b) { return _mm512_adds_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_sub(vi16 a, vi16 b) { return _mm512_sub_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_min(vi16 a, vi16 b) { return _mm512_min_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_max(vi16 a, vi16 b) { return _mm512_max_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_mul(vi16 a, vi16 b) { return _mm512_mullo_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_if_equal(vi16 a, vi16 b, vi16 x)
{
    return _mm512_maskz_mov_epi16(_mm512_cmpeq_epi16_mask(a, b), x);
}
ALWAYS_INLINE vi32 vi16_even(vi16 a) { return _mm512_madd_epi16(a, _mm512_set1_epi32(1)); }
ALWAYS_INLINE vi32 vi16_odd(vi16 a) { return _mm512_srai_epi32(a, 16); }
ALWAYS_INLINE vi32 vi16_dot(vi16 a, vi16 b) { return _mm512_madd_epi16(a, b); }
ALWAYS_INLINE vi32 vi32_zero(void) { return _mm512_setzero_si512(); }
ALWAYS_INLINE vi32 vi32_add(vi32 a, vi32 b) { return _mm512_add_epi32(a, b); }
ALWAYS_INLINE vi32 vi32_add_dot(vi32 sum, vi16 a, vi16 b)
{
#ifdef SIMD_VNNI
    return _mm512_dpwssd_epi32(sum, a, b);
#else
    return vi32_add(sum, vi16_dot(a, b));
#endif
}
ALWAYS_INLINE int32_t vi32_sum(vi32 a) { return _mm512_reduce_add_epi32(a); }

ALWAYS_INLINE vf32 vf32_load(const float *from) { return _mm512_load_ps(from); }
ALWAYS_INLINE void vf32_store(float *to, vf32 a) { _mm512_store_ps(to, a); }
ALWAYS_INLINE vf32 vf32_set(float x) { return _mm512_set1_ps(x); }
ALWAYS_INLINE vf32 vf32_add(vf32 a, vf32 b) { return _mm512_add_ps(a, b); }
ALWAYS_INLINE vf32 vf32_mul(vf32 a, vf32 b) { return _mm512_mul_ps(a, b); }
ALWAYS_INLINE vf32 vf32_div(vf32 a, vf32 b) { return _mm512_div_ps(a, b); }
ALWAYS_INLINE vf32 vf32_sqrt(vf32 a) { return _mm512_sqrt_ps(a); }
ALWAYS_INLINE vf32 vf32_min(vf32 a, vf32 b) { return _mm512_min_ps(a, b); }
ALWAYS_INLINE vf32 vf32_max(vf32 a, vf32 b) { return _mm512_max_ps(a, b); }
ALWAYS_INLINE vf32 vf32_muladd(vf32 a, vf32 b, vf32 c) { return _mm512_fmadd_ps(a, b, c); }
ALWAYS_INLINE vf32 vf32_of(vi32 a) { return _mm512_cvtepi32_ps(a); }
ALWAYS_INLINE vi16 vi16_round(vf32 even, vf32 odd)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_cvtps_epi32(even),
                                   _mm512_slli_epi32(_mm512_cvtps_epi32(odd), 16));
}
ALWAYS_INLINE float vf32_sum(vf32 a) { return _mm512_reduce_add_ps(a); }

#endif
