// SPDX-License-Identifier: GPL-3.0-or-later
/* The vocabulary that this build plays with, whichever it is: on ARM that is NEON. */
#include "nnue/simd.h"
#define SIMD_MISSING() 0
#include "vocabulary_test.h"
