// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"
#include "chess/movegen.h"
#include "train/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const RecordHeader header = {7, 1000, 1500, "a test"};

static char path[64];

static int fresh_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/samara-record-%d.games", (int)getpid());
    unlink(path);
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static int by_number(const void *a, const void *b) { return *(const Move *)a - *(const Move *)b; }

/* Game number n: random moves, random scores, all three kinds of start. */
static void make_game(GameRecord *game, int n)
{
    Rng rng;
    rng_seed(&rng, (uint64_t)n);
    memset(game, 0, sizeof *game);
    game->chess960 = n % 3 != 0;
    game->white_start = game->chess960 ? (uint16_t)rng_below(&rng, 960) : RECORD_STANDARD;
    game->black_start = n % 3 == 2 ? (uint16_t)rng_below(&rng, 960) : game->white_start;
    game->result = (uint8_t)(n % 3);
    const int plies = (int)rng_below(&rng, n % 50 == 7 ? RECORD_MAX_PLIES : 160);
    Position p;
    record_start(game, &p);
    while (game->count < plies) {
        MoveList list;
        gen_legal(&p, &list);
        if (list.count == 0)
            break;
        /* The generator's order is its own affair. */
        qsort(list.moves, (size_t)list.count, sizeof *list.moves, by_number);
        const Move m = list.moves[rng_below(&rng, (uint64_t)list.count)];
        const int wide = rng_below(&rng, 20) == 0 ? 2 * RECORD_MAX_SCORE + 1 : 101;
        game->plies[game->count++] =
            (RecordPly){m, (int16_t)((int)rng_below(&rng, (uint64_t)wide) - wide / 2)};
        Undo undo;
        pos_make(&p, m, &undo, NULL);
    }
    game->opening = game->count < 9 ? game->count : 9;
    for (int i = 0; i < game->opening; i++)
        game->plies[i].score = 0;
}

enum { GAMES = 1500 };
static GameRecord games_made[GAMES];

static void assert_same_game(const GameRecord *a, const GameRecord *b)
{
    assert_int_equal(a->chess960, b->chess960);
    assert_int_equal(a->white_start, b->white_start);
    assert_int_equal(a->black_start, b->black_start);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->opening, b->opening);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        assert_int_equal(a->plies[i].move, b->plies[i].move);
        assert_int_equal(a->plies[i].score, b->plies[i].score);
    }
}

static void write_games(int from, int to)
{
    uint64_t found;
    RecordWriter *w = record_resume(path, &header, &found, NULL);
    assert_non_null(w);
    assert_int_equal(found, from);
    for (int i = from; i < to; i++)
        assert_true(record_put(w, &games_made[i], NULL));
    assert_true(record_finish(w, NULL));
}

static Buffer file_bytes(void)
{
    Buffer bytes = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char chunk[4096];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        buffer_append(&bytes, chunk, got);
    fclose(file);
    return bytes;
}

static void put_file(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static bool looks_like(const GameRecord *a, const GameRecord *b)
{
    return a->count == b->count && (a->count == 0 || a->plies[0].move == b->plies[0].move) &&
           a->result == b->result && a->white_start == b->white_start;
}

/* Reads everything; the games must be those that were written, in order, with gaps only where
 * something was lost. */
static RecordTotals read_all(int written, int *found)
{
    static GameRecord game;
    RecordReader *r = record_open(path, NULL);
    assert_non_null(r);
    *found = 0;
    int next = 0;
    while (record_next(r, &game)) {
        while (next < written && !looks_like(&game, &games_made[next]))
            next++;
        assert_true(next < written);
        assert_same_game(&game, &games_made[next]);
        next++;
        ++*found;
    }
    const RecordTotals totals = record_totals(r);
    record_close(r);
    return totals;
}

static void games_come_back_as_they_went_in(void **state)
{
    (void)state;
    write_games(0, 1500);
    int found;
    const RecordTotals totals = read_all(1500, &found);
    assert_int_equal(found, 1500);
    assert_int_equal(totals.games, 1500);
    assert_int_equal(totals.damaged, 0);
    assert_true(totals.blocks > 2);
}

static void a_ply_costs_less_than_three_bytes(void **state)
{
    (void)state;
    write_games(0, 300);
    int found;
    const RecordTotals totals = read_all(300, &found);
    const Buffer bytes = file_bytes();
    assert_true((double)bytes.len / (double)totals.plies < 3);
    buffer_free((Buffer *)&bytes);
}

static void a_run_in_pieces_gives_the_bytes_of_one_run(void **state)
{
    (void)state;
    write_games(0, 900);
    Buffer whole = file_bytes();
    unlink(path);
    static const int stops[] = {0, 1, 17, 400, 401, 899, 900};
    for (size_t i = 0; i + 1 < sizeof stops / sizeof *stops; i++)
        write_games(stops[i], stops[i + 1]);
    Buffer pieces = file_bytes();
    assert_int_equal(whole.len, pieces.len);
    assert_memory_equal(whole.data, pieces.data, whole.len);
    buffer_free(&whole);
    buffer_free(&pieces);
}

static void a_torn_tail_costs_one_block(void **state)
{
    (void)state;
    write_games(0, 1200);
    Buffer bytes = file_bytes();
    int found, whole;
    const RecordTotals before = read_all(1200, &whole);
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 8; i++) {
        put_file(bytes.data, bytes.len - 1 - rng_below(&rng, 5000));
        const RecordTotals totals = read_all(1200, &found);
        assert_in_range(totals.blocks, before.blocks - 2, before.blocks - 1);
        assert_true(found > 600);
        uint64_t resumed;
        RecordWriter *w = record_resume(path, &header, &resumed, NULL);
        assert_non_null(w);
        assert_int_equal(resumed, found);
        assert_true(record_finish(w, NULL));
        assert_int_equal(read_all(1200, &found).damaged, 0);
    }
    buffer_free(&bytes);
}

static void damage_in_the_middle_costs_the_block_it_hits(void **state)
{
    (void)state;
    write_games(0, 1200);
    Buffer bytes = file_bytes();
    int found;
    const RecordTotals before = read_all(1200, &found);
    Rng rng;
    rng_seed(&rng, 4);
    for (int i = 0; i < 10; i++) {
        const size_t at = 128 + rng_below(&rng, bytes.len - 128);
        const char bit = (char)(1 << rng_below(&rng, 8));
        bytes.data[at] ^= bit;
        put_file(bytes.data, bytes.len);
        const RecordTotals totals = read_all(1200, &found);
        assert_int_equal(totals.blocks, before.blocks - 1);
        assert_int_equal(totals.damaged, 1);
        bytes.data[at] ^= bit;
    }
    buffer_free(&bytes);
}

static void a_damaged_file_is_not_continued(void **state)
{
    (void)state;
    write_games(0, 1200);
    Buffer bytes = file_bytes();
    bytes.data[500] ^= 1;
    put_file(bytes.data, bytes.len);
    Error err;
    uint64_t games;
    assert_null(record_resume(path, &header, &games, &err));
    assert_non_null(strstr(err.text, "damaged"));
    buffer_free(&bytes);
}

static void another_players_file_is_not_continued(void **state)
{
    (void)state;
    write_games(0, 3);
    RecordHeader other = header;
    other.soft_nodes++;
    Error err;
    uint64_t games;
    assert_null(record_resume(path, &other, &games, &err));
    assert_non_null(strstr(err.text, "other settings"));
}

static void foreign_and_missing_files_are_refused(void **state)
{
    (void)state;
    Error err;
    assert_null(record_open(path, &err));
    assert_non_null(strstr(err.text, "cannot open"));
    put_file("hello", 5);
    assert_null(record_open(path, &err));
    assert_non_null(strstr(err.text, "is not a file of Samara's games"));
    put_file("SAMARAGR", 8);
    assert_null(record_open(path, &err));
    assert_non_null(strstr(err.text, "damaged"));
    assert_null(record_create(path, &header, &err)); /* never over an existing file */
}

static void parts_add_up_to_the_file(void **state)
{
    (void)state;
    write_games(0, 1200);
    static GameRecord game;
    for (int parts = 1; parts <= 7; parts++) {
        uint64_t games = 0;
        for (int part = 0; part < parts; part++) {
            RecordReader *r = record_open_part(path, part, parts, NULL);
            assert_non_null(r);
            while (record_next(r, &game))
                games++;
            assert_int_equal(record_totals(r).damaged, 0);
            record_close(r);
        }
        assert_int_equal(games, 1200);
    }
}

/* The order of the legal moves is part of the format: if this number changes, old files are lost.
 */
static void the_format_is_frozen(void **state)
{
    (void)state;
    write_games(0, 40);
    Buffer bytes = file_bytes();
    assert_int_equal(crc32c(0, bytes.data, bytes.len), 0x3212208d);
    buffer_free(&bytes);
}

int main(void)
{
    attacks_init();
    for (int i = 0; i < GAMES; i++)
        make_game(&games_made[i], i);
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh_path, remove_path)
    const struct CMUnitTest tests[] = {
        TEST(games_come_back_as_they_went_in),
        TEST(a_ply_costs_less_than_three_bytes),
        TEST(a_run_in_pieces_gives_the_bytes_of_one_run),
        TEST(a_torn_tail_costs_one_block),
        TEST(damage_in_the_middle_costs_the_block_it_hits),
        TEST(a_damaged_file_is_not_continued),
        TEST(another_players_file_is_not_continued),
        TEST(foreign_and_missing_files_are_refused),
        TEST(parts_add_up_to_the_file),
        TEST(the_format_is_frozen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
