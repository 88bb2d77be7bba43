// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/fen.h"
#include "chess/notation.h"
#include "probe/book.h"
#include "probe/book_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* The fourth field of a FEN: the square itself, whether or not a capture is legal. */
static Square ep_field(const char *fen)
{
    Str rest = str_from(fen);
    for (int i = 0; i < 3; i++)
        str_token(&rest);
    const Str field = str_token(&rest);
    return field.len == 2 ? square_make(field.ptr[0] - 'a', field.ptr[1] - '1') : NO_SQUARE;
}

static void keys_are_those_of_the_format(void **state)
{
    (void)state;
    FILE *file = fopen(SAMARA_TEST_DATA_DIR "/book/polyglot_keys.tsv", "r");
    assert_non_null(file);
    char line[512];
    int checked = 0;
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab)
            continue;
        *tab = '\0';
        Position p;
        assert_true(fen_parse(&p, str_from(line), FEN_STANDARD, NULL, NULL));
        assert_int_equal(book_key(&p, ep_field(line)), strtoull(tab + 1, NULL, 16));
        checked++;
    }
    fclose(file);
    assert_true(checked >= 14);
}

static void a_pawn_that_ran_leaves_its_square(void **state)
{
    (void)state;
    Position p;
    Undo undo;
    pos_start(&p);
    Move m = move_from_uci(&p, STR("e2e4"));
    pos_make(&p, m, &undo, NULL);
    assert_int_equal(book_ep(&p, m), E3);
    m = move_from_uci(&p, STR("e7e6"));
    pos_make(&p, m, &undo, NULL);
    assert_int_equal(book_ep(&p, m), NO_SQUARE);
    assert_int_equal(book_ep(&p, MOVE_NONE), NO_SQUARE);
    m = move_from_uci(&p, STR("g1f3"));
    pos_make(&p, m, &undo, NULL);
    assert_int_equal(book_ep(&p, m), NO_SQUARE);
}

typedef struct Files {
    char folder[64], pgn[80], book[80];
} Files;

static int make_files(void **state)
{
    static const char games[] =
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0\n\n"
        "[White \"Ada\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n\n[Result \"0-1\"]\n\n1. d4 d5 "
        "0-1\n\n"
        "[Result \"*\"]\n\n1. c4 *\n\n"
        "[FEN \"7k/P7/8/8/8/8/8/7K w - - 0 1\"]\n[Result \"1-0\"]\n\n1. a8=R+ 1-0\n";
    Files *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/samara-book-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->pgn, sizeof f->pgn, "%s/games.pgn", f->folder);
    snprintf(f->book, sizeof f->book, "%s/book.bin", f->folder);
    FILE *file = fopen(f->pgn, "w");
    fputs(games, file);
    fclose(file);
    *state = f;
    return 0;
}

static int remove_files(void **state)
{
    Files *f = *state;
    remove(f->pgn);
    remove(f->book);
    rmdir(f->folder);
    free(f);
    return 0;
}

static Book *build(const Files *f, BookPlan plan, BookStats *stats)
{
    Error err;
    assert_true(book_build(f->pgn, f->book, &plan, stats, &err));
    Book *book = book_open(f->book, &err);
    assert_non_null(book);
    return book;
}

static void assert_moves(const Book *book, const char *fen, const char *expected)
{
    Position p;
    BookMove moves[8];
    Buffer text = {0};
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    const int count = book_moves(book, &p, ep_field(fen), moves, 8);
    for (int i = 0; i < count; i++) {
        char uci[UCI_MOVE_SIZE];
        move_to_uci(moves[i].move, false, uci);
        buffer_printf(&text, "%s%s:%d", i ? " " : "", uci, moves[i].weight);
    }
    assert_string_equal(buffer_text(&text), expected);
    buffer_free(&text);
}

static void a_book_of_games_knows_what_was_played_and_how_it_went(void **state)
{
    BookStats stats;
    Book *book = build(*state, (BookPlan){40, 1, NULL}, &stats);
    assert_true(stats.games == 5 && stats.skipped == 1);
    assert_moves(book, FEN_START, "e2e4:3");
    assert_moves(book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "c7c5:1");
    assert_moves(book, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
                 "e1g1:2");
    assert_moves(book, "7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8r:2");
    assert_moves(book, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "");
    book_close(book);
}

static void rare_moves_and_late_moves_stay_out(void **state)
{
    BookStats stats;
    Book *book = build(*state, (BookPlan){40, 2, NULL}, &stats);
    assert_int_equal(stats.moves, 1);
    book_close(book);
    book = build(*state, (BookPlan){1, 1, NULL}, &stats);
    assert_moves(book, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", "");
    book_close(book);
}

static void a_book_of_one_player_has_no_moves_of_others(void **state)
{
    BookStats stats;
    Book *book = build(*state, (BookPlan){40, 1, "Ada"}, &stats);
    assert_int_equal(stats.moves, 1);
    assert_moves(book, FEN_START, "e2e4:1");
    book_close(book);
}

static void the_lot_follows_the_weights(void **state)
{
    BookStats stats;
    Position p;
    Rng rng;
    Book *book = build(*state, (BookPlan){40, 1, NULL}, &stats);
    rng_seed(&rng, 5);
    pos_start(&p);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(book_pick(book, &p, NO_SQUARE, i % 2, &rng),
                         move_from_uci(&p, STR("e2e4")));
    }
    assert_true(fen_parse(&p, STR("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), FEN_STANDARD, NULL, NULL));
    assert_int_equal(book_pick(book, &p, NO_SQUARE, false, &rng), MOVE_NONE);
    book_close(book);
}

static void what_is_no_book_is_refused(void **state)
{
    const Files *f = *state;
    static const char *const wrong[] = {"/nonexistent", "/dev/null", "/dev/zero", "/tmp", ""};
    Error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(book_open(wrong[i], &err));
    assert_null(book_open(f->pgn, &err)); /* its size is no multiple of 16 */
}

static void a_book_that_cannot_be_written_is_said_so(void **state)
{
    const Files *f = *state;
    BookStats stats;
    Error err;
    const BookPlan plan = {40, 1, NULL};
    assert_false(book_build(f->pgn, "/nonexistent/book.bin", &plan, &stats, &err));
    assert_false(book_build("/nonexistent.pgn", f->book, &plan, &stats, &err));
    assert_false(book_build("/dev/null", f->book, &plan, &stats, &err));
    assert_string_equal(err.code, "BOOK_EMPTY");
}

static int set_up(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

/* Follows every move of the book inside the program, and counts the positions that it knows. */
static int walk(Position *p, Square ep, int plies)
{
    BookMove moves[MAX_MOVES];
    const int count = book_moves(book_embedded(), p, ep, moves, MAX_MOVES);
    int known = count > 0;
    for (int i = 0; i < count && plies > 0; i++) {
        Undo undo;
        assert_true(moves[i].weight > 0);
        pos_make(p, moves[i].move, &undo, NULL);
        known += walk(p, book_ep(p, moves[i].move), plies - 1);
        pos_unmake(p, moves[i].move, &undo);
    }
    return known;
}

static void the_book_inside_knows_the_openings(void **state)
{
    (void)state;
    static const char *const usual[] = {"e2e4", "d2d4", "c2c4", "g1f3"};
    const Book *book = book_embedded();
    Position p;
    Undo undo;
    BookMove moves[MAX_MOVES];
    assert_non_null(book);
    pos_start(&p);
    assert_true(book_moves(book, &p, NO_SQUARE, moves, MAX_MOVES) >= 3);
    assert_true(walk(&p, NO_SQUARE, 6) > 100);
    for (int i = 0; i < 4; i++) {
        const Move m = move_from_uci(&p, str_from(usual[i]));
        pos_make(&p, m, &undo, NULL);
        const int count = book_moves(book, &p, book_ep(&p, m), moves, MAX_MOVES);
        assert_true(count >= 2);
        for (int k = 0; k < count; k++) /* no flank pawn is thrown forward at once */
            assert_true(square_file(move_from(moves[k].move)) != 7);
        pos_unmake(&p, m, &undo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_those_of_the_format),
        cmocka_unit_test(a_pawn_that_ran_leaves_its_square),
        cmocka_unit_test(the_book_inside_knows_the_openings),
        cmocka_unit_test_setup_teardown(a_book_of_games_knows_what_was_played_and_how_it_went,
                                        make_files, remove_files),
        cmocka_unit_test_setup_teardown(rare_moves_and_late_moves_stay_out, make_files,
                                        remove_files),
        cmocka_unit_test_setup_teardown(a_book_of_one_player_has_no_moves_of_others, make_files,
                                        remove_files),
        cmocka_unit_test_setup_teardown(the_lot_follows_the_weights, make_files, remove_files),
        cmocka_unit_test_setup_teardown(what_is_no_book_is_refused, make_files, remove_files),
        cmocka_unit_test_setup_teardown(a_book_that_cannot_be_written_is_said_so, make_files,
                                        remove_files),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
