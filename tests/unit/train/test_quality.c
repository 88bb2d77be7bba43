// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "train/quality.h"
#include "train/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void close_to(double a, double b, double distance)
{
    if (fabs(a - b) > distance)
        fail_msg("%f is not %f", a, b);
}

static void a_perfect_evaluation_has_no_error(void **state)
{
    (void)state;
    const int scores[] = {-300, -20, 0, 15, 700};
    const QualityFigures f = quality_measure(scores, scores, NULL, 5);
    assert_int_equal(f.count, 5);
    close_to(f.error, 0, 1e-9);
    close_to(f.bias, 0, 1e-9);
    close_to(f.correlation, 1, 1e-9);
    close_to(f.factor, 1, 1e-3);
}

static void bias_and_scale_are_told_apart(void **state)
{
    (void)state;
    int truth[401], shifted[401], halved[401];
    for (int i = 0; i <= 400; i++) {
        truth[i] = 4 * (i - 200);
        shifted[i] = truth[i] + 50;
        halved[i] = truth[i] / 2;
    }
    const QualityFigures bias = quality_measure(shifted, truth, NULL, 401),
                         scale = quality_measure(halved, truth, NULL, 401);
    close_to(bias.bias, 50, 1e-9);
    assert_true(bias.fitted_error > 5);
    close_to(scale.bias, 0, 1e-9);
    close_to(scale.factor, 2, 1e-2);
    assert_true(scale.error > 10);
    close_to(scale.fitted_error, 0, 0.1);
}

static void only_chosen_positions_count(void **state)
{
    (void)state;
    const int truth[] = {0, 0, 0}, judged[] = {900, 10, -900};
    const bool only[] = {false, true, false};
    const QualityFigures f = quality_measure(judged, truth, only, 3);
    assert_int_equal(f.count, 1);
    close_to(f.bias, 10, 1e-9);
}

static void a_set_is_read_back(void **state)
{
    (void)state;
    char path[] = "/tmp/samara-quality-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\t123\n", file);
    fputs("1r2k2r/8/8/8/8/8/8/R3K1R1 b GAhb - 3 9\t-45\n", file);
    fclose(file);
    QualitySet set;
    assert_true(quality_read(&set, path, NULL));
    assert_int_equal(set.count, 2);
    assert_int_equal(set.items[0].score, 123);
    assert_int_equal(set.items[1].score, -45);
    assert_false(set.items[0].p.chess960);
    assert_true(set.items[1].p.chess960);
    quality_free(&set);
    unlink(path);
}

static void a_bad_line_is_named(void **state)
{
    (void)state;
    char path[] = "/tmp/samara-quality-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\t123\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", file);
    fclose(file);
    QualitySet set;
    Error err;
    assert_false(quality_read(&set, path, &err));
    assert_non_null(strstr(err.text, "line 2: a line needs a FEN, a tab and a score"));
    unlink(path);
}

/* Random games, so that the file's contents are known and some are held out. */
static void write_games(const char *path, int games)
{
    const RecordHeader header = {.seed = 1, .maker = "test"};
    RecordWriter *writer = record_create(path, &header, NULL);
    GameRecord *game = calloc(1, sizeof *game);
    Rng rng;
    rng_seed(&rng, 7);
    for (int n = 0; n < games; n++) {
        *game = (GameRecord){.white_start = RECORD_STANDARD,
                             .black_start = RECORD_STANDARD,
                             .result = 1,
                             .opening = 4};
        Position p;
        record_start(game, &p);
        for (int i = 0; i < 40; i++) {
            MoveList list;
            Undo undo;
            gen_legal(&p, &list);
            if (list.count == 0)
                break;
            const Move m = list.moves[rng_below(&rng, (uint64_t)list.count)];
            game->plies[game->count++] = (RecordPly){m, 0};
            pos_make(&p, m, &undo, NULL);
        }
        assert_true(record_put(writer, game, NULL));
    }
    free(game);
    assert_true(record_finish(writer, NULL));
}

static void only_held_out_games_are_drawn_from(void **state)
{
    (void)state;
    char path[] = "/tmp/samara-quality-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    write_games(path, 400);
    char *paths[] = {path};
    QualitySet set, again;
    assert_true(quality_draw(&set, paths, 1, 50, 3, NULL));
    assert_true(quality_draw(&again, paths, 1, 50, 3, NULL));
    assert_true(set.count > 20 && set.count <= 50);
    assert_int_equal(set.count, again.count);
    RecordReader *reader = record_open(path, NULL);
    GameRecord *game = malloc(sizeof *game);
    size_t learned = 0, held_out = 0;
    while (record_next(reader, game)) {
        Position p;
        record_start(game, &p);
        for (int i = 0; i < game->count; i++) {
            for (size_t k = 0; k < set.count; k++)
                if (i >= 16 && set.items[k].p.st.key == p.st.key)
                    *(sample_held_out(game, SAMPLE_HELD_OUT) ? &held_out : &learned) += 1;
            Undo undo;
            pos_make(&p, game->plies[i].move, &undo, NULL);
        }
    }
    assert_int_equal(learned, 0);
    assert_int_equal(held_out, set.count);
    for (size_t k = 0; k < set.count; k++)
        assert_true(set.items[k].p.st.key == again.items[k].p.st.key);
    free(game);
    record_close(reader);
    quality_free(&set);
    quality_free(&again);
    unlink(path);
}

int main(void)
{
    attacks_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_perfect_evaluation_has_no_error),
        cmocka_unit_test(bias_and_scale_are_told_apart),
        cmocka_unit_test(only_chosen_positions_count),
        cmocka_unit_test(a_set_is_read_back),
        cmocka_unit_test(a_bad_line_is_named),
        cmocka_unit_test(only_held_out_games_are_drawn_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
