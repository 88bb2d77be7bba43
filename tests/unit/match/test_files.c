// SPDX-License-Identifier: GPL-3.0-or-later
/* Openings, games and journals on disk. */
#include "base/file.h"
#include "chess/attacks.h"
#include "chess/notation.h"
#include "chess/pgn.h"
#include "match/gamelog.h"
#include "match/opening.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* A file of its own for every test. */
static int make_path(void **state)
{
    char *path = calloc(1, 64);
    strcpy(path, "/tmp/samara-files-XXXXXX");
    const int fd = mkstemp(path);
    close(fd);
    attacks_init();
    *state = path;
    return fd < 0;
}

static int drop_path(void **state)
{
    unlink(*state);
    free(*state);
    return 0;
}

static void fill(const char *path, const char *text)
{
    assert_true(file_save(path, text, strlen(text), NULL));
}

/* --- openings --- */

static void openings_come_in_order_and_begin_anew(void **state)
{
    fill(*state, "# a book\r\n"
                 "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\r\n"
                 "\n"
                 "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - id \"queen's pawn\";\n"
                 "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1");
    const OpeningConfig config = {.path = *state, .format = OPENING_EPD, .first = 1};
    Error err;
    Openings *o = openings_load(&config, &err);
    if (!o)
        fail_msg("%s", err.text);
    assert_int_equal(openings_count(o), 3);
    assert_false(openings_chess960(o));
    static const Square pawn[] = {D4, C4, E4, D4};
    for (uint64_t i = 0; i < 4; i++) {
        const Opening opening = openings_get(o, i);
        assert_int_equal(pos_piece_on(&opening.start, pawn[i]), WHITE_PAWN);
        assert_int_equal(opening.count, 0);
    }
    openings_free(o);
}

static void a_seed_is_a_permutation(void **state)
{
    Buffer text = {0};
    for (int i = 0; i < 200; i++)
        buffer_printf(&text, "4k3/8/8/8/8/8/8/4K2R w K - 0 %d\n", i + 1);
    fill(*state, buffer_text(&text));
    buffer_free(&text);
    uint32_t order[3][200];
    for (int run = 0; run < 3; run++) {
        const OpeningConfig config = {.path = *state, .shuffle = true, .seed = run == 2 ? 8 : 7};
        Openings *o = openings_load(&config, NULL);
        bool seen[200] = {false};
        for (uint64_t i = 0; i < 200; i++) {
            order[run][i] = openings_get(o, i).start.ply / 2;
            assert_false(seen[order[run][i]]);
            seen[order[run][i]] = true;
        }
        openings_free(o);
    }
    assert_memory_equal(order[0], order[1], sizeof order[0]);
    assert_memory_not_equal(order[0], order[2], sizeof order[0]);
}

static void a_broken_book_is_refused_with_its_line(void **state)
{
    fill(*state, "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/8 w - - 0 1\n");
    const OpeningConfig config = {.path = *state};
    Error err;
    assert_null(openings_load(&config, &err));
    assert_non_null(strstr(err.text, ":2: "));
    fill(*state, "# nothing\n");
    assert_null(openings_load(&config, &err));
    assert_non_null(strstr(err.text, "there is no opening in"));
    const OpeningConfig absent = {.path = "/nowhere/book.epd"};
    assert_null(openings_load(&absent, &err));
    assert_non_null(strstr(err.text, "cannot open '/nowhere/book.epd'"));
}

static void castling_letters_make_it_chess960(void **state)
{
    fill(*state, "4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1\nbnrqnkrb/pppppppp/8/8/8/8/PPPPPPPP/RNKQNBBR w "
                 "HAgc - 0 1\n");
    const OpeningConfig config = {.path = *state};
    Openings *o = openings_load(&config, NULL);
    assert_true(openings_chess960(o));
    assert_true(openings_get(o, 0).start.chess960);
    assert_true(openings_get(o, 1).start.chess960);
    openings_free(o);
}

static void pgn_games_give_their_first_moves(void **state)
{
    fill(*state, "[Event \"x\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 *\n\n"
                 "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 1/2-1/2\n");
    const OpeningConfig config = {.path = *state, .format = OPENING_PGN, .plies = 4};
    Error err;
    Openings *o = openings_load(&config, &err);
    if (!o)
        fail_msg("%s", err.text);
    assert_int_equal(openings_count(o), 2);
    const Opening first = openings_get(o, 0), second = openings_get(o, 1);
    assert_int_equal(first.count, 4);
    assert_int_equal(first.moves[3], move_make(B8, C6));
    assert_int_equal(second.count, 1);
    assert_int_equal(bb_count(pos_occupied(&second.start)), 3);
    openings_free(o);
}

static void without_a_book_games_begin_at_the_beginning(void **state)
{
    (void)state;
    const OpeningConfig config = {.path = NULL};
    Openings *o = openings_load(&config, NULL);
    assert_int_equal(openings_count(o), 1);
    const Opening opening = openings_get(o, 5);
    assert_int_equal(bb_count(pos_occupied(&opening.start)), 32);
    openings_free(o);
}

/* --- games --- */

static void add_move(GameRecord *r, const char *word, MoveNote note)
{
    r->notes = realloc(r->notes, sizeof *r->notes * ((size_t)r->game.count + 1));
    r->notes[r->game.count] = note;
    assert_true(game_play(&r->game, move_from_uci(&r->game.pos, str_from(word)), NULL));
}

static void fools_mate(GameRecord *r)
{
    record_init(r);
    add_move(r, "f2f3", (MoveNote){.from_book = true});
    add_move(r, "e7e5",
             (MoveNote){.thought = {.has_score = true, .score = 31, .depth = 18, .used = 1234000}});
    add_move(
        r, "g2g4",
        (MoveNote){
            .thought = {.has_score = true, .is_mate = true, .score = -1, .depth = 9, .used = 500}});
    add_move(r, "d8h4",
             (MoveNote){.thought = {.has_score = true, .is_mate = true, .score = 1, .depth = 3}});
    r->result = RESULT_BLACK;
    strcpy(r->reason, "Black mates");
    r->thinking = 1234500;
}

static const TimeControl blitz = {.base = 60000000, .increment = 600000, .moves = 40};

static void a_game_is_written_with_scores_depths_and_times(void **state)
{
    (void)state;
    GameRecord r;
    Buffer out = {0};
    fools_mate(&r);
    pgn_of_record(&(PgnHeader){.event = "a \"test\"",
                               .white = "A",
                               .black = "B",
                               .round = 2,
                               .game = 3,
                               .limit = {&blitz, &blitz}},
                  &r, &out);
    assert_non_null(strstr(out.data, "[Event \"a \\\"test\\\"\"]\n[Site \"?\"]\n[Date \""));
    assert_non_null(strstr(
        out.data, "[Round \"2.3\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n"
                  "[PlyCount \"4\"]\n[Termination \"normal\"]\n[TimeControl \"40/60+0.6\"]\n\n"
                  "1. f3 {book} 1... e5 {+0.31/18 1.234s} 2. g4 {-M2/9 0.001s} 2... Qh4# {+M1/3\n"
                  "0.000s} {Black mates} 0-1\n\n"));
    buffer_free(&out);
    record_free(&r);
}

static long feed(void *user, char *out, size_t size)
{
    Str *rest = user;
    const size_t n = rest->len < size ? rest->len : size;
    memcpy(out, rest->ptr, n);
    *rest = (Str){rest->ptr + n, rest->len - n};
    return (long)n;
}

static void a_written_game_is_read_back(void **state)
{
    (void)state;
    GameRecord r;
    Buffer out = {0};
    fools_mate(&r);
    pgn_of_record(&(PgnHeader){.event = "x", .white = "A", .black = "B", .limit = {&blitz, &blitz}},
                  &r, &out);
    Str rest = {out.data, out.len};
    PgnReader *reader = pgn_open(feed, &rest, NULL);
    const PgnGame *game = pgn_next(reader);
    assert_non_null(game);
    assert_false(game->broken);
    assert_string_equal(game->result, "0-1");
    assert_int_equal(game->node_count, 5);
    PgnEval eval;
    pgn_comment_eval(game->text + game->nodes[2].comment, BLACK, &eval);
    assert_true(eval.pawns == -0.31); /* White's view */
    assert_true(eval.has_eval);
    assert_int_equal(eval.depth, 18);
    assert_null(pgn_next(reader));
    pgn_close(reader);
    buffer_free(&out);
    record_free(&r);
}

/* --- journals --- */

static bool sum_lines(void *user, Str line)
{
    int64_t number;
    if (!str_next_int(&line, 0, 1000, &number))
        return false;
    *(int64_t *)user += number;
    return true;
}

static bool open_journal(const char *path, uint64_t fingerprint, int64_t *sum, Journal *j,
                         Error *err)
{
    *sum = 0;
    return journal_open(j, path, "test 1", fingerprint, sum_lines, sum, err);
}

static void a_journal_is_replayed_without_its_torn_end(void **state)
{
    const char *path = *state;
    Journal j;
    int64_t sum;
    Error err;
    assert_true(open_journal(path, 42, &sum, &j, &err));
    assert_true(journal_add(&j, STR("5\n"), &err) && journal_add(&j, STR("6\n"), &err));
    assert_true(journal_add(&j, STR("700"), &err)); /* and then the power failed */
    assert_true(journal_close(&j, &err));
    assert_true(open_journal(path, 42, &sum, &j, &err));
    assert_int_equal(sum, 11);
    assert_true(journal_add(&j, STR("7\n"), &err));
    assert_true(journal_close(&j, &err));
    assert_true(open_journal(path, 42, &sum, &j, &err));
    assert_int_equal(sum, 18);
    assert_true(journal_close(&j, &err));
}

static void a_journal_of_something_else_is_refused_and_kept(void **state)
{
    const char *path = *state;
    Journal j;
    int64_t sum;
    Error err;
    assert_true(open_journal(path, 42, &sum, &j, &err) && journal_add(&j, STR("5\n"), &err));
    journal_close(&j, NULL);
    assert_false(open_journal(path, 43, &sum, &j, &err));
    assert_non_null(strstr(err.text, "is the journal of another match"));
    fill(path, "test 1 000000000000002a\n5\nrubbish\n6\n");
    assert_false(open_journal(path, 42, &sum, &j, &err));
    assert_non_null(strstr(err.text, "is damaged in line 3"));
    Buffer text = {0};
    assert_true(read_file(path, &text, &err));
    assert_string_equal(text.data, "test 1 000000000000002a\n5\nrubbish\n6\n");
    buffer_free(&text);
}

static void results_survive_the_journal(void **state)
{
    const char *path = *state;
    const Schedule s = {.engines = 2, .rounds = 5, .games = 2, .repeat = true};
    Score score, again;
    GameLog log;
    Error err;
    assert_true(score_init(&score, &s, NULL) && score_init(&again, &s, NULL));
    if (!gamelog_open(&log, NULL, path, 1, &score, &err))
        fail_msg("%s", err.text);
    for (uint64_t i = 0; i < 7; i++) {
        GameResult game = {
            .result = (Result)(1 + i % 3), .plies = (uint32_t)(50 + i), .thinking = 1000};
        game.faults[i % 2][FAULT_PV_MATE] = (uint16_t)i;
        const Fixture f = schedule_fixture(&s, i);
        assert_true(gamelog_add(&log, i, &game, STR(""), &err));
        score_add(&score, &f, &game);
    }
    assert_true(gamelog_close(&log, &err));
    assert_true(gamelog_open(&log, NULL, path, 1, &again, &err));
    assert_int_equal(again.games, 7);
    assert_int_equal(again.plies, score.plies);
    assert_memory_equal(again.engines, score.engines, 2 * sizeof *score.engines);
    assert_memory_equal(again.pairings, score.pairings, sizeof *score.pairings);
    assert_true(gamelog_close(&log, &err));
    score_free(&score);
    score_free(&again);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, make_path, drop_path)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(openings_come_in_order_and_begin_anew),
        WITH_FILE(a_seed_is_a_permutation),
        WITH_FILE(a_broken_book_is_refused_with_its_line),
        WITH_FILE(castling_letters_make_it_chess960),
        WITH_FILE(pgn_games_give_their_first_moves),
        WITH_FILE(without_a_book_games_begin_at_the_beginning),
        WITH_FILE(a_game_is_written_with_scores_depths_and_times),
        WITH_FILE(a_written_game_is_read_back),
        WITH_FILE(a_journal_is_replayed_without_its_torn_end),
        WITH_FILE(a_journal_of_something_else_is_refused_and_kept),
        WITH_FILE(results_survive_the_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
