// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_neon.h -- the vocabulary of simd_scalar.h for 64-bit ARM. */
#ifndef SAMARA_NNUE_SIMD_NEON_H
#define SAMARA_NNUE_SIMD_NEON_H

#include "base/compiler.h"
#include <arm_neon.h>

#define SIMD_NAME "NEON"
enum { VI16_LANES = 8, VF32_LANES = 4 };

typedef int16x8_t vi16;
typedef int32x4_t vi32;
typedef float32x4_t vf32;

ALWAYS_INLINE vi16 vi16_load(const int16_t *from) { return vld1q_s16(from); }
ALWAYS_INLINE void vi16_store(int16_t *to, vi16 a) { vst1q_s16(to, a); }
ALWAYS_INLINE vi16 vi16_set(int16_t x) { return vdupq_n_s16(x); }
ALWAYS_INLINE vi16 vi16_add(vi16 a, vi16 b) { return vaddq_s16(a, b); }
ALWAYS_INLINE vi16 vi16_add_saturated(vi16 a, vi16 b) { return vqaddq_s16(a, b); }
ALWAYS_INLINE vi16 vi16_sub(vi16 a, vi16 b) { return vsubq_s16(a, b); }
ALWAYS_INLINE vi16 vi16_min(vi16 a, vi16 b) { return vminq_s16(a, b); }
ALWAYS_INLINE vi16 vi16_max(vi16 a, vi16 b) { return vmaxq_s16(a, b); }
ALWAYS_INLINE vi16 vi16_mul(vi16 a, vi16 b) { return vmulq_s16(a, b); }
ALWAYS_INLINE vi16 vi16_if_equal(vi16 a, vi16 b, vi16 x)
{
    return vandq_s16(vreinterpretq_s16_u16(vceqq_s16(a, b)), x);
}
ALWAYS_INLINE vi32 vi16_even(vi16 a)
{
    return vshrq_n_s32(vshlq_n_s32(vreinterpretq_s32_s16(a), 16), 16);
}
ALWAYS_INLINE vi32 vi16_odd(vi16 a) { return vshrq_n_s32(vreinterpretq_s32_s16(a), 16); }
ALWAYS_INLINE vi32 vi16_dot(vi16 a, vi16 b)
{
    return vmlal_high_s16(vmull_s16(vget_low_s16(a), vget_low_s16(b)), a, b);
}
ALWAYS_INLINE vi32 vi32_zero(void) { return vdupq_n_s32(0); }
ALWAYS_INLINE vi32 vi32_add(vi32 a, vi32 b) { return vaddq_s32(a, b); }
ALWAYS_INLINE vi32 vi32_add_dot(vi32 sum, vi16 a, vi16 b)
{
    return vmlal_high_s16(vmlal_s16(sum, vget_low_s16(a), vget_low_s16(b)), a, b);
}
ALWAYS_INLINE int32_t vi32_sum(vi32 a) { return vaddvq_s32(a); }

ALWAYS_INLINE vf32 vf32_load(const float *from) { return vld1q_f32(from); }
ALWAYS_INLINE void vf32_store(float *to, vf32 a) { vst1q_f32(to, a); }
ALWAYS_INLINE vf32 vf32_set(float x) { return vdupq_n_f32(x); }
ALWAYS_INLINE vf32 vf32_add(vf32 a, vf32 b) { return vaddq_f32(a, b); }
ALWAYS_INLINE vf32 vf32_mul(vf32 a, vf32 b) { return vmulq_f32(a, b); }
ALWAYS_INLINE vf32 vf32_div(vf32 a, vf32 b) { return vdivq_f32(a, b); }
ALWAYS_INLINE vf32 vf32_sqrt(vf32 a) { return vsqrtq_f32(a); }
ALWAYS_INLINE vf32 vf32_min(vf32 a, vf32 b) { return vminq_f32(a, b); }
ALWAYS_INLINE vf32 vf32_max(vf32 a, vf32 b) { return vmaxq_f32(a, b); }
ALWAYS_INLINE vf32 vf32_muladd(vf32 a, vf32 b, vf32 c) { return vfmaq_f32(c, a, b); }
ALWAYS_INLINE vf32 vf32_of(vi32 a) { return vcvtq_f32_s32(a); }
ALWAYS_INLINE vi16 vi16_round(vf32 even, vf32 odd)
{
    return vtrn1q_s16(vreinterpretq_s16_s32(vcvtnq_s32_f32(even)),
                      vreinterpretq_s16_s32(vcvtnq_s32_f32(odd)));
}
ALWAYS_INLINE float vf32_sum(vf32 a) { return vaddvq_f32(a); }

#endif
