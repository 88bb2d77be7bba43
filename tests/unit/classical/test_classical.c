// SPDX-License-Identifier: GPL-3.0-or-later
/* The evaluation is blind to colour, agrees with its own trace and tally, survives odd boards, and
 * knows what every player knows. */
#include "classical/classical.h"
#include "classical/weights.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static Position position(const char *fen)
{
    Position p;
    Error err;
    if (!fen_parse(&p, str_from(fen), FEN_STANDARD, &err, NULL))
        fail_msg("%s: %s", fen, err.text);
    return p;
}

static int white_score(const char *fen)
{
    const Position p = position(fen);
    const int score = classical_evaluate(&p, NULL);
    return p.turn == WHITE ? score : -score;
}

/* Calls `check` for positions of random games: from the start position and from shuffled ones, to
 * the bare end. */
static int for_random_positions(int games, void (*check)(const Position *p, PawnTable *table))
{
    PawnTable *table = pawn_table_create();
    assert_non_null(table);
    Rng rng;
    rng_seed(&rng, 20);
    int seen = 0;
    for (int game = 0; game < games; game++) {
        Position p;
        pos_start_960(&p, game % 2 ? 518 : (int)rng_below(&rng, 960),
                      game % 2 ? 518 : (int)rng_below(&rng, 960));
        for (int ply = 0; ply < 300; ply++) {
            MoveList list;
            gen_legal(&p, &list);
            if (!list.count)
                break;
            Undo undo;
            pos_make(&p, list.moves[rng_below(&rng, (uint64_t)list.count)], &undo, NULL);
            check(&p, table);
            seen++;
        }
    }
    pawn_table_destroy(table);
    return seen;
}

static void check_flipped_twin(const Position *p, PawnTable *table)
{
    Position original = *p, flipped;
    pos_flip(&original, &flipped);
    assert_int_equal(classical_evaluate(p, table), classical_evaluate(&flipped, table));
}

static void a_position_and_its_colour_flipped_twin_are_equal(void **state)
{
    (void)state;
    assert_true(for_random_positions(60, check_flipped_twin) > 10000);
}

/* Left and right are the same once nobody can castle. */
static void check_mirrored_twin(const Position *p, PawnTable *table)
{
    if (p->st.castling)
        return;
    Position mirrored;
    pos_clear(&mirrored);
    for (Square s = A1; s <= H8; s++)
        if (pos_piece_on(p, s) != NO_PIECE)
            pos_put(&mirrored, pos_piece_on(p, s), square_mirror(s));
    mirrored.turn = p->turn;
    mirrored.ply = p->ply;
    mirrored.st.rule50 = p->st.rule50; /* known endings look at it */
    pos_finish(&mirrored);
    assert_int_equal(classical_evaluate(p, table), classical_evaluate(&mirrored, table));
}

static void a_position_without_castling_and_its_mirrored_twin_are_equal(void **state)
{
    (void)state;
    for_random_positions(60, check_mirrored_twin);
}

static void check_table(const Position *p, PawnTable *table)
{
    const int without = classical_evaluate(p, NULL);
    assert_int_equal(classical_evaluate(p, table), without);
    assert_int_equal(classical_evaluate(p, table), without);
}

static void the_pawn_table_changes_nothing(void **state)
{
    (void)state;
    for_random_positions(60, check_table);
}

static void check_trace(const Position *p, PawnTable *table)
{
    ClassicalTrace trace;
    classical_trace(p, &trace);
    const int score = classical_evaluate(p, table);
    assert_int_equal(trace.total, p->turn == WHITE ? score : -score);
    if (trace.known)
        return;

    int mg = 0, eg = 0;
    for (int term = 0; term < TERM_COUNT; term++) {
        mg += trace.term[term][WHITE].mg - trace.term[term][BLACK].mg;
        eg += trace.term[term][WHITE].eg - trace.term[term][BLACK].eg;
    }
    const int sum = taper(mg, eg, trace.phase, trace.scale);
    if (sum > -CLASSICAL_MAX && sum < CLASSICAL_MAX)
        assert_int_equal(sum, trace.total);
}

static void the_terms_of_the_trace_add_up_to_the_score(void **state)
{
    (void)state;
    for_random_positions(60, check_trace);
}

static void check_tally(const Position *p, PawnTable *table)
{
    (void)table;
    Tally tally;
    ClassicalTrace trace, again;
    classical_tally(p, &tally, &trace);
    classical_trace(p, &again);
    for (Color c = WHITE; c <= BLACK; c++) {
        assert_int_equal(tally.count[c][W_PIECE_VALUE + QUEEN], bb_count(pos_pieces(p, c, QUEEN)));
        assert_int_equal(tally.count[c][W_TEMPO], p->turn == c);
        /* Every man but the king stands somewhere, once. */
        int placed = 0, placement_mg = 0;
        for (int i = W_PLACEMENT; i <= W_LAST_KING_PLACEMENT; i++) {
            placed += i <= W_LAST_PLACEMENT ? tally.count[c][i] : 0;
            placement_mg += tally.count[c][i] * packed_mg(classical_weights[i]);
        }
        assert_int_equal(placed, bb_count(pos_color(p, c)) - 1);
        assert_int_equal(placement_mg, again.term[TERM_PLACEMENT][c].mg);
    }
}

static void the_tally_counts_what_is_on_the_board(void **state)
{
    (void)state;
    for_random_positions(20, check_tally);
}

static void packed_values_keep_their_halves_apart(void **state)
{
    (void)state;
    static const int values[] = {0, 1, -1, 77, -77, 32767, -32768, 1000000, -1000000};
    enum { COUNT = sizeof values / sizeof *values };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            const Packed sum = PACK(values[i], values[j]) * 3 - PACK(values[j], values[i]);
            assert_int_equal(packed_mg(sum), 3 * values[i] - values[j]);
            assert_int_equal(packed_eg(sum), 3 * values[j] - values[i]);
        }
}

static void initiative_never_turns_an_advantage_round(void **state)
{
    (void)state;
    assert_int_equal(initiative_value(0, 50), 0);
    assert_int_equal(initiative_value(100, 50), 50);
    assert_int_equal(initiative_value(-100, 50), -50);
    assert_int_equal(initiative_value(30, -50), -30);
    assert_int_equal(initiative_value(-30, -50), 30);
}

/* More men than a game can bring are no reason to overflow. */
static void odd_boards_are_evaluated_within_bounds(void **state)
{
    (void)state;
    static const char *const boards[] = {
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "kQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQK b - - 0 1",
        "rRrRrRRK/RrRrrRrR/rrRrRrRR/rRrRrRrr/RRrRrRrR/rrRrRrRr/rRrRrRrR/krrRRrRr w - - 0 1",
        "knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KNnNnNnN w - - 0 1",
        "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        "4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
        "qqqqkqqq/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "bbbbkbbb/bbbbbbbb/8/8/8/8/BBBBBBBB/BBBBKBBB b - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "4k3/8/8/8/8/8/4r3/r3K3 w - - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    };
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        Position p = position(boards[i]), flipped;
        pos_flip(&p, &flipped);
        const int score = classical_evaluate(&p, NULL);
        assert_in_range(score + CLASSICAL_MAX, 0, 2 * CLASSICAL_MAX);
        assert_int_equal(score, classical_evaluate(&flipped, NULL));
        ClassicalTrace trace;
        classical_trace(&p, &trace);
        assert_int_equal(trace.total, p.turn == WHITE ? score : -score);
    }
}

/* The first position is better for White than the second, by at least so much. */
static const struct {
    const char *claim, *better, *worse;
    int margin;
} comparisons[] = {
    {"a queen is worth more than a rook", "r3k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 0 1",
     "r3k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", 300},
    {"a pawn is worth something", "r3k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1",
     "r3k3/pppp4/8/8/8/8/PPP5/R3K3 w - - 0 1", 60},
    {"a passed pawn on the seventh beats one on the sixth", "4k2r/P7/8/8/8/8/5PPP/4K2R w - - 0 1",
     "4k2r/8/P7/8/8/8/5PPP/4K2R w - - 0 1", 20},
    {"a passed pawn on the sixth beats one on the fourth", "4k2r/8/P7/8/8/8/5PPP/4K2R w - - 0 1",
     "4k2r/8/8/8/P7/8/5PPP/4K2R w - - 0 1", 20},
    {"a blockaded passed pawn is worth less", "4k3/8/8/2P5/8/8/1P3PPP/4K1n1 w - - 0 1",
     "4k3/8/2n5/2P5/8/8/1P3PPP/4K3 w - - 0 1", 1},
    {"two bishops are more than bishop and knight", "r1b1kb2/pppp4/8/8/8/8/PPPP4/R1B1KB2 w - - 0 1",
     "r1b1kb2/pppp4/8/8/8/8/PPPP4/R1B1KN2 w - - 0 1", 20},
    {"a rook belongs on the open file", "2r2rk1/pp3ppp/8/8/8/8/PP3PPP/3R1RK1 w - - 0 1",
     "2r2rk1/pp3ppp/8/8/8/8/PP3PPP/R4RK1 w - - 0 1", 5},
    {"a knight on the rim is dim", "r4rk1/pppp1ppp/8/8/8/2N5/PPPP1PPP/R4RK1 w - - 0 1",
     "r4rk1/pppp1ppp/8/8/8/N7/PPPP1PPP/R4RK1 w - - 0 1", 10},
    {"a king behind pawns is safer than one without",
     "r1bq1rk1/pppp1ppp/2n2n2/8/8/2N2N2/PPPP1PPP/R1BQ1RK1 w - - 0 1",
     "r1bq1rk1/pppp1ppp/2n2n2/8/8/2N2N2/PPPPPP2/R1BQ1RK1 w - - 0 1", 20},
    {"a king belongs into the middle of a pawn ending", "4k3/pp3ppp/8/8/3K4/8/PP3PPP/8 w - - 0 1",
     "4k3/pp3ppp/8/8/8/8/PP3PPP/7K w - - 0 1", 20},
    {"a bishop that can move is worth more than one shut in",
     "4k3/5ppp/8/8/8/3P4/1B3PPP/4K3 w - - 0 1", "4k3/5ppp/8/8/8/2P5/1B3PPP/4K3 w - - 0 1", 10},
    {"to move is worth something", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 10},
    {"a fork of hanging pieces is a threat", "4k3/pp3ppp/2n1n3/3P4/8/8/PP3PPP/4K2R w - - 0 1",
     "4k3/pp3ppp/2n1n3/8/3P4/8/PP3PPP/4K2R w - - 0 1", 20},
};

static void it_knows_what_every_player_knows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        const int better = white_score(comparisons[i].better),
                  worse = white_score(comparisons[i].worse);
        if (better < worse + comparisons[i].margin)
            fail_msg("%s: %d, %d", comparisons[i].claim, better, worse);
    }
}

/* The structure alone: placement and passed pawns have terms of their own. */
static void pawn_weaknesses_cost_something(void **state)
{
    (void)state;
    static const struct {
        const char *claim, *sound, *weak;
    } cases[] = {
        {"isolated", "4k3/pppppppp/8/8/8/8/2PPPP2/4K3 w - - 0 1",
         "4k3/pppppppp/8/8/8/8/P1P1P1P1/4K3 w - - 0 1"},
        {"doubled", "4k3/pppppppp/8/8/8/8/2PPPP2/4K3 w - - 0 1",
         "4k3/pppppppp/8/8/8/2P5/2PPP3/4K3 w - - 0 1"},
        {"backward", "4k3/8/8/2p5/4P3/8/3P4/4K3 w - - 0 1", "4k3/8/8/8/2p1P3/8/3P4/4K3 w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Position sound = position(cases[i].sound), weak = position(cases[i].weak);
        ClassicalTrace of_sound, of_weak;
        classical_trace(&sound, &of_sound);
        classical_trace(&weak, &of_weak);
        if (of_sound.term[TERM_PAWNS][WHITE].eg <= of_weak.term[TERM_PAWNS][WHITE].eg)
            fail_msg("%s: %d, %d", cases[i].claim, of_sound.term[TERM_PAWNS][WHITE].eg,
                     of_weak.term[TERM_PAWNS][WHITE].eg);
    }
}

static void the_start_position_is_a_tempo_ahead_for_the_mover(void **state)
{
    (void)state;
    Position p;
    pos_start(&p);
    assert_int_equal(classical_evaluate(&p, NULL), packed_mg(classical_weights[W_TEMPO]));
}

static void every_term_has_a_name(void **state)
{
    (void)state;
    for (int term = 0; term < TERM_COUNT; term++)
        assert_true(classical_term_name((ClassicalTerm)term)[0] != '\0');
    assert_string_equal(classical_term_name(TERM_KING_SAFETY), "King safety");
    assert_string_equal(classical_term_name(TERM_TEMPO), "Tempo");
}

int main(void)
{
    classical_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_position_and_its_colour_flipped_twin_are_equal),
        cmocka_unit_test(a_position_without_castling_and_its_mirrored_twin_are_equal),
        cmocka_unit_test(the_pawn_table_changes_nothing),
        cmocka_unit_test(the_terms_of_the_trace_add_up_to_the_score),
        cmocka_unit_test(the_tally_counts_what_is_on_the_board),
        cmocka_unit_test(packed_values_keep_their_halves_apart),
        cmocka_unit_test(initiative_never_turns_an_advantage_round),
        cmocka_unit_test(odd_boards_are_evaluated_within_bounds),
        cmocka_unit_test(it_knows_what_every_player_knows),
        cmocka_unit_test(pawn_weaknesses_cost_something),
        cmocka_unit_test(the_start_position_is_a_tempo_ahead_for_the_mover),
        cmocka_unit_test(every_term_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
