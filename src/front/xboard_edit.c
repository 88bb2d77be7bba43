// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/xboard_edit.h"

#include <string.h>

void editor_begin(Editor *e, const char *fen)
{
    *e = (Editor){0};
    Str rest = str_from(fen);
    const Str rows = str_token(&rest);
    e->white_to_move = str_is(str_token(&rest), "w");
    int square = 56;
    for (size_t i = 0; i < rows.len && square >= 0; i++) {
        const char c = rows.ptr[i];
        if (c == '/')
            square -= 16;
        else if (c >= '1' && c <= '8')
            square += c - '0';
        else
            e->board[square++ & 63] = c;
    }
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
        e->board[square] = 0;
    else if (strchr("PNBRQK", text[0]))
        e->board[square] = (char)(e->black ? text[0] | 32 : text[0]);
}

bool editor_line(Editor *e, Str line)
{
    const Str word = str_token(&line);
    if (str_is(word, "."))
        return false;
    if (str_is(word, "#"))
        memset(e->board, 0, sizeof e->board);
    else if (str_is(word, "c"))
        e->black = !e->black;
    else if (word.len == 3)
        put_man(e, word.ptr);
    return true;
}

static void put_rows(const Editor *e, Buffer *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char man = e->board[rank * 8 + file];
            if (!man) {
                empty++;
                continue;
            }
            if (empty > 0)
                buffer_putc(out, (char)('0' + empty));
            empty = 0;
            buffer_putc(out, man);
        }
        if (empty > 0)
            buffer_putc(out, (char)('0' + empty));
        if (rank > 0)
            buffer_putc(out, '/');
    }
}

static void put_castling(const Editor *e, Buffer *out)
{
    const size_t before = out->len;
    enum { A1 = 0, E1 = 4, H1 = 7, A8 = 56, E8 = 60, H8 = 63 };
    if (e->board[E1] == 'K' && e->board[H1] == 'R')
        buffer_putc(out, 'K');
    if (e->board[E1] == 'K' && e->board[A1] == 'R')
        buffer_putc(out, 'Q');
    if (e->board[E8] == 'k' && e->board[H8] == 'r')
        buffer_putc(out, 'k');
    if (e->board[E8] == 'k' && e->board[A8] == 'r')
        buffer_putc(out, 'q');
    if (out->len == before)
        buffer_putc(out, '-');
}

void editor_fen(const Editor *e, char out[SAMARA_FEN_SIZE])
{
    Buffer fen = {0};
    put_rows(e, &fen);
    buffer_puts(&fen, e->white_to_move ? " w " : " b ");
    put_castling(e, &fen);
    buffer_puts(&fen, " - 0 1");
    str_copy(out, SAMARA_FEN_SIZE, (Str){buffer_text(&fen), fen.len});
    buffer_free(&fen);
}
