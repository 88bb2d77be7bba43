// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy_pairs.h -- the compressed values of one part of a table.
 *
 * Values were joined pair by pair into symbols, each of which stands for up to 256 values, and the
 * symbols written as a Huffman code, in blocks of one size. The block lengths say how many values a
 * block has; the sparse index gives the block and the place in it of every span-th value.
 *
 * | header, bytes | what                                                                     |
 * |---------------|--------------------------------------------------------------------------|
 * | 1             | flags; SINGLE: the next byte is the value of all positions, and all there is |
 * | 1             | block size, as a power of two                                            |
 * | 1             | span, as a power of two                                                  |
 * | 1             | block lengths that are written beyond the number of blocks               |
 * | 4             | number of blocks                                                         |
 * | 1, 1          | longest and shortest code, in bits                                       |
 * | 2 each        | lowest symbol of each length, shortest first; longer codes are lower     |
 * | 2             | number of symbols                                                        |
 * | 3 each        | 12 bits left, 12 bits right; right 0xFFF: a leaf, left is its value      |
 *
 * Numbers are little-endian, the codes big-endian. */
#ifndef SAMARA_PROBE_SYZYGY_PAIRS_H
#define SAMARA_PROBE_SYZYGY_PAIRS_H

#include "probe/syzygy_file.h"

/* Reads numbers one behind the other; a read beyond the end fails, and so do all that follow. */
typedef struct TbCursor {
    const TbFile *file;
    uint64_t at;
    bool failed;
} TbCursor;

uint32_t tb_take(TbCursor *c, int bytes); /* 1, 2 or 4; 0 after a failure */
void tb_align(TbCursor *c, uint64_t to);

enum {
    TB_BLACK_STORED = 1,
    TB_MAPPED = 2,
    TB_WIN_PLIES = 4,
    TB_LOSS_PLIES = 8,
    TB_WIDE = 16,
    TB_SINGLE = 128
};

typedef struct TbSymbol {
    uint16_t left, right;
} TbSymbol;

typedef struct TbPairs {
    uint8_t flags, single; /* single: the value, with TB_SINGLE */
    uint8_t block_bits, span_bits, shortest, lengths;
    uint32_t blocks, length_count; /* and block lengths, of which there may be more */
    uint64_t sparse_count;
    uint64_t sparse_at, lengths_at, data_at; /* where these begin in the file */
    uint64_t base[32];  /* by length from the shortest: lowest code, to the left */
    uint8_t start[256]; /* by the first eight bits: no code of a length before this one can match */
    uint16_t lowest[32];
    int symbol_count;
    TbSymbol *symbols;
    uint8_t
        *more; /* values that each symbol stands for, less one; 0: a leaf, whose value is left */
} TbPairs;

/* Reads the header for a part of `size` values. False, with a sentence, if it cannot be true or
 * memory is short. */
bool tb_pairs_read(TbPairs *d, TbCursor *c, uint64_t size, Error *err);
void tb_pairs_free(TbPairs *d);

/* Value number `index`, which is below the size. False if the file contradicts itself or cannot be
 * read. */
bool tb_pairs_value(const TbPairs *d, const TbFile *file, uint64_t index, unsigned *value);

#endif
