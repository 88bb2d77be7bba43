// SPDX-License-Identifier: GPL-3.0-or-later
/* rng.h -- small, fast, seedable random numbers. Never for secrets. */
#ifndef SAMARA_BASE_RNG_H
#define SAMARA_BASE_RNG_H

#include <stdint.h>

typedef struct Rng {
    uint64_t state[2]; /* never both zero: rng_seed sees to it */
} Rng;

void rng_seed(Rng *rng, uint64_t seed); /* any seed, 0 too */
uint64_t rng_next(Rng *rng);
uint64_t rng_below(Rng *rng, uint64_t bound); /* uniform in [0, bound), bound > 0 */
double rng_unit(Rng *rng);                    /* uniform in [0, 1) */

uint64_t hash_bytes(const void *bytes, uint64_t len);           /* FNV-1a, 64 bits */
uint32_t crc32c(uint32_t crc, const void *bytes, uint64_t len); /* start with crc = 0 */
uint32_t crc32c_word(uint32_t crc, uint64_t word); /* eight bytes, lowest first; nothing inverted */

#endif
