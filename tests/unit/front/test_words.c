// SPDX-License-Identifier: GPL-3.0-or-later
/* What the protocols read and write, without any conversation. */
#include "front/board.h"
#include "front/recognise.h"
#include "front/uci_go.h"
#include "front/xboard_clock.h"
#include "front/xboard_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* --- go --- */

static GoRequest go;
static Error complaint;

/* From the start position, or after 1. e4. */
static void parse_at(const char *words, bool white_to_move)
{
    SamaraPosition *p = samara_position_new();
    if (!white_to_move)
        assert_true(samara_position_play_text(p, "e4", NULL));
    go_parse(&go, str_from(words), p, &complaint);
    samara_position_free(p);
}

static const SamaraLimits *parse_go(const char *words)
{
    parse_at(words, true);
    return &go.limits;
}

static void go_reads_every_word_in_any_order(void **state)
{
    (void)state;
    const SamaraLimits *l =
        parse_go("binc 4 wtime 1 movestogo 5 btime 2 depth 6 winc 3 nodes 7 mate 8 movetime 9");
    assert_true(l->has_clock && l->wtime_ms == 1 && l->btime_ms == 2 && l->winc_ms == 3 &&
                l->binc_ms == 4);
    assert_true(l->movestogo == 5 && l->depth == 6 && l->nodes == 7 && l->mate == 8 &&
                l->movetime_ms == 9);
    assert_string_equal(complaint.text, "");
    l = parse_go("infinite ponder");
    assert_true(l->infinite && l->ponder && go.endless && !go.patient);
    parse_go("perft 5");
    assert_true(go.perft == 5 && go.patient);
}

static void go_takes_numbers_beyond_the_edge_for_the_edge(void **state)
{
    (void)state;
    assert_int_equal(parse_go("depth 0")->depth, 1);
    assert_int_equal(parse_go("depth -5")->depth, 1);
    assert_true(parse_go("depth 99999999999999999999")->depth > 200);
    assert_int_equal(parse_go("nodes -5")->nodes, 1);
    assert_true(parse_go("nodes 18446744073709551615")->nodes > UINT32_MAX);
    assert_true(parse_go("wtime -99999999999999999999")->wtime_ms < 0);
}

static void go_names_what_it_cannot_read_and_reads_on(void **state)
{
    (void)state;
    const SamaraLimits *l = parse_go("depth nodes 50 movetime 1.5 xyzzy");
    assert_true(l->depth == 0 && l->nodes == 50 && l->movetime_ms == 0);
    assert_string_equal(complaint.code, "GO_VALUE");
}

static void search_moves_end_at_the_next_word(void **state)
{
    (void)state;
    const SamaraLimits *l = parse_go("searchmoves e2e4 rubbish d2d4 e7e5 depth 3 infinite");
    assert_int_equal(go.move_count, 2);
    assert_string_equal(go.moves[1].uci, "d2d4");
    assert_int_equal(l->depth, 3);
}

static void one_clock_counts_for_both(void **state)
{
    (void)state;
    assert_int_equal(parse_go("btime 100")->wtime_ms, 100);
    assert_int_equal(parse_go("wtime 50 btime 100")->wtime_ms, 50);
    parse_at("wtime 70", false);
    assert_int_equal(go.limits.btime_ms, 70);
}

static void only_work_with_an_end_is_waited_for(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool patient;
    } cases[] = {{"depth 5", true},   {"nodes 5", true},
                 {"mate 2", true},    {"", false},
                 {"infinite", false}, {"depth 5 infinite", false},
                 {"wtime 10", false}, {"movetime 10 depth 3", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse_go(cases[i].words);
        assert_int_equal(go.patient, cases[i].patient);
    }
}

/* --- which protocol --- */

static void the_first_word_tells_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(protocol_of(STR("xboard")), PROTOCOL_XBOARD);
    assert_int_equal(protocol_of(STR("  protover 2")), PROTOCOL_XBOARD);
    assert_int_equal(protocol_of(STR("BOARD:8/8 w")), PROTOCOL_PLATFORM);
    assert_int_equal(protocol_of(STR("PLAY:")), PROTOCOL_PLATFORM);
    assert_int_equal(protocol_of(STR("uci")), PROTOCOL_UCI);
    assert_int_equal(protocol_of(STR("")), PROTOCOL_UCI);
    assert_int_equal(protocol_of(STR("xboards")), PROTOCOL_UCI);
}

/* --- XBoard clocks --- */

static void level_is_read_in_all_its_forms(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int moves;
        int64_t base, inc;
    } cases[] = {{"40 5 0", 40, 300000, 0},         {"0 2 12", 0, 120000, 12000},
                 {"40 5:30 12", 40, 330000, 12000}, {"0 1 0.5", 0, 60000, 500},
                 {"40 25+5 0", 40, 1500000, 0},     {"0 0:01 0.01", 0, 1000, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        XClock c;
        xclock_reset(&c);
        assert_true(xclock_level(&c, str_from(cases[i].words)));
        assert_true(c.moves_per_control == cases[i].moves && c.base_ms == cases[i].base &&
                    c.inc_ms == cases[i].inc);
    }
}

static void bad_words_leave_the_clock_alone(void **state)
{
    (void)state;
    XClock c, before;
    xclock_reset(&c);
    before = c;
    assert_false(xclock_level(&c, STR("40 x 1")));
    assert_false(xclock_level(&c, STR("")));
    assert_false(xclock_st(&c, STR("-1")));
    assert_false(xclock_st(&c, STR("0")));
    assert_false(xclock_sd(&c, STR("-1")));
    assert_false(xclock_time(&c, STR("abc")));
    assert_false(xclock_nps(&c, STR("-1")));
    assert_memory_equal(&c, &before, sizeof c);
}

static void clocks_belong_to_colours(void **state)
{
    (void)state;
    XClock c;
    SamaraLimits l;
    xclock_reset(&c);
    xclock_level(&c, STR("0 5 3"));
    xclock_time(&c, STR("1000"));
    xclock_otim(&c, STR("2000"));
    xclock_limits(&c, false, &l);
    assert_true(l.has_clock && l.btime_ms == 10000 && l.wtime_ms == 20000 && l.binc_ms == 3000 &&
                l.movestogo == 0);
}

static void moves_to_go_count_down_and_the_clock_goes_on_by_itself(void **state)
{
    (void)state;
    XClock c;
    SamaraLimits l;
    xclock_reset(&c);
    xclock_level(&c, STR("2 1 0"));
    xclock_limits(&c, true, &l);
    assert_int_equal(l.movestogo, 2);
    xclock_moved(&c, 10000);
    xclock_limits(&c, true, &l);
    assert_true(l.movestogo == 1 && l.wtime_ms == 50000);
    xclock_moved(&c, 10000);
    xclock_limits(&c, true, &l);
    assert_true(l.movestogo == 2 && l.wtime_ms == 100000);
}

static void node_time_is_nodes(void **state)
{
    (void)state;
    XClock c;
    SamaraLimits l;
    xclock_reset(&c);
    xclock_nps(&c, STR("1000"));
    xclock_st(&c, STR("2.5"));
    xclock_limits(&c, true, &l);
    assert_true(l.nodes == 2500 && l.movetime_ms == 0 && !l.has_clock);
}

/* --- boards --- */

static SamaraPosition *position_at(const char *fen)
{
    SamaraPosition *p = samara_position_new();
    assert_true(samara_position_set(p, fen, false, NULL, 0, NULL));
    return p;
}

static void assert_edited(Editor *e, SamaraPosition *p, const char *wanted)
{
    SamaraFields fields;
    char fen[SAMARA_FEN_SIZE];
    editor_end(e, &fields);
    assert_true(samara_position_set_fields(p, &fields, NULL));
    samara_position_fen(p, fen);
    assert_string_equal(fen, wanted);
}

static void the_editor_sets_up_a_position(void **state)
{
    (void)state;
    static const char *const lines[] = {"#",   "Ke1", "Rh1", "Pa2", "x",   "Zz9",
                                        "Pj9", "c",   "Ke8", "Ra8", "xa2", "Qd8"};
    Editor e;
    SamaraPosition *p = position_at("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    editor_begin(&e, p);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_true(editor_line(&e, str_from(lines[i])));
    assert_false(editor_line(&e, STR(".")));
    assert_edited(&e, p, "r2qk3/8/8/8/8/8/8/4K2R b Kq - 0 1");
    samara_position_free(p);
}

static void an_edit_without_change_keeps_the_board(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Editor e;
    SamaraPosition *p = position_at(start);
    editor_begin(&e, p);
    assert_edited(&e, p, start);
    samara_position_free(p);
}

static void flip(SamaraPosition *p, char out[SAMARA_FEN_SIZE])
{
    SamaraFields fields;
    samara_position_fields(p, &fields);
    board_flip(&fields);
    assert_true(samara_position_set_fields(p, &fields, NULL));
    samara_position_fen(p, out);
}

static void flipping_twice_is_nothing(void **state)
{
    (void)state;
    static const char *const fens[][2] = {
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
         "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 2", "r3k2r/8/8/8/3Pp3/8/8/R3K2R b Qk d3 0 2"},
        {"8/8/8/8/8/2k5/8/KR6 w - - 99 90", "kr6/8/2K5/8/8/8/8/8 b - - 99 90"}};
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        SamaraPosition *p = position_at(fens[i][0]);
        char fen[SAMARA_FEN_SIZE];
        flip(p, fen);
        assert_string_equal(fen, fens[i][1]);
        flip(p, fen);
        assert_string_equal(fen, fens[i][0]);
        samara_position_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(go_reads_every_word_in_any_order),
        cmocka_unit_test(go_takes_numbers_beyond_the_edge_for_the_edge),
        cmocka_unit_test(go_names_what_it_cannot_read_and_reads_on),
        cmocka_unit_test(search_moves_end_at_the_next_word),
        cmocka_unit_test(one_clock_counts_for_both),
        cmocka_unit_test(only_work_with_an_end_is_waited_for),
        cmocka_unit_test(the_first_word_tells_the_protocol),
        cmocka_unit_test(level_is_read_in_all_its_forms),
        cmocka_unit_test(bad_words_leave_the_clock_alone),
        cmocka_unit_test(clocks_belong_to_colours),
        cmocka_unit_test(moves_to_go_count_down_and_the_clock_goes_on_by_itself),
        cmocka_unit_test(node_time_is_nodes),
        cmocka_unit_test(the_editor_sets_up_a_position),
        cmocka_unit_test(an_edit_without_change_keeps_the_board),
        cmocka_unit_test(flipping_twice_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
