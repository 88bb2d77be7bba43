// SPDX-License-Identifier: GPL-3.0-or-later
/* epd.h -- a position with opcodes: test suites and opening books. */
#ifndef SAMARA_CHESS_EPD_H
#define SAMARA_CHESS_EPD_H

#include "chess/fen.h"

enum { EPD_MAX_OPS = 64 };

typedef struct EpdOp {
    Str name;    /* "bm", "id", ... */
    Str operand; /* everything up to the ';', trimmed, quotes kept */
} EpdOp;

/* Slices point into the line that was parsed. */
typedef struct Epd {
    Position pos;
    int op_count;
    EpdOp ops[EPD_MAX_OPS];
} Epd;

/* Four FEN fields (or six, as many suites have), then opcodes `name operands;` or `;D1 20` (perft
 * suites). hmvc and fmvn set the counters where the fields do not. False leaves *epd untouched;
 * codes are those of fen_parse(), and OPCODE, QUOTE (a string is not closed) and OPS (more than
 * EPD_MAX_OPS). err and warning may be NULL. */
bool epd_parse(Epd *epd, Str line, FenMode mode, Error *err, Error *warning);
const EpdOp *epd_find(const Epd *epd, const char *name); /* the first of that name, or NULL */
Str epd_string(const EpdOp *op); /* first operand, without quotes; empty slice for op == NULL */
/* The moves of bm, am, pm, ..., each legal in epd->pos, or of pv, one after the other. Returns how
 * many, -1 if one cannot be read or there are more than max; 0 for op == NULL. A mate distance
 * written as move (`bm #3`) goes to *mate (0 if none; mate may be NULL). */
int epd_moves(const Epd *epd, const EpdOp *op, Move *out, int max, int *mate);
/* Appends the line, without a line end. Six fields only where four would lose the counters. */
void epd_write(const Epd *epd, Buffer *out);

#endif
