// SPDX-License-Identifier: GPL-3.0-or-later
/* The search with endgame tables. Skips where there are no tables. */
#include "probe/syzygy.h"
#include "support.h"
#include <stdlib.h>

static Syzygy *tables; /* opened once; NULL where there are none */

static bool tables_open(void) { return syzygy_men(tables) >= 4; }

static SearchResult search_with_tables(Bench *b, const Position *pos, Limits limits, bool rule50)
{
    SearchSetup setup = bench_setup(b, pos);
    SearchResult result;
    setup.limits = limits;
    setup.tables = tables;
    setup.tb_probe_limit = 7;
    setup.tb_probe_depth = 1;
    setup.tb_rule50 = rule50;
    bench_forget(b);
    pool_run(b->pool, b->tt, &setup, &result);
    assert_lines_hold(b);
    return result;
}

static void the_tables_know_simple_endings(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        Wdl wdl;
    } cases[] = {
        {"8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", WDL_WIN},  {"8/8/8/8/8/2k5/8/K2Q4 b - - 0 1", WDL_LOSS},
        {"8/8/8/8/3k4/8/8/K2N4 w - - 0 1", WDL_DRAW}, {"8/8/8/8/3k4/8/3P4/3K4 w - - 0 1", WDL_DRAW},
        {"8/8/3k4/8/3K4/8/3P4/8 w - - 0 1", WDL_WIN},
    };
    if (!tables_open())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Position pos = position_of(cases[i].fen);
        Wdl wdl;
        assert_true(syzygy_wdl(tables, &pos, &wdl));
        assert_int_equal(wdl, cases[i].wdl);
    }
}

static void the_tables_refuse_what_they_cannot_know(void **state)
{
    (void)state;
    static const char *const fens[] = {
        FEN_START, "8/8/8/8/8/2k5/8/K2Q4 w - - 3 9", /* the clock runs */
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",            /* castling */
    };
    if (!tables_open())
        skip();
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const Position pos = position_of(fens[i]);
        Wdl wdl;
        assert_false(syzygy_wdl(tables, &pos, &wdl));
    }
}

/* Whatever is played, the result stays what the tables say. */
static void the_root_move_keeps_the_result(void **state)
{
    Bench *b = *state;
    static const char *const fens[] = {
        "8/8/8/3k4/8/3K4/3P4/8 b - - 0 1", "8/8/3k4/8/3K4/8/3P4/8 w - - 0 1",
        "8/3k4/8/3K4/3P4/8/8/8 w - - 0 1", "8/8/8/8/1p6/1k6/8/1K6 w - - 0 1",
        "8/8/8/8/8/2k5/7r/K2Q4 w - - 0 1",
    };
    if (!tables_open())
        skip();
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position pos = position_of(fens[i]);
        Wdl before, after;
        Undo undo;
        assert_true(syzygy_wdl(tables, &pos, &before));
        const SearchResult r = search_with_tables(b, &pos, (Limits){.depth = 6}, true);
        assert_int_equal(score_is_win(r.score), before == WDL_WIN);
        assert_int_equal(score_is_loss(r.score), before == WDL_LOSS);
        pos_make(&pos, r.best, &undo, NULL);
        pos.st.rule50 = 0;
        assert_true(syzygy_wdl(tables, &pos, &after));
        assert_int_equal((int)after, -(int)before);
    }
}

/* One capture away from the tables: the search finds the result and counts its look-ups. */
static void the_search_asks_the_tables(void **state)
{
    Bench *b = *state;
    if (!tables_open())
        skip();
    const Position pos = position_of("8/8/2k5/8/3r4/3K3Q/7P/8 w - - 0 1");
    const SearchResult r = search_with_tables(b, &pos, (Limits){.depth = 5}, true);
    assert_true(score_is_win(r.score));
    assert_true(b->record.last[0].tbhits > 0);
}

/* Played out against itself, a won ending is won within the fifty-move rule. */
static void a_won_ending_is_mated_in_time(void **state)
{
    Bench *b = *state;
    if (!tables_open())
        skip();
    static const char *const fens[] = {
        "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1",
        "8/8/8/3k4/8/8/8/1K2R3 w - - 60 90",
        "8/8/4k3/8/8/8/8/K1BB4 w - - 0 1",
        "8/8/8/4k3/8/8/7P/K6N w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position pos = position_of(fens[i]);
        Key keys[300];
        int count = 0;
        for (; count < 300 && pos_has_legal_move(&pos) && !pos_fifty_moves(&pos); count++) {
            SearchSetup setup = bench_setup(b, &pos);
            SearchResult result;
            Undo undo;
            setup.keys = keys;
            setup.key_count = count;
            setup.limits.depth = 4;
            setup.tables = tables;
            setup.tb_probe_limit = 7;
            setup.tb_rule50 = true;
            pool_run(b->pool, b->tt, &setup, &result);
            keys[count] = pos.st.key;
            pos_make(&pos, result.best, &undo, NULL);
        }
        if (!pos_in_check(&pos) || pos_has_legal_move(&pos))
            fail_msg("%s: not mated after %d plies", fens[i], count);
    }
}

static int open_tables(void **state)
{
    attacks_init();
    syzygy_open(&tables, SAMARA_SHARED_DIR "/data/syzygy", NULL);
    return bench_open(state);
}

static int close_tables(void **state)
{
    syzygy_close(tables);
    return bench_close(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_know_simple_endings),
        cmocka_unit_test(the_tables_refuse_what_they_cannot_know),
        cmocka_unit_test(the_root_move_keeps_the_result),
        cmocka_unit_test(the_search_asks_the_tables),
        cmocka_unit_test(a_won_ending_is_mated_in_time),
    };
    return cmocka_run_group_tests(tests, open_tables, close_tables);
}
