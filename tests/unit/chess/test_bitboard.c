// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include "chess/bitboard.h"

static void a_set_is_drawn_with_rank_8_on_top(void **state)
{
    (void)state;
    char text[BB_TEXT_SIZE];
    bb_draw(bb_square(A1) | bb_square(H8) | bb_rank(3), text);
    assert_string_equal(text,
                        ".......#\n........\n........\n........\n########\n........\n........\n"
                        "#.......\n");
}

static void sets_shift_without_wrapping_round(void **state)
{
    (void)state;
    assert_true(bb_east(bb_square(H4)) == 0);
    assert_true(bb_west(bb_square(A4)) == 0);
    assert_true(bb_north(bb_square(E8)) == 0);
    assert_true(bb_south(bb_square(E1)) == 0);
    assert_true(bb_east(bb_square(E4)) == bb_square(F4));
    assert_true(bb_forward(WHITE, bb_square(E4)) == bb_square(E5));
    assert_true(bb_forward(BLACK, bb_square(E4)) == bb_square(E3));
    assert_true(bb_pawn_attacks(WHITE, bb_square(A2) | bb_square(H2)) ==
                (bb_square(B3) | bb_square(G3)));
    assert_true(bb_pawn_attacks(BLACK, bb_square(D5)) == (bb_square(C4) | bb_square(E4)));
    assert_true(bb_relative_rank(BLACK, 1) == bb_rank(6));
    assert_true(bb_flip(bb_square(A1) | bb_square(C2)) == (bb_square(A8) | bb_square(C7)));
}

static void sets_are_counted_and_taken_apart(void **state)
{
    (void)state;
    Bitboard b = bb_square(C3) | bb_square(A1) | bb_square(H8);
    assert_int_equal(bb_count(b), 3);
    assert_true(bb_several(b));
    assert_int_equal(bb_pop(&b), A1);
    assert_int_equal(bb_pop(&b), C3);
    assert_false(bb_several(b));
    assert_int_equal(bb_first(b), H8);
    assert_int_equal(bb_pop(&b), H8);
    assert_true(b == 0);
    assert_int_equal(bb_count(DARK_SQUARES), 32);
    assert_true(bb_has(DARK_SQUARES, A1) && !bb_has(DARK_SQUARES, H1));
}

/* 16 bits hold every move there is, and say again what was put in. */
static void moves_keep_what_they_are_made_of(void **state)
{
    (void)state;
    for (Square from = A1; from <= H8; from++)
        for (Square to = A1; to <= H8; to++) {
            const Move plain = move_make(from, to);
            assert_true(move_from(plain) == from && move_to(plain) == to);
            assert_int_equal(move_kind(plain), NORMAL);
            for (PieceType t = KNIGHT; t <= QUEEN; t++) {
                const Move m = move_make_promotion(from, to, t);
                assert_true(move_from(m) == from && move_to(m) == to && move_promotion(m) == t);
                assert_int_equal(move_kind(m), PROMOTION);
            }
            assert_int_equal(move_kind(move_make_kind(from, to, CASTLING)), CASTLING);
            assert_int_equal(move_kind(move_make_kind(from, to, EN_PASSANT)), EN_PASSANT);
        }
    for (Piece piece = WHITE_PAWN; piece < PIECE_COUNT; piece++)
        assert_int_equal(piece_make(piece_color(piece), piece_type(piece)), piece);
    assert_int_equal(piece_type(NO_PIECE), NO_PIECE_TYPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_drawn_with_rank_8_on_top),
        cmocka_unit_test(sets_shift_without_wrapping_round),
        cmocka_unit_test(sets_are_counted_and_taken_apart),
        cmocka_unit_test(moves_keep_what_they_are_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
