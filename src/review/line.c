// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/line.h"

#include "chess/fen.h"
#include <assert.h>
#include <string.h>

void line_board(const SamaraPosition *position, Position *out)
{
    char fen[SAMARA_FEN_SIZE];
    SamaraFields fields;
    samara_position_fen(position, fen);
    samara_position_fields(position, &fields);
    const bool ok =
        fen_parse(out, str_from(fen), fields.chess960 ? FEN_960 : FEN_STANDARD, NULL, NULL);
    assert(ok);
    (void)ok;
}

void step_of(const SamaraMove *move, ReviewStep *out)
{
    *out = (ReviewStep){.move = move->code};
    memcpy(out->uci, move->uci, sizeof out->uci);
    memcpy(out->san, move->san, sizeof out->san);
}

void line_of(const SamaraMove *moves, int count, ReviewLine *out)
{
    out->length = count < REVIEW_LINE ? count : REVIEW_LINE;
    for (int i = 0; i < out->length; i++)
        step_of(&moves[i], &out->steps[i]);
}

/* Both notations are written here, while the board is at hand. */
void line_from_moves(const Position *start, const Move *moves, int count, ReviewLine *out)
{
    Position p = *start;
    out->length = count < REVIEW_LINE ? count : REVIEW_LINE;
    for (int i = 0; i < out->length; i++) {
        Undo undo;
        ReviewStep *step = &out->steps[i];
        step->move = moves[i];
        move_to_uci(moves[i], p.chess960, step->uci);
        move_to_san(&p, moves[i], step->san);
        pos_make(&p, moves[i], &undo, NULL);
    }
}

void line_prepend(const ReviewStep *first, const ReviewLine *rest, ReviewLine *out)
{
    const int kept = rest->length < REVIEW_LINE ? rest->length : REVIEW_LINE - 1;
    memmove(out->steps + 1, rest->steps, (size_t)kept * sizeof *out->steps);
    out->steps[0] = *first;
    out->length = kept + 1;
}

bool line_equal(const ReviewLine *a, const ReviewLine *b)
{
    for (int i = 0; i < a->length && i < b->length; i++)
        if (a->steps[i].move != b->steps[i].move)
            return false;
    return a->length == b->length;
}

/* With move numbers, as a person reads it. */
void line_text(const ReviewLine *line, int max, int move_number, bool white, Buffer *out)
{
    for (int i = 0; i < line->length && i < max; i++) {
        const bool whites = white == (i % 2 == 0);
        const int number = move_number + (i + (white ? 0 : 1)) / 2;
        if (i > 0)
            buffer_putc(out, ' ');
        if (whites)
            buffer_printf(out, "%d. ", number);
        else if (i == 0)
            buffer_printf(out, "%d... ", number);
        buffer_puts(out, line->steps[i].san);
    }
}
