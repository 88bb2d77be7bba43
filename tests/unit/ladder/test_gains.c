// SPDX-License-Identifier: GPL-3.0-or-later
/* What each technique gains: every test runs a search with and without the one it is about, and so
 * fails when the technique does nothing. */
#include "support.h"

/* --- fewer nodes over the ladder's positions --- */

typedef struct Saving {
    Technique technique;
    TechniqueSet base; /* what it is added to */
    int depth;
    double at_least; /* share of the nodes that must be saved */
} Saving;

static void techniques_save_nodes(void **state)
{
    const TechniqueSet table = rung_techniques(TRANSPOSITION_TABLE + 1),
                       scout = rung_techniques(NEGASCOUT + 1),
                       quiet = scout | TECHNIQUE(QUIESCENCE) | TECHNIQUE(PIECE_SQUARES),
                       exchange = quiet | TECHNIQUE(STATIC_EXCHANGE),
                       unsorted = PLAIN | TECHNIQUE(TRANSPOSITION_TABLE) | TECHNIQUE(PIECE_SQUARES);
    const Saving savings[] = {
        {ALPHA_BETA, 0, 3, 0.85},
        {CAPTURES_FIRST, PLAIN, 4, 0.70},
        {TRANSPOSITION_TABLE, rung_techniques(ITERATIVE_DEEPENING + 1), 4, 0.20},
        {ITERATIVE_DEEPENING, table & ~TECHNIQUE(ITERATIVE_DEEPENING), 5, 0.001},
        {KILLER_MOVES, table, 4, 0.10},
        {NEGASCOUT, rung_techniques(KILLER_MOVES + 1), 4, 0.05},
        {NULL_MOVE, scout, 5, 0.30},
        {STATIC_EXCHANGE, quiet, 4, 0.30},
        {DELTA_PRUNING, exchange, 4, 0.05},
        {HISTORY, scout | TECHNIQUE(PIECE_SQUARES), 5, 0.02},
        {COUNTER_MOVES, scout | TECHNIQUE(PIECE_SQUARES), 5, 0.005},
        {RAZORING, exchange, 4, 0.10},
        {FUTILITY, exchange, 4, 0.10},
        {LATE_MOVE_REDUCTIONS, exchange, 4, 0.25},
        {LATE_MOVE_PRUNING, exchange, 4, 0.25},
        {ASPIRATION, quiet, 5, 0.002},
        {INTERNAL_DEEPENING, unsorted, 5, 0.30},
        {MULTI_CUT, quiet, 6, 0.10},
    };
    for (size_t i = 0; i < sizeof savings / sizeof *savings; i++) {
        const Saving *s = &savings[i];
        const uint64_t without = suite_nodes(*state, s->base, EVAL_MATERIAL, s->depth),
                       with = suite_nodes(*state, s->base | TECHNIQUE(s->technique), EVAL_MATERIAL,
                                          s->depth);
        if ((double)with > (1 - s->at_least) * (double)without)
            fail_msg("%s: %llu nodes without it, %llu with it", technique_spec(s->technique)->name,
                     (unsigned long long)without, (unsigned long long)with);
    }
}

/* --- better answers, or the same ones --- */

/* White to move can take a defended pawn with the queen. One ply deep that wins a pawn. */
static void quiescence_sees_behind_the_horizon(void **state)
{
    static const char fen[] = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    const RunResult blind = run_fen(*state, PLAIN, EVAL_MATERIAL, fen, 1),
                    seeing = run_fen(*state, PLAIN | TECHNIQUE(QUIESCENCE), EVAL_MATERIAL, fen, 1);
    assert_best(blind.best, "d2d6");
    assert_true(move_to(seeing.best) != D6);
    assert_true(seeing.score < blind.score);
}

static void quiescence_may_stand_pat(void **state)
{
    /* The only capture loses the queen: nobody must take. */
    const RunResult result = run_fen(*state, PLAIN | TECHNIQUE(QUIESCENCE), EVAL_MATERIAL,
                                     "4k3/2p5/3p4/8/3Q4/8/8/4K3 b - - 0 1", 1);
    assert_int_equal(result.score, -(900 - 200) - 10);
}

/* After Ka5-b5 whoever has to move loses his pawn on the c-file, and Black has to. A null move lets
 * him pass. His bishop is there for the rule that asks for a piece; it cannot move. */
static void null_move_errs_in_zugzwang_and_verification_does_not(void **state)
{
    static const char fen[] = "7b/6p1/6Pp/K1p4P/2Pk4/8/8/8 w - - 0 1";
    const TechniqueSet plain = PLAIN | TECHNIQUE(NEGASCOUT) | TECHNIQUE(QUIESCENCE);
    int wrong = 0;
    for (int depth = 5; depth <= 8; depth++) {
        const RunResult truth = run_fen(*state, plain, EVAL_MATERIAL, fen, depth),
                        bold = run_fen(*state, plain | TECHNIQUE(NULL_MOVE), EVAL_MATERIAL, fen,
                                       depth),
                        careful =
                            run_fen(*state, plain | TECHNIQUE(NULL_MOVE) | TECHNIQUE(VERIFICATION),
                                    EVAL_MATERIAL, fen, depth);
        wrong += bold.score != truth.score;
        assert_int_equal(careful.score, truth.score);
    }
    assert_true(wrong > 0);
}

static void null_move_is_off_without_pieces(void **state)
{
    /* Only king and pawns: whoever must move loses. */
    static const char fen[] = "8/8/1p1p4/1PkP4/2P1K3/8/8/8 w - - 0 1";
    const TechniqueSet plain = rung_techniques(NEGASCOUT + 1);
    for (int depth = 3; depth <= 8; depth++) {
        const RunResult without = run_fen(*state, plain, EVAL_MATERIAL, fen, depth),
                        with = run_fen(*state, plain | TECHNIQUE(NULL_MOVE), EVAL_MATERIAL, fen,
                                       depth);
        assert_int_equal(with.nodes, without.nodes);
        assert_int_equal(with.score, without.score);
    }
}

/* A mate in four moves that begins with checks. */
static void check_extension_finds_a_mate_sooner(void **state)
{
    static const char fen[] = "6k1/3r2p1/R4p2/1p2qP1Q/4P3/1P1P3P/1Pr2BP1/6K1 w - - 0 1";
    int plain_depth = 1, extended_depth = 1;
    const TechniqueSet plain = rung_techniques(NEGASCOUT + 1),
                       extended = plain | TECHNIQUE(CHECK_EXTENSION);
    while (run_fen(*state, plain, EVAL_MATERIAL, fen, plain_depth).score < MATE_BOUND)
        plain_depth++;
    while (run_fen(*state, extended, EVAL_MATERIAL, fen, extended_depth).score < MATE_BOUND)
        extended_depth++;
    assert_true(extended_depth < plain_depth);
    assert_best(run_fen(*state, extended, EVAL_MATERIAL, fen, extended_depth).best, "a6a8");
}

static void piece_squares_develop(void **state)
{
    const RunResult blind = run_fen(*state, PLAIN, EVAL_MATERIAL, START, 1),
                    seeing =
                        run_fen(*state, PLAIN | TECHNIQUE(PIECE_SQUARES), EVAL_MATERIAL, START, 1);
    assert_int_equal(blind.score, -10); /* all moves are equal, and the other side has the move */
    assert_true(seeing.score > blind.score);
    const Square to = move_to(seeing.best);
    assert_true(to == E4 || to == D4 || to == C3 || to == F3);
}

/* The best moves of the first report's positions, which must survive all pruning. */
static void the_last_rung_still_solves_the_first_report_s_positions(void **state)
{
    static const struct {
        const char *fen, *best;
    } cases[] = {
        {"4r1k1/r4p1p/p3bRpQ/q2pP3/2pP4/Bpn1R3/6PP/1B4K1 w - - 0 1", "b1g6"},
        {"5r2/Rpp4p/3k2p1/3N4/2P1P1b1/1PQ3P1/1P5r/4KB1q w - - 0 1", "c3b4"},
        {"2RR1K2/1B3PPq/5Q2/4P3/7n/Ppp1b3/p5pp/3rk2N b - - 0 1", "d1d8"},
        {"3R1K2/1B3PPq/5Q2/2R1P3/7n/Ppp5/p5pp/3rk2N b - - 0 1", "d1d8"},
        {"3R3q/1B2KPP1/5Q2/2R1P3/7n/Ppp5/p5pp/3rk2N b - - 0 1", "h8d8"},
        {"3q4/1B3PP1/4KQ2/2R1P3/7n/Ppp5/p5pp/3rk2N b - - 0 1", "d8d7"},
        {"6k1/3r2p1/R4p2/1p2qP1Q/4P3/1P1P3P/1Pr2BP1/6K1 w - - 0 1", "a6a8"},
        {"r1bqk2r/pppp1p1p/5p2/2b1p2Q/2B1P3/8/PP1PKPPP/n1B3NR w kq - 0 1", "h5f7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const RunResult result =
            run_fen(*state, rung_techniques(RUNG_COUNT - 1), EVAL_MATERIAL, cases[i].fen, 9);
        assert_best(result.best, cases[i].best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(techniques_save_nodes),
        cmocka_unit_test(quiescence_sees_behind_the_horizon),
        cmocka_unit_test(quiescence_may_stand_pat),
        cmocka_unit_test(null_move_errs_in_zugzwang_and_verification_does_not),
        cmocka_unit_test(null_move_is_off_without_pieces),
        cmocka_unit_test(check_extension_finds_a_mate_sooner),
        cmocka_unit_test(piece_squares_develop),
        cmocka_unit_test(the_last_rung_still_solves_the_first_report_s_positions),
    };
    return cmocka_run_group_tests(tests, open_runner, close_runner);
}
