// SPDX-License-Identifier: GPL-3.0-or-later
/* What must not change: techniques that only save work give the score of plain minimax. */
#include "support.h"

static TechniqueSet all_exact(void)
{
    TechniqueSet set = 0;
    for (int t = 0; t < TECHNIQUE_COUNT; t++)
        if (technique_spec((Technique)t)->exact)
            set |= TECHNIQUE(t);
    return set;
}

static RunResult prove(Runner *r, TechniqueSet techniques, Evaluation e, const Position *p,
                       int depth)
{
    const Program program = {"test", techniques, &values_proof, e};
    return program_run(r, &program, p, &(RunLimits){depth, 0});
}

static void assert_equal_results(RunResult clever, RunResult plain)
{
    assert_int_equal(clever.score, plain.score);
    assert_int_equal(clever.best == MOVE_NONE, plain.best == MOVE_NONE);
}

static void assert_same(Runner *r, TechniqueSet techniques, Evaluation e, const Position *p,
                        int depth)
{
    assert_equal_results(prove(r, techniques, e, p, depth), prove(r, 0, e, p, depth));
}

static void each_exact_technique_keeps_the_score_of_minimax(void **state)
{
    Rng rng;
    rng_seed(&rng, 42);
    for (int i = 0; i < 90; i++) {
        Position p;
        random_position(&rng, &p);
        const int depth = 1 + i % 3;
        const RunResult plain = prove(*state, 0, EVAL_CLASSICAL, &p, depth);
        for (int t = 0; t < TECHNIQUE_COUNT; t++)
            if (technique_spec((Technique)t)->exact)
                assert_equal_results(prove(*state, PLAIN | TECHNIQUE(t), EVAL_CLASSICAL, &p, depth),
                                     plain);
    }
}

/* The static exchange is exact where no quiescence search prunes by it. */
static void any_set_of_exact_techniques_keeps_the_score_of_minimax(void **state)
{
    const TechniqueSet exact = all_exact() | TECHNIQUE(STATIC_EXCHANGE);
    Rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 120; i++) {
        Position p;
        random_position(&rng, &p);
        const TechniqueSet set = PLAIN | ((TechniqueSet)rng_next(&rng) & exact);
        assert_same(*state, set, (Evaluation)(i % EVALUATION_COUNT), &p, 1 + i % 3);
    }
}

static void exact_techniques_agree_deep_in_endings(void **state)
{
    static const char *const endings[] = {
        "8/8/4k3/8/8/3PK3/8/8 w - - 0 1", "8/5k2/8/8/8/1R6/5K2/8 b - - 0 1",
        "7k/8/5K2/6P1/8/8/8/8 w - - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const Position p = position_of(endings[i]);
        assert_same(*state, all_exact(), EVAL_CLASSICAL, &p, 4);
    }
}

/* White's view in minimax, the mover's in negamax: a sign that is wrong in one shows here. */
static void both_colours_get_the_same_value(void **state)
{
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 60; i++) {
        Position p, flipped;
        random_position(&rng, &p);
        pos_flip(&p, &flipped);
        const TechniqueSet set = rung_techniques(i % RUNG_COUNT) & all_exact();
        const Evaluation e = (Evaluation)(i % EVALUATION_COUNT);
        assert_int_equal(prove(*state, set, e, &p, 3).score,
                         prove(*state, set, e, &flipped, 3).score);
    }
}

static void minimax_visits_what_perft_counts(void **state)
{
    assert_int_equal(run_fen(*state, 0, EVAL_MATERIAL, START, 3).nodes, 1 + 20 + 400 + 8902);
}

static void negamax_visits_what_alpha_beta_visits(void **state)
{
    for (int i = 0; i < ladder_position_count(); i++) {
        const RunResult two = run_fen(*state, TECHNIQUE(ALPHA_BETA), EVAL_MATERIAL,
                                      ladder_position(i), 4),
                        one = run_fen(*state, PLAIN, EVAL_MATERIAL, ladder_position(i), 4);
        assert_int_equal(one.nodes, two.nodes);
        assert_int_equal(one.best, two.best);
    }
}

static void every_rung_finds_a_mate_and_counts_its_plies(void **state)
{
    for (int rung = 0; rung < RUNG_COUNT; rung++) {
        const RunResult result = run_fen(*state, rung_techniques(rung), EVAL_MATERIAL,
                                         "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 2);
        assert_int_equal(result.score, MATE_SCORE - 1);
        assert_best(result.best, "a1a8");
    }
}

static void every_rung_knows_mate_and_stalemate(void **state)
{
    for (int rung = 0; rung < RUNG_COUNT; rung++) {
        const TechniqueSet set = rung_techniques(rung);
        const RunResult mate = run_fen(*state, set, EVAL_MATERIAL,
                                       "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 3),
                        stalemate =
                            run_fen(*state, set, EVAL_MATERIAL, "k7/8/1Q6/8/8/8/8/K7 b - - 0 1", 3);
        assert_int_equal(mate.score, -MATE_SCORE);
        assert_int_equal(stalemate.score, 0);
        assert_int_equal(mate.best, MOVE_NONE);
        assert_int_equal(stalemate.best, MOVE_NONE);
    }
}

static void a_run_repeats_to_the_node(void **state)
{
    for (int rung = 4; rung < RUNG_COUNT; rung++) {
        const RunResult one = run_fen(*state, rung_techniques(rung), EVAL_MATERIAL, KIWIPETE, 4),
                        two = run_fen(*state, rung_techniques(rung), EVAL_MATERIAL, KIWIPETE, 4);
        assert_int_equal(one.nodes, two.nodes);
        assert_int_equal(one.score, two.score);
        assert_int_equal(one.best, two.best);
    }
}

static void the_numbers_of_the_reports_are_there(void **state)
{
    (void)state;
    assert_int_equal(MATE_SCORE, 10000);
    assert_int_equal(INFINITY_SCORE, 30000);
    assert_int_equal(1 << TABLE_LOG2_ENTRIES, 8388608);
    assert_int_equal(MAX_PLY, 100);
    assert_int_equal(KILLER_SLOTS, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_exact_technique_keeps_the_score_of_minimax),
        cmocka_unit_test(any_set_of_exact_techniques_keeps_the_score_of_minimax),
        cmocka_unit_test(exact_techniques_agree_deep_in_endings),
        cmocka_unit_test(both_colours_get_the_same_value),
        cmocka_unit_test(minimax_visits_what_perft_counts),
        cmocka_unit_test(negamax_visits_what_alpha_beta_visits),
        cmocka_unit_test(every_rung_finds_a_mate_and_counts_its_plies),
        cmocka_unit_test(every_rung_knows_mate_and_stalemate),
        cmocka_unit_test(a_run_repeats_to_the_node),
        cmocka_unit_test(the_numbers_of_the_reports_are_there),
    };
    return cmocka_run_group_tests(tests, open_runner, close_runner);
}
