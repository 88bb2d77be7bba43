// SPDX-License-Identifier: GPL-3.0-or-later
/* uci_position.h -- the words behind "position", cut but not judged: the rules decide later. */
#ifndef SAMARA_FRONT_UCI_POSITION_H
#define SAMARA_FRONT_UCI_POSITION_H

#include "base/error.h"
#include "base/text.h"

typedef struct PositionText {
    char *copy;         /* owns the text below */
    const char *fen;    /* NULL: the start position */
    const char **moves; /* the words behind `moves` */
    size_t count;
} PositionText;

/* Free it in either case. False, and *err set, if there is neither startpos nor a FEN. */
bool position_text_split(PositionText *t, Str line, Error *err);
void position_text_free(PositionText *t);

#endif
