// SPDX-License-Identifier: GPL-3.0-or-later
/* diagram.h -- the bitboards of a position for the eye: named sets of squares, drawn as eight rows
 * of '#' and '.'. */
#ifndef SAMARA_CHESS_DIAGRAM_H
#define SAMARA_CHESS_DIAGRAM_H

#include "base/text.h"
#include "chess/position.h"

/* pawn, knight, bishop, rook, queen, king: where they stand, of White and of Black. white, black,
 * occupied. attacks: what each side attacks. moves: where the side to move can go. checkers,
 * pinned. A square such as e4: what the piece on it attacks. */
#define DIAGRAM_NAMES                                                                              \
    "pawn|knight|bishop|rook|queen|king|white|black|occupied|attacks|moves|checkers|pinned"

bool diagram_knows(Str name);
/* Draws what the name stands for; nothing if it is not known. */
void diagram_put(const Position *p, Str name, Buffer *out);

#endif
