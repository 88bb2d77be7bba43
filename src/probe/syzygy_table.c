// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/syzygy_table.h"

#include "probe/syzygy_checksum.h"
#include <stdlib.h>
#include <string.h>

enum { SPLIT = 1, WITH_PAWNS = 2, HEADER_AT = 4, MAX_MAP = 1 << 16 };

/* --- reading the structure --- */

bool tb_magic_matches(TbKind kind, const uint8_t bytes[4])
{
    static const uint8_t magic[2][4] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}};
    return memcmp(bytes, magic[kind], 4) == 0;
}

/* The order of one file's parts: a byte for the groups, another one if both sides have pawns, and
 * one for each man; the low half is for the first part, the high half for the second. */
static bool read_layouts(TbTable *t, TbCursor *c, int file)
{
    const TbMaterial *m = &t->material;
    const int count = m->men < TB_MAX_MEN ? m->men : TB_MAX_MEN; /* as it is by its making */
    uint8_t orders[2] = {0xFF, 0xFF}, men[TB_MAX_MEN];
    orders[0] = (uint8_t)tb_take(c, 1);
    if (m->lead_pawns > 0 && m->other_pawns > 0)
        orders[1] = (uint8_t)tb_take(c, 1);
    for (int i = 0; i < count; i++)
        men[i] = (uint8_t)tb_take(c, 1);
    for (int side = 0; side < t->sides; side++) {
        const int shift = 4 * side;
        const int places[2] = {orders[0] >> shift & 15, orders[1] >> shift & 15};
        uint8_t codes[TB_MAX_MEN];
        for (int i = 0; i < count; i++)
            codes[i] = men[i] >> shift & 15;
        if (c->failed || !tb_layout_init(&t->part[side][file].layout, m, codes, places, file))
            return false;
    }
    return true;
}

/* Each of a part's four maps is a count and so many values. */
static bool read_map(TbTable *t, TbPart *part, TbCursor *c, uint32_t *used)
{
    const int width = part->pairs.flags & TB_WIDE ? 2 : 1;
    if (width == 2)
        tb_align(c, 2);
    for (int i = 0; i < 4; i++) {
        part->map_at[i] = *used;
        part->map_count[i] = tb_take(c, width);
        for (uint32_t k = 0; k < part->map_count[i] && !c->failed; k++)
            t->maps[(*used)++] = (uint16_t)tb_take(c, width);
    }
    return !c->failed;
}

/* Distances are stored as indices into a list of those that occur. The lists are small: one block
 * holds them all. */
static bool read_maps(TbTable *t, TbCursor *c, Error *err)
{
    t->maps = malloc((size_t)4 * 4 * MAX_MAP * sizeof *t->maps);
    if (!t->maps)
        return error_code(err, "NO_MEMORY", 0, "there is not enough memory");
    uint32_t used = 0;
    for (int file = 0; file < t->files; file++)
        if (t->part[0][file].pairs.flags & TB_MAPPED && !read_map(t, &t->part[0][file], c, &used))
            return error_set(err, "it is cut short");
    tb_align(c, 2);
    uint16_t *fitting = realloc(t->maps, (used + 1) * sizeof *t->maps);
    if (fitting)
        t->maps = fitting;
    return true;
}

/* All orders of men come first, then the compressed parts, then the maps: that is how the file has
 * them. */
static bool read_headers(TbTable *t, TbCursor *c, Error *err)
{
    for (int file = 0; file < t->files; file++)
        if (!read_layouts(t, c, file))
            return error_set(err, "the order of its men is damaged");
    tb_align(c, 2);
    for (int file = 0; file < t->files; file++)
        for (int side = 0; side < t->sides; side++) {
            TbPart *part = &t->part[side][file];
            if (!tb_pairs_read(&part->pairs, c, part->layout.size, err))
                return false;
            if (t->kind == TB_WDL && part->pairs.flags & TB_SINGLE && part->pairs.single > 4)
                return error_set(err, "its value is none");
        }
    return t->kind == TB_WDL || read_maps(t, c, err);
}

/* Index, lengths and blocks follow one another; the size of the file tells whether these numbers
 * can be right. No sum can overflow: each term is far below 2^60, and there are 24. */
static void place_sections(TbTable *t, TbCursor *c)
{
    TbPairs *parts[8];
    int count = 0;
    for (int file = 0; file < t->files; file++)
        for (int side = 0; side < t->sides; side++)
            if (!(t->part[side][file].pairs.flags & TB_SINGLE))
                parts[count++] = &t->part[side][file].pairs;
    for (int i = 0; i < count; i++) {
        parts[i]->sparse_at = c->at;
        c->at += 6 * parts[i]->sparse_count;
    }
    for (int i = 0; i < count; i++) {
        parts[i]->lengths_at = c->at;
        c->at += 2ULL * parts[i]->length_count;
    }
    for (int i = 0; i < count; i++) {
        tb_align(c, 64);
        parts[i]->data_at = c->at;
        c->at += (uint64_t)parts[i]->blocks << parts[i]->block_bits;
    }
    tb_align(c, 64);
}

/* Reads everything but the values, and checks that the sections add up to the size of the file. */
bool tb_table_read(TbTable *t, Error *err)
{
    const TbMaterial *m = &t->material;
    TbCursor c = {&t->file, HEADER_AT, false};
    const unsigned flags = tb_take(&c, 1);
    const bool pawns = m->lead_pawns > 0;
    if (c.failed || (flags & SPLIT) != (m->symmetric ? 0 : SPLIT) ||
        (flags & WITH_PAWNS) != (pawns ? WITH_PAWNS : 0))
        return error_set(err, "its header is that of another table");
    t->sides = t->kind == TB_WDL && !m->symmetric ? 2 : 1;
    t->files = pawns ? 4 : 1;
    if (!read_headers(t, &c, err))
        return false;
    place_sections(t, &c);
    return c.at == t->file.size - TB_CHECKSUM_SIZE ||
           error_set(err, c.at > t->file.size ? "it is cut short" : "its size is wrong");
}

void tb_table_free(TbTable *t)
{
    for (int side = 0; side < 2; side++)
        for (int file = 0; file < 4; file++)
            tb_pairs_free(&t->part[side][file].pairs);
    free(t->maps);
    t->maps = NULL;
}

/* --- values --- */

/* A table of equal sides holds White to move only: with Black to move the board is turned around.
 * `side` is who moves on the table's board. */
static const TbPart *part_of(const TbTable *t, const Position *p, bool *flip, int *side)
{
    if (t->material.symmetric)
        *flip = p->turn == BLACK;
    *side = p->turn ^ *flip;
    const int file = t->files == 4 ? tb_lead_file(p, t->material.lead, *flip) : 0;
    return &t->part[t->sides == 2 ? *side : 0][file];
}

TbAnswer tb_table_wdl(const TbTable *t, const Position *p, bool flip, int *wdl)
{
    int side;
    unsigned value;
    const TbPart *part = part_of(t, p, &flip, &side);
    if (!tb_pairs_value(&part->pairs, &t->file, tb_layout_index(&part->layout, p, flip), &value) ||
        value > 4)
        return TB_DAMAGED;
    *wdl = (int)value - 2;
    return TB_FOUND;
}

/* Values are counted in moves unless the table says plies; behind a cursed win or blessed loss
 * always in moves. */
static bool in_moves(unsigned flags, int wdl)
{
    return wdl == 1 || wdl == -1 || !(flags & (wdl > 0 ? TB_WIN_PLIES : TB_LOSS_PLIES));
}

/* Distances are stored for one side to move only: for the other one the caller must look one move
 * ahead. */
TbAnswer tb_table_dtz(const TbTable *t, const Position *p, bool flip, int wdl, int *dtz)
{
    static const uint8_t map_of[5] = {1, 3, 0, 2, 0}; /* by wdl + 2 */
    int side;
    unsigned value;
    const TbPart *part = part_of(t, p, &flip, &side);
    const unsigned flags = part->pairs.flags;
    const bool both_sides = t->material.symmetric && t->files == 1;
    if (!both_sides && (int)(flags & TB_BLACK_STORED) != side)
        return TB_OTHER_SIDE;
    if (!tb_pairs_value(&part->pairs, &t->file, tb_layout_index(&part->layout, p, flip), &value))
        return TB_DAMAGED;
    if (flags & TB_MAPPED) {
        const int map = map_of[wdl + 2];
        if (value >= part->map_count[map])
            return TB_DAMAGED;
        value = t->maps[part->map_at[map] + value];
    }
    *dtz = (int)(in_moves(flags, wdl) ? 2 * value : value) + 1;
    return TB_FOUND;
}
