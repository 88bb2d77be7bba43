// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A board of letters for people and pipes. */
static void draw_letters(const SamaraFields *fields, bool black_below, Buffer *out)
{
    static const char edge[] = "  +---+---+---+---+---+---+---+---+\n";
    for (int row = 0; row < 8; row++) {
        const int rank = black_below ? row : 7 - row;
        buffer_printf(out, "%s%d |", edge, rank + 1);
        for (int column = 0; column < 8; column++) {
            const char man = fields->board[rank * 8 + (black_below ? 7 - column : column)];
            buffer_printf(out, " %c |", man ? man : ' ');
        }
        buffer_putc(out, '\n');
    }
    buffer_printf(out, "%s    %s\n", edge,
                  black_below ? "h   g   f   e   d   c   b   a" : "a   b   c   d   e   f   g   h");
}

void board_draw(const SamaraPosition *position, Buffer *out)
{
    SamaraFields fields;
    samara_position_fields(position, &fields);
    draw_letters(&fields, false, out);
}

/* One square on a terminal of 256 colours: both sides have the filled figures, told apart by their
 * colour, because the outlined ones are hard to see. */
static void paint_square(char man, bool light, bool marked, Buffer *out)
{
    static const char *const figures[] = {"♟", "♞", "♝", "♜", "♛", "♚"};
    static const char letters[] = "pnbrqk";
    const char *at = man ? strchr(letters, man | 32) : NULL;
    const int ground = marked ? (light ? 186 : 142) : light ? 180 : 137;
    buffer_printf(out, "\033[48;5;%dm\033[38;5;%dm %s ", ground, man && man < 'a' ? 231 : 16,
                  at ? figures[at - letters] : " ");
}

/* The last move's squares are marked; the board may be turned so that Black sits below. */
static void paint_rows(const SamaraFields *fields, const SamaraMove *last, bool black_below,
                       Buffer *out)
{
    for (int row = 0; row < 8; row++) {
        const int rank = black_below ? row : 7 - row;
        buffer_printf(out, " %d ", rank + 1);
        for (int column = 0; column < 8; column++) {
            const int file = black_below ? 7 - column : column, square = rank * 8 + file;
            const bool marked = last && (square == last->from || square == last->to);
            paint_square(fields->board[square], (rank + file) % 2, marked, out);
        }
        buffer_puts(out, "\033[0m\n");
    }
    buffer_printf(out, "    %s\n",
                  black_below ? "h  g  f  e  d  c  b  a" : "a  b  c  d  e  f  g  h");
}

/* With letters where there is no colour: a log, a pipe. */
void board_paint(const SamaraPosition *position, bool black_below, bool colour, Buffer *out)
{
    SamaraFields fields;
    samara_position_fields(position, &fields);
    if (!colour) {
        draw_letters(&fields, black_below, out);
        return;
    }
    const size_t count = samara_position_history(position, NULL, 0);
    SamaraMove *moves = count > 0 ? malloc(count * sizeof *moves) : NULL;
    if (moves)
        samara_position_history(position, moves, count);
    paint_rows(&fields, moves ? &moves[count - 1] : NULL, black_below, out);
    free(moves);
}

static int8_t flip_square(int8_t square) { return square < 0 ? square : (int8_t)(square ^ 56); }

/* Colours exchanged and the board turned over: the position stays the same in all but name. */
void board_flip(SamaraFields *fields)
{
    const SamaraFields old = *fields;
    for (int s = 0; s < 64; s++) {
        const char man = old.board[s ^ 56];
        fields->board[s] = man ? (char)(man ^ 32) : '\0'; /* letters of the other case */
    }
    fields->white_to_move = !old.white_to_move;
    for (int i = 0; i < 4; i++)
        fields->castling[i] = flip_square(old.castling[i ^ 2]);
    fields->ep = flip_square(old.ep);
}

/* Board, FEN, key and legal moves: what a person needs to compare with another program. */
void board_describe(const SamaraPosition *position, Buffer *out)
{
    char fen[SAMARA_FEN_SIZE];
    SamaraMove moves[SAMARA_MAX_MOVES];
    samara_position_fen(position, fen);
    board_draw(position, out);
    buffer_printf(out, "\nFen: %s\nKey: %016llX\n", fen,
                  (unsigned long long)samara_position_key(position));
    if (samara_position_in_check(position))
        buffer_puts(out, "Check\n");
    const SamaraState state = samara_position_state(position);
    if (state != SAMARA_PLAYING)
        buffer_printf(out, "Game over: %s\n", samara_state_name(state));
    const size_t count = samara_position_moves(position, moves, SAMARA_MAX_MOVES);
    buffer_printf(out, "Legal moves (%zu):", count);
    for (size_t i = 0; i < count; i++)
        buffer_printf(out, " %s", moves[i].uci);
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

static char man_on(const SamaraFields *fields, int square)
{
    return fields->board[square] ? fields->board[square] : ' ';
}

/* The board with, under each man, what the network misses without it. */
static void put_piece_values(Buffer *out, const SamaraFields *fields, const SamaraEval *eval)
{
    static const char line[] =
        "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    buffer_puts(out, line);
    for (int rank = 7; rank >= 0; rank--) {
        buffer_printf(out, "%d |", rank + 1);
        for (int file = 0; file < 8; file++)
            buffer_printf(out, "   %c   |", man_on(fields, rank * 8 + file));
        buffer_puts(out, "\n  |");
        for (int file = 0; file < 8; file++) {
            const double value = eval->piece_value[rank * 8 + file];
            const char man = man_on(fields, rank * 8 + file);
            if (man == ' ' || (man | 32) == 'k')
                buffer_puts(out, "       |");
            else
                buffer_printf(out, fabs(value) < 9.995 ? " %+5.2f |" : " %+5.1f |", value);
        }
        buffer_putc(out, '\n');
        buffer_puts(out, line);
    }
    buffer_puts(out, "      a       b       c       d       e       f       g       h\n");
}

/* The evaluation term by term, White's view, and what each man is worth to the network. */
void board_explain(const Samara *engine, const SamaraPosition *position,
                   SamaraEvaluation evaluation, bool colour, Buffer *out)
{
    SamaraEval eval;
    SamaraError err;
    if (!samara_eval(engine, position, evaluation, &eval, &err)) {
        buffer_puts(out, err.text);
        return;
    }
    SamaraFields fields;
    samara_position_fields(position, &fields);
    const bool white = fields.white_to_move;
    put_terms(out, &eval);
    if (eval.uses_network) {
        buffer_puts(out, "\nWhat each man is worth to the network, in pawns\n");
        put_piece_values(out, &fields, &eval);
    }
    const char *source = eval.known          ? "a known ending"
                         : eval.uses_network ? "network"
                                             : "classical";
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
