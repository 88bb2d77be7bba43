// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.h"
#include "net_maker.h"
#include "nnue/accumulator.h"
#include "nnue/features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_PLIES = 200 };

typedef struct Walk {
    Position p;
    AccStack *stack;
    const Net *net;
    Rng rng;
    int depth;
    Move moves[MAX_PLIES];
    Undo undos[MAX_PLIES];
    long captures, castlings, promotions, en_passants, crossings, nulls;
} Walk;

static void count_kind(Walk *w, Move m)
{
    w->captures += pos_captured(&w->p, m) != NO_PIECE;
    w->castlings += move_kind(m) == CASTLING;
    w->promotions += move_kind(m) == PROMOTION;
    w->en_passants += move_kind(m) == EN_PASSANT;
}

/* Kings and special moves first: the paths that matter here are rare in random play. */
static Move choose(Walk *w, const MoveList *list)
{
    const Move m = list->moves[rng_below(&w->rng, (uint64_t)list->count)];
    for (int i = 0; i < list->count; i++)
        if (move_kind(list->moves[i]) != NORMAL && rng_below(&w->rng, 3) == 0)
            return list->moves[i];
    return m;
}

static bool step(Walk *w)
{
    MoveList list;
    gen_legal(&w->p, &list);
    Delta delta = {0};
    if (list.count == 0 || w->p.st.rule50 > 90 || w->depth == MAX_PLIES - 1)
        return false;
    if (!pos_in_check(&w->p) && rng_below(&w->rng, 16) == 0) {
        w->moves[w->depth] = MOVE_NULL;
        pos_make_null(&w->p, &w->undos[w->depth]);
        w->nulls++;
    } else {
        const Move m = choose(w, &list);
        count_kind(w, m);
        const Color side = w->p.turn;
        const View view = view_from(side, pos_king(&w->p, side), w->net->shape.kings);
        w->moves[w->depth] = m;
        pos_make(&w->p, m, &w->undos[w->depth], &delta);
        w->crossings += view_from(side, pos_king(&w->p, side), w->net->shape.kings) != view;
    }
    acc_push(w->stack, &delta);
    w->depth++;
    return true;
}

static void step_back(Walk *w)
{
    w->depth--;
    if (w->moves[w->depth] == MOVE_NULL)
        pos_unmake_null(&w->p, &w->undos[w->depth]);
    else
        pos_unmake(&w->p, w->moves[w->depth], &w->undos[w->depth]);
    acc_pop(w->stack);
}

/* A walk through a tree as a search makes it: forward, sometimes back, evaluating now and then. */
static void walk_game(Walk *w)
{
    acc_reset(w->stack, w->net, &w->p);
    w->depth = 0;
    for (int i = 0; i < 400; i++) {
        if (w->depth > 0 && rng_below(&w->rng, 4) == 0)
            for (uint64_t k = 1 + rng_below(&w->rng, 3); k > 0 && w->depth > 0; k--)
                step_back(w);
        else if (!step(w))
            break;
        if (rng_below(&w->rng, 3) == 0)
            assert_int_equal(acc_evaluate(w->stack, &w->p), net_evaluate(w->net, &w->p));
    }
    assert_int_equal(acc_evaluate(w->stack, &w->p), net_evaluate(w->net, &w->p));
}

static void incremental_equals_fresh_over_random_games(void **state)
{
    (void)state;
    static const NetShape shapes[] = {{1, 128, 1}, {1, 256, 8}, {1, 384, 4}, {1, 512, 8},
                                      {4, 512, 8}, {4, 640, 8}, {1, 768, 2}, {4, 1024, 8}};
    static Walk w;
    w = (Walk){.stack = acc_create(MAX_PLIES)};
    assert_non_null(w.stack);
    rng_seed(&w.rng, 20);
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        Net *net = random_net_of(shapes[shape], shape);
        w.net = net;
        for (int game = 0; game < 60; game++) {
            if (game % 2)
                pos_start(&w.p);
            else
                pos_start_960(&w.p, (int)rng_below(&w.rng, 960), (int)rng_below(&w.rng, 960));
            walk_game(&w);
        }
        net_free(net);
    }
    /* The test is worth nothing if these did not happen. */
    assert_true(w.captures > 100 && w.castlings > 20 && w.promotions > 20);
    assert_true(w.en_passants > 5 && w.crossings > 100 && w.nulls > 100);
    acc_destroy(w.stack);
}

static void another_net_forgets_what_the_first_left(void **state)
{
    (void)state;
    Net *nets[2] = {random_net(128, 1, 1), random_net(128, 1, 2)};
    AccStack *stack = acc_create(8);
    Position p;
    pos_start(&p);
    for (int i = 0; i < 6; i++) {
        acc_reset(stack, nets[i % 2], &p);
        assert_int_equal(acc_evaluate(stack, &p), net_evaluate(nets[i % 2], &p));
    }
    assert_int_not_equal(net_evaluate(nets[0], &p), net_evaluate(nets[1], &p));
    acc_destroy(stack);
    net_free(nets[0]);
    net_free(nets[1]);
}

static void random_position(Position *p, Rng *rng, int plies)
{
    pos_start_960(p, (int)rng_below(rng, 960), (int)rng_below(rng, 960));
    for (int i = 0; i < plies; i++) {
        MoveList list;
        Undo undo;
        gen_legal(p, &list);
        if (list.count == 0)
            return;
        pos_make(p, list.moves[rng_below(rng, (uint64_t)list.count)], &undo, NULL);
    }
}

static void mirror_board(const Position *p, Position *out)
{
    pos_clear(out);
    for (Square s = 0; s < 64; s++)
        if (pos_piece_on(p, s) != NO_PIECE)
            pos_put(out, pos_piece_on(p, s), square_mirror(s));
    out->turn = p->turn;
    out->ply = p->ply;
    pos_finish(out);
}

static void exchanged_colours_and_a_mirrored_board_give_the_same_value(void **state)
{
    (void)state;
    Net *net = random_net_of((NetShape){4, 256, 8}, 9);
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 200; i++) {
        Position p, other;
        random_position(&p, &rng, i);
        pos_flip(&p, &other);
        assert_int_equal(net_evaluate(net, &p), net_evaluate(net, &other));
        mirror_board(&p, &other);
        assert_int_equal(net_evaluate(net, &p), net_evaluate(net, &other));
    }
    net_free(net);
}

static void sixty_four_men_are_no_problem(void **state)
{
    (void)state;
    Net *net = random_net(128, 8, 11);
    Position p;
    pos_clear(&p);
    for (Square s = 0; s < 64; s++)
        pos_put(&p,
                s == E1   ? WHITE_KING
                : s == E8 ? BLACK_KING
                : s < 32  ? WHITE_KNIGHT
                          : BLACK_KNIGHT,
                s);
    p.turn = WHITE;
    pos_finish(&p);
    AccStack *stack = acc_create(2);
    acc_reset(stack, net, &p);
    assert_int_equal(acc_evaluate(stack, &p), net_evaluate(net, &p));
    assert_in_range(acc_evaluate(stack, &p) + NN_EVAL_MAX, 0, 2 * NN_EVAL_MAX);
    acc_destroy(stack);
    net_free(net);
}

/* The definition of the network, in the plainest words. */
static int evaluate_by_definition(const Net *net, const Position *p)
{
    int64_t sum = 0;
    const int bucket = nn_bucket(bb_count(pos_occupied(p)), net->shape.buckets);
    for (int half = 0; half < 2; half++) {
        const Color side = half ? color_flip(p->turn) : p->turn;
        const View view = view_from(side, pos_king(p, side), net->shape.kings);
        for (int i = 0; i < net->shape.hidden; i++) {
            int v = net->bias[i];
            for (Square s = 0; s < 64; s++)
                if (pos_piece_on(p, s) != NO_PIECE)
                    v += net->input[feature_index(side, view, pos_piece_on(p, s), s) *
                                        net->shape.hidden +
                                    i];
            v = v < 0 ? 0 : v > net->qa ? net->qa : v;
            sum += (int64_t)v * v * net->output[(bucket * 2 + half) * net->shape.hidden + i];
        }
    }
    sum += (int64_t)net->output_bias[bucket] * net->qa;
    const double score = (double)sum * net->scale / ((double)net->qa * net->qa * net->qb);
    return (int)(score > NN_EVAL_MAX ? NN_EVAL_MAX : score < -NN_EVAL_MAX ? -NN_EVAL_MAX : score);
}

static void the_value_is_what_the_definition_says(void **state)
{
    (void)state;
    static const NetShape shapes[] = {{1, 128, 8}, {1, 256, 1}, {4, 384, 8}, {4, 512, 3},
                                      {1, 640, 8}, {4, 768, 8}, {1, 1024, 5}};
    Rng rng;
    rng_seed(&rng, 6);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        Net *net = random_net_of(shapes[k], 40 + k);
        for (int i = 0; i < 100; i++) {
            Position p;
            random_position(&p, &rng, i);
            const int exact = evaluate_by_definition(net, &p), fast = net_evaluate(net, &p);
            assert_true(abs(exact - fast) <= 1); /* the division is by multiplication */
        }
        net_free(net);
    }
}

/* Both sides' castled kings share a bucket, on either wing; a king on the open board has another. */
static void a_king_bucket_follows_the_king(void **state)
{
    (void)state;
    assert_int_equal(view_from(WHITE, G1, 4) >> 6, 0);
    assert_int_equal(view_from(WHITE, B1, 4) >> 6, 0);
    assert_int_equal(view_from(BLACK, G8, 4) >> 6, 0);
    assert_int_equal(view_from(BLACK, E8, 4) >> 6, 1);
    assert_int_equal(view_from(WHITE, H2, 4) >> 6, 2);
    assert_int_equal(view_from(BLACK, D4, 4) >> 6, 3);
    assert_int_equal(view_from(WHITE, D4, 1) >> 6, 0);
    assert_int_equal(view_from(WHITE, G1, 4) & 63, 7);
    assert_int_equal(view_from(BLACK, C7, 4) & 63, 56);
}

static void every_number_of_men_has_a_bucket(void **state)
{
    (void)state;
    for (int buckets = 1; buckets <= NN_MAX_BUCKETS; buckets++) {
        assert_int_equal(nn_bucket(2, buckets), 0);
        assert_int_equal(nn_bucket(32, buckets), buckets - 1);
        for (int men = 1; men < 64; men++)
            assert_in_range(nn_bucket(men + 1, buckets) - nn_bucket(men, buckets), 0, 1);
    }
}

int main(void)
{
    attacks_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incremental_equals_fresh_over_random_games),
        cmocka_unit_test(another_net_forgets_what_the_first_left),
        cmocka_unit_test(exchanged_colours_and_a_mirrored_board_give_the_same_value),
        cmocka_unit_test(sixty_four_men_are_no_problem),
        cmocka_unit_test(the_value_is_what_the_definition_says),
        cmocka_unit_test(a_king_bucket_follows_the_king),
        cmocka_unit_test(every_number_of_men_has_a_bucket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
