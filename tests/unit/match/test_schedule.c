// SPDX-License-Identifier: GPL-3.0-or-later
/* Who plays whom, and how results become scores. */
#include "match/schedule.h"
#include "match/score.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void a_match_is_played_in_pairs_with_colours_swapped(void **state)
{
    (void)state;
    const Schedule s = {.engines = 2, .rounds = 3, .games = 2, .repeat = true};
    assert_int_equal(schedule_games(&s), 6);
    for (uint64_t g = 0; g < 6; g++) {
        const Fixture f = schedule_fixture(&s, g);
        assert_int_equal(f.white, g % 2);
        assert_int_equal(f.black, 1 - g % 2);
        assert_int_equal(f.opening, g / 2);
        assert_int_equal(f.round, g / 2);
    }
}

static void without_repeat_every_game_has_its_own_opening(void **state)
{
    (void)state;
    const Schedule s = {.engines = 2, .rounds = 5, .games = 1, .repeat = false};
    for (uint64_t g = 0; g < 5; g++) {
        assert_int_equal(schedule_fixture(&s, g).opening, g);
        assert_int_equal(schedule_fixture(&s, g).white, g % 2);
    }
}

/* However rounds and games are divided, the pairs are the same. */
static void pairs_span_rounds_of_one_game(void **state)
{
    (void)state;
    const Schedule wide = {.engines = 3, .rounds = 1, .games = 4, .repeat = true},
                   tall = {.engines = 3, .rounds = 4, .games = 1, .repeat = true};
    int seen[2][3][2][4] = {{{{0}}}}; /* schedule, pairing, opening, white + 1 */
    for (uint64_t g = 0; g < 12; g++) {
        const Fixture a = schedule_fixture(&wide, g), b = schedule_fixture(&tall, g);
        seen[0][a.pairing][a.opening][a.white]++;
        seen[1][b.pairing][b.opening][b.white]++;
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
}

static void a_round_robin_meets_everybody_equally_often(void **state)
{
    (void)state;
    const Schedule s = {.form = ROUND_ROBIN, .engines = 5, .rounds = 3, .games = 2, .repeat = true};
    int white[5][5] = {{0}};
    assert_int_equal(schedule_pairings(&s), 10);
    assert_int_equal(schedule_games(&s), 60);
    for (uint64_t g = 0; g < 60; g++) {
        const Fixture f = schedule_fixture(&s, g);
        white[f.white][f.black]++;
    }
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            assert_int_equal(white[a][b], a == b ? 0 : 3);
}

static void a_gauntlet_has_the_first_engine_in_every_game(void **state)
{
    (void)state;
    const Schedule s = {.form = GAUNTLET, .engines = 4, .rounds = 2, .games = 2, .repeat = true};
    int met[4] = {0};
    assert_int_equal(schedule_games(&s), 12);
    for (uint64_t g = 0; g < 12; g++) {
        const Fixture f = schedule_fixture(&s, g);
        assert_true(f.white == 0 || f.black == 0);
        met[f.white + f.black]++;
    }
    for (int i = 1; i < 4; i++)
        assert_int_equal(met[i], 4);
}

static void add(Score *score, Result result)
{
    const Fixture f = schedule_fixture(&score->schedule, score->games);
    const GameResult game = {.result = result, .plies = 80, .thinking = 1000};
    score_add(score, &f, &game);
}

/* The first engine has White in even games: 1-0 0-1 is two wins for it, 1-0 1-0 one of each. */
static void pairs_of_games_fill_the_five_categories(void **state)
{
    (void)state;
    const Schedule s = {.engines = 2, .rounds = 10, .games = 2, .repeat = true};
    static const Result pairs[][2] = {
        {RESULT_WHITE, RESULT_BLACK}, {RESULT_WHITE, RESULT_DRAW}, {RESULT_WHITE, RESULT_WHITE},
        {RESULT_DRAW, RESULT_DRAW},   {RESULT_DRAW, RESULT_WHITE}, {RESULT_BLACK, RESULT_WHITE},
    };
    static const uint64_t expected[PENTANOMIAL] = {1, 1, 2, 1, 1};
    Score score;
    assert_true(score_init(&score, &s, NULL));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int k = 0; k < 2; k++)
            add(&score, pairs[i][k]);
    const PairingScore *p = &score.pairings[0];
    assert_memory_equal(p->tally.count, expected, sizeof expected);
    assert_int_equal(p->wins, 4);
    assert_int_equal(p->draws, 4);
    assert_int_equal(p->losses, 4);
    assert_int_equal(score.games, 12);
    assert_int_equal(score.plies, 960);
    assert_int_equal(score.engines[0].white_wins, 3);
    assert_int_equal(score.engines[1].wins, 4);
    score_free(&score);
}

static void half_a_pair_does_not_count_yet(void **state)
{
    (void)state;
    const Schedule s = {.engines = 2, .rounds = 10, .games = 2, .repeat = true};
    Score score;
    assert_true(score_init(&score, &s, NULL));
    add(&score, RESULT_WHITE);
    assert_int_equal(stats_of(&score.pairings[0].tally).trials, 0);
    add(&score, RESULT_DRAW);
    assert_int_equal(stats_of(&score.pairings[0].tally).trials, 1);
    assert_int_equal(score.pairings[0].tally.count[3], 1);
    score_free(&score);
}

static void faults_are_counted_for_the_engine_not_the_colour(void **state)
{
    (void)state;
    const Schedule s = {.engines = 2, .rounds = 1, .games = 2, .repeat = true};
    Score score;
    assert_true(score_init(&score, &s, NULL));
    for (int g = 0; g < 2; g++) {
        const Fixture f = schedule_fixture(&s, (uint64_t)g);
        GameResult game = {.result = RESULT_DRAW};
        game.faults[g][FAULT_PV_MATE] =
            2; /* White's in the first game, Black's in the second: engine 0 */
        score_add(&score, &f, &game);
    }
    assert_int_equal(score.engines[0].faults[FAULT_PV_MATE], 4);
    assert_int_equal(score.engines[1].faults[FAULT_PV_MATE], 0);
    score_free(&score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_is_played_in_pairs_with_colours_swapped),
        cmocka_unit_test(without_repeat_every_game_has_its_own_opening),
        cmocka_unit_test(pairs_span_rounds_of_one_game),
        cmocka_unit_test(a_round_robin_meets_everybody_equally_often),
        cmocka_unit_test(a_gauntlet_has_the_first_engine_in_every_game),
        cmocka_unit_test(pairs_of_games_fill_the_five_categories),
        cmocka_unit_test(half_a_pair_does_not_count_yet),
        cmocka_unit_test(faults_are_counted_for_the_engine_not_the_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
