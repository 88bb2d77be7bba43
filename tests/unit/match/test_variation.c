// SPDX-License-Identifier: GPL-3.0-or-later
/* Variations that engines print: which are true, and what is wrong with the others. */
#include "chess/fen.h"
#include "chess/notation.h"
#include "match/variation.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void set_up(Game *game, const char *fen, const char *moves)
{
    Position start;
    Str rest = str_from(moves), word;
    assert_true(fen_parse(&start, str_from(fen), FEN_STANDARD, NULL, NULL));
    game_reset(game, &start);
    while ((word = str_token(&rest)).len)
        assert_true(game_play(game, move_from_uci(&game->pos, word), NULL));
}

#define MATE_1 "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
#define ROOKS "7k/8/8/6K1/8/8/8/R7 w - - 0 1" /* 1. Kg6 Kg8 2. Ra8# */

static void each_line_gets_its_verdict(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *before, *line;
        Fault fault;
    } cases[] = {
        {FEN_START, "", "info depth 1 score cp 10 pv e2e4 e7e5", FAULT_NONE},
        {FEN_START, "", "info depth 1 score cp 10", FAULT_NONE},
        {FEN_START, "", "info depth 1 score cp 10 pv e2e4 e2e4", FAULT_PV_ILLEGAL},
        {FEN_START, "", "info depth 1 score cp 10 pv e7e5", FAULT_PV_ILLEGAL},
        {FEN_START, "", "info depth 1 score cp 10 pv e2e4 hello", FAULT_PV_ILLEGAL},
        {MATE_1, "", "info depth 3 score mate 1 pv d1d8", FAULT_NONE},
        {MATE_1, "", "info depth 3 score cp 900 pv d1d8", FAULT_NONE},
        {MATE_1, "", "info depth 3 score mate 1 pv d1d7", FAULT_PV_MATE},
        {MATE_1, "", "info depth 3 score mate 2 pv d1d8", FAULT_PV_MATE},
        {MATE_1, "", "info depth 3 score mate 2 lowerbound pv d1d7", FAULT_NONE},
        {MATE_1, "", "info depth 3 score mate 1 pv d1d8 g8h8", FAULT_PV_PAST_END},
        {ROOKS, "", "info depth 5 score mate 2 pv g5g6 h8g8 a1a8", FAULT_NONE},
        {ROOKS, "", "info depth 5 score mate 2 pv g5g6 h8g8", FAULT_PV_MATE},
        {ROOKS, "g5g6", "info depth 5 score mate -1 pv h8g8 a1a8", FAULT_NONE},
        {ROOKS, "g5g6", "info depth 5 score mate -2 pv h8g8 a1a8", FAULT_PV_MATE},
        {ROOKS, "g5g6", "info depth 5 score mate 1 pv h8g8 a1a8", FAULT_PV_MATE},
        {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 98 80", "", "info score cp 0 pv g1f1 g8f8", FAULT_NONE},
        {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 98 80", "", "info score cp 0 pv g1f1 g8f8 f1e1",
         FAULT_PV_PAST_END},
        {FEN_START, "g1f3 g8f6 f3g1 f6g8", "info score cp 0 pv g1f3 g8f6 f3g1 f6g8", FAULT_NONE},
        {FEN_START, "g1f3 g8f6 f3g1 f6g8", "info score cp 0 pv g1f3 g8f6 f3g1 f6g8 e2e4",
         FAULT_PV_PAST_END},
    };
    Game game;
    game_init(&game);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up(&game, cases[i].fen, cases[i].before);
        const int plies = game.count;
        const Key key = game.pos.st.key;
        const Info info = info_from_uci(str_from(cases[i].line));
        Error why = {.text = ""};
        const Fault fault = variation_fault(&game, &info, &why);
        if (fault != cases[i].fault)
            fail_msg("'%s' after '%s': %s (%s)", cases[i].line, cases[i].before, fault_name(fault),
                     why.text);
        assert_int_equal(game.count, plies);
        assert_true(game.pos.st.key == key);
    }
    game_free(&game);
}

static void the_move_played_must_begin_the_last_variation(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *played;
        bool fault;
    } cases[] = {
        {"info depth 1 pv e2e4\ninfo depth 2 pv d2d4\n", "d2d4", false},
        {"info depth 1 pv e2e4\ninfo depth 2 pv d2d4\n", "e2e4", true},
        {"", "e2e4", false},
        /* a bound of an unfinished iteration: both its move and the last exact one are fine */
        {"info depth 2 score cp 1 pv d2d4\ninfo depth 3 score cp 40 lowerbound pv c2c4\n", "c2c4",
         false},
        {"info depth 2 score cp 1 pv d2d4\ninfo depth 3 score cp 40 lowerbound pv c2c4\n", "d2d4",
         false},
        {"info depth 2 score cp 1 pv d2d4\ninfo depth 3 score cp 40 lowerbound pv c2c4\n", "e2e4",
         true},
        /* other lines of several do not count */
        {"info multipv 1 depth 2 pv d2d4\ninfo multipv 2 depth 2 pv e2e4\n", "d2d4", false},
        {"info multipv 1 depth 2 pv d2d4\ninfo multipv 2 depth 2 pv e2e4\n", "e2e4", true},
    };
    Game game;
    game_init(&game);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool found[FAULT_COUNT];
        Error why;
        const Move played = move_from_uci(&game.pos, str_from(cases[i].played));
        variations_check(&game, str_from(cases[i].lines), played, found, &why);
        if (found[FAULT_PV_BESTMOVE] != cases[i].fault)
            fail_msg("case %zu", i);
        assert_false(found[FAULT_PV_ILLEGAL]);
    }
    game_free(&game);
}

static void several_faults_are_all_marked_and_the_first_is_told(void **state)
{
    (void)state;
    Game game;
    bool found[FAULT_COUNT];
    Error why;
    game_init(&game);
    variations_check(&game, STR("info score cp 1 pv e2e5\ninfo score mate 5 pv e2e4\n"),
                     move_from_uci(&game.pos, STR("e2e4")), found, &why);
    assert_true(found[FAULT_PV_ILLEGAL] && found[FAULT_PV_MATE]);
    assert_false(found[FAULT_PV_BESTMOVE] || found[FAULT_PV_PAST_END] || found[FAULT_NONE]);
    assert_string_equal(why.text, "the variation has the illegal move 'e2e5' (number 1)");
    game_free(&game);
}

static int init(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_gets_its_verdict),
        cmocka_unit_test(the_move_played_must_begin_the_last_variation),
        cmocka_unit_test(several_faults_are_all_marked_and_the_first_is_told),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
