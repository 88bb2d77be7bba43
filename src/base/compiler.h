// SPDX-License-Identifier: GPL-3.0-or-later
/* compiler.h -- the only place where compiler extensions are named. */
#ifndef SAMARA_BASE_COMPILER_H
#define SAMARA_BASE_COMPILER_H

#include <stdint.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define HOT ALWAYS_INLINE /* one search idea, one function, no call */
/* The same for a function that other files call, in builds that optimise across files. */
#define HOT_EXTERN inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#ifdef __MINGW32__ /* whose own printf is another one than that of the C standard */
#define PRINTF_LIKE(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#endif
#define UNREACHABLE() __builtin_unreachable()
#define PREFETCH(address) __builtin_prefetch(address)
#define CACHE_LINE 64
/* EMBED_FILE(name, "path"): the bytes of a file, from name to name_end, with a NUL behind them. The
 * assembler reads it, which takes the compiler no time at all. The names stay inside the library.
 * Constants have a section of their own where we know its name; .data is as good. */
#define COMPILER_TEXT(x) #x
#define COMPILER_VALUE(x) COMPILER_TEXT(x)
#define ASM_NAME(name) COMPILER_VALUE(__USER_LABEL_PREFIX__) #name
#if defined(_WIN32)
#define ASM_CONSTANTS ".section .rdata,\"dr\"\n"
#elif defined(__ELF__) && !defined(SAMARA_POSIX_ONLY)
#define ASM_CONSTANTS ".section .rodata\n"
#else
#define ASM_CONSTANTS ".data\n"
#endif
#ifdef __ELF__
#define ASM_LABEL(name)                                                                            \
    ".globl " ASM_NAME(name) "\n.hidden " ASM_NAME(name) "\n" ASM_NAME(name) ":\n"
#else
#define ASM_LABEL(name) ".globl " ASM_NAME(name) "\n" ASM_NAME(name) ":\n"
#endif
#ifdef __wasm__ /* where data have types and sizes */
#define ASM_DATA(name, bytes) ".globl " #name "\n.type " #name ",@object\n" #name ":\n" bytes
#define EMBED_FILE(name, path)                                                                     \
    __asm__(".section .rodata." #name                                                              \
            ",\"\",@\n.p2align 6\n" ASM_DATA(name, ".incbin \"" path "\"\n")                       \
                ASM_DATA(name##_end, ".int8 0\n") ".size " #name "_end, 1\n.size " #name           \
                                                  ", " #name "_end-" #name "\n.section .text,"     \
                                                  "\"\",@\n");                                     \
    extern const char name[], name##_end[]
#else
#define EMBED_FILE(name, path)                                                                     \
    __asm__(ASM_CONSTANTS ".balign 64\n" ASM_LABEL(name) ".incbin \"" path                         \
                                                         "\"\n" ASM_LABEL(name##_end) ".byte 0\n"  \
                                                                                      ".text\n");  \
    extern const char name[], name##_end[]
#endif

/* TARGET_BEGIN("avx2,fma") ... TARGET_END: functions between them are compiled for a processor that
 * has these features too, whatever the rest of the build is for. Who calls them asks cpu.h first.
 */
#define COMPILER_PRAGMA(...) _Pragma(#__VA_ARGS__)
#if defined(__clang__)
#define TARGET_BEGIN(features)                                                                     \
    COMPILER_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define TARGET_END COMPILER_PRAGMA(clang attribute pop)
#else
#define TARGET_BEGIN(features)                                                                     \
    COMPILER_PRAGMA(GCC push_options) COMPILER_PRAGMA(GCC target(features))
#define TARGET_END COMPILER_PRAGMA(GCC pop_options)
#endif

ALWAYS_INLINE int bits_count(uint64_t b) { return __builtin_popcountll(b); }
ALWAYS_INLINE int bits_lowest(uint64_t b) { return __builtin_ctzll(b); }       /* b != 0 */
ALWAYS_INLINE int bits_highest(uint64_t b) { return 63 - __builtin_clzll(b); } /* b != 0 */

ALWAYS_INLINE uint64_t bits_swap_bytes(uint64_t b) { return __builtin_bswap64(b); }
ALWAYS_INLINE uint64_t bits_swap_halves(uint64_t b) { return b << 32 | b >> 32; }

/* The bits of b at the places of mask, moved together (PEXT). A build for all x86 processors may
 * not use the compiler's own form; its callers ask cpu_pext_is_quick() first. */
ALWAYS_INLINE uint64_t bits_extract(uint64_t b, uint64_t mask)
{
    uint64_t extracted = 0;
#if defined(__x86_64__) && defined(__BMI2__)
    extracted = __builtin_ia32_pext_di(b, mask);
#elif defined(__x86_64__)
    __asm__("pextq %2, %1, %0" : "=r"(extracted) : "r"(b), "rm"(mask));
#else
    for (int i = 0; mask; i++, mask &= mask - 1)
        extracted |= (b >> bits_lowest(mask) & 1) << i;
#endif
    return extracted;
}

/* High half of the 128-bit product: maps a 64-bit hash evenly onto [0, n). */
ALWAYS_INLINE uint64_t mul_high(uint64_t a, uint64_t b)
{
#ifdef __wasm__ /* which has no such product; the compiler would call a function */
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = (a0 * b0 >> 32) + a1 * b0, mid = (uint32_t)low + a0 * b1;
    return a1 * b1 + (low >> 32) + (mid >> 32);
#else
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)(((Wide)a * b) >> 64);
#endif
}

#endif
