// SPDX-License-Identifier: GPL-3.0-or-later
/* The first part of the public interface: the rules, without an engine. */
#include "samara.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

static SamaraPosition *position_at(const char *fen, bool chess960)
{
    SamaraPosition *p = samara_position_new();
    assert_non_null(p);
    assert_true(samara_position_set(p, fen, chess960, NULL, 0, NULL));
    return p;
}

static void assert_fen(const SamaraPosition *p, const char *fen)
{
    char text[SAMARA_FEN_SIZE];
    samara_position_fen(p, text);
    assert_string_equal(text, fen);
}

static SamaraMove move_of(const SamaraPosition *p, const char *text)
{
    SamaraMove move;
    assert_true(samara_position_read_move(p, text, &move, NULL));
    return move;
}

static void a_refused_position_leaves_the_old_one(void **state)
{
    (void)state;
    SamaraPosition *p = samara_position_new();
    SamaraError err;
    const char *const moves[] = {"e2e4", "e7e5"}, *const bad[] = {"e2e4", "e2e4"};
    static const char expected[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_true(samara_position_set(p, NULL, false, moves, 2, &err));
    assert_string_equal(err.text, "");
    assert_fen(p, expected);
    assert_false(samara_position_set(p, NULL, false, bad, 2, &err));
    assert_string_equal(err.code, "ILLEGAL_MOVE");
    assert_int_equal(err.column, 2);
    assert_fen(p, expected);
    assert_false(samara_position_set(p, "rubbish", false, NULL, 0, &err));
    assert_true(err.code[0] && err.text[0]);
    assert_fen(p, expected);
    assert_false(samara_position_play_text(p, "e1e3", &err));
    assert_false(samara_position_set_start(p, 960, 0, &err));
    SamaraFields fields = {
        .white_to_move = true, .castling = {-1, -1, -1, -1}, .ep = -1, .move_number = 1};
    assert_false(samara_position_set_fields(p, &fields, &err));
    assert_string_equal(err.code, "KING_COUNT");
    assert_fen(p, expected);
    assert_int_equal(samara_position_history(p, NULL, 0), 2);
    samara_position_free(p);
}

static void moves_are_played_and_taken_back(void **state)
{
    (void)state;
    SamaraPosition *p = samara_position_new();
    assert_false(samara_position_undo(p));
    assert_true(samara_position_play_text(p, "Nf3", NULL));
    const SamaraMove knight = move_of(p, "g8f6");
    assert_true(samara_position_play(p, &knight, NULL));
    assert_true(samara_position_white_to_move(p));
    SamaraError err;
    assert_false(samara_position_play(p, &knight, &err)); /* a move of another position */
    assert_string_equal(err.code, "ILLEGAL_MOVE");
    assert_true(samara_position_undo(p));
    assert_true(samara_position_undo(p));
    assert_fen(p, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_true(samara_position_play_text(p, "e4", NULL));
    char fen[SAMARA_FEN_SIZE];
    samara_position_fen_with_ep(p, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    samara_position_free(p);
}

static void a_move_says_what_it_does(void **state)
{
    (void)state;
    SamaraPosition *p = position_at("rn2k2r/P6p/8/3Pp3/8/8/7P/R3K2R w KQkq e6 0 2", false);
    const struct {
        const char *text, *uci, *san;
        int from, to;
        char piece, captured, promotion;
        bool castling;
    } cases[] = {
        {"O-O", "e1g1", "O-O", 4, 6, 'K', 0, 0, true},
        {"e1c1", "e1c1", "O-O-O", 4, 2, 'K', 0, 0, true},
        {"dxe6", "d5e6", "dxe6", 35, 44, 'P', 'p', 0, false},
        {"a7b8q", "a7b8q", "axb8=Q+", 48, 57, 'P', 'n', 'Q', false},
        {"a1a6", "a1a6", "Ra6", 0, 40, 'R', 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const SamaraMove m = move_of(p, cases[i].text);
        assert_string_equal(m.uci, cases[i].uci);
        assert_string_equal(m.san, cases[i].san);
        assert_true(m.from == cases[i].from && m.to == cases[i].to);
        assert_true(m.piece == cases[i].piece && m.captured == cases[i].captured);
        assert_true(m.promotion == cases[i].promotion && m.castling == cases[i].castling);
        assert_int_not_equal(m.code, 0);
    }
    SamaraMove none;
    assert_false(samara_position_read_move(p, "e1e3", &none, NULL));
    assert_true(none.code == 0 && none.from == -1 && none.uci[0] == '\0' && none.san[0] == '\0');
    samara_position_speak_chess960(p, true);
    const SamaraMove m = move_of(p, "O-O");
    assert_string_equal(m.uci, "e1h1");
    assert_int_equal(m.to, 6);
    samara_position_free(p);
}

static void all_legal_moves_are_listed_and_read_back(void **state)
{
    (void)state;
    SamaraPosition *p = position_at(KIWIPETE, false);
    SamaraMove moves[SAMARA_MAX_MOVES];
    const size_t count = samara_position_moves(p, moves, SAMARA_MAX_MOVES);
    assert_int_equal(count, 48);
    assert_int_equal(samara_position_moves(p, NULL, 0), 48);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(move_of(p, moves[i].uci).code, moves[i].code);
        assert_int_equal(move_of(p, moves[i].san).code, moves[i].code);
        assert_true(samara_position_play(p, &moves[i], NULL));
        assert_true(samara_position_undo(p));
    }
    assert_fen(p, KIWIPETE);
    samara_position_free(p);
}

static void fields_say_what_a_fen_says(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool chess960;
    } cases[] = {
        {KIWIPETE, false},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 2", false},
        {"8/8/8/8/8/2k5/8/KR6 b - - 99 90", false},
        {"1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 4 12", true},
    };
    SamaraPosition *again = samara_position_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SamaraPosition *p = position_at(cases[i].fen, cases[i].chess960);
        SamaraFields fields;
        samara_position_fields(p, &fields);
        assert_true(samara_position_set_fields(again, &fields, NULL));
        assert_fen(again, cases[i].fen);
        assert_true(samara_position_key(p) == samara_position_key(again));
        samara_position_free(p);
    }
    SamaraPosition *p = position_at(cases[1].fen, false);
    SamaraFields f;
    samara_position_fields(p, &f);
    assert_true(f.board[0] == 'R' && f.board[60] == 'k' && f.board[20] == 0 && f.ep == 43);
    assert_true(f.castling[0] == 7 && f.castling[1] == -1 && f.castling[2] == -1 &&
                f.castling[3] == 56);
    assert_true(f.white_to_move && f.rule50 == 0 && f.move_number == 2 && !f.chess960);
    /* a right that a move takes away is gone */
    assert_true(samara_position_play_text(p, "h1h8", NULL));
    samara_position_fields(p, &f);
    assert_true(f.castling[0] == -1 && f.castling[3] == 56);
    samara_position_free(p);
    samara_position_free(again);
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SamaraPosition *p = position_at(cases[i].fen, false);
        assert_int_equal(samara_position_state(p), cases[i].state);
        assert_true(samara_state_name(cases[i].state)[0]);
        assert_int_equal(samara_position_in_check(p), i == 0);
        samara_position_free(p);
    }
}

/* A position knows its game: a copy, too, and taking back forgets. */
static void repetition_needs_the_history(void **state)
{
    (void)state;
    static const char *const dance[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    SamaraPosition *p = samara_position_new();
    for (int i = 0; i < 8; i++) {
        assert_int_equal(samara_position_state(p), SAMARA_PLAYING);
        assert_true(samara_position_play_text(p, dance[i % 4], NULL));
    }
    assert_int_equal(samara_position_state(p), SAMARA_REPETITION);
    assert_int_equal(samara_position_repetitions(p), 2);
    SamaraPosition *copy = samara_position_copy(p);
    assert_int_equal(samara_position_state(copy), SAMARA_REPETITION);
    assert_true(samara_position_undo(p));
    assert_int_equal(samara_position_state(p), SAMARA_PLAYING);
    assert_int_equal(samara_position_state(copy), SAMARA_REPETITION);
    SamaraMove history[8];
    char start[SAMARA_FEN_SIZE];
    assert_int_equal(samara_position_history(copy, history, 8), 8);
    assert_string_equal(history[2].san, "Ng1");
    samara_position_start_fen(copy, start);
    assert_string_equal(start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    samara_position_free(p);
    samara_position_free(copy);
}

static void a_line_becomes_readable(void **state)
{
    (void)state;
    SamaraPosition *p = samara_position_new(), *ahead = samara_position_new();
    static const char *const words[] = {"e2e4", "c7c5", "g1f3"};
    SamaraMove line[3];
    for (int i = 0; i < 3; i++) {
        line[i] = move_of(ahead, words[i]);
        assert_true(samara_position_play(ahead, &line[i], NULL));
    }
    char text[128], tiny[4];
    assert_true(samara_position_line_text(p, line, 3, text, sizeof text));
    assert_string_equal(text, "1. e4 c5 2. Nf3");
    assert_true(samara_position_play(p, &line[0], NULL));
    assert_true(samara_position_line_text(p, line + 1, 2, text, sizeof text));
    assert_string_equal(text, "1... c5 2. Nf3");
    assert_true(samara_position_line_text(p, line, 0, text, sizeof text));
    assert_string_equal(text, "");
    assert_false(samara_position_line_text(p, line + 1, 2, tiny, sizeof tiny));
    samara_position_free(p);
    samara_position_free(ahead);
}

static void start_arrays_have_numbers(void **state)
{
    (void)state;
    SamaraPosition *p = samara_position_new();
    assert_true(samara_position_set_start(p, 518, 518, NULL));
    assert_fen(p, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert_true(samara_position_set_start(p, 0, 959, NULL));
    assert_fen(p, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    samara_position_free(p);
}

static void count_divided(void *user, const SamaraMove *move, uint64_t count)
{
    assert_true(move->san[0] && count > 0);
    ++*(int *)user;
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static void the_move_tree_is_counted(void **state)
{
    (void)state;
    SamaraPosition *p = position_at(KIWIPETE, false);
    uint64_t total;
    int divided = 0;
    SamaraError err;
    assert_true(samara_position_perft(p, 3, 1, 0, count_divided, NULL, &divided, &total, &err));
    assert_int_equal(total, 97862);
    assert_int_equal(divided, 48);
    assert_false(samara_position_perft(p, 6, 1, 0, NULL, never, NULL, &total, &err));
    assert_string_equal(err.code, "STOPPED");
    samara_position_free(p);
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
    assert_string_equal(samara_game_moves(game)[2].uci, "e1e2");
    assert_string_equal(samara_game_moves(game)[2].san, "Ke2");
    assert_string_equal(samara_game_tag(game, "White"), "A");
    assert_null(samara_game_tag(game, "Nothing"));
    assert_string_equal(samara_game_result(game), "1-0");
    SamaraPosition *p = samara_position_new();
    assert_true(samara_game_position(game, 2, p, &err));
    assert_fen(p, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_int_equal(samara_position_history(p, NULL, 0), 2);
    assert_false(samara_game_position(game, 4, p, &err));
    assert_int_equal(samara_position_history(p, NULL, 0), 2);
    samara_position_free(p);
    samara_game_free(game);
    SamaraGame *second = samara_game_read(text + used, strlen(text) - used, &used, &err);
    assert_non_null(second);
    assert_true(err.text[0]);
    assert_int_equal(samara_game_length(second), 2);
    samara_game_free(second);
    assert_null(samara_game_read("", 0, NULL, &err));
    static const char passing[] = "1. e4 -- 2. d4 d5 *\n";
    SamaraGame *third = samara_game_read(passing, strlen(passing), &used, &err);
    assert_non_null(third);
    assert_string_equal(err.text, "ply 2 is a null move; the game ends before it");
    assert_int_equal(samara_game_length(third), 1);
    samara_game_free(third);

    SamaraEpd epd;
    assert_true(samara_epd_read(
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";", false,
        &epd, &err));
    assert_int_equal(epd.best_count, 1);
    assert_string_equal(epd.best[0].uci, "g3g6");
    assert_string_equal(epd.id, "WAC.001");
    assert_false(samara_epd_read("rubbish", false, &epd, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_position_leaves_the_old_one),
        cmocka_unit_test(moves_are_played_and_taken_back),
        cmocka_unit_test(a_move_says_what_it_does),
        cmocka_unit_test(all_legal_moves_are_listed_and_read_back),
        cmocka_unit_test(fields_say_what_a_fen_says),
        cmocka_unit_test(the_state_of_the_game_has_a_name),
        cmocka_unit_test(repetition_needs_the_history),
        cmocka_unit_test(a_line_becomes_readable),
        cmocka_unit_test(start_arrays_have_numbers),
        cmocka_unit_test(the_move_tree_is_counted),
        cmocka_unit_test(games_and_test_positions_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
