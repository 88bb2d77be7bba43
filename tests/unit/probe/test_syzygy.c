// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables as their users meet them. Values are held against the rules of the game; a comparison
 * with another reader of the same files is in tests/syzygy. Skips where there are no tables. */
#include "base/rng.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "probe/syzygy_set.h"
#include "probe/syzygy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Syzygy *whole, *paged; /* the same files, in memory and on disk */

static Position position_of(const char *fen)
{
    Position p;
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    return p;
}

static const char *const names[] = {"KQvK",  "KPvK",  "KRBvK", "KBNvK", "KPPvK",
                                    "KQvKR", "KRvKP", "KPvKP", "KBvKP", "KQQvK"};
enum { NAMES = sizeof names / sizeof *names };

static bool place(Position *p, const char *name, Rng *rng)
{
    Color c = (Color)rng_below(rng, 2);
    pos_clear(p);
    for (; *name; name++) {
        if (*name == 'v') {
            c = color_flip(c);
            continue;
        }
        const PieceType t = (PieceType)(strchr("PNBRQK", *name) - "PNBRQK");
        const Square s = (Square)rng_below(rng, 64);
        if (pos_piece_on(p, s) != NO_PIECE || (t == PAWN && bb_has(RANK_1 | RANK_8, s)))
            return false;
        pos_put(p, piece_make(c, t), s);
    }
    p->turn = (uint8_t)rng_below(rng, 2);
    p->ply = p->turn;
    p->st.ep = NO_SQUARE;
    pos_finish(p);
    return !pos_attacked(p, pos_king(p, color_flip(p->turn)), p->turn, pos_occupied(p));
}

static Position random_position(Rng *rng)
{
    Position p;
    while (!place(&p, names[rng_below(rng, NAMES)], rng))
        ;
    return p;
}

static void no_path_is_no_tables(void **state)
{
    (void)state;
    Syzygy *none = whole;
    Error err;
    Position pos;
    Wdl wdl;
    pos_start(&pos);
    assert_true(syzygy_open(&none, "", &err));
    assert_null(none);
    assert_true(syzygy_open(&none, "<empty>", &err));
    assert_string_equal(err.text, "");
    assert_int_equal(syzygy_men(NULL), 0);
    assert_false(syzygy_wdl(NULL, &pos, &wdl));
    assert_false(syzygy_complaint(NULL, &err));
    assert_false(syzygy_open(&none, "/nonexistent", &err));
    assert_string_equal(err.text, "no tablebases were found at '/nonexistent'");
    syzygy_close(NULL);
}

static void folders_are_searched_in_turn(void **state)
{
    (void)state;
    Syzygy *s = NULL;
    if (!whole)
        skip();
    Error err;
    char path[1000];
    snprintf(path, sizeof path, "/nonexistent%c%c%s%c/tmp", FILE_LIST_SEPARATOR,
             FILE_LIST_SEPARATOR, SAMARA_SHARED_DIR "/data/syzygy", FILE_LIST_SEPARATOR);
    assert_true(syzygy_open(&s, path, &err));
    assert_int_equal(syzygy_men(s), 4);
    assert_int_equal(syzygy_files(s), 70);
    syzygy_close(s);
}

static void what_cannot_be_in_a_table_is_not_known(void **state)
{
    (void)state;
    static const char *const fens[] = {
        FEN_START, "8/8/8/8/8/2k5/8/K2Q4 w - - 3 9", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "8/8/8/8/8/2k5/5NNN/K7 w - - 0 1", /* five men, and no such table */
    };
    if (!whole)
        skip();
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const Position p = position_of(fens[i]);
        Wdl wdl;
        assert_false(syzygy_wdl(whole, &p, &wdl));
    }
}

/* The value of a position is the best of its moves' values; four men know no cursed wins. */
static void values_follow_from_those_behind_the_moves(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    if (!whole)
        skip();
    for (int i = 0; i < 5000; i++) {
        const Position p = random_position(&rng);
        MoveList legal;
        Wdl wdl, after;
        int best = pos_in_check(&p) ? WDL_LOSS : WDL_DRAW; /* mate, stalemate */
        gen_legal(&p, &legal);
        for (int k = 0; k < legal.count; k++) {
            Position next = p;
            Undo undo;
            pos_make(&next, legal.moves[k], &undo, NULL);
            next.st.rule50 = 0;
            assert_true(syzygy_wdl(whole, &next, &after));
            best = k == 0 || -(int)after > best ? -(int)after : best;
        }
        assert_true(syzygy_wdl(whole, &p, &wdl));
        assert_int_equal(wdl, best);
    }
}

/* A win can be made shorter by a ply or ended by a zeroing move; a loss cannot be held longer. */
static void distances_follow_from_those_behind_the_moves(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 2);
    if (!whole)
        skip();
    for (int i = 0; i < 2000; i++) {
        const Position p = random_position(&rng);
        MoveList legal;
        int dtz, best = 0;
        gen_legal(&p, &legal);
        assert_true(syzygy_dtz(whole, &p, &dtz));
        for (int k = 0; k < legal.count; k++) {
            Position next = p;
            Undo undo;
            int after;
            pos_make(&next, legal.moves[k], &undo, NULL);
            assert_true(syzygy_dtz(whole, &next, &after));
            const bool ends = next.st.rule50 == 0 || !pos_has_legal_move(&next);
            const int plies = after == 0  ? 0
                              : after < 0 ? (ends ? 1 : 1 - after)
                                          : (ends ? -1 : -1 - after);
            const bool better = dtz > 0   ? plies > 0 && (best == 0 || plies < best)
                                : dtz < 0 ? best == 0 || plies < best
                                          : false;
            best = better ? plies : best;
        }
        /* Tables that count moves may be a ply off. */
        if (dtz != 0 && legal.count > 0 && abs(dtz - best) > 1) {
            char fen[FEN_SIZE];
            fen_write(&p, fen);
            fail_msg("%s: %d, by its moves %d", fen, dtz, best);
        }
    }
}

static void reading_from_disk_gives_the_same(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    if (!whole)
        skip();
    for (int i = 0; i < 5000; i++) {
        const Position p = random_position(&rng);
        Wdl a, b;
        int da, db;
        assert_true(syzygy_wdl(whole, &p, &a));
        assert_true(syzygy_wdl(paged, &p, &b));
        assert_true(syzygy_dtz(whole, &p, &da));
        assert_true(syzygy_dtz(paged, &p, &db));
        assert_int_equal(a, b);
        assert_int_equal(da, db);
    }
}

static void *probe_in_thread(void *arg)
{
    Rng rng;
    rng_seed(&rng, *(uint64_t *)arg);
    for (int i = 0; i < 3000; i++) {
        const Position p = random_position(&rng);
        Wdl a = WDL_DRAW, b = WDL_DRAW;
        if (!syzygy_wdl(whole, &p, &a) || !syzygy_wdl(paged, &p, &b) || a != b)
            return NULL;
    }
    return arg;
}

static void threads_may_ask_together(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    if (!whole)
        skip();
    Thread threads[THREADS];
    uint64_t seeds[THREADS];
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = (uint64_t)i + 10;
        assert_true(thread_start(&threads[i], probe_in_thread, &seeds[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_non_null(result);
    }
}

/* From Ronald de Man's description: the fifty-move rule at the root. */
static void the_root_knows_the_clock(void **state)
{
    (void)state;
    if (!whole)
        skip();
    Position p = position_of("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1");
    Wdl wdl;
    int dtz;
    MoveList keep;
    assert_true(syzygy_root(whole, &p, true, false, &wdl, &dtz, &keep));
    assert_int_equal(wdl, WDL_WIN);
    assert_true(dtz > 0 && dtz < 20);
    p.st.rule50 = 99; /* too late */
    assert_true(syzygy_root(whole, &p, true, false, &wdl, &dtz, &keep));
    assert_int_equal(wdl, WDL_CURSED_WIN);
    assert_true(syzygy_root(whole, &p, false, false, &wdl, &dtz, &keep));
    assert_int_equal(wdl, WDL_WIN);
    /* A mate in one wins even then. */
    p = position_of("8/8/8/8/8/1k6/7r/K7 b - - 99 90");
    assert_true(syzygy_root(whole, &p, true, false, &wdl, &dtz, &keep));
    assert_int_equal(wdl, WDL_WIN);
    assert_int_equal(keep.count, 1);
}

static void count_files(void *user, const char *file, const char *problem)
{
    (void)file;
    int *count = user;
    count[0]++;
    if (problem)
        count[1]++;
}

static void every_file_here_is_whole(void **state)
{
    (void)state;
    if (!whole)
        skip();
    int count[2] = {0};
    Error err;
    assert_int_equal(syzygy_check(SAMARA_SHARED_DIR "/data/syzygy", count_files, count, &err), 0);
    assert_int_equal(count[0], 70);
    assert_int_equal(count[1], 0);
    assert_int_equal(syzygy_check("/nonexistent", count_files, count, &err), -1);
}

static int open_sets(void **state)
{
    (void)state;
    attacks_init();
    Error err;
    if (!syzygy_open(&whole, SAMARA_SHARED_DIR "/data/syzygy", &err))
        whole = NULL;
    return whole && !tb_set_open(&paged, SAMARA_SHARED_DIR "/data/syzygy", 0, &err);
}

static int close_sets(void **state)
{
    (void)state;
    syzygy_close(whole);
    syzygy_close(paged);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_path_is_no_tables),
        cmocka_unit_test(folders_are_searched_in_turn),
        cmocka_unit_test(what_cannot_be_in_a_table_is_not_known),
        cmocka_unit_test(values_follow_from_those_behind_the_moves),
        cmocka_unit_test(distances_follow_from_those_behind_the_moves),
        cmocka_unit_test(reading_from_disk_gives_the_same),
        cmocka_unit_test(threads_may_ask_together),
        cmocka_unit_test(the_root_knows_the_clock),
        cmocka_unit_test(every_file_here_is_whole),
    };
    return cmocka_run_group_tests(tests, open_sets, close_sets);
}
