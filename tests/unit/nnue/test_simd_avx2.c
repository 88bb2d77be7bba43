// SPDX-License-Identifier: GPL-3.0-or-later
/* AVX2 by a build for any x86-64: this file asks the compiler for the instructions, and the
 * processor at run time. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#include "nnue/simd_avx2.h"
#define SIMD_MISSING() (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
#include "vocabulary_test.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
int main(void) { return 0; }
#endif
