// SPDX-License-Identifier: GPL-3.0-or-later
/* AVX-512 with VNNI by a build for any x86-64: this file asks the compiler for the instructions,
 * and the processor at run time. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vnni,fma"))),           \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vnni,fma")
#endif
#define SIMD_VNNI
#include "nnue/simd_avx512.h"
#define SIMD_MISSING()                                                                             \
    (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vnni"))
#include "vocabulary_test.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
int main(void) { return 0; }
#endif
