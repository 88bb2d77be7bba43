// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy_index.h -- the number of a position in its table.
 *
 * Positions that are mirror images of each other share a number. The men of a table come in groups:
 * first the leading one, whose place on the board decides the mirroring, then equal men together.
 * Each group has a number among its possible places on the squares that the groups before it left
 * free; the number of the position is the sum of these, each times a factor of its group.
 *
 * | table                | leading group                                  | places              |
 * |----------------------|------------------------------------------------|---------------------|
 * | with pawns           | pawns of the colour that has fewer of them     | one part per file   |
 * | with a single piece  | three men of which there is only one each      | 31332               |
 * | else                 | both kings                                     | 462                 |
 */
#ifndef SAMARA_PROBE_SYZYGY_INDEX_H
#define SAMARA_PROBE_SYZYGY_INDEX_H

#include "base/error.h"
#include "chess/position.h"

enum { TB_MAX_MEN = 7 };

/* What is on the board. White is the side named first. */
typedef struct TbMaterial {
    uint8_t count[2][6]; /* by colour and type, kings included */
    int men;
    bool symmetric;  /* both sides have the same men */
    bool has_single; /* a piece or pawn that is the only one of its kind and colour */
    Color lead;      /* whose pawns lead, */
    int lead_pawns;  /* and how many these are, 0 in a table without pawns */
    int other_pawns; /* the other side's */
} TbMaterial;

/* From the counts alone. */
void tb_material_finish(TbMaterial *m);

/* How one part of a table numbers its positions. */
typedef struct TbLayout {
    uint8_t pieces[TB_MAX_MEN]; /* Piece, in the order of the table */
    int men, groups;
    bool lead_is_pawns, lead_is_triple, other_pawns;
    uint8_t length[TB_MAX_MEN]; /* of each group */
    uint64_t factor[TB_MAX_MEN];
    uint64_t size; /* numbers are below it */
} TbLayout;

void tb_index_init(void); /* idempotent, from any thread; before the functions below */

/* codes: the men as the file writes them, 1 to 6 for a white pawn to king, 9 to 14 for black ones.
 * places: where the leading group and the other side's pawns stand in the order of factors. file:
 * of the leading pawn, 0 to 3. False if a table cannot be arranged like that. */
bool tb_layout_init(TbLayout *layout, const TbMaterial *material, const uint8_t *codes,
                    const int places[2], int file);

/* The part of a table with pawns in which the position is: 0 to 3. `flip`: the position has the
 * table's material with colours exchanged. */
int tb_lead_file(const Position *p, Color lead, bool flip);
/* p has the material of the table. */
uint64_t tb_layout_index(const TbLayout *layout, const Position *p, bool flip);

#endif
