// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include "chess/notation.h"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

static Epd parse(const char *line)
{
    Epd epd;
    Error err = {0};
    if (!epd_parse(&epd, str_from(line), FEN_STANDARD, &err, NULL))
        fail_msg("%s: %s", line, err.text);
    return epd;
}

static void assert_str(Str s, const char *expected)
{
    if (!str_is(s, expected))
        fail_msg("'%.*s' is not '%s'", (int)s.len, s.ptr, expected);
}

static void operations_are_told_apart(void **state)
{
    (void)state;
    const Epd epd =
        parse("4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rg1; id \"a; b\"; c0 \"\"; noop ;; ce -12;"
              "  pv Rh8+ Kd7;last 1");
    assert_int_equal(epd.op_count, 7);
    assert_str(epd_find(&epd, "bm")->operand, "O-O Rg1");
    assert_str(epd_string(epd_find(&epd, "id")), "a; b");
    assert_str(epd_string(epd_find(&epd, "c0")), "");
    assert_str(epd_find(&epd, "noop")->operand, "");
    assert_str(epd_string(epd_find(&epd, "ce")), "-12");
    assert_str(epd_string(epd_find(&epd, "last")), "1");
    assert_null(epd_find(&epd, "am"));
    assert_int_equal(epd_string(NULL).len, 0);
}

static void perft_lines_are_operations_too(void **state)
{
    (void)state;
    const Epd epd = parse(FEN_START " ;D1 20 ;D2 400;D3 8902");
    assert_int_equal(epd.op_count, 3);
    assert_str(epd_find(&epd, "D1")->operand, "20");
    assert_str(epd_find(&epd, "D3")->operand, "8902");
    assert_int_equal(parse(FEN_START ";D1 20").op_count, 1);
    assert_int_equal(parse(FEN_START).op_count, 0);
    assert_int_equal(parse(FEN_START " \r\n").op_count, 0);
}

static void counters_come_from_fields_or_opcodes(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int rule50, number;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K2R w K -", 0, 1},
        {"4k3/8/8/8/8/8/8/4K2R w K - hmvc 12; fmvn 40;", 12, 40},
        {"4k3/8/8/8/8/8/8/4K2R w K - 7 9 hmvc 12; fmvn 40;", 7, 9},
        {"4k3/8/8/8/8/8/8/4K2R b - - 7 hmvc 12; fmvn 40;", 7, 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Epd epd = parse(cases[i].line);
        assert_int_equal(epd.pos.st.rule50, cases[i].rule50);
        assert_int_equal(epd.pos.ply / 2 + 1, cases[i].number);
        assert_true(pos_is_consistent(&epd.pos));
    }
}

static void moves_are_read_in_any_notation(void **state)
{
    (void)state;
    const Epd epd =
        parse("r3k3/8/8/8/8/8/8/4K2R w Kq - bm O-O e1e2, Rh8+; am #3; pv Kd2 O-O-O Ke2; "
              "sm Kd9; dm #-2;");
    Move moves[4];
    int mate;
    assert_int_equal(epd_moves(&epd, epd_find(&epd, "bm"), moves, 4, &mate), 3);
    assert_int_equal(moves[0], move_make_kind(E1, H1, CASTLING));
    assert_int_equal(moves[1], move_make(E1, E2));
    assert_int_equal(moves[2], move_make(H1, H8));
    assert_int_equal(mate, 0);
    assert_int_equal(epd_moves(&epd, epd_find(&epd, "bm"), moves, 2, NULL), -1);
    assert_int_equal(epd_moves(&epd, epd_find(&epd, "am"), moves, 4, &mate), 0);
    assert_int_equal(mate, 3);
    assert_int_equal(epd_moves(&epd, epd_find(&epd, "dm"), moves, 4, &mate), 0);
    assert_int_equal(mate, -2);
    assert_int_equal(epd_moves(&epd, epd_find(&epd, "pv"), moves, 4, NULL), 3);
    assert_int_equal(moves[1], move_make_kind(E8, A8, CASTLING));
    assert_int_equal(epd_moves(&epd, epd_find(&epd, "sm"), moves, 4, NULL), -1);
    assert_int_equal(epd_moves(&epd, NULL, moves, 4, &mate), 0);
}

static void bad_lines_are_refused_with_a_code(void **state)
{
    (void)state;
    char many[1200] = "4k3/8/8/8/8/8/8/4K3 w - -";
    for (int i = 0; i <= EPD_MAX_OPS; i++)
        strcat(many, " noop;");
    const struct {
        const char *line, *code;
    } cases[] = {
        {"", "FIELDS"},
        {"4k3/8/8/8/8/8/8/4K3", "FIELDS"},
        {"4k3/8/8/8/8/8/8/4K3 x - - bm Ke2;", "SIDE"},
        {"4k3/8/8/8/8/8/8/4K3 w - - id \"open;", "QUOTE"},
        {"4k3/8/8/8/8/8/8/4K3 w - - ; \"x\";", "OPCODE"},
        {"4k3/8/8/8/8/8/8/4K3 w - - a.b 1;", "OPCODE"},
        {"4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", "HALFMOVE"},
        {"4k3/8/8/8/8/8/8/4K3 w - - fmvn 0;", "FULLMOVE"},
        {many, "OPS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Epd epd;
        Error err = {0};
        memset(&epd, 7, sizeof epd);
        const Epd before = epd;
        assert_false(epd_parse(&epd, str_from(cases[i].line), FEN_STANDARD, &err, NULL));
        assert_string_equal(err.code, cases[i].code);
        assert_true(err.text[0] != '\0');
        assert_memory_equal(&epd, &before, sizeof epd);
    }
    assert_false(epd_parse(&(Epd){.op_count = 0}, (Str){0}, FEN_STANDARD, NULL, NULL));
}

static void lines_are_written_so_that_they_read_back(void **state)
{
    (void)state;
    static const struct {
        const char *line, *written;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K2R w K - bm O-O ;id \"a; b\";", /* */
         "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a; b\";"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 3 9 noop", "4k3/8/8/8/8/8/8/4K2R w K - 3 9 noop;"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K -"},
        {"4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 9;",
         "4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 9;"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 3 9 hmvc 4;", "4k3/8/8/8/8/8/8/4K2R w K - 3 9 hmvc 4;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Epd epd = parse(cases[i].line);
        Buffer out = {0};
        epd_write(&epd, &out);
        assert_string_equal(buffer_text(&out), cases[i].written);
        const Epd again = parse(out.data);
        assert_memory_equal(&again.pos, &epd.pos, sizeof epd.pos);
        assert_int_equal(again.op_count, epd.op_count);
        buffer_free(&out);
    }
}

/* Public suites: every best or avoided move must be legal. Skipped where they are not at hand. */
static void the_moves_of_public_suites_are_legal(void **state)
{
    (void)state;
    static const char *const files[] = {"wac", "ecmgcp", "bt2630", "mate_in_3", "lapuce2"};
    int lines_read = 0, moves_read = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, SAMARA_SHARED_DIR "/data/suites/%s.epd", files[i]);
        Lines lines;
        if (!lines_open(&lines, path))
            skip();
        for (Str line; lines_next(&lines, &line); lines_read++) {
            Epd epd;
            Error err = {0};
            if (!epd_parse(&epd, line, FEN_STANDARD, &err, NULL))
                fail_msg("%.*s: %s", (int)line.len, line.ptr, err.text);
            static const char *const names[] = {"bm", "am", "pv"};
            for (int k = 0; k < 3; k++) {
                Move moves[32];
                const int count = epd_moves(&epd, epd_find(&epd, names[k]), moves, 32, NULL);
                if (count < 0)
                    fail_msg("%.*s: %s", (int)line.len, line.ptr, names[k]);
                moves_read += count;
            }
        }
    }
    assert_in_range(lines_read, 1000, 100000);
    assert_in_range(moves_read, 500, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_told_apart),
        cmocka_unit_test(perft_lines_are_operations_too),
        cmocka_unit_test(counters_come_from_fields_or_opcodes),
        cmocka_unit_test(moves_are_read_in_any_notation),
        cmocka_unit_test(bad_lines_are_refused_with_a_code),
        cmocka_unit_test(lines_are_written_so_that_they_read_back),
        cmocka_unit_test(the_moves_of_public_suites_are_legal),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
