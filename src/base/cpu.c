// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.h"

#include <stddef.h>

#if defined(__x86_64__)

/* The builtin also asks whether the system saves the wide registers. */
bool cpu_has(CpuFeature feature)
{
    switch (feature) {
    case CPU_SSE41:
        return __builtin_cpu_supports("sse4.1");
    case CPU_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case CPU_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vnni");
    }
    return false;
}

/* Asks for exactly what the compiler was allowed to use, so that a build for a newer processor ends
 * with a sentence and not with an illegal instruction. */
const char *cpu_lacks(void)
{
#ifdef __SSE4_2__
    if (!__builtin_cpu_supports("sse4.2"))
        return "SSE4.2";
#endif
#ifdef __POPCNT__
    if (!__builtin_cpu_supports("popcnt"))
        return "POPCNT";
#endif
#ifdef __AVX2__
    if (!__builtin_cpu_supports("avx2"))
        return "AVX2";
#endif
#ifdef __BMI2__
    if (!__builtin_cpu_supports("bmi2"))
        return "BMI2";
#endif
#ifdef __AVX512BW__
    if (!__builtin_cpu_supports("avx512bw"))
        return "AVX-512";
#endif
    return NULL;
}

#else

bool cpu_has(CpuFeature feature)
{
    (void)feature;
    return false;
}

const char *cpu_lacks(void) { return NULL; }

#endif
