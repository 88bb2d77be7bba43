// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* The family as its maker counts it: two fields of the first leaf, the second of which counts only
 * where the first is full. */
static unsigned cpu_family(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    const unsigned family = a >> 8 & 15;
    return family == 15 ? family + (a >> 20 & 255) : family;
}

static bool cpu_maker_is(const char name[12])
{
    unsigned a = 0, word[3] = {0};
    return __get_cpuid(0, &a, &word[0], &word[2], &word[1]) && memcmp(word, name, 12) == 0;
}

/* Zen 3 is family 25. Hygon's processors are Zen 1 under another name. */
bool cpu_pext_is_quick(void)
{
    const bool slow =
        cpu_maker_is("HygonGenuine") || (cpu_maker_is("AuthenticAMD") && cpu_family() < 25);
    const char *wish = getenv("SAMARA_PEXT");
    return __builtin_cpu_supports("bmi2") && !slow && !(wish && strcmp(wish, "0") == 0);
}

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

bool cpu_pext_is_quick(void) { return false; }

const char *cpu_lacks(void) { return NULL; }

#endif
