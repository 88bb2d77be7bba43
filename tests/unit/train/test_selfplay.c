// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.h"
#include "train/parallel_map.h"
#include "train/selfplay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 12, CREW = 3 };

typedef struct Run {
    Player *players[CREW];
    SelfplayRules rules;
    uint64_t last, delivered;
    GameRecord games[GAMES];
} Run;

static SelfplayRules quick_rules(void)
{
    SelfplayRules rules = selfplay_defaults;
    rules.soft_nodes = 60;
    rules.hard_nodes = 120;
    rules.chess960_percent = rules.double_percent = 25;
    return rules;
}

static bool begin(void *user, uint64_t number, GameRecord *game)
{
    (void)game;
    return number < ((Run *)user)->last;
}

static bool work(void *user, int thread, uint64_t number, GameRecord *game, Error *err)
{
    Run *run = user;
    return selfplay_game(run->players[thread], &run->rules, number, game, err);
}

static bool put(void *user, uint64_t number, const GameRecord *game, Error *err)
{
    (void)err;
    Run *run = user;
    assert_int_equal(number, run->delivered); /* in order, whatever the threads do */
    run->games[run->delivered++] = *game;
    return true;
}

static Run *play_games(int threads)
{
    Run *run = calloc(1, sizeof *run);
    run->rules = quick_rules();
    run->last = GAMES;
    Error err = {0};
    for (int i = 0; i < threads; i++) {
        run->players[i] = player_create("", 1, &err);
        assert_non_null(run->players[i]);
    }
    const ParallelMap job = {run, begin, work, put};
    assert_true(parallel_map(&job, threads, 0, NULL, &err));
    assert_int_equal(run->delivered, GAMES);
    for (int i = 0; i < threads; i++)
        player_free(run->players[i]);
    return run;
}

static void assert_same(const GameRecord *a, const GameRecord *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->opening, b->opening);
    assert_int_equal(a->white_start, b->white_start);
    assert_int_equal(a->black_start, b->black_start);
    assert_memory_equal(a->plies, b->plies, (size_t)a->count * sizeof *a->plies);
}

static void games_depend_on_the_seed_and_not_on_the_threads(void **state)
{
    (void)state;
    Run *one = play_games(1), *three = play_games(CREW);
    int different = 0;
    for (int i = 0; i < GAMES; i++) {
        assert_same(&one->games[i], &three->games[i]);
        different += i > 0 && memcmp(one->games[i].plies, one->games[0].plies, 40) != 0;
    }
    assert_int_equal(different, GAMES - 1);
    free(one);
    free(three);
}

static void games_are_legal_and_balanced_at_first(void **state)
{
    (void)state;
    Run *run = play_games(2);
    int arrays = 0;
    for (int i = 0; i < GAMES; i++) {
        const GameRecord *game = &run->games[i];
        Position p;
        record_start(game, &p);
        assert_in_range(game->opening, 8, 9);
        assert_true(game->count > game->opening);
        assert_in_range(game->result, 0, 2);
        assert_in_range(game->plies[game->opening].score + 400, 0, 800);
        for (int k = 0; k < game->count; k++) {
            MoveList list;
            Undo undo;
            gen_legal(&p, &list);
            assert_true(list_has(&list, game->plies[k].move));
            pos_make(&p, game->plies[k].move, &undo, NULL);
        }
        arrays += game->chess960;
    }
    assert_in_range(arrays, 1, GAMES - 1);
    free(run);
}

static bool fail_at_five(void *user, int thread, uint64_t number, GameRecord *game, Error *err)
{
    (void)user;
    (void)thread;
    game->count = 0;
    return number < 5 || error_set(err, "game %d broke", (int)number);
}

static bool count_up(void *user, uint64_t number, const GameRecord *game, Error *err)
{
    (void)game;
    (void)err;
    assert_int_equal(number, *(uint64_t *)user);
    ++*(uint64_t *)user;
    return true;
}

static bool always(void *user, uint64_t number, GameRecord *game)
{
    (void)user;
    (void)number;
    (void)game;
    return true;
}

static void a_failing_game_stops_the_map_with_its_reason(void **state)
{
    (void)state;
    uint64_t delivered = 0;
    const ParallelMap job = {&delivered, always, fail_at_five, count_up};
    Error err;
    assert_false(parallel_map(&job, 4, 0, NULL, &err));
    assert_non_null(strstr(err.text, "broke"));
    assert_true(delivered <= 5);
}

static void rescoring_keeps_moves_and_result(void **state)
{
    (void)state;
    Run *run = play_games(1);
    Error err;
    Player *player = player_create("", 1, &err);
    GameRecord *again = malloc(sizeof *again), *twice = malloc(sizeof *twice);
    int changed = 0;
    for (int i = 0; i < 4; i++) {
        *again = *twice = run->games[i];
        assert_true(selfplay_rescore(player, 200, 300, again, &err));
        assert_true(selfplay_rescore(player, 200, 300, twice, &err));
        assert_same(again, twice);
        assert_int_equal(again->result, run->games[i].result);
        for (int k = 0; k < again->count; k++) {
            assert_int_equal(again->plies[k].move, run->games[i].plies[k].move);
            changed += again->plies[k].score != run->games[i].plies[k].score;
        }
    }
    assert_true(changed > 0);
    free(again);
    free(twice);
    player_free(player);
    free(run);
}

static void a_missing_network_is_told(void **state)
{
    (void)state;
    Error err;
    assert_null(player_create("/nonexistent/x.nnue", 1, &err));
    assert_non_null(strstr(err.text, "x.nnue"));
}

int main(void)
{
    attacks_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_depend_on_the_seed_and_not_on_the_threads),
        cmocka_unit_test(games_are_legal_and_balanced_at_first),
        cmocka_unit_test(a_failing_game_stops_the_map_with_its_reason),
        cmocka_unit_test(rescoring_keeps_moves_and_result),
        cmocka_unit_test(a_missing_network_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
