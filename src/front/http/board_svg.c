// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/board_svg.h"

#include "front/http/think.h"
#include <string.h>

enum { SQUARE = 45, BOARD = 8 * SQUARE, DEFAULT_SIZE = 360 };

/* One man in a square of 45 by 45: what is filled, then lines of the other colour. Drawn for this
 * program. */
typedef struct Figure {
    char man;
    const char *body, *detail;
} Figure;

static const Figure figures[] = {
    {'p',
     "<circle cx='22.5' cy='13.5' r='5.5'/><path d='M14 37q0-3 3-4 4-4 3.5-13h4q-.5 9 3.5 13 3 1 3 "
     "4z'/>",
     "<path d='M17 33h11'/>"},
    {'n', "<path d='M13 37q-1-9 7-14l-5.5 1.5-4-3L17 13l.5-5 3.5 3.5Q32 11.5 33 25q.3 7-1.5 12z'/>",
     "<path d='M19.5 15.5h.1M14 34h18'/>"},
    {'b',
     "<circle cx='22.5' cy='8.5' r='2.5'/><path d='M13 37v-3l6-1q-6-7-3-13.5 2-4.5 6.5-8 4.5 3.5 "
     "6.5 8 3 "
     "6.5-3 13.5l6 1v3z'/>",
     "<path d='M22.5 16v7M19 19.5h7M19 33h7'/>"},
    {'r', "<path d='M12 37v-4l3-1 1.5-13H13v-9h4v3h3.5v-3h4v3H28v-3h4v9h-3.5L30 32l3 1v4z'/>",
     "<path d='M16.5 19h12M15 32h15'/>"},
    {'q',
     "<path d='M13 37v-4L9.5 15l7 9L18 11l4.5 12L27 11l1.5 13 7-9L32 33v4z'/><circle cx='9.5' "
     "cy='13' "
     "r='2.2'/><circle cx='18' cy='9' r='2.2'/><circle cx='27' cy='9' r='2.2'/><circle cx='35.5' "
     "cy='13' "
     "r='2.2'/>",
     "<path d='M13.5 30q9-3 18 0M13 33.5q9.5-2.5 19 0'/>"},
    {'k',
     "<path d='M13 37v-5q-6.5-8-1-12 6-3 10.5 4 4.5-7 10.5-4 5.5 4-1 12v5z'/><path d='M21 "
     "7h3v3h3v3h-3v6h-3v-6h-3v-3h3z'/>",
     "<path d='M22.5 24v6M13.5 31q9-3 18 0M13 34q9.5-2.5 19 0'/>"},
};

/* Each piece is drawn once per colour; the board only refers to it. */
static void put_figures(Buffer *out)
{
    buffer_puts(out, "<defs>");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        buffer_printf(
            out,
            "<g id='w%c' fill='#fff' stroke='#222' stroke-width='1.4'>%s<g "
            "fill='none' stroke='#222' stroke-linecap='round'>%s</g></g><g id='b%c' fill='#2b2b2b' "
            "stroke='#111' stroke-width='1.4'>%s<g fill='none' stroke='#e8e8e8' "
            "stroke-linecap='round' "
            "stroke-width='1.2'>%s</g></g>",
            figures[i].man, figures[i].body, figures[i].detail, figures[i].man, figures[i].body,
            figures[i].detail);
    buffer_puts(out, "</defs>");
}

/* Left upper corner of a square. */
static void corner(int square, bool from_black, int *x, int *y)
{
    const int file = square % 8, rank = square / 8;
    *x = SQUARE * (from_black ? 7 - file : file);
    *y = SQUARE * (from_black ? rank : 7 - rank);
}

static void put_mark(Buffer *out, int square, bool from_black, const char *colour)
{
    int x, y;
    corner(square, from_black, &x, &y);
    buffer_printf(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>", x, y, SQUARE,
                  SQUARE, colour);
}

static void put_squares(Buffer *out)
{
    buffer_printf(out, "<rect width='%d' height='%d' fill='#efe6d5'/><path fill='#7c9c84' d='",
                  BOARD, BOARD);
    for (int i = 0; i < 64; i++)
        if ((i % 8 + i / 8) % 2)
            buffer_printf(out, "M%d %dh%dv%dh-%dz", SQUARE * (i % 8), SQUARE * (i / 8), SQUARE,
                          SQUARE, SQUARE);
    buffer_puts(out, "'/>");
}

/* Letters and numbers along the lower and the left edge. */
static void put_coordinates(Buffer *out, bool from_black)
{
    buffer_puts(out, "<g font-family='sans-serif' font-size='8' fill='#20301f'>");
    for (int i = 0; i < 8; i++) {
        const int shown = from_black ? 7 - i : i;
        buffer_printf(out, "<text x='%d' y='%d'>%c</text><text x='2' y='%d'>%d</text>",
                      SQUARE * i + SQUARE - 7, BOARD - 2, 'a' + shown, SQUARE * (7 - i) + 9,
                      shown + 1);
    }
    buffer_puts(out, "</g>");
}

/* The FEN is the title, so that a screen reader has something to say. */
void board_svg_write(const SamaraPosition *position, const SamaraMove *last, bool from_black,
                     int size, Buffer *out)
{
    SamaraFields fields;
    samara_position_fields(position, &fields);
    buffer_printf(out,
                  "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d "
                  "%d' role='img'><title>",
                  size, size, BOARD, BOARD);
    char fen[SAMARA_FEN_SIZE];
    samara_position_fen(position, fen);
    buffer_puts(out, fen);
    buffer_puts(out, "</title>");
    put_figures(out);
    put_squares(out);
    if (last && last->code) {
        put_mark(out, last->from, from_black, "#d8b24a99");
        put_mark(out, last->to, from_black, "#d8b24a99");
    }
    const char king = fields.white_to_move ? 'K' : 'k';
    for (int i = 0; i < 64 && samara_position_in_check(position); i++)
        if (fields.board[i] == king)
            put_mark(out, i, from_black, "#d0432bb0");
    put_coordinates(out, from_black);
    for (int i = 0; i < 64; i++) {
        const char man = fields.board[i];
        int x, y;
        corner(i, from_black, &x, &y);
        if (man)
            buffer_printf(out, "<use href='#%c%c' x='%d' y='%d'/>", man < 'a' ? 'w' : 'b', man | 32,
                          x, y);
    }
    buffer_puts(out, "</svg>\n");
}

/* The last of the moves that led here is marked. */
void board_svg(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const Params *p = &r->params;
    const bool from_black = p->orientation && strcmp(p->orientation, "black") == 0;
    if (p->orientation && !from_black && strcmp(p->orientation, "white") != 0)
        reply_error(&r->reply, 400, "out_of_range", "orientation", 0,
                    "orientation must be \"white\" or \"black\".");
    else if (think_prepare(slot, p, &r->reply)) {
        SamaraMove history[PARAMS_MAX_WORDS / 16], last = {0};
        const size_t count =
            p->moves.count > 0 ? samara_position_history(slot->position, NULL, 0) : 0;
        if (count > 0 && count <= sizeof history / sizeof *history) {
            samara_position_history(slot->position, history, count);
            last = history[count - 1];
        }
        Buffer text = {0};
        board_svg_write(slot->position, &last, from_black,
                        p->size > 0 ? (int)p->size : DEFAULT_SIZE, &text);
        reply_text(&r->reply, 200, "image/svg+xml; charset=utf-8", buffer_text(&text));
        reply_header(&r->reply, "Content-Security-Policy", "default-src 'none'");
        buffer_free(&text);
    }
    request_done(r);
}
