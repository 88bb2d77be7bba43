// SPDX-License-Identifier: GPL-3.0-or-later
/* sha256.h -- SHA-256 (FIPS 180-4), for names made of content: nobody can make two texts that share
 * one. */
#ifndef SAMARA_BASE_SHA256_H
#define SAMARA_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

typedef struct Sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
} Sha256;

void sha256_begin(Sha256 *sha);
void sha256_add(Sha256 *sha, const void *bytes, size_t len);
void sha256_end(Sha256 *sha, uint8_t out[SHA256_SIZE]);

#endif
