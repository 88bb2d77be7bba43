// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "front/http/judge.h"
#include "front/http/review.h"
#include <math.h>
#include <string.h>

static void chances_are_symmetric_and_end_in_mate(void **state)
{
    (void)state;
    assert_true(judge_win_percent(0, 0) == 50);
    assert_true(fabs(judge_win_percent(150, 0) + judge_win_percent(-150, 0) - 100) < 1e-9);
    assert_true(judge_win_percent(300, 0) > judge_win_percent(200, 0));
    assert_true(judge_win_percent(0, 3) == 100 && judge_win_percent(0, -3) == 0);
}

static void moves_are_judged_by_what_they_lose(void **state)
{
    (void)state;
    const struct {
        double before, after;
        const char *name;
        int nag;
    } cases[] = {{50, 50, "", 0},           {50, 60, "", 0},        {50, 45.1, "", 0},
                 {50, 45, "inaccuracy", 6}, {50, 40, "mistake", 2}, {50, 35, "blunder", 4},
                 {100, 0, "blunder", 4},    {12, 1, "mistake", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Judgement judgement = judge_move(cases[i].before, cases[i].after);
        assert_string_equal(judge_name(judgement), cases[i].name);
        assert_int_equal(judge_nag(judgement), cases[i].nag);
    }
    assert_true(judge_accuracy(40, 45) == 100);
    assert_true(judge_accuracy(100, 0) < 1 && judge_accuracy(100, 0) >= 0);
    const double good[] = {100, 100, 100, 100}, mixed[] = {100, 100, 100, 10};
    assert_true(judge_game_accuracy(good, 4) == 100);
    assert_true(judge_game_accuracy(mixed, 4) <
                77.5); /* one bad move weighs more than in the average */
}

/* A review of "1. f3 e5 2. g4 Qh4#" as an engine might have seen it. */
static void make_review(Review *review)
{
    static const char pgn[] =
        "[White \"A \\\\ \\\"B\\\"\"]\n[Result \"0-1\"]\n[Zeta \"z\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    SamaraGame *game = samara_game_read(pgn, strlen(pgn), NULL, NULL);
    assert_non_null(game);
    assert_true(review_init(review, game));
    const struct {
        int value;
        bool mate;
        const char *line[4];
    } found[] = {{60, false, {"e2e4", "e7e5"}},
                 {30, false, {"e7e5"}},
                 {-40, false, {"e2e4", "d8h4", "e1e2"}},
                 {1, true, {"d8h4"}},
                 {-1, true, {NULL}}};
    SamaraPosition *position = samara_position_new(), *ahead = samara_position_new();
    for (size_t ply = 0; ply <= 4; ply++) {
        SamaraLine line = {0};
        SamaraResult result = {.score = {.is_mate = found[ply].mate, .value = found[ply].value}};
        assert_true(samara_game_position(game, ply, position, NULL));
        assert_true(samara_game_position(game, ply, ahead, NULL));
        for (; found[ply].line[line.length]; line.length++) {
            SamaraMove *move = &line.moves[line.length];
            assert_true(samara_position_read_move(ahead, found[ply].line[line.length], move, NULL));
            assert_true(samara_position_play(ahead, move, NULL));
        }
        result.best = line.moves[0];
        result.lines = &line;
        result.line_count = 1;
        review_keep(review, ply, position, &result);
    }
    samara_position_free(position);
    samara_position_free(ahead);
}

static void a_report_names_the_blunder(void **state)
{
    (void)state;
    Review review;
    make_review(&review);
    json_t *report = review_report(&review);
    json_t *moves = json_object_get(report, "moves");
    assert_int_equal(json_array_size(moves), 4);
    const char *judgement = NULL, *best = NULL, *san = NULL;
    int mate = 0, blunders = 0, ply = 0;
    assert_int_equal(json_unpack(json_array_get(moves, 2), "{s:s, s:s, s:s, s:{s:i}}", "judgement",
                                 &judgement, "best_san", &best, "san", &san, "score", "mate",
                                 &mate),
                     0);
    assert_string_equal(judgement, "blunder");
    assert_string_equal(best, "e4");
    assert_string_equal(san, "g4");
    assert_int_equal(mate, -1);
    assert_int_equal(json_unpack(report, "{s:{s:i}, s:[i!]}", "white", "blunders", &blunders,
                                 "turning_points", &ply),
                     0);
    assert_int_equal(blunders, 1);
    assert_int_equal(ply, 3);
    assert_null(json_object_get(json_array_get(moves, 1), "judgement"));
    assert_null(json_object_get(json_array_get(moves, 3), "score")); /* mate speaks for itself */
    json_decref(report);
    review_free(&review);
}

static void half_a_review_reports_what_it_knows(void **state)
{
    (void)state;
    Review review;
    make_review(&review);
    review.position[0].known = review.position[1].known = false;
    json_t *report = review_report(&review);
    json_t *moves = json_object_get(report, "moves");
    assert_null(json_object_get(json_array_get(moves, 0), "score"));
    assert_non_null(json_object_get(json_array_get(moves, 2), "judgement"));
    json_decref(report);
    review_free(&review);
}

static void annotated_pgn_is_exact(void **state)
{
    (void)state;
    Review review;
    Buffer pgn = {0};
    make_review(&review);
    review_pgn(&review, &pgn);
    assert_string_equal(
        buffer_text(&pgn),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
        "[White \"A \\\\ \\\"B\\\"\"]\n[Black \"?\"]\n[Result \"0-1\"]\n[Zeta \"z\"]\n"
        "[Annotator \"Samara\"]\n\n"
        "1. f3 $6 { [%eval -0.30] Inaccuracy. e4 was best. } (1. e4 e5) 1... e5 {\n"
        "[%eval -0.40] } 2. g4 $4 { [%eval #-1] Blunder. e4 was best. } (2. e4 Qh4+ 3.\n"
        "Ke2) 2... Qh4# 0-1\n");
    SamaraGame *again = samara_game_read(buffer_text(&pgn), pgn.len, NULL, NULL);
    assert_non_null(again);
    assert_int_equal(samara_game_length(again), 4);
    samara_game_free(again);
    buffer_free(&pgn);
    review_free(&review);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_are_symmetric_and_end_in_mate),
        cmocka_unit_test(moves_are_judged_by_what_they_lose),
        cmocka_unit_test(a_report_names_the_blunder),
        cmocka_unit_test(half_a_review_reports_what_it_knows),
        cmocka_unit_test(annotated_pgn_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
