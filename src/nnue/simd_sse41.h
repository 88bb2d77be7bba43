// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_sse41.h -- the vocabulary of simd_scalar.h for SSE4.1. */
#ifndef SAMARA_NNUE_SIMD_SSE41_H
#define SAMARA_NNUE_SIMD_SSE41_H

#include "base/compiler.h"
#include <smmintrin.h>

#define SIMD_NAME "SSE4.1"
enum { VI16_LANES = 8, VF32_LANES = 4 };

typedef __m128i vi16;
typedef __m128i vi32;
typedef __m128 vf32;

ALWAYS_INLINE vi16 vi16_load(const int16_t *from) { return _mm_load_si128((const __m128i *)from); }
ALWAYS_INLINE void vi16_store(int16_t *to, vi16 a) { _mm_store_si128((__m128i *)to, a); }
ALWAYS_INLINE vi16 vi16_set(int16_t x) { return _mm_set1_epi16(x); }
ALWAYS_INLINE vi16 vi16_add(vi16 a, vi16 b) { return _mm_add_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_add_saturated(vi16 a, vi16 b) { return _mm_adds_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_sub(vi16 a, vi16 b) { return _mm_sub_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_min(vi16 a, vi16 b) { return _mm_min_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_max(vi16 a, vi16 b) { return _mm_max_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_mul(vi16 a, vi16 b) { return _mm_mullo_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_if_equal(vi16 a, vi16 b, vi16 x)
{
    return _mm_and_si128(_mm_cmpeq_epi16(a, b), x);
}
ALWAYS_INLINE vi32 vi16_even(vi16 a) { return _mm_madd_epi16(a, _mm_set1_epi32(1)); }
ALWAYS_INLINE vi32 vi16_odd(vi16 a) { return _mm_srai_epi32(a, 16); }
ALWAYS_INLINE vi32 vi16_dot(vi16 a, vi16 b) { return _mm_madd_epi16(a, b); }
ALWAYS_INLINE vi32 vi32_zero(void) { return _mm_setzero_si128(); }
ALWAYS_INLINE vi32 vi32_add(vi32 a, vi32 b) { return _mm_add_epi32(a, b); }
ALWAYS_INLINE vi32 vi32_add_dot(vi32 sum, vi16 a, vi16 b) { return vi32_add(sum, vi16_dot(a, b)); }
ALWAYS_INLINE int32_t vi32_sum(vi32 a)
{
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4e));
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0xb1));
    return _mm_cvtsi128_si32(a);
}

ALWAYS_INLINE vf32 vf32_load(const float *from) { return _mm_load_ps(from); }
ALWAYS_INLINE void vf32_store(float *to, vf32 a) { _mm_store_ps(to, a); }
ALWAYS_INLINE vf32 vf32_set(float x) { return _mm_set1_ps(x); }
ALWAYS_INLINE vf32 vf32_add(vf32 a, vf32 b) { return _mm_add_ps(a, b); }
ALWAYS_INLINE vf32 vf32_mul(vf32 a, vf32 b) { return _mm_mul_ps(a, b); }
ALWAYS_INLINE vf32 vf32_div(vf32 a, vf32 b) { return _mm_div_ps(a, b); }
ALWAYS_INLINE vf32 vf32_sqrt(vf32 a) { return _mm_sqrt_ps(a); }
ALWAYS_INLINE vf32 vf32_min(vf32 a, vf32 b) { return _mm_min_ps(a, b); }
ALWAYS_INLINE vf32 vf32_max(vf32 a, vf32 b) { return _mm_max_ps(a, b); }
ALWAYS_INLINE vf32 vf32_muladd(vf32 a, vf32 b, vf32 c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
ALWAYS_INLINE vf32 vf32_of(vi32 a) { return _mm_cvtepi32_ps(a); }
ALWAYS_INLINE vi16 vi16_round(vf32 even, vf32 odd)
{
    return _mm_blend_epi16(_mm_cvtps_epi32(even), _mm_slli_epi32(_mm_cvtps_epi32(odd), 16), 0xaa);
}
ALWAYS_INLINE float vf32_sum(vf32 a)
{
    a = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(a, _mm_movehdup_ps(a)));
}

#endif
