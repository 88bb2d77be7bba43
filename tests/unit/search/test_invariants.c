// SPDX-License-Identifier: GPL-3.0-or-later
/* Debug builds notice what must not happen: each case breaks something in a child process, plays
 * on, and wants it to be stopped by an assert. Release builds have no asserts and skip them. */
#include "../nnue/net_maker.h"
#include "chess/perft.h"
#include "nnue/accumulator.h"
#include "search/history.h"
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef NDEBUG
enum { HAS_ASSERTS = 0 };
#else
enum { HAS_ASSERTS = 1 };
#endif

/* Whether the act ends in abort(). */
static bool is_noticed(void (*act)(void))
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* no report of a sanitizer */
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        act();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static Position start(void)
{
    Position p;
    pos_start(&p);
    return p;
}

static void play_with_a_wrong_key(void)
{
    Position p = start();
    p.st.pawn_key ^= 1;
    perft(&p, 3);
}

static void play_with_a_wrong_board(void)
{
    Position p = start();
    p.board[A1] = NO_PIECE; /* the bitboards still have the rook */
    perft(&p, 3);
}

/* Plays all moves of two plies and evaluates; the accumulator hears of each, or of none. */
static void walk(bool tell)
{
    Net *net = random_net(128, 1, 1);
    AccStack *stack = acc_create(8);
    Position p = start();
    acc_reset(stack, net, &p);
    acc_evaluate(stack, &p); /* from here on it goes by what it is told */
    MoveList first, second;
    gen_legal(&p, &first);
    for (int i = 0; i < first.count; i++) {
        Undo undo, undo_second;
        Delta delta;
        const Delta nothing = {0};
        pos_make(&p, first.moves[i], &undo, &delta);
        acc_push(stack, tell ? &delta : &nothing);
        gen_legal(&p, &second);
        for (int k = 0; k < second.count; k++) {
            pos_make(&p, second.moves[k], &undo_second, &delta);
            acc_push(stack, tell ? &delta : &nothing);
            acc_evaluate(stack, &p);
            acc_pop(stack);
            pos_unmake(&p, second.moves[k], &undo_second);
        }
        acc_pop(stack);
        pos_unmake(&p, first.moves[i], &undo);
    }
    acc_destroy(stack);
    net_free(net);
}

static void evaluate_what_was_played(void) { walk(true); }
static void evaluate_what_was_not_told(void) { walk(false); }

static void learn_beyond_the_limit(void)
{
    int16_t value = 5000;
    gravity_add(&value, 1, 1000);
}

static void nothing_wrong(void)
{
    Position p = start();
    perft(&p, 3);
}

static void debug_builds_notice_what_is_broken(void **state)
{
    (void)state;
    if (!HAS_ASSERTS)
        skip();
    assert_false(is_noticed(nothing_wrong));
    assert_false(is_noticed(evaluate_what_was_played));
    assert_true(is_noticed(play_with_a_wrong_key));
    assert_true(is_noticed(play_with_a_wrong_board));
    assert_true(is_noticed(evaluate_what_was_not_told));
    assert_true(is_noticed(learn_beyond_the_limit));
}

/* What the asserts of the search call says what it should, in every build. */
static void every_64th_position_is_looked_at(void **state)
{
    (void)state;
    Position p = start();
    assert_true(pos_is_consistent(&p) && pos_is_consistent_sample(&p));
    p.st.minor_key ^= 1;
    assert_false(pos_is_consistent(&p));
    p.st.key |= 63; /* not chosen */
    assert_true(pos_is_consistent_sample(&p));
    p.st.key &= ~(Key)63;
    assert_false(pos_is_consistent_sample(&p));
}

int main(void)
{
    attacks_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debug_builds_notice_what_is_broken),
        cmocka_unit_test(every_64th_position_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
