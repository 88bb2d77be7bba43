// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "classical/classical.h"
#include "nnue/accumulator.h"
#include "search/evaluate.h"
#include "train/model.h"
#include "train/sample.h"
#include "train_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* The trainer and the engine must switch on the same inputs. */
static void a_sample_has_the_features_of_its_position(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 300; round++) {
        Position p;
        pos_start_960(&p, (int)rng_below(&rng, 960), (int)rng_below(&rng, 960));
        for (int i = 0; i < round; i++) {
            MoveList list;
            Undo undo;
            gen_legal(&p, &list);
            if (list.count == 0)
                break;
            pos_make(&p, list.moves[rng_below(&rng, (uint64_t)list.count)], &undo, NULL);
        }
        Sample sample;
        sample_pack(&sample, &p, -123, 2);
        assert_int_equal(sample.score, -123);
        assert_int_equal(sample.result, p.turn == WHITE ? 2 : 0);

        const int kings = round % 2 ? 1 : NN_MAX_KINGS;
        uint16_t found[2][SAMPLE_MAX_MEN], expected[2][SAMPLE_MAX_MEN];
        const int men = sample_features(&sample, kings, found[0], found[1]);
        assert_int_equal(men, bb_count(pos_occupied(&p)));
        for (int half = 0; half < 2; half++) {
            const Color side = half ? color_flip(p.turn) : p.turn;
            const View view = view_from(side, pos_king(&p, side), kings);
            int n = 0;
            for (Square s = 0; s < 64; s++)
                if (pos_piece_on(&p, s) != NO_PIECE)
                    expected[half][n++] =
                        (uint16_t)feature_index(side, view, pos_piece_on(&p, s), s);
            qsort(found[half], (size_t)men, sizeof **found, by_number);
            qsort(expected[half], (size_t)men, sizeof **expected, by_number);
            assert_memory_equal(found[half], expected[half], (size_t)men * sizeof **found);
        }
    }
}

static SampleVerdict judge(const char *fen, const char *from_to, int score, int ply)
{
    static GameRecord game;
    Position p;
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    game.opening = 8;
    game.count = RECORD_MAX_PLIES;
    const Square from = square_make(from_to[0] - 'a', from_to[1] - '1'),
                 to = square_make(from_to[2] - 'a', from_to[3] - '1');
    game.plies[ply] = (RecordPly){move_make(from, to), (int16_t)score};
    return sample_judge(&sample_filter_defaults, &game, ply, &p);
}

static void the_filter_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move;
        int score, ply;
        SampleVerdict verdict;
    } cases[] = {
        {FEN_START, "g1f3", 20, 20, SAMPLE_WANTED},
        {FEN_START, "g1f3", 20, 15, SAMPLE_OPENING},
        {FEN_START, "g1f3", 3000, 20, SAMPLE_DECIDED},
        {FEN_START, "g1f3", -31990, 20, SAMPLE_DECIDED},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", 0, 90, SAMPLE_FEW_MEN},
        {"4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", "e1f1", 0, 90, SAMPLE_CHECK},
        {"4k3/8/8/8/3r4/4P3/3P4/4K3 w - - 0 1", "e3d4", 0, 90, SAMPLE_NOISY},
        {"4k3/8/8/8/3r4/4P3/3P4/4K3 w - - 81 90", "e1e2", 0, 90, SAMPLE_SHUFFLING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(judge(cases[i].fen, cases[i].move, cases[i].score, cases[i].ply),
                         cases[i].verdict);
}

static void random_game(GameRecord *game, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    memset(game, 0, sizeof *game);
    game->white_start = game->black_start = RECORD_STANDARD;
    game->result = (uint8_t)rng_below(&rng, 3);
    game->opening = 8;
    Position p;
    record_start(game, &p);
    while (game->count < 80) {
        MoveList list;
        Undo undo;
        gen_legal(&p, &list);
        if (list.count == 0)
            break;
        const Move m = list.moves[rng_below(&rng, (uint64_t)list.count)];
        game->plies[game->count++] = (RecordPly){m, (int16_t)(game->count < 8 ? 0 : count_men(&p))};
        pos_make(&p, m, &undo, NULL);
    }
}

/* A score that the coming plies do not bear out moves towards them, seen from its own side. */
static void targets_look_ahead(void **state)
{
    (void)state;
    static GameRecord game;
    static int16_t targets[RECORD_MAX_PLIES];
    memset(&game, 0, sizeof game);
    game.opening = 1;
    static const int16_t scores[] = {7, 400, -100, 100, -100, 5000};
    for (game.count = 0; game.count < 6; game.count++)
        game.plies[game.count].score = scores[game.count];

    sample_targets(&game, 0, targets);
    for (int i = 0; i < 6; i++)
        assert_int_equal(targets[i], scores[i]);

    sample_targets(&game, 0.5, targets);
    assert_int_equal(targets[0], 7);    /* the opening has no score */
    assert_int_equal(targets[5], 5000); /* decided: as it was */
    /* sigmoid(-100 / 400) is 0.4378; the next one is certain to win: half of it is 0.2189 */
    assert_in_range(targets[4] + 1000, 1000 - 510, 1000 - 507);
    assert_in_range(targets[1], 200, 350);
    assert_true(targets[3] > scores[3] && targets[2] < scores[2]);
}

static char path[64];

static void write_file(int games)
{
    static GameRecord game;
    const RecordHeader header = {1, 1, 1, "test"};
    snprintf(path, sizeof path, "/tmp/samara-sample-%d.games", (int)getpid());
    unlink(path);
    RecordWriter *w = record_create(path, &header, NULL);
    assert_non_null(w);
    for (int i = 0; i < games; i++) {
        random_game(&game, (uint64_t)i);
        assert_true(record_put(w, &game, NULL));
    }
    assert_true(record_finish(w, NULL));
}

static bool same_board(const Sample *a, const Sample *b) { return memcmp(a, b, 24) == 0; }

static void loading_filters_splits_and_dedupes(void **state)
{
    (void)state;
    write_file(400);
    char *paths[] = {path, path}; /* every game twice */
    DatasetOptions options = {.filter = sample_filter_defaults,
                              .valid_permille = 200,
                              .dedupe = true,
                              .seed = 1,
                              .threads = 2};
    Dataset once, twice, all;
    assert_true(dataset_load(&once, &options, paths, 1, NULL));
    assert_true(dataset_load(&twice, &options, paths, 2, NULL));
    options.dedupe = false;
    assert_true(dataset_load(&all, &options, paths, 2, NULL));

    assert_int_equal(once.games, 400);
    assert_int_equal(once.train_count + once.valid_count + once.duplicates,
                     once.verdicts[SAMPLE_WANTED]);
    assert_int_equal(twice.train_count, once.train_count);
    assert_int_equal(twice.valid_count, once.valid_count);
    assert_int_equal(all.train_count + all.valid_count, 2 * once.verdicts[SAMPLE_WANTED]);
    assert_in_range(once.valid_count * 100 / (once.train_count + once.valid_count), 12, 28);
    for (size_t i = 0; i < once.valid_count; i += 50)
        for (size_t k = 0; k < once.train_count; k++)
            assert_false(same_board(&once.valid[i], &once.train[k]));
    dataset_free(&once);
    dataset_free(&twice);
    dataset_free(&all);
    unlink(path);
}

static void loading_is_repeatable_and_shuffles(void **state)
{
    (void)state;
    write_file(100);
    char *paths[] = {path};
    DatasetOptions options = {
        .filter = sample_filter_defaults, .valid_permille = 100, .seed = 5, .threads = 2};
    Dataset a, b, c;
    assert_true(dataset_load(&a, &options, paths, 1, NULL));
    assert_true(dataset_load(&b, &options, paths, 1, NULL));
    options.seed = 6;
    assert_true(dataset_load(&c, &options, paths, 1, NULL));
    assert_memory_equal(a.train, b.train, a.train_count * sizeof *a.train);
    assert_int_equal(a.train_count, c.train_count);
    assert_memory_not_equal(a.train, c.train, a.train_count * sizeof *a.train);
    dataset_free(&a);
    dataset_free(&b);
    dataset_free(&c);
    unlink(path);
}

/* White, who is at the bottom of a sample's board, to move. */
static void unpack(const Sample *sample, Position *p)
{
    pos_clear(p);
    int n = 0;
    for (Bitboard b = sample->occupied; b; n++) {
        const int man = sample->men[n >> 1] >> 4 * (n & 1) & 15;
        pos_put(p, piece_make(man >> 3, man & 7), bb_pop(&b));
    }
    pos_finish(p);
}

/* Those without a right to castle, which would count and which samples do not have; returns how
 * many there were. */
static int compare_imitations(const Dataset *data)
{
    int compared = 0;
    for (size_t i = 0; i < data->train_count; i++) {
        const Sample *sample = &data->train[i];
        if (sample->own_king < A2 || sample->enemy_king > H7)
            continue;
        Position p;
        unpack(sample, &p);
        assert_false(pos_in_check(&p));
        assert_int_equal(sample->score, classical_evaluate(&p, NULL));
        compared++;
    }
    return compared;
}

static void imitation_takes_the_classical_evaluation_of_positions_nearby(void **state)
{
    (void)state;
    write_file(40);
    char *paths[] = {path};
    DatasetOptions options = {
        .filter = sample_filter_defaults, .valid_permille = 200, .seed = 1, .threads = 2};
    Dataset played, imitated;
    assert_true(dataset_load(&played, &options, paths, 1, NULL));
    options.imitate = 6;
    assert_true(dataset_load(&imitated, &options, paths, 1, NULL));
    for (size_t i = 0; i < imitated.train_count; i++)
        assert_int_equal(imitated.train[i].result, SAMPLE_NO_RESULT);
    assert_in_range(imitated.train_count, 3 * played.train_count, 6 * imitated.positions);
    assert_true(compare_imitations(&imitated) > 100);
    dataset_free(&imitated);
    dataset_free(&played);
    unlink(path);
}

static void a_missing_file_is_told(void **state)
{
    (void)state;
    char *paths[] = {(char *)"/nonexistent/x.games"};
    const DatasetOptions options = {.filter = sample_filter_defaults, .threads = 2};
    Dataset data;
    Error err;
    assert_false(dataset_load(&data, &options, paths, 1, &err));
    assert_non_null(strstr(err.text, "/nonexistent/x.games"));
}

int main(void)
{
    attacks_init();
    classical_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_has_the_features_of_its_position),
        cmocka_unit_test(the_filter_says_why),
        cmocka_unit_test(targets_look_ahead),
        cmocka_unit_test(loading_filters_splits_and_dedupes),
        cmocka_unit_test(loading_is_repeatable_and_shuffles),
        cmocka_unit_test(imitation_takes_the_classical_evaluation_of_positions_nearby),
        cmocka_unit_test(a_missing_file_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
