// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/level.h"
#include "samara.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void every_step_of_the_scale_is_stronger_than_the_last(void **state)
{
    (void)state;
    Level last, level;
    assert_true(level_at(LEVEL_MIN_ELO, &last));
    for (int elo = LEVEL_MIN_ELO + 1; elo < LEVEL_MAX_ELO; elo++) {
        assert_true(level_at(elo, &level));
        assert_true(level.depth >= last.depth);
        assert_true(level.temperature < last.temperature);
        assert_true(level.blind < last.blind);
        assert_true(level.lines <= last.lines && level.lines <= LEVEL_MAX_LINES);
        last = level;
    }
}

static void the_top_of_the_scale_limits_nothing(void **state)
{
    (void)state;
    Level level;
    assert_false(level_at(LEVEL_MAX_ELO, &level));
}

static const LevelMove choices[] = {{1, 0, 0.60}, {2, 0, 0.57}, {3, 0, 0.45}, {4, 0, 0.10}};

/* How much a player of this rating gives away on average. */
static double mean_loss(int elo, double stress)
{
    Rng rng;
    Level level;
    double sum = 0;
    rng_seed(&rng, 1);
    assert_true(level_at(elo, &level));
    for (int i = 0; i < 5000; i++)
        sum += choices[0].expectation -
               choices[level_choose(&level, stress, choices, 4, &rng)].expectation;
    return sum / 5000;
}

static void weaker_players_give_away_more(void **state)
{
    (void)state;
    double last = 1;
    for (int elo = 500; elo < 3000; elo += 250) {
        const double loss = mean_loss(elo, 1);
        assert_true(loss < last);
        last = loss;
    }
}

static void stress_makes_errors(void **state)
{
    (void)state;
    assert_true(mean_loss(1500, 1.6) > mean_loss(1500, 1));
}

static void a_club_player_never_drops_a_queen_for_nothing(void **state)
{
    (void)state;
    Rng rng;
    Level level;
    rng_seed(&rng, 3);
    assert_true(level_at(1400, &level));
    for (int i = 0; i < 100000; i++)
        assert_int_not_equal(level_choose(&level, 1.7, choices, 4, &rng), 3);
}

static void the_same_seed_makes_the_same_errors(void **state)
{
    (void)state;
    Level level;
    Rng a, b;
    rng_seed(&a, 9);
    rng_seed(&b, 9);
    assert_true(level_at(800, &level));
    for (int i = 0; i < 1000; i++)
        assert_int_equal(level_choose(&level, 1, choices, 4, &a),
                         level_choose(&level, 1, choices, 4, &b));
}

static void stress_grows_with_captures_and_without_time(void **state)
{
    (void)state;
    Position p;
    attacks_init();
    pos_start(&p);
    assert_true(level_stress(&p, 1000) > level_stress(&p, 60000));
    assert_true(level_stress(&p, -1) == level_stress(&p, 60000));
    assert_true(level_stress(&p, -1) >= 1);
}

static void hear_message(void *user, const char *text)
{
    if (strcmp(text, "book move") == 0)
        *(int *)user += 1;
}

/* Asks for one move in this position many times; returns how many came from the book. */
static int book_answers(const char *fen, int elo, SamaraBookUse use, char answers[50][8])
{
    Samara *engine = samara_new(NULL, NULL);
    SamaraPosition *p = samara_position_new();
    int from_book = 0;
    assert_true(engine && p && samara_position_set(p, fen, false, NULL, 0, NULL));
    const SamaraEvents events = {.user = &from_book, .message = hear_message};
    for (int i = 0; i < 50; i++) {
        SamaraResult result;
        const SamaraRequest request = {
            .position = p, .elo = elo, .seed = i + 1, .book = use, .limits.nodes = 2000};
        assert_true(samara_search(engine, &request, &events, &result, NULL));
        memcpy(answers[i], result.best.uci, sizeof answers[i]);
    }
    samara_position_free(p);
    samara_free(engine);
    return from_book;
}

#define QUEENS_PAWN "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 "

/* A club player does not answer 1. d4 with h5, and does not always play the same. */
static void levels_know_the_openings(void **state)
{
    (void)state;
    char answers[50][8];
    for (int elo = 500; elo <= 3000; elo += 500) {
        bool differ = false;
        assert_int_equal(book_answers(QUEENS_PAWN "1", elo, SAMARA_BOOK_UNUSED, answers), 50);
        for (int i = 0; i < 50; i++) {
            assert_string_not_equal(answers[i], "h7h5");
            differ |= strcmp(answers[i], answers[0]) != 0;
        }
        assert_true(differ);
    }
}

static void what_levels_know_by_heart_ends_some_time_and_strength_needs_no_book(void **state)
{
    (void)state;
    char answers[50][8];
    assert_int_equal(book_answers(QUEENS_PAWN "9", 1500, SAMARA_BOOK_UNUSED, answers), 0);
    assert_int_equal(book_answers(QUEENS_PAWN "1", 0, SAMARA_BOOK_UNUSED, answers), 0);
    assert_int_equal(book_answers(QUEENS_PAWN "1", 0, SAMARA_BOOK_BY_LOT, answers), 50);
    for (int elo = 500; elo < 3500; elo += 250)
        assert_true(level_book_plies(elo) > level_book_plies(elo - 250));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_of_the_scale_is_stronger_than_the_last),
        cmocka_unit_test(the_top_of_the_scale_limits_nothing),
        cmocka_unit_test(weaker_players_give_away_more),
        cmocka_unit_test(stress_makes_errors),
        cmocka_unit_test(a_club_player_never_drops_a_queen_for_nothing),
        cmocka_unit_test(the_same_seed_makes_the_same_errors),
        cmocka_unit_test(stress_grows_with_captures_and_without_time),
        cmocka_unit_test(levels_know_the_openings),
        cmocka_unit_test(what_levels_know_by_heart_ends_some_time_and_strength_needs_no_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
