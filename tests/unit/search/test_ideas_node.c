// SPDX-License-Identifier: GPL-3.0-or-later
/* The ideas that end or shape a whole node, one by one: each test fails if its idea is gone or its
 * sign is turned. */
#include "lab.h"

/* --- pruning --- */

static void razoring_asks_quiescence_far_below_alpha(void **state)
{
    Score score = SCORE_NONE;
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 2);
    n.alpha = n.eval + 2 * razor_margin + 50;
    n.beta = n.alpha + 1;
    assert_true(razoring_cuts(w, &n, &score));
    assert_true(score <= n.alpha);

    n.depth = razor_depth + 1;
    assert_false(razoring_cuts(w, &n, &score));
    n = lab_node(w, 0, 2);
    n.alpha = n.eval - 2 * razor_margin - 50;
    assert_false(razoring_cuts(w, &n, &score));

    /* A queen that hangs brings the score back above alpha. */
    w = lab_set(*state, "3qk3/8/8/8/8/8/8/3RK3 w - - 0 1");
    n = lab_node(w, 0, 1);
    n.alpha = n.eval + razor_margin + 10;
    assert_false(razoring_cuts(w, &n, &score));
}

static void reverse_futility_trusts_a_large_lead(void **state)
{
    Score score = SCORE_NONE;
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 4);
    n.eval = n.beta + 4 * rfp_margin + 1;
    assert_true(reverse_futility_cuts(&n, &score));
    assert_true(score >= n.beta && score <= n.eval);

    n.eval = n.beta + rfp_least - 1;
    assert_false(reverse_futility_cuts(&n, &score));
    n.eval = n.beta - 4 * rfp_margin - 1;
    assert_false(reverse_futility_cuts(&n, &score));
    n.eval = n.beta + 4 * rfp_margin + 1;
    n.pv = true;
    assert_false(reverse_futility_cuts(&n, &score));
    n.pv = false;
    n.in_check = true;
    assert_false(reverse_futility_cuts(&n, &score));
    n.in_check = false;
    n.table_move = move_make(D1, C2); /* a quiet move promises more */
    assert_false(reverse_futility_cuts(&n, &score));
    n.table_move = MOVE_NONE;
    n.depth = rfp_depth + 1;
    assert_false(reverse_futility_cuts(&n, &score));
}

static void reverse_futility_asks_less_when_improving(void **state)
{
    Score score;
    Node n = lab_node(lab_set(*state, QUIET_BOARD), 0, 4);
    n.opponent_worsening = false;
    n.eval = n.beta + 4 * rfp_margin - 1;
    n.improving = false;
    assert_false(reverse_futility_cuts(&n, &score));
    n.improving = true;
    assert_true(reverse_futility_cuts(&n, &score));
}

/* White is a rook up: even after a pass Black reaches nothing. */
#define ROOK_UP "r1b2rk1/ppp2ppp/2n5/8/8/2N2N2/PPP2PPP/R3RRK1 w - - 0 1"

static void null_move_cuts_when_passing_holds_beta(void **state)
{
    Score score = SCORE_NONE;
    Worker *w = lab_set(*state, ROOK_UP);
    Node n = lab_node(w, 50, 6);
    const uint64_t before = worker_nodes(w);
    assert_true(null_move_cuts(w, &n, &score));
    assert_true(score >= n.beta);
    assert_true(worker_nodes(w) > before);

    n.cut = false;
    assert_false(null_move_cuts(w, &n, &score));
    n.cut = true;
    n.frame[-1].move = MOVE_NULL; /* not twice in a row */
    assert_false(null_move_cuts(w, &n, &score));
    n.frame[-1].move = MOVE_NONE;
    n.beta = n.eval + 300;
    assert_false(null_move_cuts(w, &n, &score));
}

/* Passing would hold, but it is not allowed: the opposition decides. */
static void null_move_keeps_away_from_zugzwang(void **state)
{
    Score score = SCORE_NONE;
    Worker *w = lab_set(*state, "4k3/8/8/1p1p1p2/1P1P1P2/PPP2PP1/8/4K3 w - - 0 1");
    Node n = lab_node(w, 10, 8);
    assert_true(n.eval >= n.beta && n.static_eval >= n.beta + nmp_static_base);
    assert_false(null_move_cuts(w, &n, &score));
}

/* The table knows that the node fails low. The null move does not ask it; the verification, which
 * deep down searches the same node again, does. */
static void a_deep_null_move_is_verified(void **state)
{
    for (int deep = 0; deep < 2; deep++) {
        Score score = SCORE_NONE;
        Worker *w = lab_set(*state, ROOK_UP);
        Node n = lab_node(w, 50, nmp_verify_depth - 1 + deep);
        table_store(w, &n, -100, BOUND_UPPER, MAX_PLY - 1, MOVE_NONE);
        assert_int_equal(null_move_cuts(w, &n, &score), !deep);
        assert_int_equal(w->null_min_ply, 0);
    }
}

static void probcut_believes_a_winning_capture(void **state)
{
    static const struct {
        const char *fen;
        bool cuts;
    } cases[] = {
        {"r1b1k2r/ppp2ppp/2n2n2/3q4/8/2N2N2/PPP2PPP/R1BQ1RK1 w kq - 0 1", true}, /* queen hangs */
        {QUIET_BOARD, false},
    };
    for (int i = 0; i < 2; i++) {
        Score score = SCORE_NONE;
        Worker *w = lab_set(*state, cases[i].fen);
        Node n = lab_node(w, 0, probcut_depth + 1);
        CheckInfo checks;
        PickContext context;
        n.beta = n.eval + 60;
        n.alpha = n.beta - 1;
        pos_check_info(&w->pos, &checks);
        map_threats(&w->pos, &context);
        fill_context(w, &n, &checks, &context);
        assert_int_equal(probcut_cuts(w, &n, &context, &score), cases[i].cuts);
        if (!cases[i].cuts)
            continue;
        assert_true(score >= n.beta);
        TTData data;
        assert_true(tt_probe(w->shared->tt, n.key, &data) && data.bound == BOUND_LOWER);
        n.depth = probcut_depth - 1;
        assert_false(probcut_cuts(w, &n, &context, &score));
    }
}

static void the_table_alone_may_stand_for_a_probcut(void **state)
{
    Score score;
    Worker *w = lab_set(*state, QUIET_BOARD);
    const Score high = table_probcut_margin + 10;
    Node n = lab_node_known(w, 0, 6, MOVE_NONE, high, BOUND_LOWER, 6 - table_probcut_depth);
    assert_true(table_probcut_cuts(&n, &score));
    assert_true(score >= n.beta && score <= high);
    n.table.depth--;
    assert_false(table_probcut_cuts(&n, &score));
    n.table.depth++;
    n.table.bound = BOUND_UPPER;
    assert_false(table_probcut_cuts(&n, &score));
    n.table.bound = BOUND_LOWER;
    n.table_score = table_probcut_margin - 10;
    assert_false(table_probcut_cuts(&n, &score));
}

/* --- the table --- */

static void a_table_entry_cuts_on_the_right_side_only(void **state)
{
    static const struct {
        Score score;
        Bound bound;
        int depth;
        bool cut, cuts;
    } cases[] = {
        {100, BOUND_LOWER, 10, true, true},   {100, BOUND_UPPER, 10, true, false},
        {100, BOUND_EXACT, 10, true, true},   {100, BOUND_LOWER, 7, true, false},
        {-100, BOUND_UPPER, 8, false, true},  {-100, BOUND_LOWER, 8, false, false},
        {-100, BOUND_UPPER, 7, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Worker *w = lab_set(*state, QUIET_BOARD);
        Node n = lab_node_known(w, 0, 8, MOVE_NONE, cases[i].score, cases[i].bound, cases[i].depth);
        n.cut = cases[i].cut;
        assert_int_equal(table_cuts(w, &n), cases[i].cuts);
        n.pv = true;
        assert_false(table_cuts(w, &n));
    }
}

static void a_table_score_is_a_better_evaluation(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 3);
    const Score plain = n.eval;
    static const struct {
        int above;
        Bound bound;
        bool used;
    } cases[] = {{200, BOUND_LOWER, true},
                 {200, BOUND_UPPER, false},
                 {-200, BOUND_UPPER, true},
                 {-200, BOUND_LOWER, false}};
    for (int i = 0; i < 4; i++) {
        w = lab_set(*state, QUIET_BOARD);
        n = lab_node_known(w, 0, 3, MOVE_NONE, plain + cases[i].above, cases[i].bound, 2);
        evaluate_node(w, &n);
        assert_int_equal(n.eval, cases[i].used ? plain + cases[i].above : plain);
        assert_int_equal(n.static_eval, plain);
    }
}

/* --- draws --- */

static void make_moves(Worker *w, const Move *moves, int count)
{
    for (int i = 0; i < count; i++) {
        Undo undo;
        worker_make(w, i, moves[i], &undo);
    }
}

/* Once inside the tree is enough; before the root it must have been twice. */
static void one_repetition_inside_the_tree_is_a_draw(void **state)
{
    const Move shuffle[] = {move_make(D1, E1), move_make(H8, G8), move_make(E1, D1),
                            move_make(G8, H8)};
    Worker *w = lab_set(*state, "7k/8/8/8/8/8/7P/K2Q4 w - - 0 1");
    make_moves(w, shuffle, 3);
    assert_false(is_draw(w, 3));
    Undo undo;
    worker_make(w, 3, shuffle[3], &undo);
    assert_false(is_draw(w, 3)); /* as if the first occurrence were before the root */
    assert_true(is_draw(w, 5));
}

static void an_upcoming_repetition_is_at_least_a_draw(void **state)
{
    const Move shuffle[] = {move_make(D1, E1), move_make(H8, G8), move_make(E1, D1)};
    Worker *w = lab_set(*state, "7k/8/8/8/8/8/7P/K2Q4 w - - 0 1");
    make_moves(w, shuffle, 3); /* Black to move: Kh8 repeats */
    Node n = {.ply = 5, .alpha = -900, .beta = -899};
    claim_upcoming_draw(w, &n);
    assert_true(n.alpha >= -1);
    n = (Node){.ply = 5, .alpha = 50, .beta = 51};
    claim_upcoming_draw(w, &n);
    assert_int_equal(n.alpha, 50);
    w = lab_set(*state, "7k/8/8/8/8/8/7P/K2Q4 w - - 0 1");
    make_moves(w, shuffle, 2);
    n = (Node){.ply = 5, .alpha = -900, .beta = -899};
    claim_upcoming_draw(w, &n);
    assert_int_equal(n.alpha, -900);
}

static void the_fifty_move_clock_draws_an_advantage_to_zero(void **state)
{
    const Node early = lab_node(lab_set(*state, ROOK_UP), 0, 4);
    const Node late =
        lab_node(lab_set(*state, "r1b2rk1/ppp2ppp/2n5/8/8/2N2N2/PPP2PPP/R3RRK1 w - - 80 90"), 0, 4);
    assert_true(early.static_eval > 300);
    assert_in_range(late.static_eval, early.static_eval / 3, early.static_eval * 3 / 4);
}

/* --- depth --- */

static void a_node_without_a_table_move_is_reduced(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, iir_depth);
    reduce_without_table_move(&n);
    assert_int_equal(n.depth, iir_depth - 1);
    n = lab_node(w, 0, iir_depth - 1);
    reduce_without_table_move(&n);
    assert_int_equal(n.depth, iir_depth - 1);
    n = lab_node(w, 0, iir_depth);
    n.table_move = move_make(D1, C2);
    reduce_without_table_move(&n);
    assert_int_equal(n.depth, iir_depth);
    n.table_move = MOVE_NONE;
    n.cut = false;
    reduce_without_table_move(&n);
    assert_int_equal(n.depth, iir_depth);
}

static void hindsight_corrects_the_reduction_before(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 6);
    n.opponent_worsening = false;
    adjust_depth_in_hindsight(&n, 3 * LMR);
    assert_int_equal(n.depth, 7);
    n = lab_node(w, 0, 6);
    n.opponent_worsening = true;
    n.frame[-1].static_eval = hindsight_margin + 1 - n.static_eval;
    adjust_depth_in_hindsight(&n, 3 * LMR);
    assert_int_equal(n.depth, 5);
    n.frame[-1].static_eval = -hindsight_margin - n.static_eval;
    adjust_depth_in_hindsight(&n, 3 * LMR);
    assert_int_equal(n.depth, 5);
    adjust_depth_in_hindsight(&n, 0);
    assert_int_equal(n.depth, 5);
}

static void the_trend_compares_with_two_plies_ago(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 6);
    n.frame[-2].static_eval = n.static_eval - 1;
    n.frame[-1].static_eval = -n.static_eval + 1;
    judge_trend(&n);
    assert_true(n.improving && n.opponent_worsening);
    n.frame[-2].static_eval = n.static_eval + 1;
    n.frame[-1].static_eval = -n.static_eval - 1;
    judge_trend(&n);
    assert_false(n.improving || n.opponent_worsening);
    n.frame[-2].static_eval = SCORE_NONE; /* in check then: four plies ago */
    n.frame[-4].static_eval = n.static_eval - 1;
    judge_trend(&n);
    assert_true(n.improving);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(razoring_asks_quiescence_far_below_alpha),
        cmocka_unit_test(reverse_futility_trusts_a_large_lead),
        cmocka_unit_test(reverse_futility_asks_less_when_improving),
        cmocka_unit_test(null_move_cuts_when_passing_holds_beta),
        cmocka_unit_test(null_move_keeps_away_from_zugzwang),
        cmocka_unit_test(a_deep_null_move_is_verified),
        cmocka_unit_test(probcut_believes_a_winning_capture),
        cmocka_unit_test(the_table_alone_may_stand_for_a_probcut),
        cmocka_unit_test(a_table_entry_cuts_on_the_right_side_only),
        cmocka_unit_test(a_table_score_is_a_better_evaluation),
        cmocka_unit_test(one_repetition_inside_the_tree_is_a_draw),
        cmocka_unit_test(an_upcoming_repetition_is_at_least_a_draw),
        cmocka_unit_test(the_fifty_move_clock_draws_an_advantage_to_zero),
        cmocka_unit_test(a_node_without_a_table_move_is_reduced),
        cmocka_unit_test(hindsight_corrects_the_reduction_before),
        cmocka_unit_test(the_trend_compares_with_two_plies_ago),
    };
    return cmocka_run_group_tests(tests, lab_open, lab_close);
}
