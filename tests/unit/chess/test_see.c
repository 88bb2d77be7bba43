// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include "chess/notation.h"
#include "chess/see.h"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

/* The threshold at which the answer turns from yes to no. */
static int exact_value(const Position *p, Move m)
{
    int low = -5000, high = 5000; /* yes at low, no at high */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (see_at_least(p, m, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum { P = 100, N = 430, B = 445, R = 690, Q = 1300 };

static void exchanges_worked_out_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move;
        int value;
    } cases[] = {
        /* for nothing, and pawn for pawn */
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", P},
        {"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0},
        {"4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", P - R},
        {"4k3/8/2p5/3b4/8/2N5/8/4K3 w - - 0 1", "Nxd5", B - N},
        /* a quiet move onto an attacked square, and onto a safe one */
        {"4k3/8/2p5/8/1N6/8/8/4K3 w - - 0 1", "Nd5", -N},
        {"4k3/8/2p5/8/1N6/8/8/4K3 w - - 0 1", "Nd3", 0},
        {"4k3/8/2p5/8/1N2P3/8/8/4K3 w - - 0 1", "Nd5", P - N},
        /* x-rays: the second rook joins in; the queen stands behind the bishop */
        {"4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", P - R + P},
        {"4k3/4n3/8/3p4/8/1B6/Q7/5K2 w - - 0 1", "Bxd5", P - B + N},
        {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", P - R},
        {"4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", P},
        /* the enemy behind his own man */
        {"3qk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", P - R},
        /* a pinned defender stays at home, until its pinner has left */
        {"4k3/4n3/8/3p4/8/1B6/8/4RK2 w - - 0 1", "Bxd5", P},
        {"4k3/4n3/8/3p4/8/1B6/8/5K2 w - - 0 1", "Bxd5", P - B},
        {"4k3/8/4n3/8/3p4/4R3/8/5K2 w - - 0 1", "Rd3", 0},
        {"4k3/8/4n3/8/5p2/4R3/8/5K2 w - - 0 1", "Re4", 0},
        /* our own pinned man cannot take back: Bxf7+ Rxf7, and the knight on e5 is pinned */
        {"4qrk1/5p2/8/4N3/2B5/8/8/4K3 w - - 0 1", "Bxf7", P - B},
        {"5rk1/5p2/8/4N3/2B5/8/8/4K3 w - - 0 1", "Bxf7", P - B + R - N},
        /* kings take what nobody defends, and only that */
        {"8/8/3k4/3p4/8/1B6/8/5K2 w - - 0 1", "Bxd5", P - B},
        {"8/8/3k4/3p4/8/1B6/Q7/5K2 w - - 0 1", "Bxd5", P},
        {"8/8/3k4/3p4/4K3/8/8/8 w - - 0 1", "Kf5", 0},
        {"6k1/8/8/3p4/4K3/8/8/8 w - - 0 1", "Kxd5", P},
        /* en passant */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", P},
        {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0},
        {"3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0},
        {"3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "exd6", P},
        /* promotions */
        {"7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", Q - P},
        {"7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N", N - P},
        {"1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", -P},
        {"1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q", R + Q - P},
        {"1rr4k/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q", R - P},
        {"1r5k/P7/8/8/8/8/8/R3K3 w - - 0 1", "a8=Q", -P + R},
        /* castling harms nobody */
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0},
        /* a battery of everything */
        {"k2r4/3r4/2n5/3p4/4P3/2N2B2/3R4/K2R4 w - - 0 1", "exd5", P},
        {"k2r4/3r4/8/3p4/8/2N5/3R4/K2R4 w - - 0 1", "Nxd5", P},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position p = position(cases[i].fen, FEN_STANDARD);
        const Move m = move_from_san(&p, str_from(cases[i].move));
        assert_int_not_equal(m, MOVE_NONE);
        const int value = exact_value(&p, m);
        if (value != cases[i].value)
            fail_msg("%s %s: %d, not %d", cases[i].fen, cases[i].move, value, cases[i].value);

        /* The same from the other side. */
        Position flipped;
        pos_flip(&p, &flipped);
        const Move f =
            (Move)(square_flip(move_from(m)) | square_flip(move_to(m)) << 6 | (m & 0xF000));
        assert_int_equal(exact_value(&flipped, f), cases[i].value);
    }
}

/* --- the same rules, written as a recursion with plain boards --- */

static Bitboard takers_of(const Position *p, Color side, Square to, Bitboard occupied)
{
    Bitboard takers = pos_attackers(p, to, occupied) & occupied & p->by_color[side];
    if (p->st.pinners[color_flip(side)] & occupied & ~bb_square(to))
        takers &= ~p->st.blockers[side];
    return takers;
}

/* What `side` wins by taking the man of type `there` on `to`, or 0 if it had better not. */
static int best_take(const Position *p, Color side, Color viewer, Square to, Bitboard occupied,
                     PieceType there)
{
    const Bitboard takers = takers_of(p, side, to, occupied);
    for (PieceType t = PAWN; t <= KING; t++)
        for (int i = 0; i < 64; i++) {
            const Square s = viewer == WHITE ? i : square_flip(i);
            if (!bb_has(takers & p->by_type[t], s))
                continue;
            const Bitboard left = occupied ^ bb_square(s);
            if (t == KING)
                return pos_attackers(p, to, left) & left & p->by_color[color_flip(side)]
                           ? 0
                           : see_value[there];
            const int gain = see_value[there] - best_take(p, color_flip(side), viewer, to, left, t);
            return gain > 0 ? gain : 0;
        }
    return 0;
}

static int slow_value(const Position *p, Move m)
{
    const Square from = move_from(m), to = move_to(m);
    if (move_kind(m) == CASTLING)
        return 0;
    Bitboard occupied = (pos_occupied(p) ^ bb_square(from)) | bb_square(to);
    if (move_kind(m) == EN_PASSANT)
        occupied ^= bb_square(to ^ 8);
    const bool promotes = move_kind(m) == PROMOTION;
    const PieceType there = promotes ? move_promotion(m) : piece_type(p->board[from]);
    int value = see_value[piece_type(pos_captured(p, m))];
    if (promotes)
        value += see_value[there] - see_value[PAWN];
    if (there == KING)
        return value; /* the move is legal: nobody takes the king */
    return value - best_take(p, color_flip(p->turn), p->turn, to, occupied, there);
}

static void check_see(Position *p, void *user)
{
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        const int value = slow_value(p, m);
        if (!see_at_least(p, m, value) || see_at_least(p, m, value + 1)) {
            char fen[FEN_SIZE], uci[UCI_MOVE_SIZE];
            fen_write(p, fen);
            move_to_uci(m, p->chess960, uci);
            fail_msg("%s %s: %d, not %d", fen, uci, exact_value(p, m), value);
        }
    }
    *(int *)user += list.count;
}

static void the_swap_agrees_with_a_recursion(void **state)
{
    (void)state;
    int checks = 0;
    visit_suites(1, check_see, &checks);
    assert_in_range(checks, 250000, 400000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_worked_out_by_hand),
        cmocka_unit_test(the_swap_agrees_with_a_recursion),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
