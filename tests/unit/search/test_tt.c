// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/tt.h"

#include "base/rng.h"
#include "base/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int create(void **state)
{
    *state = tt_create(1, NULL);
    return *state ? 0 : -1;
}

static int destroy(void **state)
{
    tt_destroy(*state);
    return 0;
}

static TTData entry(Move move, int depth, Bound bound)
{
    return (TTData){.move = move, .score = 17, .eval = -5, .depth = depth, .bound = bound};
}

static void what_is_stored_comes_back(void **state)
{
    TTable *tt = *state;
    const TTData in[] = {
        {move_make(E2, E4), 123, -456, 9, BOUND_EXACT, true},
        {move_make_promotion(A7, B8, KNIGHT), -31999, SCORE_NONE, 0, BOUND_UPPER, false},
        {MOVE_NONE, SCORE_NONE, 30000, TT_DEPTH_NONE, BOUND_NONE, false},
        {move_make_kind(H8, A1, CASTLING), 32000, -30000, MAX_PLY, BOUND_LOWER, true},
    };
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        const Key key = 0x123456789ABCDEFULL * (i + 1);
        TTData out = {0};
        tt_store(tt, key, &in[i]);
        assert_true(tt_probe(tt, key, &out));
        assert_int_equal(out.move, in[i].move);
        assert_int_equal(out.score, in[i].score);
        assert_int_equal(out.eval, in[i].eval);
        assert_int_equal(out.depth, in[i].depth);
        assert_int_equal(out.bound, in[i].bound);
        assert_int_equal(out.pv, in[i].pv);
    }
}

static void a_miss_leaves_the_answer_alone(void **state)
{
    TTData out = entry(move_make(A1, A2), 3, BOUND_EXACT);
    assert_false(tt_probe(*state, 42, &out));
    assert_int_equal(out.move, move_make(A1, A2));
    assert_int_equal(out.depth, 3);
}

static void a_result_without_a_move_keeps_the_old_move(void **state)
{
    TTData data = entry(move_make(G1, F3), 5, BOUND_LOWER), out;
    tt_store(*state, 7, &data);
    data = entry(MOVE_NONE, 6, BOUND_UPPER);
    tt_store(*state, 7, &data);
    assert_true(tt_probe(*state, 7, &out));
    assert_int_equal(out.move, move_make(G1, F3));
    assert_int_equal(out.depth, 6);
}

/* Same position again: what may take the place of an entry of depth 20? */
static void a_deep_result_gives_way_only_for_a_reason(void **state)
{
    static const struct {
        int depth;
        Bound bound;
        bool later, replaced;
    } cases[] = {
        {10, BOUND_LOWER, false, false}, {17, BOUND_LOWER, false, true},
        {25, BOUND_UPPER, false, true},  {10, BOUND_EXACT, false, true},
        {3, BOUND_LOWER, true, true},
    };
    TTable *tt = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Key key = 1000 + i;
        TTData data = entry(move_make(A2, A3), 20, BOUND_LOWER), out;
        tt_store(tt, key, &data);
        if (cases[i].later)
            tt_new_search(tt);
        data = entry(move_make(B2, B3), cases[i].depth, cases[i].bound);
        tt_store(tt, key, &data);
        assert_true(tt_probe(tt, key, &out));
        assert_int_equal(out.depth, cases[i].replaced ? cases[i].depth : 20);
        assert_int_equal(out.move, move_make(B2, B3));
    }
}

/* Keys that differ only in their lowest bits share a cluster of three. */
static void the_shallowest_and_the_oldest_go_first(void **state)
{
    TTable *tt = *state;
    TTData data, out;
    tt_new_search(tt);
    for (int i = 0; i < 3; i++) {
        data = entry(move_make(A2, A3), 10 + i, BOUND_LOWER);
        tt_store(tt, (Key)i, &data);
    }
    data = entry(move_make(A2, A3), 4, BOUND_LOWER);
    tt_store(tt, 3, &data);
    assert_false(tt_probe(tt, 0, &out));
    assert_true(tt_probe(tt, 1, &out) && tt_probe(tt, 2, &out) && tt_probe(tt, 3, &out));

    tt_new_search(tt);
    tt_new_search(tt);
    tt_store(tt, 3, &data); /* the youngest now, though the shallowest */
    tt_store(tt, 4, &data);
    assert_false(tt_probe(tt, 1, &out));
    assert_true(tt_probe(tt, 2, &out) && tt_probe(tt, 3, &out) && tt_probe(tt, 4, &out));
}

static void clearing_forgets_everything(void **state)
{
    TTable *tt = *state;
    Rng rng;
    TTData data = entry(move_make(A2, A3), 4, BOUND_LOWER), out;
    for (int threads = 0; threads <= 5; threads++) {
        rng_seed(&rng, 1);
        tt_new_search(tt);
        for (int i = 0; i < 5000; i++)
            tt_store(tt, rng_next(&rng), &data);
        tt_clear(tt, threads);
        rng_seed(&rng, 1);
        for (int i = 0; i < 5000; i++)
            assert_false(tt_probe(tt, rng_next(&rng), &out));
    }
}

/* 100 MB are cleared by giving the pages back where that is possible. */
static void clearing_a_large_table_forgets_everything_too(void **state)
{
    (void)state;
    TTable *tt = tt_create(100, NULL);
    assert_non_null(tt);
    Rng rng;
    const TTData data = entry(move_make(A2, A3), 4, BOUND_LOWER);
    TTData out;
    for (int round = 0; round < 3; round++) {
        rng_seed(&rng, 1);
        tt_new_search(tt);
        for (int i = 0; i < 50000; i++)
            tt_store(tt, rng_next(&rng), &data);
        rng_seed(&rng, 1);
        assert_true(tt_probe(tt, rng_next(&rng), &out));
        tt_clear(tt, 2);
        tt_clear(tt, 2);
        rng_seed(&rng, 1);
        for (int i = 0; i < 50000; i++)
            assert_false(tt_probe(tt, rng_next(&rng), &out));
        assert_int_equal(tt_hashfull(tt), 0);
    }
    tt_destroy(tt);
}

static void hashfull_counts_this_search_only(void **state)
{
    TTable *tt = *state;
    Rng rng;
    rng_seed(&rng, 2);
    const TTData data = entry(move_make(A2, A3), 4, BOUND_LOWER);
    tt_new_search(tt);
    assert_int_equal(tt_hashfull(tt), 0);
    for (int i = 0; i < 400000; i++)
        tt_store(tt, rng_next(&rng), &data);
    assert_in_range(tt_hashfull(tt), 950, 1000);
    tt_new_search(tt);
    assert_int_equal(tt_hashfull(tt), 0);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    Error err;
    assert_null(tt_create(0, &err));
    assert_true(err.text[0] != 0);
    assert_null(tt_create(SIZE_MAX >> 10, &err));
    assert_null(tt_create((size_t)1 << 40, &err)); /* an exabyte */
    assert_true(err.text[0] != 0);
    tt_destroy(NULL);
}

static void decisive_scores_count_from_the_node(void **state)
{
    (void)state;
    static const Score scores[] = {0, 500, -500, SCORE_EVAL_MAX, -SCORE_EVAL_MAX};
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++)
        assert_int_equal(tt_score_out(tt_score_in(scores[i], 30), 12, 0), scores[i]);

    /* A mate three plies below a node at ply 10, met again at ply 4. */
    assert_int_equal(tt_score_out(tt_score_in(score_mate(13), 10), 4, 0), score_mate(7));
    assert_int_equal(tt_score_out(tt_score_in(score_mated(14), 10), 4, 0), score_mated(8));
    assert_int_equal(tt_score_out(tt_score_in(SCORE_TB_WIN - 20, 10), 4, 0), SCORE_TB_WIN - 14);
    assert_int_equal(tt_score_out(SCORE_NONE, 4, 0), SCORE_NONE);
}

static void a_mate_behind_the_fifty_move_rule_is_no_mate(void **state)
{
    (void)state;
    const int16_t mate_in_9 = tt_score_in(score_mate(9), 0);
    assert_int_equal(tt_score_out(mate_in_9, 0, 91), score_mate(9));
    assert_int_equal(tt_score_out(mate_in_9, 0, 92), SCORE_EVAL_MAX);
    assert_int_equal(tt_score_out((int16_t)-mate_in_9, 0, 92), -SCORE_EVAL_MAX);
}

enum { RACE_KEYS = 64, RACE_ROUNDS = 200000 };

/* Every value of an entry follows from one number, so a mixture of two entries would show. */
static void *race(void *arg)
{
    TTable *tt = arg;
    Rng rng;
    rng_seed(&rng, (uintptr_t)&rng);
    uintptr_t torn = 0;
    for (int i = 0; i < RACE_ROUNDS; i++) {
        const Key key = rng_below(&rng, RACE_KEYS);
        TTData data;
        if (tt_probe(tt, key, &data))
            torn += data.move != (uint16_t)(data.score * 3 + 1) || data.eval != data.score / 2;
        const int n = (int)rng_below(&rng, 10000);
        data = (TTData){.move = (Move)(n * 3 + 1),
                        .score = (int16_t)n,
                        .eval = (int16_t)(n / 2),
                        .depth = n % 100,
                        .bound = BOUND_EXACT};
        tt_store(tt, key, &data);
    }
    return (void *)torn;
}

static void writers_do_not_tear_entries(void **state)
{
    Thread threads[4];
    for (int i = 0; i < 4; i++)
        assert_true(thread_start(&threads[i], race, *state));
    for (int i = 0; i < 4; i++) {
        void *torn;
        pthread_join(threads[i], &torn);
        assert_null(torn);
    }
}

int main(void)
{
#define WITH_TABLE(test) cmocka_unit_test_setup_teardown(test, create, destroy)
    const struct CMUnitTest tests[] = {
        WITH_TABLE(what_is_stored_comes_back),
        WITH_TABLE(a_miss_leaves_the_answer_alone),
        WITH_TABLE(a_result_without_a_move_keeps_the_old_move),
        WITH_TABLE(a_deep_result_gives_way_only_for_a_reason),
        WITH_TABLE(the_shallowest_and_the_oldest_go_first),
        WITH_TABLE(clearing_forgets_everything),
        cmocka_unit_test(clearing_a_large_table_forgets_everything_too),
        WITH_TABLE(hashfull_counts_this_search_only),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(decisive_scores_count_from_the_node),
        cmocka_unit_test(a_mate_behind_the_fifty_move_rule_is_no_mate),
        WITH_TABLE(writers_do_not_tear_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
