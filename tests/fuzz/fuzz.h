// SPDX-License-Identifier: GPL-3.0-or-later
/* fuzz.h -- what the fuzz targets share. With libFuzzer: preset `fuzz`, then
 *   build/fuzz/tests/fuzz_fen -dict=tests/data/samara.dict tests/fuzz/corpus/fen
 * Without it, replay.c runs a target over its corpus, as a test. */
#ifndef SAMARA_TESTS_FUZZ_H
#define SAMARA_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An oracle that does not hold is a crash, whatever the build type. */
#define DEMAND(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
