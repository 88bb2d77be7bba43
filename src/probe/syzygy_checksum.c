// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/syzygy_checksum.h"

#include "base/rng.h"
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 4,        /* that a chunk gives */
    ROUND = 40,       /* bytes of one step of the long hash */
    LONG_ENOUGH = 240 /* bytes that the long hash needs */
};

static const uint64_t K0 = 0xC3A5C85C97CB3127, K1 = 0xB492B66FBE98F273, K3 = 0xC949D7C7509E6557;

typedef struct Pair {
    uint64_t first, second;
} Pair;

static uint64_t load(const uint8_t *at)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | at[i];
    return word;
}

static uint64_t rotate(uint64_t word, int right)
{
    return right == 0 ? word : word >> right | word << (64 - right);
}

static uint64_t mix(uint64_t word) { return word ^ word >> 47; }

static uint64_t join(uint64_t a, uint64_t b)
{
    const uint64_t multiplier = 0x9DDFEA08EB382D69;
    const uint64_t half = mix((a ^ b) * multiplier);
    return mix((b ^ half) * multiplier) * multiplier;
}

/* --- four words of many bytes --- */

typedef struct Long {
    uint64_t a, b, c, d, e, t; /* multiplied and rotated */
    uint64_t crc[5];
} Long;

/* One round of the long hash: five lanes that rotate through each other, each with a CRC beside it.
 * */
static void long_round(Long *s, const uint8_t *at, uint64_t multiplier, int flip)
{
    const uint64_t old = s->a;
    s->a = rotate(s->b, 41 ^ flip) * multiplier + load(at);
    s->b = rotate(s->c, 27 ^ flip) * multiplier + load(at + 8);
    s->c = rotate(s->d, 41 ^ flip) * multiplier + load(at + 16);
    s->d = rotate(s->e, 33 ^ flip) * multiplier + load(at + 24);
    s->e = rotate(s->t, 25 ^ flip) * multiplier + load(at + 32);
    s->t = old;
    const uint64_t words[5] = {s->a, s->b, s->c, s->d, s->e};
    for (int i = 0; i < 5; i++)
        s->crc[i] = crc32c_word((uint32_t)s->crc[i], words[i]);
}

/* The first rounds come in pairs, plain and multiplied; those behind the last whole 240 bytes are
 * all multiplied, and the last one looks back over bytes that were seen already. */
static void long_rounds(Long *s, const uint8_t *at, uint64_t len)
{
    for (uint64_t left = len / LONG_ENOUGH * (LONG_ENOUGH / ROUND); left > 0; left -= 2) {
        long_round(s, at, 1, 1);
        long_round(s, at + ROUND, K0, 0);
        at += 2 * ROUND;
    }
    len %= LONG_ENOUGH;
    for (; len >= ROUND; at += ROUND, len -= ROUND)
        long_round(s, at, K0, 0);
    if (len > 0)
        long_round(s, at + len - ROUND, K0, 0);
}

/* len is at least LONG_ENOUGH. */
static void hash_long(const uint8_t *at, uint64_t len, uint32_t seed, uint64_t out[WORDS])
{
    Long s = {.a = load(at + 56) + K0,
              .b = load(at + 96) + K0,
              .d = load(at + 120) * K0 + len,
              .e = load(at + 184) + seed,
              .crc = {seed}};
    s.c = join(s.b, len);
    s.t = s.c + s.d;
    const uint64_t first = s.c, second = s.d;
    long_rounds(&s, at, len);

    const uint64_t i = s.crc[3], j = s.crc[4] + (i << 32), h = s.crc[2] + (s.crc[1] << 32);
    uint64_t a = join(s.a, j);
    const uint64_t b = s.b + h, c = join(s.c, s.crc[0]) + i, d = join(s.d, s.e + first);
    const uint64_t ending = j + s.e;
    const uint64_t e = join(a, d) + ending, f = join(b, c) + a;
    const uint64_t g = join(ending, i + join(h, s.t)) + c;
    out[0] = e + f + g + h;
    a = mix((a + g) * K0) * K0 + b;
    out[1] = second + a + out[0];
    a = mix(a * K0) * K0 + c;
    out[2] = a + out[1];
    a = mix((a + e) * K0) * K0;
    out[3] = a + out[2];
}

/* Shorter ones are filled up with zeros, and their length is the seed. */
static void hash_chunk(const uint8_t *at, uint64_t len, uint64_t out[WORDS])
{
    if (len >= LONG_ENOUGH) {
        hash_long(at, len, 0, out);
        return;
    }
    uint8_t filled[LONG_ENOUGH] = {0};
    memcpy(filled, at, len);
    hash_long(filled, LONG_ENOUGH, ~(uint32_t)len, out);
}

/* --- 16 bytes of a few words --- */

static Pair weak(const uint8_t *at, uint64_t a, uint64_t b)
{
    const uint64_t last = load(at + 24);
    a += load(at);
    b = rotate(b + a + last, 21);
    const uint64_t c = a;
    a += load(at + 8) + load(at + 16);
    return (Pair){a + last, b + rotate(a, 44) + c};
}

static uint64_t scramble(uint64_t state, uint64_t word)
{
    return (state ^ mix(word * K1) * K1) * K1;
}

/* 16 to 127 bytes, a multiple of 16. */
static Pair hash_few(const uint8_t *at, uint64_t len, Pair seed)
{
    uint64_t a = seed.first, b = seed.second, c, d;
    if (len == 16) {
        const uint64_t first = load(at), last = load(at + 8);
        a = mix(a * K1) * K1;
        c = b * K1 + (join(first, rotate(last + len, (int)len)) ^ last);
        d = mix(a + first);
    } else {
        c = join(load(at + len - 8) + K1, a);
        d = join(b + len, c + load(at + len - 16));
        a += d;
        for (uint64_t left = len - 16; left > 0; left -= 16, at += 16) {
            a = scramble(a, load(at));
            b ^= a;
            c = scramble(c, load(at + 8));
            d ^= c;
        }
    }
    a = join(a, c);
    b = join(d, b);
    return (Pair){a ^ b, join(b, a)};
}

typedef struct Medium {
    uint64_t x, y, z;
    Pair v, w;
} Medium;

/* One round of the medium hash, over 64 bytes. */
static void medium_round(Medium *m, const uint8_t *at)
{
    m->x = rotate(m->x + m->y + m->v.first + load(at + 8), 37) * K1;
    m->y = rotate(m->y + m->v.second + load(at + 48), 42) * K1;
    m->x ^= m->w.second;
    m->y += m->v.first + load(at + 40);
    m->z = rotate(m->z + m->w.first, 33) * K1;
    m->v = weak(at, m->v.second * K1, m->x + m->w.first);
    m->w = weak(at + 32, m->z + m->w.second, m->y + load(at + 16));
    const uint64_t z = m->z;
    m->z = m->x;
    m->x = z;
}

/* 128 bytes and more. */
static Pair hash_medium(const uint8_t *at, uint64_t len, Pair seed)
{
    Medium m = {.x = seed.first, .y = seed.second, .z = len * K1};
    m.v.first = rotate(m.y ^ K1, 49) * K1 + load(at);
    m.v.second = rotate(m.v.first, 42) * K1 + load(at + 8);
    m.w.first = rotate(m.y + m.z, 35) * K1 + m.x;
    m.w.second = rotate(m.x + load(at + 88), 53) * K1;
    for (; len >= 128; at += 128, len -= 128) {
        medium_round(&m, at);
        medium_round(&m, at + 64);
    }
    m.x += rotate(m.v.first + m.z, 49) * K0;
    m.z += rotate(m.w.first, 37) * K0;
    for (uint64_t done = 0; done < len;) {
        done += 32;
        const uint8_t *tail = at + len - done;
        m.y = rotate(m.x + m.y, 42) * K0 + m.v.second;
        m.w.first += load(tail + 16);
        m.x = m.x * K0 + m.w.first;
        m.z += m.w.second + load(tail);
        m.w.second += m.v.first;
        m.v = weak(tail, m.v.first + m.z, m.v.second);
    }
    const uint64_t x = join(m.x, m.v.first), y = join(m.y + m.z, m.w.first);
    return (Pair){join(x + m.v.second, m.w.second) + y, join(x + m.w.second, y + m.v.second)};
}

/* Of all the words that the chunks gave: 32 bytes for each. */
static Pair hash_words(const uint8_t *at, uint64_t len)
{
    if (len > 900) {
        uint64_t words[WORDS];
        hash_chunk(at, len, words);
        return (Pair){words[2], words[3]};
    }
    const Pair seed = {load(at) ^ K3, load(at + 8)};
    return len - 16 < 128 ? hash_few(at + 16, len - 16, seed)
                          : hash_medium(at + 16, len - 16, seed);
}

/* --- files --- */

static void store_words(const uint64_t *words, int count, uint8_t *out)
{
    for (int i = 0; i < count * 8; i++)
        out[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
}

static bool same(Pair sum, const uint8_t *stored)
{
    return sum.first == load(stored) && sum.second == load(stored + 8);
}

bool tb_checksum(const void *bytes, uint64_t len, uint8_t sum[TB_CHECKSUM_SIZE])
{
    uint8_t words[WORDS * 8];
    uint64_t hash[WORDS];
    if (len > TB_CHUNK)
        return false;
    hash_chunk(bytes, len, hash);
    store_words(hash, WORDS, words);
    const Pair pair = hash_words(words, sizeof words);
    store_words((uint64_t[]){pair.first, pair.second}, 2, sum);
    return true;
}

bool tb_checksum_matches(const uint8_t *bytes, uint64_t size)
{
    uint8_t sum[TB_CHECKSUM_SIZE];
    return size > TB_CHECKSUM_SIZE && tb_checksum(bytes, size - TB_CHECKSUM_SIZE, sum) &&
           memcmp(sum, bytes + size - TB_CHECKSUM_SIZE, sizeof sum) == 0;
}

/* Hashes the file chunk by chunk; the checksum is a hash of these hashes. */
static bool read_chunks(const File *file, uint64_t len, uint8_t *chunk, uint8_t *words)
{
    for (uint64_t at = 0; at < len; at += TB_CHUNK, words += WORDS * 8) {
        const uint64_t wanted = len - at < TB_CHUNK ? len - at : TB_CHUNK;
        uint64_t hash[WORDS];
        if (file_read(file, at, chunk, (size_t)wanted) != wanted)
            return false;
        hash_chunk(chunk, wanted, hash);
        store_words(hash, WORDS, words);
    }
    return true;
}

/* Reads the whole file, which takes minutes for large ones: only for those who ask for it. */
bool tb_checksum_file(const File *file, Error *err)
{
    if (file->size <= TB_CHECKSUM_SIZE)
        return error_set(err, "it is cut short");
    const uint64_t len = file->size - TB_CHECKSUM_SIZE, chunks = (len + TB_CHUNK - 1) / TB_CHUNK;
    uint8_t stored[TB_CHECKSUM_SIZE];
    uint8_t *chunk = malloc(TB_CHUNK), *words = malloc((size_t)chunks * WORDS * 8);
    bool ok = true;
    if (!chunk || !words)
        ok = error_code(err, "NO_MEMORY", 0, "there is not enough memory to check it");
    else if (!read_chunks(file, len, chunk, words) ||
             file_read(file, len, stored, sizeof stored) != sizeof stored)
        ok = error_set(err, "it cannot be read");
    else if (!same(hash_words(words, chunks * WORDS * 8), stored))
        ok = error_set(err, "its checksum is wrong");
    free(chunk);
    free(words);
    return ok;
}
