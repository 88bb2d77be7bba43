// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks.h"
#include "classical/classical.h"
#include "train/gate.h"
#include "train/loop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];
static AtomicFlag stop;

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/samara-loop-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* A tiny loop from the classical evaluation on: seconds instead of hours. */
static LoopSettings tiny(void)
{
    LoopSettings s = loop_defaults;
    s.dir = folder;
    s.start = "";
    s.positions = 1500;
    s.nodes = 30;
    s.hard_nodes = 60;
    s.hidden = 128;
    s.batch = 256;
    s.epochs = s.first_epochs = 2;
    s.gate_pairs = 3;
    s.gate_nodes = 60;
    s.quality_positions = 20;
    s.quality_nodes = 100;
    s.generations = 1;
    s.threads = 2;
    return s;
}

static void generations_follow_each_other(void **state)
{
    (void)state;
    LoopSettings s = tiny();
    Error err = {0};
    LoopRow *rows;
    int count;
    if (!loop_run(&s, &stop, &err))
        fail_msg("%s", err.text);
    assert_true(loop_read(folder, &rows, &count, &err));
    assert_int_equal(count, 1);
    const double quality = rows[0].quality;
    assert_true(rows[0].positions >= 1500 && rows[0].learned >= 1500);
    assert_int_equal(rows[0].wins + rows[0].losses + rows[0].draws, 6);
    assert_true(quality > 0);
    free(rows);

    s.generations = 2; /* goes on behind the first */
    if (!loop_run(&s, &stop, &err))
        fail_msg("%s", err.text);
    assert_true(loop_read(folder, &rows, &count, &err));
    assert_int_equal(count, 2);
    assert_true(fabs(rows[0].quality - quality) < 0.01);
    assert_true(rows[1].learned > rows[1].positions); /* the first one's games, too */
    free(rows);

    Buffer status = {0};
    loop_status(folder, &status);
    assert_string_equal(buffer_text(&status), "generation 2: playing against its predecessor\n");
    buffer_free(&status);
}

static void a_stopped_loop_leaves_no_row(void **state)
{
    (void)state;
    LoopSettings s = tiny();
    s.positions = 1000000;
    Error err;
    LoopRow *rows;
    int count;
    atomic_store(&stop, true);
    assert_true(loop_run(&s, &stop, &err)); /* nothing was begun */
    atomic_store(&stop, false);
    assert_true(loop_read(folder, &rows, &count, &err));
    assert_int_equal(count, 0);
    free(rows);
}

static void a_pause_is_a_file(void **state)
{
    (void)state;
    assert_false(loop_is_paused(folder));
    assert_true(loop_set_pause(folder, true, NULL));
    assert_true(loop_is_paused(folder));
    assert_true(loop_set_pause(folder, false, NULL));
    assert_false(loop_is_paused(folder));
    assert_true(loop_set_pause(folder, false, NULL)); /* twice is fine */
}

static void a_damaged_table_is_named(void **state)
{
    (void)state;
    char path[96];
    snprintf(path, sizeof path, "%s/loop.csv", folder);
    FILE *file = fopen(path, "w");
    fputs("generation,...\n1,2,three\n", file);
    fclose(file);
    LoopRow *rows;
    int count;
    Error err;
    assert_false(loop_read(folder, &rows, &count, &err));
    assert_non_null(strstr(err.text, "line 2"));
    free(rows);
}

static void rows_and_picture_are_written(void **state)
{
    (void)state;
    const LoopRow rows[2] = {
        {.generation = 1, .positions = 10, .quality = 70, .elo = 30, .error = 20, .accepted = true},
        {.generation = 2, .positions = 12, .quality = 65, .elo = -40, .error = 21}};
    Buffer text = {0};
    loop_csv(rows, 2, &text);
    assert_non_null(strstr(buffer_text(&text), "\n2,12,0,"));
    buffer_clear(&text);
    loop_svg(rows, 2, &text);
    assert_non_null(strstr(buffer_text(&text), "generations 1 to 2"));
    assert_non_null(strstr(buffer_text(&text), "</svg>"));
    buffer_clear(&text);
    loop_svg(NULL, 0, &text);
    assert_non_null(strstr(buffer_text(&text), "</svg>"));
    buffer_free(&text);
}

/* 75 of 100 pairs won by one point each of two: 68.75 %. */
static void elo_comes_with_its_error(void **state)
{
    (void)state;
    const uint64_t even[5] = {10, 20, 40, 20, 10}, better[5] = {0, 0, 25, 75, 0};
    const GateResult level = gate_result(even, 50, 50, 100),
                     ahead = gate_result(better, 100, 25, 75);
    assert_true(fabs(level.elo) < 1e-9 && level.error > 20);
    assert_true(fabs(ahead.score - 0.6875) < 1e-9);
    assert_true(fabs(ahead.elo - 137) < 1);
    assert_true(ahead.error < level.error);
}

static void a_player_does_not_beat_itself(void **state)
{
    (void)state;
    const GateJob job = {.new_net = "",
                         .old_net = "",
                         .pairs = 4,
                         .nodes = 100,
                         .seed = 3,
                         .threads = 2,
                         .hash_mb = 1,
                         .stop = &stop};
    GateResult result;
    assert_true(gate_run(&job, &result, NULL));
    assert_int_equal(result.wins, result.losses); /* both games of a pair are the same game */
    assert_int_equal(result.wins + result.losses + result.draws, 8);
}

int main(void)
{
    attacks_init();
    classical_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(generations_follow_each_other, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_stopped_loop_leaves_no_row, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_pause_is_a_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_damaged_table_is_named, make_folder, remove_folder),
        cmocka_unit_test(rows_and_picture_are_written),
        cmocka_unit_test(elo_comes_with_its_error),
        cmocka_unit_test(a_player_does_not_beat_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
