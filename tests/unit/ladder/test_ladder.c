// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "classical/classical.h"
#include "ladder/ladder.h"

/* A position after some random moves: quiet ones, wild ones, endings, mates. */
static void random_position(Rng *rng, Position *p)
{
    MoveList moves;
    pos_start(p);
    for (int plies = (int)rng_below(rng, 120); plies > 0; plies--) {
        gen_legal(p, &moves);
        if (moves.count == 0)
            break;
        Undo undo;
        pos_make(p, moves.moves[rng_below(rng, (uint64_t)moves.count)], &undo, NULL);
    }
}

static void all_exact_rungs_agree(const Position *p, int depth)
{
    LadderResult first, other;
    assert_true(ladder_search(RUNG_MINIMAX, YARDSTICK_CLASSICAL, p, depth, &first));
    for (int r = RUNG_MINIMAX + 1; r < RUNG_COUNT; r++) {
        assert_true(ladder_search((Rung)r, YARDSTICK_CLASSICAL, p, depth, &other));
        if (ladder_is_exact((Rung)r))
            assert_int_equal(other.score, first.score);
        assert_int_equal(other.best == MOVE_NONE, first.best == MOVE_NONE);
    }
}

static void exact_searches_give_equal_scores_on_random_positions(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 42);
    for (int i = 0; i < 300; i++) {
        Position p;
        random_position(&rng, &p);
        all_exact_rungs_agree(&p, 1 + i % 2);
    }
}

static void exact_searches_give_equal_scores_at_depth_three(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 12; i++) {
        Position p;
        random_position(&rng, &p);
        all_exact_rungs_agree(&p, 3);
    }
}

static void exact_searches_give_equal_scores_in_deep_endings(void **state)
{
    (void)state;
    static const char *const endings[] = {
        "8/8/4k3/8/8/3PK3/8/8 w - - 0 1", "8/5k2/8/8/8/1R6/5K2/8 b - - 0 1",
        "7k/8/5K2/6P1/8/8/8/8 w - - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        Position p;
        assert_true(fen_parse(&p, str_from(endings[i]), FEN_STANDARD, NULL, NULL));
        all_exact_rungs_agree(&p, 4);
    }
}

static void every_search_finds_a_mate_and_counts_its_plies(void **state)
{
    (void)state;
    Position p;
    assert_true(fen_parse(&p, STR("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), FEN_STANDARD, NULL, NULL));
    for (int r = 0; r < RUNG_COUNT; r++) {
        LadderResult result;
        assert_true(ladder_search((Rung)r, YARDSTICK_CLASSICAL, &p, 2, &result));
        assert_int_equal(result.score, LADDER_MATE - 1);
        assert_int_equal(move_to(result.best), A8);
    }
}

static void each_rung_visits_fewer_nodes_than_the_one_below(void **state)
{
    (void)state;
    Position p;
    assert_true(
        fen_parse(&p, STR("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
                  FEN_STANDARD, NULL, NULL));
    uint64_t below = UINT64_MAX;
    for (int r = 0; r <= RUNG_NEGAMAX; r++) {
        LadderResult result;
        assert_true(ladder_search((Rung)r, YARDSTICK_CLASSICAL, &p, 3, &result));
        assert_true(result.nodes < below);
        below = result.nodes;
    }
}

static void minimax_visits_what_perft_counts(void **state)
{
    (void)state;
    Position p;
    LadderResult result;
    pos_start(&p);
    assert_true(ladder_search(RUNG_MINIMAX, YARDSTICK_CLASSICAL, &p, 3, &result));
    assert_int_equal(result.nodes, 1 + 20 + 400 + 8902);
}

static int value_of(Yardstick yardstick, const char *fen)
{
    Position p;
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    return yardstick_value(yardstick, &p);
}

/* Rook and pawn against knight, Black to move, a check on the board: every term of the reports. */
static void the_evaluations_of_the_reports_count_as_they_say(void **state)
{
    (void)state;
    static const char fen[] = "4k3/8/8/3n4/4R3/8/P7/4K3 b - - 0 1";
    assert_int_equal(value_of(YARDSTICK_FIRST, fen), 30 - 50 - 10);
    assert_int_equal(value_of(YARDSTICK_SECOND, fen), 300 - 500 - 100 + 10);
    assert_int_equal(value_of(YARDSTICK_THIRD, fen), 320 - 500 - 100 + 10);
    /* White: rook 5, pawn 1, check 2, centre 1; Black: knight 3, centre 1; nobody across. */
    assert_int_equal(value_of(YARDSTICK_POINTS, fen), 3 + 1 - (5 + 1 + 2 + 1));
    assert_int_equal(value_of(YARDSTICK_POINTS, "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1"), -(5 + 2 + 1));
}

static void searches_agree_with_any_yardstick(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 4 * YARDSTICK_COUNT; i++) {
        Position p;
        LadderResult plain, clever;
        random_position(&rng, &p);
        const Yardstick yardstick = (Yardstick)(i % YARDSTICK_COUNT);
        assert_true(ladder_search(RUNG_MINIMAX, yardstick, &p, 2, &plain));
        assert_true(ladder_search(RUNG_NEGASCOUT, yardstick, &p, 2, &clever));
        assert_int_equal(plain.score, clever.score);
    }
}

static void yardsticks_are_found_by_name(void **state)
{
    (void)state;
    for (int j = 0; j < YARDSTICK_COUNT; j++) {
        Yardstick yardstick;
        assert_true(yardstick_named(str_from(yardstick_name((Yardstick)j)), &yardstick));
        assert_int_equal(yardstick, j);
    }
    Yardstick yardstick;
    assert_false(yardstick_named(STR("fourth"), &yardstick));
}

static int set_up(void **state)
{
    (void)state;
    attacks_init();
    classical_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_searches_give_equal_scores_on_random_positions),
        cmocka_unit_test(exact_searches_give_equal_scores_at_depth_three),
        cmocka_unit_test(exact_searches_give_equal_scores_in_deep_endings),
        cmocka_unit_test(every_search_finds_a_mate_and_counts_its_plies),
        cmocka_unit_test(each_rung_visits_fewer_nodes_than_the_one_below),
        cmocka_unit_test(minimax_visits_what_perft_counts),
        cmocka_unit_test(the_evaluations_of_the_reports_count_as_they_say),
        cmocka_unit_test(searches_agree_with_any_yardstick),
        cmocka_unit_test(yardsticks_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
