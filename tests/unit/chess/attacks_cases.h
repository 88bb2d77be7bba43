// SPDX-License-Identifier: GPL-3.0-or-later
/* attacks_cases.h -- the attack tables against walking the rays: every square, every set of
 * blockers. The includer has taken in attacks.c, built for one of the two ways of indexing. */
#ifndef SAMARA_TESTS_CHESS_ATTACKS_CASES_H
#define SAMARA_TESTS_CHESS_ATTACKS_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Written a second time, from the geometry alone. */
static Bitboard slow_attacks(Square s, Bitboard occupied, bool diagonal)
{
    Bitboard attacks = 0;
    for (int direction = 0; direction < 4; direction++) {
        const int df = diagonal ? (direction & 1) * 2 - 1 : (direction == 0) - (direction == 1);
        const int dr = diagonal ? (direction & 2) - 1 : (direction == 2) - (direction == 3);
        int file = square_file(s) + df, rank = square_rank(s) + dr;
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            const Square to = square_make(file, rank);
            attacks |= bb_square(to);
            if (bb_has(occupied, to))
                break;
            file += df;
            rank += dr;
        }
    }
    return attacks;
}

static void check_slider(bool diagonal, long *checks)
{
    for (Square s = A1; s <= H8; s++) {
        /* All squares of the rays, edges too: blockers that do not matter must not matter. */
        const Bitboard rays = slow_attacks(s, 0, diagonal);
        Bitboard blockers = 0;
        do {
            const Bitboard got = diagonal ? bishop_attacks(s, blockers) : rook_attacks(s, blockers);
            if (got != slow_attacks(s, blockers, diagonal))
                fail_msg("square %d, blockers %llx", s, (unsigned long long)blockers);
            blockers = (blockers - rays) & rays;
            ++*checks;
        } while (blockers);
    }
}

static void sliders_agree_with_walking(void **state)
{
    (void)state;
    long bishops = 0, rooks = 0;
    check_slider(true, &bishops);
    check_slider(false, &rooks);
    assert_int_equal(rooks, 64L << 14);
    assert_int_equal(bishops, 71168);
}

static void far_blockers_do_not_matter(void **state)
{
    (void)state;
    for (Square s = A1; s <= H8; s++) {
        assert_true(bishop_attacks(s, ~slow_attacks(s, 0, true)) == slow_attacks(s, 0, true));
        assert_true(rook_attacks(s, ~slow_attacks(s, 0, false)) == slow_attacks(s, 0, false));
        assert_true(queen_attacks(s, ~0ULL) ==
                    (slow_attacks(s, ~0ULL, true) | slow_attacks(s, ~0ULL, false)));
    }
}

static void leapers_lines_and_distances_follow_from_geometry(void **state)
{
    (void)state;
    for (Square a = A1; a <= H8; a++)
        for (Square b = A1; b <= H8; b++) {
            const int df = abs(square_file(a) - square_file(b));
            const int dr = abs(square_rank(a) - square_rank(b));
            const int up = square_rank(b) - square_rank(a);
            assert_int_equal(square_distance(a, b), df > dr ? df : dr);
            assert_int_equal(bb_has(attack_knight[a], b), df * dr == 2);
            assert_int_equal(bb_has(attack_king[a], b), a != b && df <= 1 && dr <= 1);
            assert_int_equal(bb_has(attack_pawn[WHITE][a], b), df == 1 && up == 1);
            assert_int_equal(bb_has(attack_pawn[BLACK][a], b), df == 1 && up == -1);

            const bool diagonal = a != b && df == dr;
            const bool straight = a != b && (df == 0 || dr == 0);
            Bitboard line = 0, between = 0;
            if (diagonal || straight) {
                line = (slow_attacks(a, 0, diagonal) & slow_attacks(b, 0, diagonal)) |
                       bb_square(a) | bb_square(b);
                between = slow_attacks(a, bb_square(b), diagonal) &
                          slow_attacks(b, bb_square(a), diagonal);
            }
            assert_true(bb_line(a, b) == line);
            assert_true(bb_between(a, b) == between);
        }
}

static int run_attack_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliders_agree_with_walking),
        cmocka_unit_test(far_blockers_do_not_matter),
        cmocka_unit_test(leapers_lines_and_distances_follow_from_geometry),
    };
    attacks_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
