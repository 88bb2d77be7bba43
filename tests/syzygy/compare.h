// SPDX-License-Identifier: GPL-3.0-or-later
/* compare.h -- positions of a table by its name, and what libfathom says of them. */
#ifndef SAMARA_TESTS_SYZYGY_COMPARE_H
#define SAMARA_TESTS_SYZYGY_COMPARE_H

#include "base/rng.h"
#include "chess/fen.h"
#include "probe/syzygy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tbprobe.h>

#include <cmocka.h>

static Syzygy *ours;

static unsigned ep_of(const Position *p) { return p->st.ep == NO_SQUARE ? 0 : p->st.ep; }

static int their_wdl(const Position *p)
{
    const unsigned found =
        tb_probe_wdl(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING], p->by_type[QUEEN],
                     p->by_type[ROOK], p->by_type[BISHOP], p->by_type[KNIGHT], p->by_type[PAWN], 0,
                     0, ep_of(p), p->turn == WHITE);
    assert_int_not_equal(found, TB_RESULT_FAILED);
    return (int)found - TB_DRAW;
}

static bool usable(Position *p)
{
    p->ply = p->turn;
    pos_finish(p);
    const Square king = pos_king(p, color_flip(p->turn));
    return !pos_attacked(p, king, p->turn, pos_occupied(p)) &&
           !bb_has(attack_king[pos_king(p, WHITE)], pos_king(p, BLACK));
}

/* The men of a table's name on squares[i]; false if two share one or a pawn cannot be there. */
static bool place_men(Position *p, const char *name, const Square *squares, Color strong)
{
    Color c = strong;
    pos_clear(p);
    for (int i = 0; *name; name++) {
        if (*name == 'v') {
            c = color_flip(c);
            continue;
        }
        const PieceType t = (PieceType)(strchr("PNBRQK", *name) - "PNBRQK");
        const Square s = squares[i++];
        if (pos_piece_on(p, s) != NO_PIECE || (t == PAWN && bb_has(RANK_1 | RANK_8, s)))
            return false;
        pos_put(p, piece_make(c, t), s);
    }
    return true;
}

static void random_position(Position *p, const char *name, Rng *rng)
{
    Square squares[8];
    do {
        for (int i = 0; i < 8; i++)
            squares[i] = (Square)rng_below(rng, 64);
        if (!place_men(p, name, squares, (Color)rng_below(rng, 2)))
            continue;
        p->turn = (uint8_t)rng_below(rng, 2);
        p->st.ep = NO_SQUARE;
        if (usable(p))
            return;
    } while (true);
}

static void compare_wdl(const Position *p)
{
    Wdl wdl = WDL_DRAW;
    char fen[FEN_SIZE];
    fen_write(p, fen);
    if (!syzygy_wdl(ours, p, &wdl))
        fail_msg("%s: not known", fen);
    if ((int)wdl != their_wdl(p))
        fail_msg("%s: %d, libfathom says %d", fen, (int)wdl, their_wdl(p));
}

#endif
