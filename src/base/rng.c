// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include "base/compiler.h"
#include <assert.h>
#include <string.h>

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

static uint64_t rotate_left(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* SplitMix64: spreads any seed, so that neighbouring seeds give unrelated streams. */
static uint64_t split_mix(uint64_t *seed)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* Two outputs of a bijection for two different inputs differ, so at most one of them is zero. */
void rng_seed(Rng *rng, uint64_t seed)
{
    rng->state[0] = split_mix(&seed);
    rng->state[1] = split_mix(&seed);
}

/* xoroshiro128++ (Blackman and Vigna): period 2^128 - 1, good in all bits. */
uint64_t rng_next(Rng *rng)
{
    const uint64_t a = rng->state[0], b = rng->state[1] ^ a;
    const uint64_t result = rotate_left(a + rng->state[1], 17) + a;
    rng->state[0] = rotate_left(a, 49) ^ b ^ b << 21;
    rng->state[1] = rotate_left(b, 28);
    return result;
}

/* Multiply-shift (Lemire). The low half of the product tells when a draw falls into the sliver that
 * would make some values likelier than others; such draws are thrown away. */
uint64_t rng_below(Rng *rng, uint64_t bound)
{
    assert(bound > 0);
    const uint64_t sliver = -bound % bound;
    uint64_t draw;
    do
        draw = rng_next(rng);
    while (draw * bound < sliver);
    return mul_high(draw, bound);
}

double rng_unit(Rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1p-53; }

uint64_t hash_bytes(const void *bytes, uint64_t len)
{
    const unsigned char *p = bytes;
    uint64_t hash = 0xCBF29CE484222325;
    for (uint64_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * 0x100000001B3;
    return hash;
}

/* Half a byte at a time: the table fits in one cache line and on one screen. */
static uint32_t crc32c_byte(uint32_t crc, unsigned char byte)
{
    static const uint32_t nibble[16] = {
        0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3,
        0x61C69362, 0x7198540D, 0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
        0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
    };
    crc ^= byte;
    crc = crc >> 4 ^ nibble[crc & 15];
    return crc >> 4 ^ nibble[crc & 15];
}

uint32_t crc32c_word(uint32_t crc, uint64_t word)
{
#ifdef __SSE4_2__
    return (uint32_t)_mm_crc32_u64(crc, word);
#else
    for (int i = 0; i < 8; i++)
        crc = crc32c_byte(crc, (unsigned char)(word >> 8 * i));
    return crc;
#endif
}

/* Eight bytes at a time where the processor has the instruction; the result is the same everywhere.
 * */
uint32_t crc32c(uint32_t crc, const void *bytes, uint64_t len)
{
    const unsigned char *p = bytes;
    crc = ~crc;
#ifdef __SSE4_2__
    for (; len >= 8; p += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = (uint32_t)_mm_crc32_u64(crc, word);
    }
#endif
    for (; len > 0; p++, len--)
        crc = crc32c_byte(crc, *p);
    return ~crc;
}
