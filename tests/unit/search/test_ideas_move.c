// SPDX-License-Identifier: GPL-3.0-or-later
/* The ideas about single moves, what they teach, and quiescence, one by one: each test fails if its
 * idea is gone or its sign is turned. */
#include "lab.h"

/* --- pruning --- */

static bool hopeless(const Worker *w, const Node *n, const Candidate *c)
{
    Score best = -500;
    bool skip_quiets = false;
    return move_is_hopeless(w, n, c, 0, &best, &skip_quiets);
}

static void futility_prunes_quiet_moves_far_below_alpha(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 3);
    const Candidate c = lab_candidate(w, move_make(A2, A3), 2);
    const Score gain = futility_base + futility_depth * 2; /* two plies would be left */
    n.alpha = n.static_eval + gain;
    assert_true(hopeless(w, &n, &c));
    n.alpha = n.static_eval + gain - 1;
    assert_false(hopeless(w, &n, &c));
    n.alpha = n.static_eval - 2 * gain;
    assert_false(hopeless(w, &n, &c));

    Score best = -500; /* the node may then claim no less than the move could have reached */
    bool skip_quiets = false;
    n.alpha = n.static_eval + gain + 100;
    assert_true(move_is_hopeless(w, &n, &c, 0, &best, &skip_quiets));
    assert_int_equal(best, n.static_eval + gain);
    w->plain = true;
    assert_false(hopeless(w, &n, &c));
    w->plain = false;
}

static void late_quiet_moves_are_skipped(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 3);
    n.alpha = n.static_eval - 1000;
    for (int improving = 0; improving < 2; improving++) {
        const int last = (lmp_base + 9) / (2 - improving);
        n.improving = improving;
        for (int number = last - 1; number <= last; number++) {
            const Candidate c = lab_candidate(w, move_make(A2, A3), number);
            Score best = 0;
            bool skip_quiets = false;
            move_is_hopeless(w, &n, &c, 0, &best, &skip_quiets);
            assert_int_equal(skip_quiets, number == last);
        }
    }
}

static void a_bad_record_prunes_a_quiet_move(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 3);
    n.alpha = n.static_eval - 1000;
    Candidate c = lab_candidate(w, move_make(A2, A3), 2);
    c.history = -history_prune * 3 - 1;
    assert_true(hopeless(w, &n, &c));
    c.history = history_prune * 3 + 1;
    assert_false(hopeless(w, &n, &c));
}

static void a_quiet_move_that_hangs_a_piece_is_pruned(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 2);
    n.alpha = n.static_eval - 1000;
    const Candidate safe = lab_candidate(w, move_make(D1, A4), 2);
    const Candidate hangs = lab_candidate(w, move_make(F4, H6), 2); /* a pawn takes the bishop */
    assert_false(hopeless(w, &n, &safe));
    assert_true(hopeless(w, &n, &hangs));
    n.in_check = true; /* in check it may be the only defence */
    assert_false(hopeless(w, &n, &hangs));
}

static void nothing_is_pruned_where_a_pass_would_help(void **state)
{
    Worker *w = lab_set(*state, "4k3/8/8/1p1p1p2/1P1P1P2/PPP2PP1/8/4K3 w - - 0 1");
    Node n = lab_node(w, 0, 2);
    n.alpha = n.static_eval + 2000;
    const Candidate c = lab_candidate(w, move_make(E1, D1), 60);
    assert_false(hopeless(w, &n, &c));
}

/* White may take a guarded pawn with the queen, or a free one. */
#define TWO_CAPTURES "8/kp6/p1p5/3p3p/8/4N3/8/3QK3 w - - 0 1"

static void a_capture_that_wins_too_little_is_pruned(void **state)
{
    Worker *w = lab_set(*state, TWO_CAPTURES);
    Node n = lab_node(w, 0, 2);
    Candidate c = lab_candidate(w, move_make(D1, H5), 2);
    n.alpha = n.static_eval - 1000;
    assert_false(hopeless(w, &n, &c));
    n.alpha = n.static_eval + 2000;
    assert_true(hopeless(w, &n, &c));
    c.check = true; /* a check may do more than its victim is worth */
    assert_false(hopeless(w, &n, &c));
}

static void a_losing_capture_is_pruned(void **state)
{
    Worker *w = lab_set(*state, TWO_CAPTURES);
    Node n = lab_node(w, 0, 1);
    n.alpha = n.static_eval - 2000;
    const Candidate queen = lab_candidate(w, move_make(D1, D5), 2);
    const Candidate free_pawn = lab_candidate(w, move_make(D1, H5), 2);
    assert_true(hopeless(w, &n, &queen));
    assert_false(hopeless(w, &n, &free_pawn));
}

/* --- quiescence --- */

static bool hopeless_in_quiescence(const Worker *w, const Node *n, Move m, Score reach, int number)
{
    Score best = -3000;
    return capture_is_hopeless(w, n, m, false, reach, number, &best);
}

static void quiescence_prunes_by_number_gain_and_exchange(void **state)
{
    Worker *w = lab_set(*state, TWO_CAPTURES);
    const Move pawn = move_make(D1, H5), guarded = move_make(D1, D5);
    Node n = lab_node(w, 0, -1);
    n.alpha = n.static_eval - 500;
    assert_false(hopeless_in_quiescence(w, &n, pawn, n.static_eval, 1));
    assert_true(hopeless_in_quiescence(w, &n, pawn, n.static_eval, qs_moves + 1));
    assert_true(hopeless_in_quiescence(w, &n, guarded, n.static_eval, 1)); /* loses the queen */
    n.alpha = n.static_eval + 1000;
    assert_true(hopeless_in_quiescence(w, &n, pawn, n.static_eval, 1)); /* wins too little */
    n.frame[-1].moved = piece_square(BLACK_PAWN, H5);                   /* recaptures are free */
    assert_false(hopeless_in_quiescence(w, &n, pawn, n.static_eval, 1));
    n.depth = -qs_forcing_depth - qs_moves; /* but not for ever */
    assert_true(hopeless_in_quiescence(w, &n, pawn, n.static_eval, 2));
}

/* The mate is a quiet check: only the first ply of quiescence tries it. */
static void quiescence_tries_quiet_checks_at_its_first_ply(void **state)
{
    Worker *w = lab_set(*state, "6k1/5ppp/8/8/8/8/5q2/1R4NK w - - 0 1");
    const Score first = quiescence_pv(w, LAB_PLY, -SCORE_INF, SCORE_INF, 0);
    assert_int_equal(first, score_mate(LAB_PLY + 1));
    lab_set(*state, "6k1/5ppp/8/8/8/8/5q2/1R4NK w - - 0 1");
    assert_true(quiescence_pv(w, LAB_PLY, -SCORE_INF, SCORE_INF, -1) < 0);
}

/* --- reductions and extensions --- */

static void late_moves_are_reduced_more_the_deeper_and_the_later(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 8);
    const Candidate early = lab_candidate(w, move_make(A2, A3), 2),
                    late = lab_candidate(w, move_make(A2, A3), 20);
    const Candidate capture = lab_candidate(w, move_make(D4, C5), 20);
    assert_true(capture.noisy);
    const int reduction = base_reduction(w, &n, &late);
    assert_true(reduction > base_reduction(w, &n, &early) + LMR);
    assert_true(reduction > base_reduction(w, &n, &capture));
    assert_true(reduction > 2 * LMR);
    n.depth = 16;
    assert_true(base_reduction(w, &n, &late) > reduction);
}

static void what_is_known_of_a_move_changes_its_reduction(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node base = lab_node(w, 0, 8);
    Candidate quiet = lab_candidate(w, move_make(A2, A3), 9);
    base.cut = base.table_pv = base.pv = base.table_noisy = false;
    base.improving = true;
    base.frame[1].cutoffs = 0;
    const int plain = adjust_reduction(&base, &quiet, 3000);
    assert_int_equal(plain, 3000);

    Node n = base;
    n.cut = true;
    assert_int_equal(adjust_reduction(&n, &quiet, 3000), plain + lmr_cut);
    n = base;
    n.table_pv = true;
    assert_int_equal(adjust_reduction(&n, &quiet, 3000), plain - lmr_table_pv);
    n = base;
    n.pv = true;
    assert_int_equal(adjust_reduction(&n, &quiet, 3000), plain - lmr_pv);
    n = base;
    n.improving = false;
    assert_int_equal(adjust_reduction(&n, &quiet, 3000), plain + lmr_not_improving);
    n = base;
    n.table_noisy = true;
    assert_int_equal(adjust_reduction(&n, &quiet, 3000), plain + lmr_table_noisy);
    n = base;
    n.correction = -lmr_correction_div;
    assert_int_equal(adjust_reduction(&n, &quiet, 3000), plain - LMR);
    base.frame[1].cutoffs = lmr_cutoff_count + 1;
    assert_int_equal(adjust_reduction(&base, &quiet, 3000), plain + lmr_cutoffs);
    base.frame[1].cutoffs = 0;
    base.frame->killer = quiet.move;
    assert_int_equal(adjust_reduction(&base, &quiet, 3000), plain - lmr_killer);
    base.frame->killer = MOVE_NONE;
    quiet.check = true;
    assert_int_equal(adjust_reduction(&base, &quiet, 3000), plain - lmr_check);
    quiet.check = false;
    quiet.history = lmr_history_div;
    assert_int_equal(adjust_reduction(&base, &quiet, 3000), plain - LMR);
    quiet.history = -lmr_history_div;
    assert_int_equal(adjust_reduction(&base, &quiet, 3000), plain + LMR);
}

typedef struct Singular {
    int extension;
    bool cut;
    Score score;
} Singular;

static Singular ask_singular(Worker *w, Score beta, Move m, Score table_score)
{
    Node n = lab_node_known(w, beta, 8, m, table_score, BOUND_LOWER, 8);
    n.frame->table_pv = n.table_pv = false;
    const Candidate c = lab_candidate(w, m, 1);
    Singular s;
    s.extension = singular_extension(w, &n, &c, &s.cut, &s.score);
    return s;
}

/* Taking the queen back is the only move. */
static void the_only_good_move_is_extended(void **state)
{
    Worker *w = lab_set(*state, "4k3/pp3ppp/8/3q4/4P3/8/PP3PPP/4K3 w - - 0 1");
    const Singular s = ask_singular(w, 600, move_make(E4, D5), 100);
    assert_true(s.extension >= 1);
    assert_false(s.cut);
}

/* Many moves keep a rook more: the table's is nothing special. */
static void many_good_moves_cut_at_once(void **state)
{
    Worker *w = lab_set(*state, "r1b2rk1/ppp2ppp/2n5/8/8/2N2N2/PPP2PPP/R3RRK1 w - - 0 1");
    const Singular cut = ask_singular(w, 50, move_make(A2, A3), 150);
    assert_true(cut.cut);
    assert_true(cut.score >= 50);
    w = lab_set(*state, "r1b2rk1/ppp2ppp/2n5/8/8/2N2N2/PPP2PPP/R3RRK1 w - - 0 1");
    const Singular reduced = ask_singular(w, 148, move_make(A2, A3), 150);
    assert_false(reduced.cut);
    assert_true(reduced.extension < 0);
}

/* --- learning --- */

static int butterfly(const Worker *w, const Frame *f, Color c, Move m)
{
    return w->history->butterfly[c][threat_index(f->threats, m)][from_to(m)];
}

static void the_best_move_rises_and_what_was_tried_before_falls(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 6);
    const Move best = move_make(A2, A3), vain = move_make(H2, H3), capture = move_make(D4, C5);
    Frame *f = n.frame;
    f->threats = 0;
    f[-1].moved = piece_square(BLACK_KNIGHT, F6);
    f[-1].follow = w->history->continuation[0][f[-1].moved];
    Tried tried = {.quiet_count = 1, .capture_count = 1};
    tried.quiets[0] = vain;
    tried.captures[0] = capture;
    learn_from_best(w, &n, best, n.beta, &tried);

    const int best_cell = piece_square(WHITE_PAWN, A3), vain_cell = piece_square(WHITE_PAWN, H3);
    assert_true(butterfly(w, f, WHITE, best) > 0);
    assert_true(butterfly(w, f, WHITE, vain) < 0);
    assert_true(f[-1].follow[best_cell] > 0);
    assert_true(f[-1].follow[vain_cell] < 0);
    assert_true(w->history->pawn[pawn_row(&w->pos)][best_cell] > 0);
    assert_true(w->history->pawn[pawn_row(&w->pos)][vain_cell] < 0);
    assert_true(w->history->low_ply[LAB_PLY][from_to(best)] >
                w->history->low_ply[LAB_PLY][from_to(vain)]);
    assert_true(w->history->capture[piece_square(WHITE_PAWN, C5)][PAWN] < 0);
    assert_int_equal(f->killer, best);
    assert_int_equal(w->history->counter[f[-1].moved], best);

    learn_from_best(w, &n, capture, n.beta, &(Tried){0});
    assert_int_equal(f->killer, best); /* only quiet moves */
}

static void a_move_that_nothing_answers_is_rewarded(void **state)
{
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 6);
    Frame *f = n.frame;
    f[-1].move = move_make(G8, F6);
    f[-1].moved = piece_square(BLACK_KNIGHT, F6);
    f[-1].threats = 0;
    reward_previous_quiet(w, &n, -100);
    assert_true(butterfly(w, f - 1, BLACK, f[-1].move) > 0);
}

static void the_change_of_the_evaluation_judges_the_move_between(void **state)
{
    for (int better = 0; better < 2; better++) {
        Worker *w = lab_set(*state, QUIET_BOARD);
        Node n = lab_node(w, 0, 6);
        Frame *f = n.frame;
        f[-1].move = move_make(G8, F6);
        f[-1].moved = piece_square(BLACK_KNIGHT, F6);
        f[-1].threats = 0;
        f[-1].in_check = false;
        /* Black stood at `was` before it moved; now White stands at n.static_eval. */
        f[-1].static_eval = -n.static_eval + (better ? -300 : 300);
        learn_from_static_eval(w, &n);
        const int learned = butterfly(w, f - 1, BLACK, f[-1].move);
        assert_true(better ? learned > 0 : learned < 0);
    }
}

static void the_evaluation_is_corrected_towards_what_searches_found(void **state)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        Worker *w = lab_set(*state, QUIET_BOARD);
        const Node before = lab_node(w, 0, 8);
        for (int i = 0; i < 200; i++) {
            Node n = lab_node(w, before.static_eval + sign * 50, 8);
            const Score best = n.static_eval + sign * 200;
            n.beta = sign > 0 ? best : best + 1;
            learn_correction(w, &n, best, sign > 0 ? move_make(A2, A3) : MOVE_NONE);
        }
        const Node after = lab_node(w, 0, 8);
        assert_true((after.static_eval - before.static_eval) * sign > 20);
        assert_int_equal(after.raw_eval, before.raw_eval);
    }
    /* A capture tells nothing about a quiet position. */
    Worker *w = lab_set(*state, QUIET_BOARD);
    Node n = lab_node(w, 0, 8);
    learn_correction(w, &n, n.static_eval + 500, move_make(D4, C5));
    assert_int_equal(lab_node(w, 0, 8).correction, 0);
}

/* --- the root --- */

static void the_window_grows_on_the_side_that_failed(void **state)
{
    (void)state;
    const Window start = {.alpha = 0, .beta = 20, .delta = 10};
    Window w = start;
    window_widen(&w, -5); /* a fail low */
    assert_int_equal(w.beta, 10);
    assert_int_equal(w.alpha, -15);
    assert_true(w.delta > start.delta);
    assert_int_equal(w.fail_highs, 0);
    w = start;
    window_widen(&w, 25); /* a fail high */
    assert_int_equal(w.alpha, 0);
    assert_int_equal(w.beta, 35);
    assert_int_equal(w.fail_highs, 1);
    window_widen(&w, asp_open_score + 1);
    assert_int_equal(w.beta, SCORE_INF);
    w = start;
    window_widen(&w, -asp_open_score - 1);
    assert_int_equal(w.alpha, -SCORE_INF);
}

/* Gives a worker an answer. Mates need a line that ends in one, so decisive scores are those of
 * tablebases. */
static void answer(Worker *w, Move m, Score score, int depth)
{
    w->completed_depth = depth;
    w->root_moves[0] =
        (RootMove){.move = m, .score = score, .bound = BOUND_EXACT, .pv_length = 1, .pv = {m}};
}

static void threads_vote_but_decisive_scores_overrule_them(void **state)
{
    Lab *lab = *state;
    Worker *three[3] = {lab_set(lab, QUIET_BOARD), worker_create(1, &lab->shared),
                        worker_create(2, &lab->shared)};
    const Move a = move_make(A2, A3), b = move_make(H2, H3);
    static const struct {
        Score scores[3];
        int elected; /* the first two workers want the same move */
    } cases[] = {
        {{20, 20, 25}, 0},                             /* two votes against one */
        {{20, 20, 900}, 2},                            /* a much higher score */
        {{20, 20, SCORE_TB_WIN - 9}, 2},               /* a win */
        {{SCORE_TB_WIN - 9, 20, SCORE_TB_WIN - 5}, 2}, /* the shorter one */
        {{SCORE_TB_WIN - 5, 20, SCORE_TB_WIN - 9}, 0},
        {{-SCORE_TB_WIN + 5, -SCORE_TB_WIN + 5, -SCORE_TB_WIN + 9}, 2}, /* the longer defence */
        {{20, 20, -SCORE_TB_WIN + 5}, 0},
    };
    lab->shared.workers = three;
    lab->shared.worker_count = 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 3; k++)
            answer(three[k], k < 2 ? a : b, cases[i].scores[k], 10);
        assert_ptr_equal(elect_worker(&lab->shared), three[cases[i].elected]);
    }
    lab->shared.workers = lab->list;
    lab->shared.worker_count = 1;
    worker_destroy(three[1]);
    worker_destroy(three[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(futility_prunes_quiet_moves_far_below_alpha),
        cmocka_unit_test(late_quiet_moves_are_skipped),
        cmocka_unit_test(a_bad_record_prunes_a_quiet_move),
        cmocka_unit_test(a_quiet_move_that_hangs_a_piece_is_pruned),
        cmocka_unit_test(nothing_is_pruned_where_a_pass_would_help),
        cmocka_unit_test(a_capture_that_wins_too_little_is_pruned),
        cmocka_unit_test(a_losing_capture_is_pruned),
        cmocka_unit_test(quiescence_prunes_by_number_gain_and_exchange),
        cmocka_unit_test(quiescence_tries_quiet_checks_at_its_first_ply),
        cmocka_unit_test(late_moves_are_reduced_more_the_deeper_and_the_later),
        cmocka_unit_test(what_is_known_of_a_move_changes_its_reduction),
        cmocka_unit_test(the_only_good_move_is_extended),
        cmocka_unit_test(many_good_moves_cut_at_once),
        cmocka_unit_test(the_best_move_rises_and_what_was_tried_before_falls),
        cmocka_unit_test(a_move_that_nothing_answers_is_rewarded),
        cmocka_unit_test(the_change_of_the_evaluation_judges_the_move_between),
        cmocka_unit_test(the_evaluation_is_corrected_towards_what_searches_found),
        cmocka_unit_test(the_window_grows_on_the_side_that_failed),
        cmocka_unit_test(threads_vote_but_decisive_scores_overrule_them),
    };
    return cmocka_run_group_tests(tests, lab_open, lab_close);
}
