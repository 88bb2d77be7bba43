// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"
#include "chess/notation.h"
#include "classical/kbnk.h"
#include "support.h"
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

static void one_thread_searches_the_same_tree_twice(void **state)
{
    Bench *b = *state;
    for (int i = 0; i < SAMPLES; i++) {
        const Position pos = position_of(sample_fens[i]);
        const SearchResult first = search_fresh(b, &pos, (Limits){.depth = 9});
        const SearchResult second = search_fresh(b, &pos, (Limits){.depth = 9});
        assert_int_equal(first.nodes, second.nodes);
        assert_int_equal(first.best, second.best);
        assert_int_equal(first.score, second.score);
    }
}

static void colours_make_no_difference(void **state)
{
    Bench *b = *state;
    for (int i = 0; i < SAMPLES; i++) {
        Position pos = position_of(sample_fens[i]), twin;
        pos_flip(&pos, &twin);
        const SearchResult first = search_fresh(b, &pos, (Limits){.depth = 11});
        const SearchResult second = search_fresh(b, &twin, (Limits){.depth = 11});
        assert_int_equal(first.nodes, second.nodes);
        assert_int_equal(first.score, second.score);
        assert_int_equal(first.best ^ (56 | 56 << 6), second.best);
    }
}

static void a_node_limit_is_exact(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 10, 100, 1023, 1024, 1025, 5000, 30011};
    Bench *b = *state;
    for (int i = 0; i < SAMPLES; i++)
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            const Position pos = position_of(sample_fens[i]);
            const SearchResult r = search_fresh(b, &pos, (Limits){.nodes = limits[k]});
            assert_int_equal(r.nodes, limits[k]);
            assert_int_not_equal(r.best, MOVE_NONE);
        }
}

static void soft_nodes_end_with_an_iteration(void **state)
{
    Bench *b = *state;
    const Position pos = position_of(sample_fens[1]);
    const SearchResult soft = search_fresh(b, &pos, (Limits){.soft_nodes = 5000});
    assert_true(soft.nodes >= 5000);
    const SearchResult deep = search_fresh(b, &pos, (Limits){.depth = soft.depth});
    assert_int_equal(soft.nodes, deep.nodes);
    assert_int_equal(soft.best, deep.best);
}

/* Clients count on it: depth 1, 2, 3..., each exact, with all lines in order. */
static void iterations_are_reported_one_by_one(void **state)
{
    Bench *b = *state;
    for (int lines = 1; lines <= 3; lines++) {
        const Position pos = position_of(sample_fens[5]);
        SearchSetup setup = bench_setup(b, &pos);
        SearchResult result;
        setup.limits.depth = 8;
        setup.multipv = lines;
        bench_forget(b);
        pool_run(b->pool, b->tt, &setup, &result);
        assert_lines_hold(b);
        assert_int_equal(b->record.lines, 8 * lines);
        for (int i = 0; i < b->record.lines; i++) {
            const SearchInfo *info = &b->record.all[i];
            assert_int_equal(info->depth, i / lines + 1);
            assert_int_equal(info->multipv, i % lines + 1);
            assert_int_equal(info->bound, BOUND_EXACT);
            assert_true(info->seldepth >= 1 && info->pv_length >= 1);
        }
        assert_int_equal(result.depth, 8);
    }
}

static void lines_of_multipv_are_distinct_and_ordered(void **state)
{
    Bench *b = *state;
    for (int i = 0; i < SAMPLES; i++) {
        const Position pos = position_of(sample_fens[i]);
        SearchSetup setup = bench_setup(b, &pos);
        SearchResult result;
        setup.limits.nodes = 20000;
        setup.multipv = 5;
        bench_forget(b);
        pool_run(b->pool, b->tt, &setup, &result);
        assert_lines_hold(b);
        const int n = gen_count(&pos) < 5 ? gen_count(&pos) : 5;
        for (int k = 0; k < n; k++) {
            assert_true(b->record.last[k].pv_length > 0);
            for (int m = 0; m < k; m++)
                assert_int_not_equal(b->record.last[k].pv[0], b->record.last[m].pv[0]);
            if (k > 0)
                assert_true(b->record.last[k].score <= b->record.last[k - 1].score);
        }
        assert_int_equal(b->record.last[0].pv[0], result.best);
    }
}

static void only_the_wanted_moves_are_searched(void **state)
{
    Bench *b = *state;
    const Position pos = position_of(FEN_START);
    Limits limits = {.depth = 6, .search_move_count = 2};
    limits.search_moves[0] = move_make(A2, A3);
    limits.search_moves[1] = move_make(H2, H4);
    const SearchResult r = search_fresh(b, &pos, limits);
    assert_true(r.best == move_make(A2, A3) || r.best == move_make(H2, H4));
}

static void a_finished_game_has_no_best_move(void **state)
{
    static const struct {
        const char *fen;
        Score score;
    } cases[] = {
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", SCORE_DRAW},
        {"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", -SCORE_MATE},
    };
    Bench *b = *state;
    for (int i = 0; i < 2; i++) {
        const Position pos = position_of(cases[i].fen);
        const SearchResult r = search_fresh(b, &pos, (Limits){.depth = 5});
        assert_int_equal(r.best, MOVE_NONE);
        assert_int_equal(r.score, cases[i].score);
    }
}

static void draws_are_recognised(void **state)
{
    static const struct {
        const char *fen, *why;
    } cases[] = {
        {"8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "a knight cannot mate"},
        {"8/8/8/8/8/6k1/4Q3/K7 w - - 98 100", "no mate before the hundredth ply"},
        {"6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32", "perpetual check"},
    };
    Bench *b = *state;
    for (int i = 0; i < 3; i++) {
        const Position pos = position_of(cases[i].fen);
        const SearchResult r = search_fresh(b, &pos, (Limits){.depth = 14});
        if (abs(r.score) > 5)
            fail_msg("%s: %s, but %d", cases[i].fen, cases[i].why, r.score);
    }
}

static void a_mate_on_the_hundredth_ply_counts(void **state)
{
    Bench *b = *state;
    const Position pos = position_of("8/8/k1K5/8/8/8/7R/8 w - - 99 80");
    const SearchResult r = search_fresh(b, &pos, (Limits){.depth = 6});
    assert_int_equal(r.best, move_make(H2, A2));
    assert_int_equal(r.score, score_mate(1));
}

/* One move later would always be just as good: the engine must not wait for that. */
static void a_pawn_that_can_promote_does_so_at_any_depth(void **state)
{
    Bench *b = *state;
    const Position pos = position_of("8/P7/8/8/8/8/k6K/8 w - - 0 1");
    for (int depth = 1; depth <= 10; depth++) {
        const SearchResult r = search_fresh(b, &pos, (Limits){.depth = depth});
        assert_int_equal(r.best, move_make_promotion(A7, A8, QUEEN));
    }
}

/* White is a queen up, but one move would repeat the position for the third time. */
static void the_third_repetition_is_avoided_or_sought(void **state)
{
    Bench *b = *state;
    static const char *const shuffle[] = {"d1e1", "h8g8", "e1d1", "g8h8"};
    Position pos = position_of("7k/8/8/8/8/8/8/K2Q4 w - - 0 1");
    Key keys[16];
    int count = 0;
    for (int i = 0; i < 7; i++) {
        Undo undo;
        keys[count++] = pos.st.key;
        pos_make(&pos, move_from_uci(&pos, str_from(shuffle[i % 4])), &undo, NULL);
    }
    /* Black to move: g8h8 makes the start position appear for the third time. */
    SearchSetup setup = bench_setup(b, &pos);
    SearchResult result;
    setup.keys = keys;
    setup.key_count = count;
    setup.limits.depth = 8;
    bench_forget(b);
    pool_run(b->pool, b->tt, &setup, &result);
    assert_int_equal(result.best, move_make(G8, H8));
    assert_true(abs(result.score) <= 2);

    /* Without the history the same position is lost. */
    const SearchResult alone = search_fresh(b, &pos, (Limits){.depth = 8});
    assert_true(alone.score < -300);
}

/* From the command to done(), in milliseconds. */
static int64_t stop_after(Bench *b, const Position *pos, Limits limits, int64_t wait_ms)
{
    SearchSetup setup = bench_setup(b, pos);
    setup.limits = limits;
    pool_start(b->pool, b->tt, &setup);
    clock_sleep_ms(wait_ms);
    const int64_t begin = clock_us();
    pool_stop(b->pool);
    pool_wait(b->pool);
    assert_lines_hold(b);
    return (clock_us() - begin) / 1000;
}

static void stop_is_answered_at_once(void **state)
{
    Bench *b = *state;
    int64_t fastest = 1000;
    for (int i = 0; i < SAMPLES; i++) {
        const Position pos = position_of(sample_fens[i]);
        const int64_t ms = stop_after(b, &pos, (Limits){.infinite = true}, 20);
        fastest = ms < fastest ? ms : fastest;
        assert_true(ms < 5000); /* a busy machine may take its time */
        assert_int_not_equal(b->record.result.best, MOVE_NONE);
    }
    assert_true(fastest <= 200);
}

/* A search that has nothing left to do must still wait to be asked. */
static void infinite_and_ponder_wait_for_permission(void **state)
{
    Bench *b = *state;
    const Position pos = position_of("7k/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    const Limits waits[] = {{.infinite = true, .depth = 2},
                            {.ponder = true, .has_clock = true, .time_ms = {50, 50}, .depth = 2}};
    for (int i = 0; i < 2; i++) {
        SearchSetup setup = bench_setup(b, &pos);
        setup.limits = waits[i];
        pool_start(b->pool, b->tt, &setup);
        clock_sleep_ms(100);
        assert_true(pool_busy(b->pool));
        if (i == 0)
            pool_stop(b->pool);
        else
            pool_ponderhit(b->pool);
        pool_wait(b->pool);
        assert_false(pool_busy(b->pool));
        assert_lines_hold(b);
        assert_int_equal(b->record.result.best, move_make(A1, A8));
    }
}

static void a_ponderhit_starts_the_clock(void **state)
{
    Bench *b = *state;
    const Position pos = position_of(FEN_START);
    SearchSetup setup = bench_setup(b, &pos);
    setup.limits = (Limits){.ponder = true,
                            .has_clock = true,
                            .time_ms = {1000, 1000},
                            .inc_ms = {10, 10},
                            .overhead_ms = 10};
    pool_start(b->pool, b->tt, &setup);
    clock_sleep_ms(300);
    assert_true(pool_busy(b->pool));
    const int64_t begin = clock_us();
    pool_ponderhit(b->pool);
    pool_wait(b->pool);
    assert_true(clock_us() - begin < 10000000);
    assert_lines_hold(b);
}

static void the_clock_is_obeyed(void **state)
{
    Bench *b = *state;
    const Position pos = position_of(sample_fens[5]);
    static const int64_t clocks[] = {-100, 0, 1, 20, 200};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        SearchSetup setup = bench_setup(b, &pos);
        setup.limits =
            (Limits){.has_clock = true, .time_ms = {clocks[i], clocks[i]}, .overhead_ms = 10};
        setup.limits.start_us = clock_us();
        pool_start(b->pool, b->tt, &setup);
        pool_wait(b->pool);
        assert_true(clock_us() - setup.limits.start_us < 10000000);
        assert_int_not_equal(b->record.result.best, MOVE_NONE);
        assert_lines_hold(b);
    }
}

static void several_threads_agree_on_one_answer(void **state)
{
    Bench *b = *state;
    assert_true(pool_set_threads(b->pool, 4, NULL));
    assert_int_equal(pool_threads(b->pool), 4);
    for (int i = 0; i < SAMPLES; i++) {
        const Position pos = position_of(sample_fens[i]);
        SearchSetup setup = bench_setup(b, &pos);
        setup.limits.nodes = 30000;
        pool_start(b->pool, b->tt, &setup);
        pool_wait(b->pool);
        assert_lines_hold(b);
        MoveList legal;
        gen_legal(&pos, &legal);
        assert_true(list_has(&legal, b->record.result.best));
        assert_int_equal(b->record.last[0].pv[0], b->record.result.best);
        assert_true(b->record.result.nodes >= 30000);
    }
    assert_false(pool_set_threads(b->pool, 0, NULL));
    assert_false(pool_set_threads(b->pool, 100000, NULL));
    assert_int_equal(pool_threads(b->pool), 4);
    assert_true(pool_set_threads(b->pool, 1, NULL));
}

static size_t memory_in_use(void)
{
#ifdef __GLIBC__
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

static void a_thousand_searches_need_no_more_memory_than_one(void **state)
{
    Bench *b = *state;
    const Position pos = position_of(sample_fens[1]);
    size_t first = 0;
    for (int i = 0; i < 1000; i++) {
        SearchSetup setup = bench_setup(b, &pos);
        setup.limits.nodes = 50;
        pool_start(b->pool, b->tt, &setup);
        pool_wait(b->pool);
        if (i == 0)
            first = memory_in_use();
    }
    assert_true(memory_in_use() <= first);
}

/* Many short searches in many positions: no line may ever be illegal or claim a mate that is not
 * there. */
static void every_line_holds(void **state)
{
    Bench *b = *state;
    for (int i = 0; i < SAMPLES; i++) {
        Position pos = position_of(sample_fens[i]);
        Key keys[200];
        int count = 0;
        bench_forget(b);
        for (int ply = 0; ply < 60 && count < 200; ply++) {
            SearchSetup setup = bench_setup(b, &pos);
            SearchResult result;
            Undo undo;
            setup.keys = keys;
            setup.key_count = count;
            setup.limits.nodes = 700;
            pool_run(b->pool, b->tt, &setup, &result);
            assert_lines_hold(b);
            if (result.best == MOVE_NONE || pos_fifty_moves(&pos))
                break;
            keys[count++] = pos.st.key;
            pos_make(&pos, result.best, &undo, NULL);
        }
    }
}

/* 64 men, hundreds of moves, a forest of captures: strange boards must end like others. */
static void crowded_boards_do_not_hang(void **state)
{
    static const char *const fens[] = {
        "QQQQQQQQ/QQQQQQQQ/QQQQ1QQQ/QQQQQQQQ/8/7k/8/K7 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "rbqknbqr/pppppppp/nnnnnnnn/8/8/NNNNNNNN/PPPPPPPP/RBQKNBQR w - - 0 1",
    };
    Bench *b = *state;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position pos;
        if (!fen_parse(&pos, str_from(fens[i]), FEN_STANDARD, NULL, NULL))
            continue;
        assert_true(stop_after(b, &pos, (Limits){.infinite = true}, 100) < 10000);
        const int64_t begin = clock_us();
        search_fresh(b, &pos, (Limits){.movetime_ms = 100});
        assert_true(clock_us() - begin < 20000000);
    }
}

/* Kings and `count` other men of these kinds, anywhere, with a move to play. */
static Position crowded_board(Rng *rng, int count, const char *kinds)
{
    for (;;) {
        Position pos;
        pos_clear(&pos);
        pos.turn = (Color)rng_below(rng, 2);
        pos.ply = pos.turn;
        for (int i = 0; i < count + 2; i++) {
            const int pick = (int)rng_below(rng, strlen(kinds));
            const PieceType type = i < 2 ? KING : (PieceType)(kinds[pick] - '0');
            Square s;
            do
                s = (Square)rng_below(rng, 64);
            while (pos_piece_on(&pos, s) != NO_PIECE);
            pos_put(&pos, piece_make((Color)(i & 1), type), s);
        }
        pos_finish(&pos);
        if (!pos_attacked(&pos, pos_king(&pos, !pos.turn), pos.turn, pos_occupied(&pos)) &&
            pos_has_legal_move(&pos))
            return pos;
    }
}

/* Every capture opens new ones and nearly every move gives check: quiescence must end all the same.
 * 300,000 nodes take about a third of a second. */
static void any_board_finishes_depth_one(void **state)
{
    static const char *const kinds[] = {"4", "43", "431", "4321"}; /* queens, rooks, ... */
    Bench *b = *state;
    Rng rng;
    rng_seed(&rng, 18);
    for (int i = 0; i < 60; i++) {
        const Position pos = crowded_board(&rng, 30 + i % 21, kinds[i % 4]);
        const SearchResult r = search_fresh(b, &pos, (Limits){.depth = 1, .nodes = 1000000});
        assert_true(r.nodes < 300000);
    }
}

/* Solving the ending takes longer than a fast game has left. */
static void a_short_clock_does_not_wait_for_bishop_and_knight(void **state)
{
    Bench *b = *state;
    const Position pos = position_of("8/3k4/8/3N4/2B5/8/8/4K3 w - - 10 80");
    assert_false(kbnk_is_solved());
    search_fresh(b, &pos, (Limits){.movetime_ms = 50});
    assert_false(kbnk_is_solved());
    search_fresh(b, &pos, (Limits){.movetime_ms = 2000, .depth = 1});
    assert_true(kbnk_is_solved());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_clock_does_not_wait_for_bishop_and_knight), /* in a new process */
        cmocka_unit_test(one_thread_searches_the_same_tree_twice),
        cmocka_unit_test(colours_make_no_difference),
        cmocka_unit_test(a_node_limit_is_exact),
        cmocka_unit_test(soft_nodes_end_with_an_iteration),
        cmocka_unit_test(iterations_are_reported_one_by_one),
        cmocka_unit_test(lines_of_multipv_are_distinct_and_ordered),
        cmocka_unit_test(only_the_wanted_moves_are_searched),
        cmocka_unit_test(a_finished_game_has_no_best_move),
        cmocka_unit_test(draws_are_recognised),
        cmocka_unit_test(a_mate_on_the_hundredth_ply_counts),
        cmocka_unit_test(a_pawn_that_can_promote_does_so_at_any_depth),
        cmocka_unit_test(the_third_repetition_is_avoided_or_sought),
        cmocka_unit_test(stop_is_answered_at_once),
        cmocka_unit_test(infinite_and_ponder_wait_for_permission),
        cmocka_unit_test(a_ponderhit_starts_the_clock),
        cmocka_unit_test(the_clock_is_obeyed),
        cmocka_unit_test(several_threads_agree_on_one_answer),
        cmocka_unit_test(a_thousand_searches_need_no_more_memory_than_one),
        cmocka_unit_test(every_line_holds),
        cmocka_unit_test(crowded_boards_do_not_hang),
        cmocka_unit_test(any_board_finishes_depth_one),
    };
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
