// SPDX-License-Identifier: GPL-3.0-or-later
/* simd_scalar.h -- the vocabulary in plain C: the definition of what every other one must compute.
 *
 * vi16: lanes of int16, wrapping. vi32: half as many lanes of int32. Loads and stores are aligned
 * to 64 bytes. vf32: as many lanes of float, for the trainer; here the last bit may differ between
 * vocabularies (fused rounding, order of the sum), for integers it may not. */
#ifndef SAMARA_NNUE_SIMD_SCALAR_H
#define SAMARA_NNUE_SIMD_SCALAR_H

#include "base/compiler.h"
#include <math.h>
#include <stdint.h>

#define SIMD_NAME "scalar"
enum { VI16_LANES = 8, VF32_LANES = 4 };

typedef struct vi16 {
    int16_t lane[VI16_LANES];
} vi16;
typedef struct vi32 {
    int32_t lane[VI16_LANES / 2];
} vi32;
typedef struct vf32 {
    float lane[VF32_LANES];
} vf32;

#define EACH16 for (int i = 0; i < VI16_LANES; i++)
#define EACH32 for (int i = 0; i < VI16_LANES / 2; i++)
#define EACHF for (int i = 0; i < VF32_LANES; i++)

ALWAYS_INLINE vi16 vi16_load(const int16_t *from)
{
    vi16 r;
    EACH16 r.lane[i] = from[i];
    return r;
}
ALWAYS_INLINE void vi16_store(int16_t *to, vi16 a) { EACH16 to[i] = a.lane[i]; }
ALWAYS_INLINE vi16 vi16_set(int16_t x)
{
    vi16 r;
    EACH16 r.lane[i] = x;
    return r;
}
ALWAYS_INLINE vi16 vi16_add(vi16 a, vi16 b)
{
    EACH16 a.lane[i] = (int16_t)(a.lane[i] + b.lane[i]);
    return a;
}
ALWAYS_INLINE vi16 vi16_add_saturated(vi16 a, vi16 b)
{
    EACH16
    {
        const int sum = a.lane[i] + b.lane[i];
        a.lane[i] = (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
    }
    return a;
}
ALWAYS_INLINE vi16 vi16_sub(vi16 a, vi16 b)
{
    EACH16 a.lane[i] = (int16_t)(a.lane[i] - b.lane[i]);
    return a;
}
ALWAYS_INLINE vi16 vi16_min(vi16 a, vi16 b)
{
    EACH16 a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
ALWAYS_INLINE vi16 vi16_max(vi16 a, vi16 b)
{
    EACH16 a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
/* Low half of the product. */
ALWAYS_INLINE vi16 vi16_mul(vi16 a, vi16 b)
{
    EACH16 a.lane[i] = (int16_t)(a.lane[i] * b.lane[i]);
    return a;
}
/* x where a == b, else 0. */
ALWAYS_INLINE vi16 vi16_if_equal(vi16 a, vi16 b, vi16 x)
{
    EACH16 x.lane[i] = a.lane[i] == b.lane[i] ? x.lane[i] : 0;
    return x;
}
/* Lanes 0, 2, 4 ... */
ALWAYS_INLINE vi32 vi16_even(vi16 a)
{
    vi32 r;
    EACH32 r.lane[i] = a.lane[2 * i];
    return r;
}
ALWAYS_INLINE vi32 vi16_odd(vi16 a)
{
    vi32 r;
    EACH32 r.lane[i] = a.lane[2 * i + 1];
    return r;
}
/* Products, neighbours added: the sum of all lanes is the dot product; which lanes meet is not
 * defined. */
ALWAYS_INLINE vi32 vi16_dot(vi16 a, vi16 b)
{
    vi32 r;
    EACH32 r.lane[i] = a.lane[2 * i] * b.lane[2 * i] + a.lane[2 * i + 1] * b.lane[2 * i + 1];
    return r;
}
ALWAYS_INLINE vi32 vi32_zero(void) { return (vi32){{0}}; }
ALWAYS_INLINE vi32 vi32_add(vi32 a, vi32 b)
{
    EACH32 a.lane[i] += b.lane[i];
    return a;
}
/* vi32_add(sum, vi16_dot(a, b)), which some processors do at once. */
ALWAYS_INLINE vi32 vi32_add_dot(vi32 sum, vi16 a, vi16 b) { return vi32_add(sum, vi16_dot(a, b)); }
ALWAYS_INLINE int32_t vi32_sum(vi32 a)
{
    int32_t sum = 0;
    EACH32 sum += a.lane[i];
    return sum;
}

ALWAYS_INLINE vf32 vf32_load(const float *from)
{
    vf32 r;
    EACHF r.lane[i] = from[i];
    return r;
}
ALWAYS_INLINE void vf32_store(float *to, vf32 a) { EACHF to[i] = a.lane[i]; }
ALWAYS_INLINE vf32 vf32_set(float x)
{
    vf32 r;
    EACHF r.lane[i] = x;
    return r;
}
ALWAYS_INLINE vf32 vf32_add(vf32 a, vf32 b)
{
    EACHF a.lane[i] += b.lane[i];
    return a;
}
ALWAYS_INLINE vf32 vf32_mul(vf32 a, vf32 b)
{
    EACHF a.lane[i] *= b.lane[i];
    return a;
}
ALWAYS_INLINE vf32 vf32_div(vf32 a, vf32 b)
{
    EACHF a.lane[i] /= b.lane[i];
    return a;
}
ALWAYS_INLINE vf32 vf32_sqrt(vf32 a)
{
    EACHF a.lane[i] = sqrtf(a.lane[i]);
    return a;
}
ALWAYS_INLINE vf32 vf32_min(vf32 a, vf32 b)
{
    EACHF a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
ALWAYS_INLINE vf32 vf32_max(vf32 a, vf32 b)
{
    EACHF a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
/* a * b + c */
ALWAYS_INLINE vf32 vf32_muladd(vf32 a, vf32 b, vf32 c)
{
    EACHF a.lane[i] = a.lane[i] * b.lane[i] + c.lane[i];
    return a;
}
ALWAYS_INLINE vf32 vf32_of(vi32 a)
{
    vf32 r;
    EACHF r.lane[i] = (float)a.lane[i];
    return r;
}
/* The nearest integers, which must be within int16. */
ALWAYS_INLINE vi16 vi16_round(vf32 even, vf32 odd)
{
    vi16 r;
    EACHF
    {
        r.lane[2 * i] = (int16_t)lrintf(even.lane[i]);
        r.lane[2 * i + 1] = (int16_t)lrintf(odd.lane[i]);
    }
    return r;
}
ALWAYS_INLINE float vf32_sum(vf32 a)
{
    float sum = 0;
    EACHF sum += a.lane[i];
    return sum;
}

#undef EACH16
#undef EACH32
#undef EACHF

#endif
