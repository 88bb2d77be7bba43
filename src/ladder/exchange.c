// SPDX-License-Identifier: GPL-3.0-or-later
/* exchange.c -- what does a capture win if both sides go on taking on that square, each time with
 * the least valuable man, and each stops when going on would lose? No search, no moves made: a list
 * of gains, counted down and then backed up.
 *
 * It tells good captures from bad ones, which the value of the victim alone does not: queen takes a
 * defended pawn is a blunder. So it orders captures (ordering.c), and the quiescence search may
 * leave out those that lose (quiescence.c). It does not see pins, checks or threats elsewhere. */
#include "ladder/search.h"

enum { MAX_EXCHANGE = 32, KING_VALUE = 20000 };

int piece_value(PieceType t)
{
    static const int values[] = {100, 320, 330, 500, 900, KING_VALUE, 0};
    return values[t];
}

static Bitboard least_valuable(const Position *p, Bitboard men, PieceType *type)
{
    for (PieceType t = PAWN; t <= KING; t++)
        if (men & pos_type(p, t)) {
            *type = t;
            return bb_square(bb_first(men & pos_type(p, t)));
        }
    return 0;
}

/* gain[i]: what the side that takes for the i-th time has won by then if the exchange ends there. A
 * man that has taken leaves its square, and sliders behind it join in: attackers are looked up each
 * time with what still stands. Backing up, each side stops where going on is worse. */
int exchange_value(const Position *p, Move m)
{
    const Square to = move_to(m);
    Bitboard occupied = pos_occupied(p) & ~bb_square(move_from(m));
    PieceType risked = piece_type(pos_piece_on(p, move_from(m))); /* stands on `to` now */
    int gain[MAX_EXCHANGE], last = 0;
    gain[0] = piece_value(piece_type(pos_captured(p, m)));
    if (move_kind(m) == EN_PASSANT)
        occupied ^= bb_square(to ^ 8);
    if (move_kind(m) == PROMOTION) {
        risked = move_promotion(m);
        gain[0] += piece_value(risked) - piece_value(PAWN);
    }

    for (Color side = color_flip(p->turn); last + 1 < MAX_EXCHANGE; side = color_flip(side)) {
        const Bitboard attackers = pos_attackers(p, to, occupied) & occupied;
        PieceType type;
        const Bitboard taker = least_valuable(p, attackers & pos_color(p, side), &type);
        if (!taker || (type == KING && (attackers & pos_color(p, color_flip(side)))))
            break; /* nobody is left, or only a king that may not take what is defended */
        last++;
        gain[last] = piece_value(risked) - gain[last - 1];
        risked = type;
        occupied &= ~taker;
    }
    for (; last > 0; last--)
        if (-gain[last] < gain[last - 1])
            gain[last - 1] = -gain[last];
    return gain[0];
}
