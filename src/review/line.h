// SPDX-License-Identifier: GPL-3.0-or-later
/* line.h -- a line of moves that needs no board to be written down. */
#ifndef SAMARA_REVIEW_LINE_H
#define SAMARA_REVIEW_LINE_H

#include "chess/notation.h"
#include "samara.h"

enum { REVIEW_LINE = 16 };

typedef struct ReviewStep {
    Move move;
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
} ReviewStep;

typedef struct ReviewLine {
    int length;
    ReviewStep steps[REVIEW_LINE];
} ReviewLine;

/* The board of a position, without its history. */
void line_board(const SamaraPosition *position, Position *out);
void step_of(const SamaraMove *move, ReviewStep *out);
void line_of(const SamaraMove *moves, int count, ReviewLine *out); /* cut to fit */
void line_from_moves(const Position *start, const Move *moves, int count, ReviewLine *out);
void line_prepend(const ReviewStep *first, const ReviewLine *rest, ReviewLine *out);
bool line_equal(const ReviewLine *a, const ReviewLine *b);
/* "12. Nf3 d5 13. c4", at most `max` moves, from a position with this number and side to move. */
void line_text(const ReviewLine *line, int max, int move_number, bool white, Buffer *out);

#endif
