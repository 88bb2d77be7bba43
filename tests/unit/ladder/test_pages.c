// SPDX-License-Identifier: GPL-3.0-or-later
/* The pages one by one: formulas and data structures as the reports give them. */
#include "support.h"

static Search search_at(const char *fen, TechniqueSet techniques)
{
    return (Search){.pos = position_of(fen), .techniques = techniques, .values = &values_ladder};
}

static Node node_at(const Search *s, int alpha, int beta, int depth, int ply)
{
    Node n;
    node_open(&n, alpha, beta, depth, ply);
    gen_legal(&s->pos, &n.moves);
    return n;
}

static Move move_at(const Search *s, const char *uci)
{
    const Move m = move_from_uci(&s->pos, str_from(uci));
    assert_int_not_equal(m, MOVE_NONE);
    return m;
}

/* --- evaluations --- */

static int value_of(Evaluation e, const char *fen)
{
    const Position p = position_of(fen);
    return leaf_value(e, false, &p);
}

/* Rook and pawn against knight, Black to move, a check on the board: every term of the reports. */
static void the_evaluations_of_the_reports_count_as_they_say(void **state)
{
    (void)state;
    static const char fen[] = "4k3/8/8/3n4/4R3/8/P7/4K3 b - - 0 1";
    assert_int_equal(value_of(EVAL_FIRST, fen), 30 - 50 - 10);
    assert_int_equal(value_of(EVAL_SECOND, fen), 300 - 500 - 100 + 10);
    assert_int_equal(value_of(EVAL_MATERIAL, fen), 320 - 500 - 100 + 10);
    /* White: rook 5, pawn 1, check 2, centre 1; Black: knight 3, centre 1; nobody across. */
    assert_int_equal(value_of(EVAL_POINTS, fen), 3 + 1 - (5 + 1 + 2 + 1));
    assert_int_equal(value_of(EVAL_POINTS, "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1"), -(5 + 2 + 1));
    assert_int_equal(value_of(EVAL_MATERIAL, "4kb2/8/8/8/8/8/8/4KQ2 w - - 0 1"), 900 - 330 + 10);
}

static void evaluations_are_found_by_name(void **state)
{
    (void)state;
    Evaluation found;
    for (int e = 0; e < EVALUATION_COUNT; e++) {
        assert_true(evaluation_named(str_from(evaluation_name((Evaluation)e)), &found));
        assert_int_equal(found, e);
    }
    assert_false(evaluation_named(STR("fourth"), &found));
}

static void piece_squares_prefer_the_centre_and_a_safe_king(void **state)
{
    (void)state;
    const Position rim = position_of("4k3/8/8/8/8/8/8/N3K2Q w - - 0 1"),
                   centre = position_of("4k3/8/8/8/4N3/8/8/4K2Q w - - 0 1"),
                   castled = position_of("4k3/8/8/8/8/8/8/N5KQ w - - 0 1"),
                   black_rim = position_of("n3k2q/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_true(piece_squares(&centre, WHITE) > piece_squares(&rim, WHITE));
    assert_true(piece_squares(&castled, WHITE) > piece_squares(&rim, WHITE));
    assert_int_equal(piece_squares(&black_rim, BLACK), piece_squares(&rim, WHITE));
}

/* --- formulas --- */

static void null_move_reduces_by_the_reports_numbers(void **state)
{
    (void)state;
    assert_int_equal(null_move_reduction(&values_first_final, 5), 2);
    assert_int_equal(null_move_reduction(&values_first_final, 6), 3);
    assert_int_equal(null_move_reduction(&values_third, 3), 2);
    assert_int_equal(null_move_reduction(&values_third, 12), 3);
    assert_int_equal(null_move_reduction(&values_fifth, 3), 2);
    assert_int_equal(null_move_reduction(&values_fifth, 12), 2);
}

static int reduction(const Values *v, int depth, int index)
{
    Search s = search_at(START, TECHNIQUE(LATE_MOVE_REDUCTIONS));
    s.values = v;
    const Node n = node_at(&s, 0, 1, depth, 1);
    return late_reduction(&s, &n, move_at(&s, "a2a3"), index);
}

static void late_moves_are_reduced_by_the_reports_numbers(void **state)
{
    (void)state;
    static const struct {
        const Values *values;
        int depth, index, reduction;
    } cases[] = {
        {&values_first_final, 3, 3, 0}, {&values_first_final, 3, 4, 1},
        {&values_first_final, 2, 9, 0}, {&values_first_final, 3, 8, 1},
        {&values_first_final, 4, 8, 2}, {&values_first_final, 4, 7, 1},
        {&values_third, 3, 4, 1},       {&values_third, 8, 19, 3}, /* ln 8 * ln 20 / 2 = 3.1 */
        {&values_third, 12, 29, 4},     {&values_fifth, 3, 3, 0},
        {&values_fifth, 3, 4, 1},       {&values_fifth, 12, 40, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(reduction(cases[i].values, cases[i].depth, cases[i].index),
                         cases[i].reduction);
}

static void killers_and_checks_in_the_air_are_not_reduced(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(LATE_MOVE_REDUCTIONS) | TECHNIQUE(KILLER_MOVES));
    Node n = node_at(&s, 0, 1, 6, 1);
    const Move m = move_at(&s, "a2a3");
    assert_int_equal(late_reduction(&s, &n, m, 10), 2);
    n.in_check = true;
    assert_int_equal(late_reduction(&s, &n, m, 10), 0);
    n.in_check = false;
    killers_learn(&s, &n, m);
    assert_int_equal(late_reduction(&s, &n, m, 10), 0);
}

/* (3 + d * d) / 3: 1, 2 and 4 moves at depths 1, 2 and 3. */
static void late_moves_are_pruned_by_the_third_report_s_formula(void **state)
{
    (void)state;
    const int allowed[] = {0, 1, 2, 4};
    Search s = search_at(START, TECHNIQUE(LATE_MOVE_PRUNING));
    for (int depth = 1; depth <= 3; depth++) {
        Node n = node_at(&s, 0, 1, depth, 1);
        assert_false(late_pruning_skips(&s, &n, allowed[depth]));
        assert_true(late_pruning_skips(&s, &n, allowed[depth] + 1));
        n.pv = true;
        assert_false(late_pruning_skips(&s, &n, 30));
    }
    const Node deep = node_at(&s, 0, 1, 4, 1);
    assert_false(late_pruning_skips(&s, &deep, 30));
}

static void futility_looks_at_depth_margin_and_window(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(FUTILITY));
    Node n = node_at(&s, 500, 501, 1, 1);
    n.eval = 340;
    assert_true(futility_skips(&s, &n));
    n.eval = 360;
    assert_false(futility_skips(&s, &n));
    n.eval = 0;
    n.depth = 3;
    assert_false(futility_skips(&s, &n));
}

static void a_line_gets_only_so_many_extensions(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(CHECK_EXTENSION));
    const Node n = node_at(&s, 0, 1, 4, 2);
    assert_int_equal(check_extension(&s, &n), 1);
    s.extensions[2] = 3;
    assert_int_equal(check_extension(&s, &n), 0);
}

/* --- the static exchange --- */

static void exchanges_are_counted_to_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move;
        int value;
    } cases[] = {
        {"4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6", 100},                /* nobody takes back */
        {"4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6", 100 - 900},        /* a pawn does */
        {"4k3/2p5/3r4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 500 - 500 + 100}, /* x-ray behind */
        {"3rk3/2p5/3r4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 0},              /* and one against it */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},                /* en passant */
        {"3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 320 + 900 - 100 - 900}, /* the king takes */
        {"4k3/8/8/8/8/2n5/3K4/8 w - - 0 1", "d2c3", 320},                     /* by the king */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Position p = position_of(cases[i].fen);
        const Move m = move_from_uci(&p, str_from(cases[i].move));
        assert_int_not_equal(m, MOVE_NONE);
        assert_int_equal(exchange_value(&p, m), cases[i].value);
    }
}

/* --- killers, counters, history --- */

static void killers_shift_and_keep_two(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(KILLER_MOVES));
    const Node n = node_at(&s, 0, 1, 4, 3);
    const Move a = move_at(&s, "a2a3"), b = move_at(&s, "b2b3"), c = move_at(&s, "c2c3");
    killers_learn(&s, &n, a);
    killers_learn(&s, &n, b);
    killers_learn(&s, &n, b); /* a second time changes nothing */
    assert_true(is_killer(&s, 3, a) && is_killer(&s, 3, b));
    killers_learn(&s, &n, c);
    assert_int_equal(s.learned.killers[3][0], c);
    assert_int_equal(s.learned.killers[3][1], b);
    assert_false(is_killer(&s, 3, a));
    assert_false(is_killer(&s, 4, c));
}

static void counters_answer_one_move(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(COUNTER_MOVES));
    const Node n = node_at(&s, 0, 1, 4, 3);
    const Move answer = move_at(&s, "g1f3");
    s.played[2] = move_make(E7, E5);
    counters_learn(&s, &n, answer);
    assert_true(is_counter(&s, 3, answer));
    s.played[2] = move_make(D7, D5);
    assert_false(is_counter(&s, 3, answer));
}

static void history_adds_the_square_of_the_depth_and_halves(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(HISTORY));
    const Move m = move_at(&s, "e2e4"), other = move_at(&s, "d2d4");
    Node n = node_at(&s, 0, 1, 8, 1);
    history_learn(&s, &n, m);
    assert_int_equal(s.learned.history[WHITE][E2][E4], 64);
    assert_int_equal(history_order(&s, m), 64 / 32);
    for (int i = 0; i < 400; i++)
        history_learn(&s, &n, other);
    assert_int_equal(s.learned.history[WHITE][E2][E4], 64);
    for (int i = 0; i < 60; i++)
        history_learn(&s, &n, other);
    assert_int_equal(s.learned.history[WHITE][E2][E4], 32); /* halved with all others */
    assert_true(history_order(&s, other) < values_ladder.order_killer);
}

/* --- the order --- */

/* One move of each kind, in the third report's order. */
static void moves_come_in_the_order_of_the_reports(void **state)
{
    (void)state;
    static const char fen[] = "4k3/P5p1/5p2/3q4/4P3/2N5/3Q4/4K2R w - - 0 1";
    Search s = search_at(fen, ~(TechniqueSet)0);
    Node n = node_at(&s, 0, 1, 4, 1);
    s.played[0] = move_make(D8, D5);
    n.table_move = move_at(&s, "h1h2");
    killers_learn(&s, &n, move_at(&s, "e1f1"));
    counters_learn(&s, &n, move_at(&s, "e1e2"));
    history_learn(&s, &n, move_at(&s, "h1h3"));
    n.depth = 9;
    history_learn(&s, &n, move_at(&s, "h1h4"));
    order_moves(&s, &n);
    static const char *const order[] = {
        "h1h2",  /* table */
        "e4d5",  /* captures: pawn takes queen, */
        "c3d5",  /* knight, */
        "d2d5",  /* queen takes queen */
        "a7a8q", /* promotion */
        "e1f1",  /* killer */
        "e1e2",  /* counter move */
        "h1h4",  /* history: deep before shallow */
    };
    for (int i = 0; i < 8; i++)
        assert_best(order_next(&n, i), order[i]);
}

static void captures_that_lose_come_last(void **state)
{
    (void)state;
    Search s = search_at("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1",
                         TECHNIQUE(CAPTURES_FIRST) | TECHNIQUE(STATIC_EXCHANGE));
    Node n = node_at(&s, 0, 1, 4, 1);
    order_moves(&s, &n);
    Move last = MOVE_NONE;
    for (int i = 0; i < n.moves.count; i++)
        last = order_next(&n, i);
    assert_best(last, "d2d6");
    s.techniques = TECHNIQUE(CAPTURES_FIRST);
    order_moves(&s, &n);
    assert_best(order_next(&n, 0), "d2d6"); /* by the victim alone it comes first */
}

/* --- the table --- */

static void the_table_keeps_bounds_apart_and_counts_mates_from_the_node(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(TRANSPOSITION_TABLE));
    const Move m = move_at(&s, "e2e4");
    int score;
    s.table = table_create(10);
    Node n = node_at(&s, 0, 100, 5, 2);
    table_keep(&s, &n, 0, 50, m); /* exact */
    assert_true(try_table(&s, &n, &score));
    assert_int_equal(score, 50);
    assert_int_equal(n.table_move, m);
    n.depth = 6; /* not deep enough: only the move */
    n.table_move = MOVE_NONE;
    assert_false(try_table(&s, &n, &score));
    assert_int_equal(n.table_move, m);

    table_keep(&s, &n, 0, 100, m); /* at least 100 */
    n.beta = 200;
    assert_false(try_table(&s, &n, &score));
    n.beta = 90;
    assert_true(try_table(&s, &n, &score));

    n.beta = INFINITY_SCORE;
    table_keep(&s, &n, 0, MATE_SCORE - 7, m); /* five plies from here */
    n.ply = 4;
    assert_true(try_table(&s, &n, &score));
    assert_int_equal(score, MATE_SCORE - 9);
    table_forget(s.table);
    assert_false(try_table(&s, &n, &score));
    table_destroy(s.table);
}

static void a_deeper_result_of_another_position_stays(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(TRANSPOSITION_TABLE));
    s.table = table_create(0); /* one entry */
    int score;
    Node n = node_at(&s, 0, 100, 5, 2);
    table_keep(&s, &n, 0, 50, MOVE_NONE);
    Search other = search_at(KIWIPETE, TECHNIQUE(TRANSPOSITION_TABLE));
    other.table = s.table;
    n.depth = 3;
    table_keep(&other, &n, 0, 70, MOVE_NONE);
    assert_true(try_table(&s, &n, &score));
    n.depth = 6;
    table_keep(&other, &n, 0, 70, MOVE_NONE);
    assert_false(try_table(&s, &n, &score));
    assert_true(try_table(&other, &n, &score));
    table_destroy(s.table);
}

static void ages_of_the_table_run_out_in_good_order(void **state)
{
    (void)state;
    Search s = search_at(START, TECHNIQUE(TRANSPOSITION_TABLE));
    int score;
    s.table = table_create(4);
    Node n = node_at(&s, 0, 100, 5, 2);
    for (int i = 0; i < 200; i++) {
        assert_false(try_table(&s, &n, &score));
        if (i % 7 == 0)
            table_keep(&s, &n, 0, 50, MOVE_NONE);
        table_forget(s.table);
    }
    table_destroy(s.table);
}

/* --- rungs --- */

static void rungs_are_found_by_name_and_number(void **state)
{
    (void)state;
    int rung;
    for (int r = 0; r < RUNG_COUNT; r++) {
        assert_true(rung_named(str_from(rung_name(r)), &rung));
        assert_int_equal(rung, r);
    }
    assert_true(rung_named(STR("1"), &rung));
    assert_int_equal(rung, 0);
    assert_false(rung_named(STR("0"), &rung));
    assert_false(rung_named(STR("no such rung"), &rung));
    assert_int_equal(rung_techniques(0), 0);
    assert_int_equal(rung_techniques(2), PLAIN);
}

static int set_up(void **state)
{
    (void)state;
    classical_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_evaluations_of_the_reports_count_as_they_say),
        cmocka_unit_test(evaluations_are_found_by_name),
        cmocka_unit_test(piece_squares_prefer_the_centre_and_a_safe_king),
        cmocka_unit_test(null_move_reduces_by_the_reports_numbers),
        cmocka_unit_test(late_moves_are_reduced_by_the_reports_numbers),
        cmocka_unit_test(killers_and_checks_in_the_air_are_not_reduced),
        cmocka_unit_test(late_moves_are_pruned_by_the_third_report_s_formula),
        cmocka_unit_test(futility_looks_at_depth_margin_and_window),
        cmocka_unit_test(a_line_gets_only_so_many_extensions),
        cmocka_unit_test(exchanges_are_counted_to_the_end),
        cmocka_unit_test(killers_shift_and_keep_two),
        cmocka_unit_test(counters_answer_one_move),
        cmocka_unit_test(history_adds_the_square_of_the_depth_and_halves),
        cmocka_unit_test(moves_come_in_the_order_of_the_reports),
        cmocka_unit_test(captures_that_lose_come_last),
        cmocka_unit_test(the_table_keeps_bounds_apart_and_counts_mates_from_the_node),
        cmocka_unit_test(a_deeper_result_of_another_position_stays),
        cmocka_unit_test(ages_of_the_table_run_out_in_good_order),
        cmocka_unit_test(rungs_are_found_by_name_and_number),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
