// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/json.h"
#include "chess/epd.h"
#include "review/puzzle.h"
#include <stdlib.h>
#include <string.h>

static const ReviewEffort effort = {.limits.nodes = 20000};

/* The puzzle of this move, or false if it is none. */
static bool make(const char *fen, const char *uci, Puzzle *out)
{
    Study study;
    SamaraMove move;
    SamaraPosition *position = samara_position_new();
    Verdict *verdict = malloc(sizeof *verdict);
    assert_non_null(position);
    assert_non_null(verdict);
    assert_true(samara_position_set(position, fen, false, NULL, 0, NULL));
    assert_true(samara_position_read_move(position, uci, &move, NULL));
    assert_true(study_open(&study, &effort, NULL));
    assert_true(verdict_of_move(&study, position, &move, verdict));
    const bool due = puzzle_is_due(verdict);
    if (due)
        assert_true(puzzle_make(&study, position, verdict, NULL, out));
    study_close(&study);
    samara_position_free(position);
    free(verdict);
    return due;
}

static bool has_theme(const Puzzle *p, ClaimKind kind)
{
    for (int i = 0; i < p->theme_count; i++)
        if (p->themes[i] == kind)
            return true;
    return false;
}

static void a_missed_mate_has_one_solution(void **state)
{
    (void)state;
    Puzzle p;
    assert_true(make("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "g1g2", &p));
    assert_true(p.exact);
    assert_int_equal(p.solution.length, 1);
    assert_string_equal(p.solution.steps[0].san, "Ra8#");
    assert_true(has_theme(&p, CLAIM_MATE));
    assert_true(has_theme(&p, CLAIM_BACK_RANK));
    assert_string_equal(p.played.san, "Kg2");
}

/* The fork wins the rook; the solver's second move is to take it. */
static void a_fork_is_followed_to_the_capture(void **state)
{
    (void)state;
    Puzzle p;
    assert_true(make("r3k3/pp6/8/3N4/8/8/PP4PP/4K3 w - - 0 1", "d5e3", &p));
    assert_true(p.exact);
    assert_string_equal(p.solution.steps[0].san, "Nc7+");
    assert_int_equal(p.solution.length, 3);
    assert_string_equal(p.solution.steps[2].san, "Nxa8");
    assert_true(has_theme(&p, CLAIM_FORK));
}

/* Several moves take the queen: any of them is right, so no line is asked for. */
static void two_good_moves_are_not_exact(void **state)
{
    (void)state;
    Puzzle p;
    assert_true(make("4k3/8/8/3q4/8/1B3N2/4N3/3RK3 w - - 0 1", "e1f1", &p));
    assert_false(p.exact);
    assert_int_equal(p.solution.length, 1);
}

static void a_good_move_makes_no_puzzle(void **state)
{
    (void)state;
    Puzzle p;
    assert_false(make("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", &p));
}

static void longer_and_quieter_is_harder(void **state)
{
    (void)state;
    const PuzzleFeatures easy = {.moves = 1}, longer = {.moves = 2},
                         quiet = {.moves = 1, .quiets = 1}, tempting = {.moves = 1, .checks = 2};
    assert_true(puzzle_rating(&longer) > puzzle_rating(&easy));
    assert_true(puzzle_rating(&quiet) > puzzle_rating(&easy));
    assert_true(puzzle_rating(&tempting) > puzzle_rating(&easy));
}

/* Counted from the board: a check by the rook that mates, and what else there was to choose. */
static void features_are_those_of_the_board(void **state)
{
    (void)state;
    SamaraPosition *position = samara_position_new();
    SamaraMove move;
    ReviewLine line = {.length = 1};
    PuzzleFeatures f;
    assert_true(
        samara_position_set(position, "6k1/5ppp/8/n7/8/8/8/R5K1 w - - 0 1", false, NULL, 0, NULL));
    assert_true(samara_position_read_move(position, "a1e1", &move, NULL));
    step_of(&move, &line.steps[0]);
    puzzle_features(position, &line, &f);
    assert_int_equal(f.moves, 1);
    assert_int_equal(f.quiets, 1);
    assert_int_equal(f.captures, 1); /* the knight hangs */
    assert_int_equal(f.checks, 0);
    assert_true(f.far && !f.mate && !f.check && !f.sacrifice);
    assert_int_equal(f.men, 7);
    samara_position_free(position);
}

/* Both files can be read again, and say the same. */
static void puzzles_are_written_for_other_programs(void **state)
{
    (void)state;
    Puzzle p;
    Buffer pgn = {0}, epd = {0};
    assert_true(make("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "g1g2", &p));
    puzzle_pgn(&p, "A \"quoted\" title", &pgn);
    SamaraGame *game = samara_game_read(buffer_text(&pgn), pgn.len, NULL, NULL);
    assert_non_null(game);
    assert_int_equal(samara_game_length(game), 1);
    assert_string_equal(samara_game_moves(game)[0].san, "Ra8#");
    assert_string_equal(samara_game_tag(game, "Event"), "A \"quoted\" title");
    assert_string_equal(samara_game_fen(game), "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    samara_game_free(game);
    puzzle_epd(&p, "", &epd);
    assert_non_null(strstr(buffer_text(&epd), "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;"));
    buffer_free(&pgn);
    buffer_free(&epd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missed_mate_has_one_solution),
        cmocka_unit_test(a_fork_is_followed_to_the_capture),
        cmocka_unit_test(two_good_moves_are_not_exact),
        cmocka_unit_test(a_good_move_makes_no_puzzle),
        cmocka_unit_test(longer_and_quieter_is_harder),
        cmocka_unit_test(features_are_those_of_the_board),
        cmocka_unit_test(puzzles_are_written_for_other_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
