// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#define FENS SAMARA_TEST_DATA_DIR "/fens/"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

/* \0 \n \r \xHH, as the file of malformed FENs writes them. */
static Str unescape(Str in, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        char c = in.ptr[i];
        if (c == '\\' && i + 1 < in.len) {
            const char kind = in.ptr[++i];
            c = kind == 'n' ? '\n' : kind == 'r' ? '\r' : '\0';
            if (kind == 'x') {
                const char hex[3] = {in.ptr[i + 1], in.ptr[i + 2], '\0'};
                c = (char)strtol(hex, NULL, 16);
                i += 2;
            }
        }
        out[n++] = c;
    }
    return (Str){out, n};
}

static void malformed_fens_are_refused_with_their_code(void **state)
{
    (void)state;
    Lines lines;
    int checks = 0;
    Position before = position(FEN_START, FEN_STANDARD);
    const Position start = before;
    assert_true(lines_open(&lines, FENS "malformed_fens.txt"));
    for (Str line; lines_next(&lines, &line); checks++) {
        char raw[8192], code[32];
        const Str fen = unescape(next_column(&line), raw);
        to_text(next_column(&line), code, sizeof code);
        Error err = {0};
        if (fen_parse(&before, fen, FEN_STANDARD, &err, NULL))
            fail_msg("accepted: %.*s (%s)", (int)fen.len, fen.ptr, code);
        if (strcmp(err.code, code) != 0)
            fail_msg("%.*s: %s, expected %s", (int)fen.len, fen.ptr, err.code, code);
        assert_true(strlen(err.text) > 10);
        assert_in_range(err.column, 1, fen.len + 1);
        assert_memory_equal(&before, &start, sizeof start);
        assert_false(fen_parse(&before, fen, FEN_960, NULL, NULL));
    }
    assert_int_equal(checks, 147);
}

static void a_refusal_names_field_reason_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *text;
        int column;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: 'x' is neither w nor b", 21},
        {"4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "board: White has 2 kings, not 1", 17},
        {"4k3/8/8/8/8/8/8/3PK3 w - - 0 1", "board: a pawn stands on d1, where none can", 18},
        {"4k3/8/8/9/8/8/8/4K3 w - - 0 1", "board: digits go from 1 to 8, not 9", 9},
        {"4k3/8/8/7/8/8/8/4K3 w - - 0 1", "board: rank 5 has 7 squares, not 8", 9},
        {"4k3/8/8/8/8/8/8/4K3 w KX - 0 1",
         "castling: 'KX' has something else than KQkq, files or a lone dash", 24},
        {"4k3/8/8/8/8/8/8/4K3 w - e4 0 1",
         "en passant: e4 is not on rank 6 although White is to move", 26},
        {"4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock: 'x' is not a number from 0 to 32767",
         27},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number: 'x' is not a number from 0 to 100000", 29},
        {"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
         "side to move: White is to move and could take the king", 23},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Position p;
        Error err;
        assert_false(fen_parse(&p, str_from(cases[i].fen), FEN_STANDARD, &err, NULL));
        assert_string_equal(err.text, cases[i].text);
        assert_int_equal(err.column, cases[i].column);
    }
}

static void careless_fens_are_written_canonically(void **state)
{
    (void)state;
    Lines lines;
    int checks = 0;
    assert_true(lines_open(&lines, FENS "fen_normalise.tsv"));
    for (Str line; lines_next(&lines, &line); checks++) {
        char input[256], expected[256], mode[8], written[FEN_SIZE];
        to_text(next_column(&line), input, sizeof input);
        to_text(next_column(&line), expected, sizeof expected);
        to_text(next_column(&line), mode, sizeof mode);
        const FenMode fen_mode = strcmp(mode, "960") == 0 ? FEN_960 : FEN_STANDARD;
        const Position p = position(input, fen_mode);
        fen_write(&p, written);
        assert_string_equal(written, expected);
        assert_consistent(&p);

        const Position again = position(written, fen_mode);
        assert_memory_equal(&p, &again, sizeof p);
    }
    assert_int_equal(checks, 26);
}

static void odd_but_valid_fens_have_their_number_of_moves(void **state)
{
    (void)state;
    Lines lines;
    int checks = 0;
    assert_true(lines_open(&lines, FENS "valid_weird_fens.txt"));
    for (Str line; lines_next(&lines, &line); checks++) {
        char fen[256], tag[32];
        to_text(next_column(&line), fen, sizeof fen);
        to_text(next_column(&line), tag, sizeof tag);
        int64_t moves = -1;
        assert_true(str_int(next_column(&line), 0, MAX_MOVES, &moves));
        const Position p = position(fen, strcmp(tag, "960") == 0 ? FEN_960 : FEN_STANDARD);
        assert_consistent(&p);
        if (gen_count(&p) != moves)
            fail_msg("%s: %d moves, not %d", fen, gen_count(&p), (int)moves);
    }
    assert_int_equal(checks, 93);
}

/* Three of the boards have a king in check out of turn: the warning says so, and no move takes it.
 * One has both a man and a promotion too many; we name the men. */
static void odd_material_is_accepted_with_a_warning(void **state)
{
    (void)state;
    Lines lines;
    int accepted = 0, in_check = 0, named_otherwise = 0;
    assert_true(lines_open(&lines, FENS "odd_material.txt"));
    for (Str line; lines_next(&lines, &line);) {
        char code[32];
        const Str fen = next_column(&line);
        to_text(next_column(&line), code, sizeof code);
        Position p;
        Error err, warning;
        if (!fen_parse(&p, fen, FEN_STANDARD, &err, &warning))
            fail_msg("%.*s: %s", (int)fen.len, fen.ptr, err.text);
        accepted++;
        in_check += strstr(warning.text, "the other king is in check") != NULL;
        named_otherwise += strcmp(warning.code, code) != 0;
        assert_true(strlen(warning.text) > 10);
        assert_consistent(&p);

        MoveList list;
        gen_legal(&p, &list);
        assert_int_equal(list.count, gen_count(&p));
        for (int i = 0; i < list.count; i++)
            assert_int_not_equal(move_to(list.moves[i]), pos_king(&p, color_flip(p.turn)));
    }
    assert_int_equal(accepted, 17);
    assert_int_equal(in_check, 3);
    assert_int_equal(named_otherwise, 1);
}

static void only_what_is_lost_is_warned_about(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *code;
        FenMode mode;
    } cases[] = {
        {FEN_START, "", FEN_STANDARD},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "", FEN_STANDARD},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK", "", FEN_STANDARD},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", "EP", FEN_STANDARD},
        {"4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "CASTLING", FEN_STANDARD},
        {"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "CASTLING", FEN_STANDARD},
        {"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "", FEN_960},
        {"4k3/8/8/8/8/8/4K3/1R6 w B - 0 1", "CASTLING", FEN_960},
        {"4k3/8/8/8/8/8/8/RRK5 w AB - 0 1", "CASTLING", FEN_960},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Position p;
        Error warning;
        assert_true(fen_parse(&p, str_from(cases[i].fen), cases[i].mode, NULL, &warning));
        assert_string_equal(warning.code, cases[i].code);
        assert_int_equal(warning.text[0] != '\0', cases[i].code[0] != '\0');
    }
}

static void several_warnings_become_one(void **state)
{
    (void)state;
    Position p;
    Error warning;
    const Str fen = STR("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w K d6 0 1");
    assert_true(fen_parse(&p, fen, FEN_STANDARD, NULL, &warning));
    assert_string_equal(warning.code, "CASTLING");
    assert_int_equal(warning.column, 31);
    assert_string_equal(warning.text,
                        "castling: right K is dropped, king and rook do not stand ready; "
                        "en passant: the square is dropped, no pawn can just have passed it; "
                        "board: White has more men than a game begins with");
}

static void counters_beyond_the_limits_are_written_so_that_they_can_be_read(void **state)
{
    (void)state;
    Position p = position("4k3/8/8/8/8/8/8/4K3 w - - 32767 100000", FEN_STANDARD);
    char fen[FEN_SIZE];
    for (int i = 0; i < 10; i++) {
        MoveList list;
        Undo undo;
        gen_legal(&p, &list);
        pos_make(&p, list.moves[0], &undo, NULL);
        fen_write(&p, fen);
        position(fen, FEN_STANDARD);
    }
    assert_non_null(strstr(fen, " 32767 100000"));
}

static void the_double_step_may_be_written_whoever_can_take(void **state)
{
    (void)state;
    Position p = position(FEN_START, FEN_STANDARD);
    char fen[FEN_SIZE];
    Undo undo;
    const Move e4 = move_make(E2, E4);
    pos_make(&p, e4, &undo, NULL);
    fen_write(&p, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    fen_write_with_ep(&p, e4, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    const Move nf6 = move_make(G8, F6);
    pos_make(&p, nf6, &undo, NULL);
    fen_write_with_ep(&p, nf6, fen);
    assert_string_equal(fen, "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
}

static int compare_fens(const void *a, const void *b) { return strcmp(a, b); }

static void chess960_has_960_different_start_positions(void **state)
{
    (void)state;
    static char fens[960][FEN_SIZE];
    for (int n = 0; n < 960; n++) {
        Position p;
        pos_start_960(&p, n, n);
        assert_consistent(&p);
        assert_int_equal(bb_count(pos_occupied(&p)), 32);
        assert_int_equal(p.st.castling, 15);
        const Bitboard bishops = pos_pieces(&p, WHITE, BISHOP);
        assert_int_equal(bb_count(bishops & DARK_SQUARES), 1);
        fen_write(&p, fens[n]);
        const Position again = position(fens[n], FEN_960);
        assert_memory_equal(&p, &again, sizeof p);
    }
    assert_string_equal(fens[518], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert_string_equal(fens[0], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    assert_string_equal(fens[959], "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1");

    qsort(fens, 960, FEN_SIZE, compare_fens);
    for (int n = 1; n < 960; n++)
        assert_string_not_equal(fens[n - 1], fens[n]);

    Position mixed;
    pos_start_960(&mixed, 0, 959);
    char fen[FEN_SIZE];
    fen_write(&mixed, fen);
    assert_string_equal(fen, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
}

static void check_round_trip(Position *p, void *user)
{
    char fen[FEN_SIZE], again[FEN_SIZE];
    fen_write(p, fen);
    Position back = position(fen, p->chess960 ? FEN_960 : FEN_STANDARD);
    fen_write(&back, again);
    assert_string_equal(fen, again);
    assert_true(back.st.key == p->st.key);
    assert_int_equal(gen_count(&back), gen_count(p));
    assert_int_equal(back.ply, p->ply);
    ++*(int *)user;
}

static void what_is_written_reads_back_equal(void **state)
{
    (void)state;
    int checks = 0;
    assert_int_equal(visit_suites(2, check_round_trip, &checks), 415);
    assert_in_range(checks, 250000, 400000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_fens_are_refused_with_their_code),
        cmocka_unit_test(a_refusal_names_field_reason_and_column),
        cmocka_unit_test(careless_fens_are_written_canonically),
        cmocka_unit_test(odd_but_valid_fens_have_their_number_of_moves),
        cmocka_unit_test(odd_material_is_accepted_with_a_warning),
        cmocka_unit_test(only_what_is_lost_is_warned_about),
        cmocka_unit_test(several_warnings_become_one),
        cmocka_unit_test(counters_beyond_the_limits_are_written_so_that_they_can_be_read),
        cmocka_unit_test(the_double_step_may_be_written_whoever_can_take),
        cmocka_unit_test(chess960_has_960_different_start_positions),
        cmocka_unit_test(what_is_written_reads_back_equal),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
