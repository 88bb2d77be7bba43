// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard_edit.h -- the sub-mode in which an old XBoard sets up a position, man by man. */
#ifndef SAMARA_FRONT_XBOARD_EDIT_H
#define SAMARA_FRONT_XBOARD_EDIT_H

#include "base/text.h"
#include "samara.h"

typedef struct Editor {
    SamaraFields fields;
    bool black; /* men come in Black's colour */
} Editor;

void editor_begin(Editor *e, const SamaraPosition *position);
/* One line of the sub-mode; false if it ends it ("."). What is no edit command is ignored. */
bool editor_line(Editor *e, Str line);
/* Castling rights exist wherever king and rook stand at home; no en passant; counters at zero. */
void editor_end(Editor *e, SamaraFields *out);

#endif
