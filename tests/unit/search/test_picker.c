// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/picker.h"

#include "base/rng.h"
#include "chess/see.h"
#include "support.h"
#include <string.h>

typedef struct Fixture {
    History *history;
    CheckInfo checks;
    PickContext context;
} Fixture;

static Fixture fixture;

/* Histories full of noise, so that every order and every stage mix occurs. */
static void make_noise(History *h, Rng *rng)
{
    for (int i = 0; i < 64 * 64; i++)
        for (int k = 0; k < 8; k++)
            h->butterfly[k / 4][k % 4][i] = (int16_t)((int)rng_below(rng, 16384) - 8192);
    for (int i = 0; i < PIECE_SQUARES; i++) {
        for (int k = 0; k < 8; k++)
            h->capture[i][k] = (int16_t)((int)rng_below(rng, 32768) - 16384);
        for (int k = 0; k < 4; k++)
            h->continuation[0][k][i] = (int16_t)((int)rng_below(rng, 32768) - 16384);
    }
}

static void aim(const Position *pos, int depth, int ply)
{
    pos_check_info(pos, &fixture.checks);
    fixture.context = (PickContext){.pos = pos,
                                    .history = fixture.history,
                                    .checks = &fixture.checks,
                                    .threats = pos_threats(pos, color_flip(pos->turn)),
                                    .ply = ply,
                                    .depth = depth};
    for (int k = 0; k < FOLLOWED; k++)
        fixture.context.follow[k] = fixture.history->continuation[0][k];
}

static int collect(Picker *picker, bool skip_quiets, Move *out)
{
    int n = 0;
    Move m;
    while ((m = picker_next(picker, skip_quiets)))
        out[n++] = m;
    assert_int_equal(picker_next(picker, false), MOVE_NONE); /* and it stays that way */
    return n;
}

static void assert_same_set(const Move *a, int count, const MoveList *list)
{
    assert_int_equal(count, list->count);
    for (int i = 0; i < count; i++) {
        assert_true(list_has(list, a[i]));
        for (int k = 0; k < i; k++)
            assert_int_not_equal(a[i], a[k]);
    }
}

static void check_position(const Position *pos, Rng *rng)
{
    MoveList legal, noisy = {0};
    Move moves[MAX_MOVES];
    Picker picker;
    gen_legal(pos, &legal);
    gen_noisy(pos, &noisy);
    if (legal.count == 0)
        return;
    const Move any = legal.moves[rng_below(rng, (uint64_t)legal.count)];
    const Move table = rng_below(rng, 3) ? any : MOVE_NONE;
    aim(pos, (int)rng_below(rng, 20), (int)rng_below(rng, 8));

    const Move killer = rng_below(rng, 2) ? legal.moves[rng_below(rng, (uint64_t)legal.count)]
                                          : (Move)rng_next(rng);
    picker_all(&picker, &fixture.context, table, killer, (Move)rng_next(rng));
    assert_same_set(moves, collect(&picker, false, moves), &legal);
    picker_all(&picker, &fixture.context, table, killer, killer);
    assert_same_set(moves, collect(&picker, false, moves), &legal);

    MoveList expected = noisy;
    if (table && !pos_is_noisy(pos, table))
        expected.moves[expected.count++] = table;
    picker_all(&picker, &fixture.context, table, killer, MOVE_NONE);
    assert_same_set(moves, collect(&picker, true, moves), &expected);

    picker_quiescence(&picker, &fixture.context, table, false);
    assert_same_set(moves, collect(&picker, false, moves), pos_in_check(pos) ? &legal : &noisy);

    const int threshold = (int)rng_below(rng, 1500) - 500;
    expected.count = 0;
    for (int i = 0; i < noisy.count; i++)
        if (see_at_least(pos, noisy.moves[i], threshold))
            expected.moves[expected.count++] = noisy.moves[i];
    picker_probcut(&picker, &fixture.context, table, threshold);
    assert_same_set(moves, collect(&picker, true, moves), &expected);
}

/* Random games from the samples, every position judged. */
static void every_legal_move_comes_exactly_once(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 4);
    for (int game = 0; game < 200; game++) {
        Position pos = position_of(sample_fens[game % SAMPLES]);
        if (game % 10 == 0)
            make_noise(fixture.history, &rng);
        for (int ply = 0; ply < 60; ply++) {
            MoveList list;
            Undo undo;
            check_position(&pos, &rng);
            gen_legal(&pos, &list);
            if (list.count == 0)
                break;
            pos_make(&pos, list.moves[rng_below(&rng, (uint64_t)list.count)], &undo, NULL);
        }
    }
}

static void quiescence_adds_quiet_checks(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int checks; /* quiet ones by pieces, direct or uncovered */
    } cases[] = {
        {"4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1", 2},  /* Ra8, Rh8 */
        {"4k3/8/8/8/4B3/8/8/4R1K1 w - - 0 1", 13}, /* every bishop move uncovers */
        {"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", 0},
        {"4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", 2},   /* Nc7, Nf6 */
        {"4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", 0}, /* pinned */
        {"4r1k1/8/8/8/8/8/4B3/4K2Q w - - 0 1", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Position pos = position_of(cases[i].fen);
        Picker picker;
        Move moves[MAX_MOVES];
        aim(&pos, 0, 9);
        picker_quiescence(&picker, &fixture.context, MOVE_NONE, true);
        const int n = collect(&picker, false, moves);
        int quiet = 0;
        for (int k = 0; k < n; k++)
            if (!pos_is_noisy(&pos, moves[k])) {
                assert_true(move_is_playable(&pos, moves[k]));
                assert_true(pos_gives_check(&pos, &fixture.checks, moves[k]));
                quiet++;
            }
        if (quiet != cases[i].checks)
            fail_msg("%s: %d quiet checks", cases[i].fen, quiet);
    }
}

static void good_captures_come_before_quiet_moves_and_bad_ones_after(void **state)
{
    (void)state;
    /* Rxd5 wins a pawn, Qxa7 loses the queen for one. */
    const Position pos = position_of("r5k1/p7/8/3p4/8/8/8/Q2R2K1 w - - 0 1");
    Picker picker;
    Move moves[MAX_MOVES];
    memset(fixture.history, 0, sizeof *fixture.history);
    aim(&pos, 5, 9);
    picker_all(&picker, &fixture.context, MOVE_NONE, MOVE_NONE, MOVE_NONE);
    const int n = collect(&picker, false, moves);
    assert_int_equal(moves[0], move_make(D1, D5));
    int last_good_quiet = 0, bad = 0;
    for (int i = 0; i < n; i++)
        if (moves[i] == move_make(A1, A7))
            bad = i;
        else if (!pos_is_noisy(&pos, moves[i]))
            last_good_quiet = i;
    assert_true(bad > last_good_quiet);
}

static void twins_are_searched_in_the_same_order(void **state)
{
    (void)state;
    memset(fixture.history, 0, sizeof *fixture.history);
    for (int i = 0; i < SAMPLES; i++) {
        Position pos = position_of(sample_fens[i]), twin;
        Move a[MAX_MOVES], b[MAX_MOVES];
        Picker picker;
        pos_flip(&pos, &twin);
        aim(&pos, 7, 2);
        picker_all(&picker, &fixture.context, MOVE_NONE, MOVE_NONE, MOVE_NONE);
        const int n = collect(&picker, false, a);
        aim(&twin, 7, 2);
        picker_all(&picker, &fixture.context, MOVE_NONE, MOVE_NONE, MOVE_NONE);
        assert_int_equal(collect(&picker, false, b), n);
        for (int k = 0; k < n; k++)
            assert_int_equal(a[k] ^ (56 | 56 << 6), b[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_comes_exactly_once),
        cmocka_unit_test(quiescence_adds_quiet_checks),
        cmocka_unit_test(good_captures_come_before_quiet_moves_and_bad_ones_after),
        cmocka_unit_test(twins_are_searched_in_the_same_order),
    };
    attacks_init();
    fixture.history = history_create();
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    history_destroy(fixture.history);
    return failures;
}
