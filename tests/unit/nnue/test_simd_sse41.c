// SPDX-License-Identifier: GPL-3.0-or-later
/* SSE4.1 by a build for any x86-64: this file asks the compiler for the instructions, and the
 * processor at run time. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC target("sse4.1")
#endif
#include "nnue/simd_sse41.h"
#define SIMD_MISSING() (!__builtin_cpu_supports("sse4.1"))
#include "vocabulary_test.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
int main(void) { return 0; }
#endif
