// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/bitboard.h"

void bb_draw(Bitboard b, char out[BB_TEXT_SIZE])
{
    char *p = out;
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            *p++ = bb_has(b, square_make(file, rank)) ? '#' : '.';
        *p++ = '\n';
    }
    *p = '\0';
}
