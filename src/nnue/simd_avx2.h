// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_avx2.h -- the vocabulary of simd_scalar.h for AVX2 and FMA. */
#ifndef SAMARA_NNUE_SIMD_AVX2_H
#define SAMARA_NNUE_SIMD_AVX2_H

#include "base/compiler.h"
#include <immintrin.h>

#define SIMD_NAME "AVX2"
enum { VI16_LANES = 16, VF32_LANES = 8 };

typedef __m256i vi16;
typedef __m256i vi32;
typedef __m256 vf32;

ALWAYS_INLINE vi16 vi16_load(const int16_t *from)
{
    return _mm256_load_si256((const __m256i *)from);
}
ALWAYS_INLINE void vi16_store(int16_t *to, vi16 a) { _mm256_store_si256((__m256i *)to, a); }
ALWAYS_INLINE vi16 vi16_set(int16_t x) { return _mm256_set1_epi16(x); }
ALWAYS_INLINE vi16 vi16_add(vi16 a, vi16 b) { return _mm256_add_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_add_saturated(vi16 a, vi16 b) { return _mm256_adds_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_sub(vi16 a, vi16 b) { return _mm256_sub_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_min(vi16 a, vi16 b) { return _mm256_min_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_max(vi16 a, vi16 b) { return _mm256_max_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_mul(vi16 a, vi16 b) { return _mm256_mullo_epi16(a, b); }
ALWAYS_INLINE vi16 vi16_if_equal(vi16 a, vi16 b, vi16 x)
{
    return _mm256_and_si256(_mm256_cmpeq_epi16(a, b), x);
}
ALWAYS_INLINE vi32 vi16_even(vi16 a) { return _mm256_madd_epi16(a, _mm256_set1_epi32(1)); }
ALWAYS_INLINE vi32 vi16_odd(vi16 a) { return _mm256_srai_epi32(a, 16); }
ALWAYS_INLINE vi32 vi16_dot(vi16 a, vi16 b) { return _mm256_madd_epi16(a, b); }
ALWAYS_INLINE vi32 vi32_zero(void) { return _mm256_setzero_si256(); }
ALWAYS_INLINE vi32 vi32_add(vi32 a, vi32 b) { return _mm256_add_epi32(a, b); }
ALWAYS_INLINE vi32 vi32_add_dot(vi32 sum, vi16 a, vi16 b) { return vi32_add(sum, vi16_dot(a, b)); }
ALWAYS_INLINE int32_t vi32_sum(vi32 a)
{
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
}

ALWAYS_INLINE vf32 vf32_load(const float *from) { return _mm256_load_ps(from); }
ALWAYS_INLINE void vf32_store(float *to, vf32 a) { _mm256_store_ps(to, a); }
ALWAYS_INLINE vf32 vf32_set(float x) { return _mm256_set1_ps(x); }
ALWAYS_INLINE vf32 vf32_add(vf32 a, vf32 b) { return _mm256_add_ps(a, b); }
ALWAYS_INLINE vf32 vf32_mul(vf32 a, vf32 b) { return _mm256_mul_ps(a, b); }
ALWAYS_INLINE vf32 vf32_div(vf32 a, vf32 b) { return _mm256_div_ps(a, b); }
ALWAYS_INLINE vf32 vf32_sqrt(vf32 a) { return _mm256_sqrt_ps(a); }
ALWAYS_INLINE vf32 vf32_min(vf32 a, vf32 b) { return _mm256_min_ps(a, b); }
ALWAYS_INLINE vf32 vf32_max(vf32 a, vf32 b) { return _mm256_max_ps(a, b); }
ALWAYS_INLINE vf32 vf32_muladd(vf32 a, vf32 b, vf32 c) { return _mm256_fmadd_ps(a, b, c); }
ALWAYS_INLINE vf32 vf32_of(vi32 a) { return _mm256_cvtepi32_ps(a); }
ALWAYS_INLINE vi16 vi16_round(vf32 even, vf32 odd)
{
    return _mm256_blend_epi16(_mm256_cvtps_epi32(even),
                              _mm256_slli_epi32(_mm256_cvtps_epi32(odd), 16), 0xaa);
}
ALWAYS_INLINE float vf32_sum(vf32 a)
{
    __m128 sum = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

#endif
