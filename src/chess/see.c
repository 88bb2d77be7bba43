// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/see.h"

const int see_value[7] = {100, 430, 445, 690, 1300, 0, 0};

/* The cheapest of `attackers`; the king comes last, since it may only take what nobody defends.
 * Among equals the choice is made from the viewer's side of the board, so that flipping the colours
 * changes nothing. */
static PieceType least_valuable(const Position *p, Bitboard attackers, Color viewer,
                                Bitboard *which)
{
    for (PieceType t = PAWN; t < KING; t++) {
        const Bitboard equals = attackers & p->by_type[t];
        if (equals) {
            const Bitboard seen = viewer == WHITE ? equals : bb_flip(equals);
            *which = viewer == WHITE ? seen & -seen : bb_flip(seen & -seen);
            return t;
        }
    }
    *which = attackers;
    return KING;
}

/* Men that line up behind the one that just took join the exchange. */
static Bitboard reveal(const Position *p, PieceType taker, Square to, Bitboard occupied)
{
    Bitboard revealed = 0;
    if (taker == PAWN || taker == BISHOP || taker == QUEEN)
        revealed |= bishop_attacks(to, occupied) & (p->by_type[BISHOP] | p->by_type[QUEEN]);
    if (taker == ROOK || taker == QUEEN)
        revealed |= rook_attacks(to, occupied) & (p->by_type[ROOK] | p->by_type[QUEEN]);
    return revealed;
}

/* The null-window swap: `balance` is what the last taker has above the threshold if its man is
 * lost; negative means that the other side must not be able to take. A pawn that takes on the last
 * rank gains a queen and risks one, so that it risks a pawn all the same. */
bool see_at_least(const Position *p, Move m, int threshold)
{
    const Square from = move_from(m), to = move_to(m);
    if (move_kind(m) == CASTLING)
        return threshold <= 0;

    PieceType risked = piece_type(p->board[from]);
    int balance = see_value[piece_type(pos_captured(p, m))] - threshold;
    if (move_kind(m) == PROMOTION) {
        risked = move_promotion(m);
        balance += see_value[risked] - see_value[PAWN];
    }
    if (balance < 0)
        return false;
    balance -= see_value[risked];
    if (balance >= 0)
        return true;

    Bitboard occupied = (pos_occupied(p) & ~bb_square(from)) | bb_square(to);
    if (move_kind(m) == EN_PASSANT)
        occupied ^= bb_square(to ^ 8);
    const Bitboard exchange_square = bb_square(to);
    Bitboard attackers = pos_attackers(p, to, occupied);
    const Color us = piece_color(p->board[from]);
    Color side = color_flip(us);

    for (;; side = color_flip(side)) {
        attackers &= occupied;
        Bitboard takers = attackers & p->by_color[side];
        /* A pinned man stays at home as long as a pinner stands outside the exchange. */
        if (p->st.pinners[color_flip(side)] & occupied & ~exchange_square)
            takers &= ~p->st.blockers[side];
        if (!takers)
            break;

        Bitboard which;
        const PieceType taker = least_valuable(p, takers, us, &which);
        if (taker == KING) {
            /* The king may take only if nobody could take back. */
            if (attackers & p->by_color[color_flip(side)])
                break;
            side = color_flip(side);
            break;
        }
        occupied ^= which;
        attackers |= reveal(p, taker, to, occupied);
        balance = -balance - 1 - see_value[taker];
        if (balance >= 0) {
            side = color_flip(side);
            break;
        }
    }
    return side != us;
}
