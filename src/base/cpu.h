// SPDX-License-Identifier: GPL-3.0-or-later
/* cpu.h -- what the processor can do, asked at run time. */
#ifndef SAMARA_BASE_CPU_H
#define SAMARA_BASE_CPU_H

#include <stdbool.h>

/* Sets of instructions for which there are kernels. False on other families of processors. */
typedef enum CpuFeature {
    CPU_SSE41,
    CPU_AVX2,   /* with FMA */
    CPU_AVX512, /* F, BW and VNNI: not the first ones with AVX-512, which clock down for it */
} CpuFeature;
bool cpu_has(CpuFeature feature);

/* BMI2's PEXT is there and takes a few cycles. AMD processors before Zen 3 have it as microcode,
 * slower than the multiplication that it replaces. SAMARA_PEXT=0 in the environment says no. */
bool cpu_pext_is_quick(void);

/* What this build uses everywhere and the processor lacks, e.g. "AVX2": the program would die of
 * an illegal instruction. NULL if nothing is missing. */
const char *cpu_lacks(void);

#endif
