// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/simd_scalar.h"
#define SIMD_MISSING() 0
#include "vocabulary_test.h"
