// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy_table.h -- one table file: win, draw or loss (WDL, .rtbw), or the distance to the next
 * capture or pawn move (DTZ, .rtbz).
 *
 * | bytes        | what                                                                        |
 * |--------------|-----------------------------------------------------------------------------|
 * | 4            | 71 E8 23 5D (WDL) or D7 66 0C A5 (DTZ)                                      |
 * | 1            | 1: both sides to move are stored, or would be; 2: with pawns; high half: men |
 * | per file     | order of the groups and men, a half byte for each of the sides              |
 * | per part     | header of the compressed values (syzygy_pairs.h), at an even place          |
 * | DTZ, per file | maps from stored values to distances, if the part has them                  |
 * | per part     | sparse index                                                                |
 * | per part     | block lengths                                                               |
 * | per part     | blocks, at multiples of 64                                                  |
 * | 16           | checksum                                                                    |
 *
 * A part is one side to move and, with pawns, one file of the leading pawn. WDL tables of different
 * sides have both sides to move, all others one. */
#ifndef SAMARA_PROBE_SYZYGY_TABLE_H
#define SAMARA_PROBE_SYZYGY_TABLE_H

#include "probe/syzygy_index.h"
#include "probe/syzygy_pairs.h"

typedef enum TbKind { TB_WDL, TB_DTZ } TbKind;

typedef struct TbPart {
    TbLayout layout;
    TbPairs pairs;
    uint32_t map_at[4], map_count[4]; /* into maps, by win, loss, cursed win, blessed loss */
} TbPart;

typedef struct TbTable {
    TbKind kind;
    TbMaterial material;
    TbFile file;
    int sides, files; /* parts: part[side][file] */
    TbPart part[2][4];
    uint16_t *maps; /* of DTZ values */
} TbTable;

/* The structure of the file: all of it lies within the file, in the places where it should. False,
 * with a sentence, if it does not. What was allocated is freed by tb_table_free, in either case. */
bool tb_table_read(TbTable *table, Error *err);
void tb_table_free(TbTable *table); /* all but the file */

/* The first bytes are those of such a table. */
bool tb_magic_matches(TbKind kind, const uint8_t bytes[4]);

typedef enum TbAnswer {
    TB_FOUND,
    TB_OTHER_SIDE, /* DTZ: stored for the other side to move only */
    TB_DAMAGED
} TbAnswer;

/* p has the table's material, with colours exchanged if `flip`. */
TbAnswer tb_table_wdl(const TbTable *table, const Position *p, bool flip, int *wdl);
/* Plies, at least 1; wdl is the value of p, no draw. */
TbAnswer tb_table_dtz(const TbTable *table, const Position *p, bool flip, int wdl, int *dtz);

#endif
