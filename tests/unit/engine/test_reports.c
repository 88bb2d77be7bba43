// SPDX-License-Identifier: GPL-3.0-or-later
/* The positions by which the authors of the reports judged their engines (docs/MISSION.md): each
 * best move, and each short mate, within a hundred thousand nodes. */
#include "samara.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

typedef struct Problem {
    const char *fen;
    const char *best;
    int mate; /* in so many moves, 0: not asked for */
} Problem;

static const Problem eight_of_the_first_report[] = {
    {"4r1k1/r4p1p/p3bRpQ/q2pP3/2pP4/Bpn1R3/6PP/1B4K1 w - - 0 1", "b1g6", 0},
    {"5r2/Rpp4p/3k2p1/3N4/2P1P1b1/1PQ3P1/1P5r/4KB1q w - - 0 1", "c3b4", 0},
    {"2RR1K2/1B3PPq/5Q2/4P3/7n/Ppp1b3/p5pp/3rk2N b - - 0 1", "d1d8", 0},
    {"3R1K2/1B3PPq/5Q2/2R1P3/7n/Ppp5/p5pp/3rk2N b - - 0 1", "d1d8", 0},
    {"3R3q/1B2KPP1/5Q2/2R1P3/7n/Ppp5/p5pp/3rk2N b - - 0 1", "h8d8", 2},
    {"3q4/1B3PP1/4KQ2/2R1P3/7n/Ppp5/p5pp/3rk2N b - - 0 1", "d8d7", 1},
    {"6k1/3r2p1/R4p2/1p2qP1Q/4P3/1P1P3P/1Pr2BP1/6K1 w - - 0 1", "a6a8", 4},
    {"r1bqk2r/pppp1p1p/5p2/2b1p2Q/2B1P3/8/PP1PKPPP/n1B3NR w kq - 0 1", "h5f7", 1},
};

static const Problem fifteen_of_the_first_report[] = {
    {"6k1/5ppp/p7/P7/5b2/7P/1r3PP1/3R2K1 w - - 0 1", "d1d8", 1},
    {"1r2R3/8/2p2k1p/p5p1/Pp1n4/6Pq/QP3P2/4R1K1 b - - 0 1", "d4f3", 1},
    {"3r2rk/p5pp/1p4n1/3p2N1/2pP4/2P1R3/qPBQ1PPP/6K1 w - - 0 1", "g5f7", 1},
    {"r1b2rk1/pp3pp1/2nbpq1p/2pp2N1/3P3P/2P1P3/PPQ2PP1/RN2KB1R w KQ - 0 1", "c2h7", 1},
    {"r1bqkb1r/pppp1ppp/2n2n2/3Q4/2B1P3/8/PB3PPP/RN2K1NR w KQkq - 0 1", "d5f7", 1},
    {"r4r1k/1R1R2p1/7p/8/8/3Q1Ppq/P7/6K1 w - - 0 1", "d3h7", 4},
    {"2N5/5p2/6pp/7k/4N3/p3P1KP/1p6/3b4 w - - 0 1", "h3h4", 0},
    {"6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1", "h4f4", 0},
    {"2q1nk1r/4Rp2/1ppp1P2/6Pp/3p1B2/3P3P/PPP1Q3/6K1 w - - 0 1", "e7e8", 0},
    {"6r1/p3p1rk/1p1pPp1p/q3n2R/4P3/3BR2P/PPP2QP1/7K w - - 0 1", "h5h6", 0},
    {"r1bq2nr/pp2k2p/3bB3/5pPP/1n1P4/4Q3/PBP1N1P1/R4RK1 w - - 1 20", "e6f5", 0},
    {"rn4k1/5rbn/1p1p4/1p1q1p1p/3P4/P1B1P2P/Q2N1PR1/1K4R1 w - - 2 27", "a2d5", 0},
    {"r4k2/pb6/1p2qP1p/P2p3r/5Q2/1Pn1RN1P/5PB1/6K1 w - - 1 33", "e3e6", 0},
    {"1r1qk1nr/pp2b2p/4p3/1b1P2BP/1PB3Pn/1R4N1/P1P5/3Q1RK1 w - - 1 24", "c4b5", 0},
    {"3qb2k/1p6/1P5p/p1P1pBrn/P1Nb2p1/B2Q4/7K/5R2 b - - 4 54", "g5f5", 0},
};

static const Problem mates_of_the_fourth_report[] = {
    {"6n1/6n1/k7/8/2R5/1Q6/6r1/K7 w - - 0 1", "c4a4", 1},
    {"6n1/1k4n1/8/8/2R5/3Q4/6r1/K7 w - - 0 1", "d3b3", 2},
    {"2k3n1/6n1/8/8/4R3/3Q4/6r1/K7 w - - 0 1", "e4c4", 3},
};

static bool solves(Samara *engine, const Problem *p)
{
    SamaraResult result;
    SamaraPosition *position = samara_position_new();
    assert_true(samara_position_set(position, p->fen, false, NULL, 0, NULL));
    const SamaraRequest request = {.position = position, .limits.nodes = 100000, .fresh = true};
    assert_true(samara_search(engine, &request, NULL, &result, NULL));
    samara_position_free(position);
    const SamaraScore *score = &result.score;
    const bool moves = strcmp(result.best.uci, p->best) == 0;
    const bool mates = p->mate == 0 || (score->is_mate && score->value == p->mate);
    if (moves && mates)
        return true;
    print_error("%s: %s, wanted %s\n", p->fen, result.best.uci, p->best);
    return false;
}

static void assert_all_solved(const Problem *problems, size_t count)
{
    Samara *engine = samara_new(NULL, NULL);
    assert_non_null(engine);
    size_t solved = 0;
    for (size_t i = 0; i < count; i++)
        solved += solves(engine, &problems[i]);
    samara_free(engine);
    assert_int_equal(solved, count);
}

#define SOLVE(problems) assert_all_solved(problems, sizeof(problems) / sizeof((problems)[0]))

static void the_first_reports_eight_positions_are_solved(void **state)
{
    (void)state;
    SOLVE(eight_of_the_first_report);
}

static void the_first_reports_fifteen_positions_are_solved(void **state)
{
    (void)state;
    SOLVE(fifteen_of_the_first_report);
}

static void the_fourth_reports_mates_are_found(void **state)
{
    (void)state;
    SOLVE(mates_of_the_fourth_report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_reports_eight_positions_are_solved),
        cmocka_unit_test(the_first_reports_fifteen_positions_are_solved),
        cmocka_unit_test(the_fourth_reports_mates_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
