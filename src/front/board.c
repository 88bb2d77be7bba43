// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/board.h"

#include <math.h>
#include <string.h>

enum { MAX_LISTED_MOVES = 512 };

void board_draw(const char *fen, Buffer *out)
{
    Str rest = str_from(fen);
    const Str rows = str_token(&rest);
    int rank = 8;
    buffer_puts(out, "  +---+---+---+---+---+---+---+---+\n8 |");
    for (size_t i = 0; i < rows.len; i++) {
        const char c = rows.ptr[i];
        if (c == '/')
            buffer_printf(out, "\n  +---+---+---+---+---+---+---+---+\n%d |", --rank);
        else if (c >= '1' && c <= '8')
            for (int k = 0; k < c - '0'; k++)
                buffer_puts(out, "   |");
        else
            buffer_printf(out, " %c |", c);
    }
    buffer_puts(out, "\n  +---+---+---+---+---+---+---+---+\n    a   b   c   d   e   f   g   h\n");
}

static char swap_case(char c)
{
    const bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
    return letter ? (char)(c ^ 32) : c;
}

static void put_swapped(Buffer *out, Str word)
{
    for (size_t i = 0; i < word.len; i++)
        buffer_putc(out, swap_case(word.ptr[i]));
}

void board_flip(const char *fen, char out[SAMARA_FEN_SIZE])
{
    Str rest = str_from(fen);
    const Str rows = str_token(&rest), turn = str_token(&rest), castling = str_token(&rest),
              ep = str_token(&rest);
    Buffer text = {0};
    Str left = rows;
    for (size_t end = left.len; end > 0;) { /* last rank first */
        size_t begin = end;
        while (begin > 0 && left.ptr[begin - 1] != '/')
            begin--;
        put_swapped(&text, (Str){left.ptr + begin, end - begin});
        if (begin > 0)
            buffer_putc(&text, '/');
        end = begin > 0 ? begin - 1 : 0;
    }
    buffer_puts(&text, str_is(turn, "w") ? " b " : " w ");
    put_swapped(&text, castling);
    buffer_putc(&text, ' ');
    buffer_append(&text, ep.ptr, ep.len);
    if (ep.len == 2)
        text.data[text.len - 1] = (char)('1' + '8' - ep.ptr[1]);
    buffer_append(&text, rest.ptr, rest.len);
    str_copy(out, SAMARA_FEN_SIZE, (Str){buffer_text(&text), text.len});
    buffer_free(&text);
}

void board_describe(const Samara *engine, Buffer *out)
{
    char fen[SAMARA_FEN_SIZE];
    char moves[MAX_LISTED_MOVES][SAMARA_MOVE_SIZE];
    samara_fen(engine, fen);
    board_draw(fen, out);
    buffer_printf(out, "\nFen: %s\nKey: %016llX\n", fen, (unsigned long long)samara_key(engine));
    if (samara_in_check(engine))
        buffer_puts(out, "Check\n");
    const SamaraState state = samara_state(engine);
    if (state != SAMARA_PLAYING)
        buffer_printf(out, "Game over: %s\n", samara_state_name(state));
    const size_t count = samara_legal_moves(engine, moves, MAX_LISTED_MOVES);
    buffer_printf(out, "Legal moves (%zu):", count);
    for (size_t i = 0; i < count && i < MAX_LISTED_MOVES; i++)
        buffer_printf(out, " %s", moves[i]);
}

static void put_score(Buffer *out, const SamaraScore *score, bool white_to_move)
{
    const double pawns = (white_to_move ? score->value : -score->value) / 100.0;
    buffer_printf(out, "%+.2f", pawns);
}

static void put_terms(Buffer *out, const SamaraEval *eval)
{
    buffer_printf(out, "%-14s  %13s   %13s   %13s\n", "Term", "White  mg eg", "Black  mg eg",
                  "Total  mg eg");
    for (int i = 0; i < eval->term_count; i++) {
        const SamaraTerm *t = &eval->terms[i];
        buffer_printf(out, "%-14s  %6.2f %6.2f   %6.2f %6.2f   %6.2f %6.2f\n", t->name, t->white_mg,
                      t->white_eg, t->black_mg, t->black_eg, t->white_mg - t->black_mg,
                      t->white_eg - t->black_eg);
    }
}

/* The board with, under each man, what the network misses without it. */
static void put_piece_values(Buffer *out, const char *fen, const SamaraEval *eval)
{
    static const char line[] =
        "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    Str rest = str_from(fen);
    const Str rows = str_token(&rest);
    char board[64];
    memset(board, ' ', sizeof board);
    int square = 56;
    for (size_t i = 0; i < rows.len; i++) {
        const char c = rows.ptr[i];
        if (c == '/')
            square -= 16;
        else if (c >= '1' && c <= '8')
            square += c - '0';
        else
            board[square++] = c;
    }
    buffer_puts(out, line);
    for (int rank = 7; rank >= 0; rank--) {
        buffer_printf(out, "%d |", rank + 1);
        for (int file = 0; file < 8; file++)
            buffer_printf(out, "   %c   |", board[rank * 8 + file]);
        buffer_puts(out, "\n  |");
        for (int file = 0; file < 8; file++) {
            const double value = eval->piece_value[rank * 8 + file];
            if (board[rank * 8 + file] == ' ' || (board[rank * 8 + file] | 32) == 'k')
                buffer_puts(out, "       |");
            else
                buffer_printf(out, fabs(value) < 9.995 ? " %+5.2f |" : " %+5.1f |", value);
        }
        buffer_putc(out, '\n');
        buffer_puts(out, line);
    }
    buffer_puts(out, "      a       b       c       d       e       f       g       h\n");
}

void board_explain(Samara *engine, bool colour, Buffer *out)
{
    SamaraEval eval;
    SamaraError err;
    if (!samara_eval(engine, &eval, &err)) {
        buffer_puts(out, err.text);
        return;
    }
    const bool white = samara_white_to_move(engine);
    char fen[SAMARA_FEN_SIZE];
    samara_fen(engine, fen);
    put_terms(out, &eval);
    if (eval.uses_network) {
        buffer_puts(out, "\nWhat each man is worth to the network, in pawns\n");
        put_piece_values(out, fen, &eval);
    }
    const char *source = eval.known            ? "a known ending"
                         : !eval.uses_network  ? "classical"
                         : eval.uses_classical ? "mean of both"
                                               : "network";
    const int classical = white ? eval.classical : -eval.classical,
              network = white ? eval.network : -eval.network;
    buffer_printf(out, "\nClassical evaluation  %+d (internal units, White's view)\n", classical);
    if (eval.uses_network)
        buffer_printf(out, "Network evaluation    %+d (internal units, White's view; output %d)\n",
                      network, eval.bucket + 1);
    buffer_printf(out, "Final evaluation      %s", colour ? "\033[1m" : "");
    put_score(out, &eval.score, white);
    buffer_printf(out, "%s pawns, White's view (%s; win %d draw %d loss %d permille for %s)",
                  colour ? "\033[0m" : "", source, eval.score.win, eval.score.draw, eval.score.loss,
                  white ? "White, to move" : "Black, to move");
}
