// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_wasm.h -- the vocabulary of simd_scalar.h for WebAssembly's 128-bit vectors. */
#ifndef SAMARA_NNUE_SIMD_WASM_H
#define SAMARA_NNUE_SIMD_WASM_H

#include "base/compiler.h"
#include <wasm_simd128.h>

#define SIMD_NAME "WebAssembly SIMD"
enum { VI16_LANES = 8, VF32_LANES = 4 };

typedef v128_t vi16;
typedef v128_t vi32;
typedef v128_t vf32;

ALWAYS_INLINE vi16 vi16_load(const int16_t *from) { return wasm_v128_load(from); }
ALWAYS_INLINE void vi16_store(int16_t *to, vi16 a) { wasm_v128_store(to, a); }
ALWAYS_INLINE vi16 vi16_set(int16_t x) { return wasm_i16x8_splat(x); }
ALWAYS_INLINE vi16 vi16_add(vi16 a, vi16 b) { return wasm_i16x8_add(a, b); }
ALWAYS_INLINE vi16 vi16_add_saturated(vi16 a, vi16 b) { return wasm_i16x8_add_sat(a, b); }
ALWAYS_INLINE vi16 vi16_sub(vi16 a, vi16 b) { return wasm_i16x8_sub(a, b); }
ALWAYS_INLINE vi16 vi16_min(vi16 a, vi16 b) { return wasm_i16x8_min(a, b); }
ALWAYS_INLINE vi16 vi16_max(vi16 a, vi16 b) { return wasm_i16x8_max(a, b); }
ALWAYS_INLINE vi16 vi16_mul(vi16 a, vi16 b) { return wasm_i16x8_mul(a, b); }
ALWAYS_INLINE vi16 vi16_if_equal(vi16 a, vi16 b, vi16 x)
{
    return wasm_v128_and(wasm_i16x8_eq(a, b), x);
}
ALWAYS_INLINE vi32 vi16_even(vi16 a) { return wasm_i32x4_shr(wasm_i32x4_shl(a, 16), 16); }
ALWAYS_INLINE vi32 vi16_odd(vi16 a) { return wasm_i32x4_shr(a, 16); }
ALWAYS_INLINE vi32 vi16_dot(vi16 a, vi16 b) { return wasm_i32x4_dot_i16x8(a, b); }
ALWAYS_INLINE vi32 vi32_zero(void) { return wasm_i32x4_const_splat(0); }
ALWAYS_INLINE vi32 vi32_add(vi32 a, vi32 b) { return wasm_i32x4_add(a, b); }
ALWAYS_INLINE vi32 vi32_add_dot(vi32 sum, vi16 a, vi16 b) { return vi32_add(sum, vi16_dot(a, b)); }
ALWAYS_INLINE int32_t vi32_sum(vi32 a)
{
    a = wasm_i32x4_add(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    a = wasm_i32x4_add(a, wasm_i32x4_shuffle(a, a, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(a, 0);
}

ALWAYS_INLINE vf32 vf32_load(const float *from) { return wasm_v128_load(from); }
ALWAYS_INLINE void vf32_store(float *to, vf32 a) { wasm_v128_store(to, a); }
ALWAYS_INLINE vf32 vf32_set(float x) { return wasm_f32x4_splat(x); }
ALWAYS_INLINE vf32 vf32_add(vf32 a, vf32 b) { return wasm_f32x4_add(a, b); }
ALWAYS_INLINE vf32 vf32_mul(vf32 a, vf32 b) { return wasm_f32x4_mul(a, b); }
ALWAYS_INLINE vf32 vf32_div(vf32 a, vf32 b) { return wasm_f32x4_div(a, b); }
ALWAYS_INLINE vf32 vf32_sqrt(vf32 a) { return wasm_f32x4_sqrt(a); }
ALWAYS_INLINE vf32 vf32_min(vf32 a, vf32 b) { return wasm_f32x4_pmin(a, b); }
ALWAYS_INLINE vf32 vf32_max(vf32 a, vf32 b) { return wasm_f32x4_pmax(a, b); }
ALWAYS_INLINE vf32 vf32_muladd(vf32 a, vf32 b, vf32 c) { return vf32_add(vf32_mul(a, b), c); }
ALWAYS_INLINE vf32 vf32_of(vi32 a) { return wasm_f32x4_convert_i32x4(a); }
ALWAYS_INLINE vi16 vi16_round(vf32 even, vf32 odd)
{
    const v128_t e = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(even));
    const v128_t o = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(odd));
    return wasm_i16x8_shuffle(e, o, 0, 8, 2, 10, 4, 12, 6, 14);
}
ALWAYS_INLINE float vf32_sum(vf32 a)
{
    a = wasm_f32x4_add(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(a, 0) + wasm_f32x4_extract_lane(a, 1);
}

#endif
