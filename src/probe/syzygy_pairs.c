// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/syzygy_pairs.h"

#include <stdlib.h>

enum {
    LEAF = 0xFFF,
    MAX_SYMBOLS = 4095,
    MAX_VALUES = 256,   /* of a symbol */
    MAX_CODE = 32,      /* bits */
    MIN_BLOCK_BITS = 2, /* four bytes are read at once */
    MAX_BLOCK_BITS = 24,
    MAX_SPAN_BITS = 48,
    SPARSE_SIZE = 6,
    WINDOW = 256 /* bytes of a block that are copied at once from a file that is not in memory */
};

/* --- the header --- */

uint32_t tb_take(TbCursor *c, int bytes)
{
    uint8_t copy[4];
    const uint8_t *at = c->failed ? NULL : tb_file_view(c->file, c->at, (size_t)bytes, copy);
    if (!at) {
        c->failed = true;
        return 0;
    }
    c->at += (uint64_t)bytes;
    return bytes == 1 ? at[0] : bytes == 2 ? load_le16(at) : load_le32(at);
}

void tb_align(TbCursor *c, uint64_t to) { c->at = (c->at + to - 1) / to * to; }

/* Sets how many values the symbol stands for: those of its halves together. 0 if it contains itself
 * or stands for too many; a symbol of depth n has more than n values, which bounds the recursion.
 */
static unsigned count_values(TbPairs *d, uint8_t *known, unsigned symbol, int depth)
{
    const TbSymbol *s = &d->symbols[symbol];
    if (known[symbol])
        return d->more[symbol] + 1U;
    if (depth > MAX_VALUES)
        return 0;
    unsigned values = 1;
    if (s->right != LEAF) {
        if (s->left >= d->symbol_count || s->right >= d->symbol_count)
            return 0;
        const unsigned left = count_values(d, known, s->left, depth + 1);
        const unsigned right = left ? count_values(d, known, s->right, depth + 1) : 0;
        values = left && right ? left + right : 0;
    }
    if (values == 0 || values > MAX_VALUES)
        return 0;
    d->more[symbol] = (uint8_t)(values - 1);
    known[symbol] = true;
    return values;
}

/* Each symbol is a pair of two others or a value; how many values it stands for is counted once,
 * here. A cycle among them is damage. */
static bool read_symbols(TbPairs *d, TbCursor *c, Error *err)
{
    uint8_t known[MAX_SYMBOLS] = {0};
    d->symbol_count = (int)tb_take(c, 2);
    if (c->failed || d->symbol_count == 0 || d->symbol_count > MAX_SYMBOLS)
        return error_set(err, "its symbols are damaged");
    d->symbols = calloc((size_t)d->symbol_count, sizeof *d->symbols + sizeof *d->more);
    if (!d->symbols)
        return error_code(err, "NO_MEMORY", 0, "there is not enough memory");
    d->more = (uint8_t *)(d->symbols + d->symbol_count);
    for (int i = 0; i < d->symbol_count; i++) {
        const unsigned low = tb_take(c, 2), high = tb_take(c, 1);
        d->symbols[i].left = low & 0xFFF;
        d->symbols[i].right = (uint16_t)(low >> 12 | high << 4);
    }
    tb_align(c, 2);
    for (int i = 0; i < d->symbol_count; i++)
        if (c->failed || count_values(d, known, (unsigned)i, 0) == 0)
            return error_set(err, "its symbols are damaged");
    return true;
}

/* Codes of one length are consecutive numbers, and so are their symbols. Seen as numbers of one
 * length, filled up with zeros, longer codes are smaller; the longest begin at 0. */
static bool read_codes(TbPairs *d, TbCursor *c, Error *err)
{
    const unsigned longest = tb_take(c, 1);
    d->shortest = (uint8_t)tb_take(c, 1);
    if (c->failed || d->shortest == 0 || longest < d->shortest || longest > MAX_CODE)
        return error_set(err, "its code is damaged");
    d->lengths = (uint8_t)(longest - d->shortest + 1);
    for (int i = 0; i < d->lengths; i++)
        d->lowest[i] = (uint16_t)tb_take(c, 2);
    uint64_t code = 0;
    for (int i = d->lengths - 1; i >= 0; i--) {
        if (i < d->lengths - 1) {
            if (d->lowest[i] < d->lowest[i + 1])
                return error_set(err, "its code is damaged");
            code = (code + d->lowest[i] - d->lowest[i + 1]) / 2;
        }
        const int length = d->shortest + i;
        if (code >> length != 0)
            return error_set(err, "its code is damaged");
        d->base[i] = code << (64 - length);
    }
    for (uint64_t top = 0; top < 256; top++)
        while (d->base[d->start[top]] > (top << 56 | UINT64_MAX >> 8))
            d->start[top]++;
    return true;
}

/* The header of a compressed table; every number is checked before memory depends on it. */
bool tb_pairs_read(TbPairs *d, TbCursor *c, uint64_t size, Error *err)
{
    d->flags = (uint8_t)tb_take(c, 1);
    if (d->flags & TB_SINGLE) {
        d->single = (uint8_t)tb_take(c, 1);
        return !c->failed || error_set(err, "it is cut short");
    }
    d->block_bits = (uint8_t)tb_take(c, 1);
    d->span_bits = (uint8_t)tb_take(c, 1);
    const uint32_t padding = tb_take(c, 1);
    d->blocks = tb_take(c, 4);
    if (c->failed || d->block_bits < MIN_BLOCK_BITS || d->block_bits > MAX_BLOCK_BITS ||
        d->span_bits > MAX_SPAN_BITS || d->blocks == 0 || d->blocks > UINT32_MAX - padding)
        return error_set(err, "its blocks are damaged");
    d->length_count = d->blocks + padding;
    d->sparse_count = (size >> d->span_bits) + ((size & ((1ULL << d->span_bits) - 1)) != 0);
    return read_codes(d, c, err) && read_symbols(d, c, err);
}

void tb_pairs_free(TbPairs *d)
{
    free(d->symbols);
    d->symbols = NULL;
}

/* --- values --- */

/* The block that holds a value, and the value's place in it. */
typedef struct Place {
    uint32_t block;
    int64_t offset;
} Place;

/* -1 if it cannot be read. */
static int64_t block_values(const TbPairs *d, const TbFile *file, uint32_t block)
{
    uint8_t copy[2];
    const uint8_t *at = tb_file_view(file, d->lengths_at + 2ULL * block, 2, copy);
    return at ? (int64_t)load_le16(at) + 1 : -1;
}

/* From the nearest value of the sparse index, which is in the middle of a span, blocks are counted
 * off one by one. The middle of the last span may be behind the last block, among the lengths that
 * are written beyond it. */
static bool find_block(const TbPairs *d, const TbFile *file, uint64_t index, Place *place)
{
    uint8_t copy[SPARSE_SIZE];
    const uint64_t span = 1ULL << d->span_bits;
    const uint8_t *at =
        tb_file_view(file, d->sparse_at + SPARSE_SIZE * (index >> d->span_bits), SPARSE_SIZE, copy);
    if (!at)
        return false;
    uint32_t block = load_le32(at);
    int64_t offset =
        (int64_t)load_le16(at + 4) + (int64_t)(index & (span - 1)) - (int64_t)(span / 2);
    if (block >= d->length_count)
        return false;
    while (offset < 0) {
        const int64_t values = block > 0 ? block_values(d, file, --block) : -1;
        if (values < 0)
            return false;
        offset += values;
    }
    for (;;) {
        const int64_t values = block_values(d, file, block);
        if (values < 0)
            return false;
        if (offset < values)
            break;
        offset -= values;
        if (++block >= d->length_count)
            return false;
    }
    if (block >= d->blocks)
        return false;
    *place = (Place){block, offset};
    return true;
}

/* The bytes of a block, piece by piece; each piece is a multiple of four. */
typedef struct Stream {
    const TbFile *file;
    uint64_t next, end; /* what is left of the block */
    bool failed;        /* the file could not be read */
    uint8_t copy[WINDOW];
} Stream;

typedef struct Window {
    const uint8_t *at, *end;
} Window;

/* What follows the block counts as zeros. */
static NOINLINE Window next_window(Stream *s)
{
    static const uint8_t zeros[4];
    const uint64_t left = s->end - s->next;
    const size_t len = s->file->whole || left < WINDOW ? (size_t)left : WINDOW;
    const uint8_t *bytes = len > 0 ? tb_file_view(s->file, s->next, len, s->copy) : NULL;
    s->failed = s->failed || (len > 0 && !bytes);
    s->next += len;
    return bytes ? (Window){bytes, bytes + len} : (Window){zeros, zeros + sizeof zeros};
}

/* The symbol at the left end of the bits, and the length of its code. It may be one that does not
 * exist. */
ALWAYS_INLINE unsigned read_symbol(const TbPairs *d, uint64_t bits, int *length)
{
    int i = d->start[bits >> 56];
    while (bits < d->base[i]) /* the last one is 0 */
        i++;
    *length = d->shortest + i;
    return d->lowest[i] + (unsigned)((bits - d->base[i]) >> (64 - *length));
}

/* Down from a symbol to the one value wanted. */
static unsigned leaf_value(const TbPairs *d, unsigned symbol, unsigned offset)
{
    while (d->more[symbol] > 0) {
        const TbSymbol *s = &d->symbols[symbol];
        const unsigned left = d->more[s->left] + 1U;
        symbol = offset < left ? s->left : s->right;
        offset = offset < left ? offset : offset - left;
    }
    return d->symbols[symbol].left;
}

/* Reads symbols, each of which stands for at least one value, until the one with the wanted value
 * comes. 64 bits are at hand, of which at least 32 are valid. */
static bool read_block(const TbPairs *d, Stream *stream, int64_t offset, unsigned *value)
{
    Window w = next_window(stream);
    uint64_t bits = 0;
    int valid = 0;
    for (;;) {
        while (valid <= 32) {
            if (UNLIKELY(w.at == w.end))
                w = next_window(stream);
            bits |= (uint64_t)load_be32(w.at) << (32 - valid);
            w.at += 4;
            valid += 32;
        }
        int length;
        const unsigned symbol = read_symbol(d, bits, &length);
        if (UNLIKELY(symbol >= (unsigned)d->symbol_count))
            return false;
        if (offset <= d->more[symbol]) {
            *value = leaf_value(d, symbol, (unsigned)offset);
            return !stream->failed;
        }
        offset -= d->more[symbol] + 1;
        bits <<= length;
        valid -= length;
    }
}

/* Finds the block by the sparse index and decodes it up to the value. */
bool tb_pairs_value(const TbPairs *d, const TbFile *file, uint64_t index, unsigned *value)
{
    if (d->flags & TB_SINGLE) {
        *value = d->single;
        return true;
    }
    Place place;
    if (!find_block(d, file, index, &place))
        return false;
    const uint64_t begin = d->data_at + ((uint64_t)place.block << d->block_bits);
    Stream stream; /* its copy is not cleared: most files need none */
    stream.file = file;
    stream.next = begin;
    stream.end = begin + (1ULL << d->block_bits);
    stream.failed = false;
    return read_block(d, &stream, place.offset, value);
}
