// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks.h"
#include "chess/fen.h"
#include "nnue/net.h"
#include "search/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static Position position(const char *fen)
{
    Position p;
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    return p;
}

static const char middlegame[] =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

static void without_a_network_the_classical_evaluation_applies(void **state)
{
    (void)state;
    const Position p = position(middlegame);
    assert_int_equal(evaluate(&(Evaluator){0}, &p), classical_evaluate(&p, NULL));
}

/* Neither scaled nor shifted: what a network learned is what the search gets. */
static void the_network_speaks_for_itself(void **state)
{
    (void)state;
    const Net *net = net_embedded();
    if (!net)
        skip();
    const Position p = position(middlegame);
    const Evaluator fresh = {.net = net};
    assert_int_equal(evaluate(&fresh, &p), net_evaluate(net, &p));
    AccStack *acc = acc_create(1);
    assert_non_null(acc);
    acc_reset(acc, net, &p);
    assert_int_equal(evaluate(&(Evaluator){.net = net, .acc = acc}, &p), net_evaluate(net, &p));
    acc_destroy(acc);
}

/* Where the result is known against a lone king, no network is asked. */
static void a_known_ending_comes_first(void **state)
{
    (void)state;
    int known;
    const Position drawn = position("4k3/8/4P3/4K3/8/8/8/8 w - - 0 1"),
                   won = position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    assert_true(classical_knows(&won, &known));
    assert_int_equal(evaluate(&(Evaluator){.net = net_embedded()}, &won), known);
    assert_int_equal(evaluate(&(Evaluator){.net = net_embedded()}, &drawn), 0);
}

int main(void)
{
    attacks_init();
    classical_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_network_the_classical_evaluation_applies),
        cmocka_unit_test(the_network_speaks_for_itself),
        cmocka_unit_test(a_known_ending_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
