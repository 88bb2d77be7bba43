// SPDX-License-Identifier: GPL-3.0-or-later
/* piece_squares.c -- a man is worth more on a good square. Counting material alone, the program
 * has no opinion about quiet moves and plays the first it finds; a table of 64 numbers per kind of
 * man makes it develop, take the centre and hide its king, at the price of a sum.
 *
 * The tables are symmetric, so each row gives the files a to d only; rank 1 is the first row, and
 * Black reads them upside down. Written by hand: what a beginner is taught, in hundredths of a
 * pawn. */
#include "ladder/evaluate.h"

enum { KING_IN_THE_ENDGAME = 6 };

// clang-format off
static const int8_t tables[7][8][4] = {
    [PAWN]   = {{  0,   0,   0,   0}, {  4,   6,   2, -14}, {  4,   2,   4,   0}, {  0,   2,   8,  20},
                {  4,   6,  12,  26}, { 14,  18,  26,  34}, { 50,  54,  58,  60}, {  0,   0,   0,   0}},
    [KNIGHT] = {{-45, -28, -20, -16}, {-28, -16,   0,   4}, {-18,   2,  14,  16}, {-14,   6,  18,  24},
                {-12,   8,  20,  28}, {-14,   8,  20,  24}, {-26, -12,   4,   8}, {-50, -26, -16, -12}},
    [BISHOP] = {{-14,  -8, -14, -10}, {  2,  12,   4,   6}, {  2,   8,  10,   8}, {  0,   6,  10,  16},
                {  0,  10,   8,  16}, {  0,   6,  10,  10}, { -8,   2,   2,   2}, {-14,  -8,  -8,  -8}},
    [ROOK]   = {{ -4,  -2,   4,  10}, { -8,  -2,   0,   2}, { -8,   0,   0,   2}, { -8,   0,   0,   2},
                { -6,   0,   2,   4}, { -4,   2,   4,   6}, { 12,  16,  18,  18}, {  6,   8,   8,   8}},
    [QUEEN]  = {{-12,  -8,  -4,   2}, { -8,   0,   4,   2}, { -6,   2,   4,   4}, { -4,   2,   6,   8},
                { -2,   4,   8,  10}, { -4,   4,   8,  10}, { -8,  -2,   4,   6}, { -8,  -2,   2,   2}},
    [KING]   = {{ 22,  34,  16,  -2}, { 14,  12, -10, -20}, {-14, -20, -28, -34}, {-26, -34, -42, -48},
                {-34, -42, -50, -56}, {-40, -48, -54, -60}, {-46, -52, -58, -62}, {-50, -54, -60, -64}},
    [KING_IN_THE_ENDGAME] =
               {{-44, -28, -20, -16}, {-26, -10,  -2,   2}, {-18,   0,  14,  20}, {-14,   6,  22,  30},
                {-14,   8,  24,  32}, {-16,   6,  20,  26}, {-24,  -8,   6,  10}, {-46, -28, -18, -14}},
};
// clang-format on

/* Tables for half a board: the other half mirrors it. The king has a second table for boards
 * without queens. */
int piece_squares(const Position *p, Color c)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= KING; t++) {
        const int table = t == KING && pos_type(p, QUEEN) == 0 ? KING_IN_THE_ENDGAME : t;
        for (Bitboard men = pos_pieces(p, c, t); men;) {
            const Square s = square_relative(c, bb_pop(&men));
            const int file = square_file(s);
            sum += tables[table][square_rank(s)][file < 4 ? file : 7 - file];
        }
    }
    return sum;
}
