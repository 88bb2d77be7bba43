// SPDX-License-Identifier: GPL-3.0-or-later
/* The public interface as a client sees it. */
#include "samara.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static Samara *new_engine(void)
{
    SamaraError err;
    Samara *engine = samara_new(&err);
    assert_non_null(engine);
    return engine;
}

static void set(Samara *engine, const char *name, const char *value)
{
    SamaraError err;
    assert_true(samara_set_option(engine, name, value, &err));
}

static void assert_fen(const Samara *engine, const char *fen)
{
    char text[SAMARA_FEN_SIZE];
    samara_fen(engine, text);
    assert_string_equal(text, fen);
}

static void a_refused_position_leaves_the_old_one(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    const char *const moves[] = {"e2e4", "e7e5"}, *const bad[] = {"e2e4", "e2e4"};
    static const char expected[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_true(samara_set_position(engine, NULL, moves, 2, &err));
    assert_string_equal(err.text, "");
    assert_fen(engine, expected);
    assert_false(samara_set_position(engine, NULL, bad, 2, &err));
    assert_string_equal(err.code, "ILLEGAL_MOVE");
    assert_fen(engine, expected);
    assert_false(samara_set_position(engine, "rubbish", NULL, 0, &err));
    assert_true(err.code[0] && err.text[0]);
    assert_fen(engine, expected);
    assert_false(samara_play(engine, "e1e3", &err));
    assert_fen(engine, expected);
    samara_free(engine);
}

static void moves_are_played_and_taken_back(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    assert_false(samara_undo(engine));
    assert_true(samara_play(engine, "Nf3", &err));
    assert_true(samara_play(engine, "g8f6", &err));
    assert_true(samara_white_to_move(engine));
    assert_true(samara_undo(engine));
    assert_true(samara_undo(engine));
    assert_fen(engine, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_true(samara_play(engine, "e4", &err));
    char fen[SAMARA_FEN_SIZE];
    samara_fen_with_ep(engine, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    samara_free(engine);
}

static void the_state_of_the_game_has_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        SamaraState state;
    } cases[] = {
        {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", SAMARA_CHECKMATE},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", SAMARA_STALEMATE},
        {"8/8/8/8/8/2k5/8/KR6 w - - 100 90", SAMARA_FIFTY_MOVES},
        {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", SAMARA_NO_MATERIAL},
        {"4k3/8/8/8/8/8/8/4KR2 w - - 0 1", SAMARA_PLAYING},
    };
    Samara *engine = new_engine();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SamaraError err;
        assert_true(samara_set_position(engine, cases[i].fen, NULL, 0, &err));
        assert_int_equal(samara_state(engine), cases[i].state);
        assert_true(samara_state_name(cases[i].state)[0]);
    }
    samara_free(engine);
}

static void a_line_becomes_readable(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    char text[128], tiny[4];
    assert_true(samara_line_to_san(engine, "e2e4 e7e5 g1f3", text, sizeof text));
    assert_string_equal(text, "1. e4 e5 2. Nf3");
    assert_true(samara_play(engine, "e2e4", &err));
    assert_true(samara_line_to_san(engine, "c7c5 g1f3", text, sizeof text));
    assert_string_equal(text, "1... c5 2. Nf3");
    assert_false(samara_line_to_san(engine, "c7c5 c7c5", text, sizeof text));
    assert_false(samara_line_to_san(engine, "c7c5 g1f3", tiny, sizeof tiny));
    samara_free(engine);
}

static SamaraResult search(Samara *engine, const SamaraLimits *limits)
{
    SamaraResult result;
    SamaraError err;
    assert_true(samara_search(engine, limits, NULL, &result, &err));
    return result;
}

static void a_new_game_forgets_everything(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    const SamaraLimits limits = {.depth = 8};
    const SamaraResult first = search(engine, &limits);
    const SamaraResult warm = search(engine, &limits);
    samara_new_game(engine);
    const SamaraResult again = search(engine, &limits);
    assert_int_equal(first.nodes, again.nodes);
    assert_string_equal(first.best, again.best);
    assert_int_not_equal(warm.nodes, first.nodes);
    samara_free(engine);
}

static void several_engines_do_not_disturb_each_other(void **state)
{
    (void)state;
    SamaraError err;
    Samara *a = new_engine(), *b = new_engine();
    set(b, "Hash", "1");
    set(b, "UCI_Chess960", "true");
    assert_true(samara_play(a, "e2e4", &err));
    assert_fen(b, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    char value[16];
    assert_true(samara_get_option(a, "hash", value, sizeof value));
    assert_string_equal(value, "16");
    const SamaraLimits limits = {.depth = 6};
    const SamaraResult alone = search(a, &limits);
    samara_new_game(a);
    assert_true(samara_go(b, &(SamaraLimits){.infinite = true}, NULL, &err));
    const SamaraResult together = search(a, &limits);
    samara_stop(b);
    samara_wait(b);
    assert_int_equal(alone.nodes, together.nodes);
    samara_free(a);
    samara_free(b);
}

typedef struct Heard {
    int infos, dones;
    SamaraResult result;
    int last_depth;
    char last_move[SAMARA_MOVE_SIZE]; /* of the last line */
} Heard;

static void hear_info(void *user, const SamaraInfo *info)
{
    Heard *heard = user;
    heard->infos++;
    heard->last_depth = info->depth;
    snprintf(heard->last_move, sizeof heard->last_move, "%.*s", (int)strcspn(info->pv, " "),
             info->pv);
}

static void hear_done(void *user, const SamaraResult *result)
{
    Heard *heard = user;
    heard->dones++;
    heard->result = *result;
}

static void done_comes_exactly_once(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    for (int i = 0; i < 50; i++) {
        Heard heard = {0};
        const SamaraEvents events = {.user = &heard, .info = hear_info, .done = hear_done};
        assert_true(samara_go(engine, &(SamaraLimits){.infinite = true}, &events, &err));
        if (i % 2)
            usleep(1000);
        samara_stop(engine);
        samara_stop(engine);
        samara_wait(engine);
        assert_int_equal(heard.dones, 1);
        assert_int_equal(strlen(heard.result.best), 4);
        assert_false(samara_is_searching(engine));
    }
    samara_free(engine);
}

static void freeing_or_changing_an_engine_ends_its_search(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    Heard heard = {0};
    const SamaraEvents events = {.user = &heard, .done = hear_done};
    assert_true(samara_go(engine, &(SamaraLimits){.infinite = true}, &events, &err));
    set(engine, "Hash", "2");
    assert_int_equal(heard.dones, 1);
    assert_true(samara_go(engine, &(SamaraLimits){.infinite = true}, &events, &err));
    assert_true(samara_set_position(engine, NULL, NULL, 0, &err));
    assert_int_equal(heard.dones, 2);
    assert_true(samara_go(engine, &(SamaraLimits){.infinite = true}, &events, &err));
    samara_free(engine);
    assert_int_equal(heard.dones, 3);
}

static void a_table_that_cannot_be_had_leaves_the_old_one(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    char value[16];
    assert_false(samara_set_option(engine, "Hash", "4194304", &err));
    assert_true(err.text[0]);
    assert_true(samara_get_option(engine, "Hash", value, sizeof value));
    assert_string_equal(value, "16");
    assert_int_equal(strlen(search(engine, &(SamaraLimits){.depth = 3}).best), 4);
    samara_free(engine);
}

static void nodes_are_exact(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    for (uint64_t nodes = 1; nodes < 20000; nodes = nodes * 3 + 1) {
        samara_new_game(engine);
        assert_int_equal(search(engine, &(SamaraLimits){.nodes = nodes}).nodes, nodes);
    }
    samara_free(engine);
}

static void only_the_moves_asked_for_are_searched(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    static const char *const words[] = {"a2a3", "rubbish", "e2e5", "a2a3"};
    const SamaraLimits limits = {.depth = 4, .search_moves = words, .search_move_count = 4};
    assert_string_equal(search(engine, &limits).best, "a2a3");
    samara_free(engine);
}

static void a_seed_repeats_the_errors_of_a_level(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    char first[8][SAMARA_MOVE_SIZE];
    int different = 0;
    set(engine, "UCI_LimitStrength", "true");
    set(engine, "UCI_Elo", "600");
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 8; i++) {
            char seed[12];
            snprintf(seed, sizeof seed, "%d", i + 1);
            set(engine, "Level Seed", seed);
            samara_new_game(engine);
            const SamaraResult r = search(engine, &(SamaraLimits){.nodes = 20000});
            if (round == 0)
                strcpy(first[i], r.best);
            else
                assert_string_equal(r.best, first[i]);
            different += strcmp(r.best, first[0]) != 0;
        }
    assert_true(different > 0);
    samara_free(engine);
}

/* Also where a lesser move mates, or is mated: three ways to do it at once, and some slower ones.
 */
static void the_last_line_of_a_level_is_about_its_move(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    int different = 0;
    set(engine, "UCI_LimitStrength", "true");
    set(engine, "UCI_Elo", "500");
    assert_true(samara_set_position(engine, "k7/8/1K6/8/3Q4/8/7R/8 w - - 0 1", NULL, 0, &err));
    char first[SAMARA_MOVE_SIZE] = "";
    for (int seed = 1; seed <= 30; seed++) {
        char text[12];
        snprintf(text, sizeof text, "%d", seed);
        set(engine, "Level Seed", text);
        Heard heard = {0};
        const SamaraEvents events = {.user = &heard, .info = hear_info, .done = hear_done};
        assert_true(samara_go(engine, &(SamaraLimits){.depth = 4}, &events, &err));
        samara_wait(engine);
        assert_string_equal(heard.last_move, heard.result.best);
        if (seed == 1)
            strcpy(first, heard.result.best);
        different += strcmp(first, heard.result.best) != 0;
    }
    assert_true(different > 0);
    samara_free(engine);
}

static void the_static_evaluation_is_the_same_for_both_colours(void **state)
{
    (void)state;
    Samara *engine = new_engine();
    SamaraError err;
    SamaraEval white, black;
    assert_true(samara_set_position(
        engine, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", NULL, 0, &err));
    assert_true(samara_eval(engine, &white, &err));
    assert_true(samara_set_position(
        engine, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3", NULL, 0, &err));
    assert_true(samara_eval(engine, &black, &err));
    assert_int_equal(white.classical, black.classical);
    assert_int_equal(white.score.raw, black.score.raw);
    SamaraScore score;
    assert_true(samara_static_score(engine, &score));
    assert_memory_equal(&score, &black.score, sizeof score);
    assert_true(samara_set_position(engine, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", NULL, 0, &err));
    assert_false(samara_static_score(engine, &score));
    assert_false(samara_eval(engine, &white, &err));
    assert_string_equal(err.code, "IN_CHECK");
    samara_free(engine);
}

/* Whoever judges: no network may doubt what is certain, in the static evaluation and in a search.
 */
static void known_endings_are_not_a_matter_of_opinion(void **state)
{
    (void)state;
    static const char *const judges[] = {"both", "network", "classical"};
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        Samara *engine = new_engine();
        SamaraError err;
        SamaraEval eval;
        Heard heard = {0};
        const SamaraEvents events = {.user = &heard, .info = hear_info, .done = hear_done};
        assert_true(samara_set_option(engine, "Evaluation", judges[i], &err));
        assert_true(samara_set_position(engine, "4k3/8/4P3/4K3/8/8/8/8 w - - 0 1", NULL, 0, &err));
        assert_true(samara_eval(engine, &eval, &err));
        assert_true(eval.known);
        assert_int_equal(eval.score.raw, 0);
        assert_true(samara_go(engine, &(SamaraLimits){.depth = 6}, &events, &err));
        samara_wait(engine);
        assert_in_range(heard.result.score.raw + 30, 0, 60); /* it learns corrections */
        assert_true(samara_set_position(engine, "8/8/8/4k3/8/8/8/R3K3 w - - 0 1", NULL, 0, &err));
        assert_true(samara_eval(engine, &eval, &err));
        assert_true(eval.known && eval.score.raw > 3000);
        assert_true(samara_set_position(engine, "8/8/4p3/4k3/8/8/8/R3K3 w - - 0 1", NULL, 0, &err));
        assert_true(samara_eval(engine, &eval, &err));
        assert_false(eval.known);
        samara_free(engine);
    }
}

static void games_and_test_positions_are_read(void **state)
{
    (void)state;
    static const char text[] = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke2 1-0\n\n[White "
                               "\"B\"]\n\n1. d4 d5 2. Ke8 *\n";
    SamaraError err;
    size_t used;
    SamaraGame *game = samara_game_read(text, strlen(text), &used, &err);
    assert_non_null(game);
    assert_string_equal(err.text, "");
    assert_int_equal(samara_game_length(game), 3);
    assert_string_equal(samara_game_move(game, 2), "e1e2");
    assert_string_equal(samara_game_tag(game, "White"), "A");
    assert_null(samara_game_tag(game, "Nothing"));
    assert_string_equal(samara_game_result(game), "1-0");
    samara_game_free(game);
    SamaraGame *second = samara_game_read(text + used, strlen(text) - used, &used, &err);
    assert_non_null(second);
    assert_true(err.text[0]);
    assert_int_equal(samara_game_length(second), 2);
    samara_game_free(second);
    assert_null(samara_game_read("", 0, NULL, &err));

    SamaraEpd epd;
    assert_true(samara_epd_read(
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";", false,
        &epd, &err));
    assert_int_equal(epd.best_count, 1);
    assert_string_equal(epd.best[0], "g3g6");
    assert_string_equal(epd.id, "WAC.001");
    assert_false(samara_epd_read("rubbish", false, &epd, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_position_leaves_the_old_one),
        cmocka_unit_test(moves_are_played_and_taken_back),
        cmocka_unit_test(the_state_of_the_game_has_a_name),
        cmocka_unit_test(a_line_becomes_readable),
        cmocka_unit_test(a_new_game_forgets_everything),
        cmocka_unit_test(several_engines_do_not_disturb_each_other),
        cmocka_unit_test(done_comes_exactly_once),
        cmocka_unit_test(freeing_or_changing_an_engine_ends_its_search),
        cmocka_unit_test(a_table_that_cannot_be_had_leaves_the_old_one),
        cmocka_unit_test(nodes_are_exact),
        cmocka_unit_test(only_the_moves_asked_for_are_searched),
        cmocka_unit_test(a_seed_repeats_the_errors_of_a_level),
        cmocka_unit_test(the_last_line_of_a_level_is_about_its_move),
        cmocka_unit_test(the_static_evaluation_is_the_same_for_both_colours),
        cmocka_unit_test(known_endings_are_not_a_matter_of_opinion),
        cmocka_unit_test(games_and_test_positions_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
