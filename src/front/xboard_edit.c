// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/xboard_edit.h"

#include <string.h>

void editor_begin(Editor *e, const SamaraPosition *position)
{
    *e = (Editor){0};
    samara_position_fields(position, &e->fields);
}

static int read_square(const char *text)
{
    const int file = text[0] - 'a', rank = text[1] - '1';
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}

static void put_man(Editor *e, const char *text)
{
    const int square = read_square(text + 1);
    if (square < 0)
        return;
    if (text[0] == 'x')
        e->fields.board[square] = 0;
    else if (strchr("PNBRQK", text[0]))
        e->fields.board[square] = (char)(e->black ? text[0] | 32 : text[0]);
}

/* `#` clears the board, `c` changes the colour, three characters put a man, `.` ends. */
bool editor_line(Editor *e, Str line)
{
    const Str word = str_token(&line);
    if (str_is(word, "."))
        return false;
    if (str_is(word, "#"))
        memset(e->fields.board, 0, sizeof e->fields.board);
    else if (str_is(word, "c"))
        e->black = !e->black;
    else if (word.len == 3)
        put_man(e, word.ptr);
    return true;
}

/* The edit mode says nothing about castling: rights are granted wherever king and rook stand at
 * home. */
void editor_end(Editor *e, SamaraFields *out)
{
    enum { A1 = 0, E1 = 4, H1 = 7, A8 = 56, E8 = 60, H8 = 63 };
    const char *board = e->fields.board;
    const bool white = board[E1] == 'K', black = board[E8] == 'k';
    *out = e->fields;
    out->castling[0] = white && board[H1] == 'R' ? H1 : -1;
    out->castling[1] = white && board[A1] == 'R' ? A1 : -1;
    out->castling[2] = black && board[H8] == 'r' ? H8 : -1;
    out->castling[3] = black && board[A8] == 'r' ? A8 : -1;
    out->ep = -1;
    out->rule50 = 0;
    out->move_number = 1;
}
