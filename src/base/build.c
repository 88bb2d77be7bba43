// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/build.h"

#define QUOTE(x) #x
#define VERSION(major, minor, patch) QUOTE(major) "." QUOTE(minor) "." QUOTE(patch)

#if defined(__clang__)
#define COMPILER "clang " VERSION(__clang_major__, __clang_minor__, __clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER "gcc " VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown compiler"
#endif

#if defined(__AVX512BW__)
#define VECTORS "avx512"
#elif defined(__AVX2__)
#define VECTORS "avx2"
#elif defined(__SSE4_1__)
#define VECTORS "sse4.1"
#elif defined(__SSE2__)
#define VECTORS "sse2"
#elif defined(__ARM_NEON)
#define VECTORS "neon"
#elif defined(__wasm_simd128__) && defined(SAMARA_WASM_THREADS)
#define VECTORS "wasm simd, threads"
#elif defined(__wasm_simd128__)
#define VECTORS "wasm simd"
#else
#define VECTORS "no vectors"
#endif

#ifdef __BMI2__
#define BMI2 " bmi2"
#else
#define BMI2 ""
#endif
#ifdef __POPCNT__
#define POPCNT " popcnt"
#else
#define POPCNT ""
#endif

#ifdef NDEBUG
#define KIND "release"
#else
#define KIND "debug"
#endif
#ifdef SAMARA_TUNE
#define TUNE ", tune"
#else
#define TUNE ""
#endif
#ifdef SAMARA_SANITIZE
#define SANITIZE ", sanitize " SAMARA_SANITIZE
#else
#define SANITIZE ""
#endif

const char *build_description(void)
{
    return COMPILER ", " VECTORS BMI2 POPCNT ", " KIND TUNE SANITIZE;
}
