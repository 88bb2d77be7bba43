// SPDX-License-Identifier: GPL-3.0-or-later
/* The rules that need more than one position, and how games end. */
#include "support.h"

#include "base/rng.h"
#include "chess/game.h"
#include "chess/notation.h"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

static void start_game(Game *g, const char *fen, FenMode mode)
{
    const Position p = position(fen, mode);
    game_init(g);
    game_reset(g, &p);
}

static void play(Game *g, const char *moves)
{
    Str rest = str_from(moves);
    for (Str word = str_token(&rest); word.len > 0; word = str_token(&rest)) {
        const Move m = move_from_san(&g->pos, word);
        if (m == MOVE_NONE)
            fail_msg("%.*s is not legal", (int)word.len, word.ptr);
        assert_true(game_play(g, m, NULL));
    }
}

/* --- ends --- */

static void games_end_for_the_right_reason(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *moves;
        GameEnd end;
    } cases[] = {
        {FEN_START, "", GAME_ON},
        {FEN_START, "f3 e5 g4 Qh4", END_CHECKMATE},
        {"k7/8/1K6/8/8/8/8/4Q3 w - - 0 1", "Qe8", END_CHECKMATE},
        {"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", END_STALEMATE},
        {FEN_START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", GAME_ON},
        {FEN_START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", END_REPETITION},
        /* the first time the rook could still castle */
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rg1 Kd8 Rh1 Ke8 Rg1 Kd8 Rh1 Ke8", GAME_ON},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rg1 Kd8 Rh1 Ke8 Rg1 Kd8 Rh1 Ke8 Rg1", END_REPETITION},
        /* the first time the pawn could be taken en passant; later it could not */
        {"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5 Kd2 Kd8 Ke1 Ke8 Kd2 Kd8 Ke1 Ke8", GAME_ON},
        {"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5 Kd2 Kd8 Ke1 Ke8 Kd2 Kd8 Ke1 Ke8 Kd2",
         END_REPETITION},
        /* a pawn that stands beside but is pinned takes nothing: three times the same */
        {"4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5 Kd2 Kg8 Ke1 Kh8 Kd2 Kg8 Ke1 Kh8",
         END_REPETITION},
        {"8/8/8/8/8/2k5/8/KR6 w - - 98 90", "Rb2", GAME_ON},
        {"8/8/8/8/8/2k5/8/KR6 w - - 98 90", "Rb2 Kd3", END_FIFTY_MOVES},
        {"8/8/8/8/8/2k5/8/KR6 w - - 255 200", "", END_FIFTY_MOVES},
        /* mate on the hundredth ply is mate */
        {"8/8/k1K5/8/8/8/7R/8 w - - 99 1", "Ra2", END_CHECKMATE},
        {"8/8/k1K5/8/8/8/7R/8 w - - 99 1", "Rb2", END_FIFTY_MOVES},
        /* a capture or a pawn move starts the clock again */
        {"8/8/8/8/p7/2k5/8/K6R w - - 99 1", "Rh3", END_FIFTY_MOVES},
        {"8/8/8/8/p7/2k5/8/K6R b - - 99 1", "a3", GAME_ON},
        {"8/8/8/4k3/8/4K3/4p3/8 w - - 99 1", "Kxe2", END_MATERIAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Game g;
        start_game(&g, cases[i].fen, FEN_STANDARD);
        play(&g, cases[i].moves);
        if (game_end(&g) != cases[i].end)
            fail_msg("%s %s: %s", cases[i].fen, cases[i].moves, game_end_name(game_end(&g)));
        game_free(&g);
    }
    assert_string_equal(game_end_name(END_REPETITION), "threefold repetition");
    assert_string_equal(game_end_name(END_MATERIAL), "insufficient material");
}

static void material_is_insufficient_only_where_no_mate_exists(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool insufficient;
    } cases[] = {
        {"8/8/8/4k3/8/4K3/8/8 w - - 0 1", true},     {"8/8/8/4k3/8/4KB2/8/8 w - - 0 1", true},
        {"8/8/8/4k3/8/4KN2/8/8 b - - 0 1", true},    {"8/8/4n3/4k3/8/4K3/8/8 b - - 0 1", true},
        {"8/8/8/4k1b1/8/4KB2/8/8 w - - 0 1", false}, /* g5 is dark, f3 light */
        {"8/8/8/4kb2/8/4KB2/8/8 w - - 0 1", true},   /* both light */
        {"k7/8/8/b5b1/8/B5B1/8/7K w - - 0 1", true}, {"8/8/8/b3k1b1/8/B3KB2/8/8 w - - 0 1", false},
        {"8/8/8/k7/8/4KNN1/8/8 w - - 0 1", false}, /* a helpmate exists */
        {"8/8/5n2/k7/8/4KN2/8/8 w - - 0 1", false},  {"8/8/5b2/k7/8/4KN2/8/8 w - - 0 1", false},
        {"8/8/8/4k3/8/4KBN1/8/8 w - - 0 1", false},  {"8/8/8/4k3/8/4K2P/8/8 w - - 0 1", false},
        {"8/8/8/4k3/8/4K2R/8/8 w - - 0 1", false},   {"8/8/8/4k3/8/4K2q/8/8 w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position p = position(cases[i].fen, FEN_STANDARD);
        if (pos_insufficient_material(&p) != cases[i].insufficient)
            fail_msg("%s", cases[i].fen);
    }
}

/* --- repetition --- */

static int count_slowly(const Position *p, const Key *keys, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += keys[i] == p->st.key;
    return found;
}

/* Is there a legal move after which the search would call the position a repetition? */
static bool can_repeat_slowly(Game *g, int search_plies)
{
    MoveList list;
    gen_legal(&g->pos, &list);
    for (int i = 0; i < list.count; i++) {
        assert_true(game_play(g, list.moves[i], NULL));
        const bool repeats = pos_is_repetition(&g->pos, g->keys, g->count, search_plies + 1);
        game_undo(g);
        if (repeats)
            return true;
    }
    return false;
}

static bool is_repetition_slowly(const Game *g, int search_plies)
{
    int found = 0;
    for (int back = 1; back <= g->count; back++)
        if (g->keys[g->count - back] == g->pos.st.key && (back < search_plies || ++found == 2))
            return true;
    return false;
}

/* Random games with a love of going back, so that positions come again and again. */
static Move wandering_move(const Game *g, Rng *rng)
{
    MoveList list;
    gen_legal(&g->pos, &list);
    if (list.count == 0)
        return MOVE_NONE;
    if (g->count >= 2 && rng_below(rng, 2)) {
        const Move last = g->plies[g->count - 2].move;
        const Move back = move_make(move_to(last), move_from(last));
        if (list_has(&list, back))
            return back;
    }
    return list.moves[rng_below(rng, (uint64_t)list.count)];
}

static void repetitions_are_found_and_foreseen(void **state)
{
    (void)state;
    static const char *const starts[] = {
        FEN_START,
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "2bqk3/8/8/8/8/8/8/2BQK3 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    };
    Rng rng;
    rng_seed(&rng, 11);
    int positions = 0, repeated = 0, foreseen = 0;
    for (int round = 0; round < 100; round++) {
        Game g;
        start_game(&g, starts[round % 5], FEN_STANDARD);
        for (int ply = 0; ply < 120; ply++) {
            const int search_plies = (int)rng_below(&rng, (uint64_t)g.count + 2);
            const int found = pos_repetitions(&g.pos, g.keys, g.count);
            assert_int_equal(found, count_slowly(&g.pos, g.keys, g.count));
            assert_int_equal(pos_is_repetition(&g.pos, g.keys, g.count, search_plies),
                             is_repetition_slowly(&g, search_plies));
            const bool can = pos_can_repeat(&g.pos, g.keys, g.count, search_plies);
            if (can != can_repeat_slowly(&g, search_plies)) {
                char fen[FEN_SIZE];
                fen_write(&g.pos, fen);
                fail_msg("%s, ply %d: foreseen %d", fen, g.count, can);
            }
            positions++;
            repeated += found > 0;
            foreseen += can;
            const Move m = wandering_move(&g, &rng);
            if (m == MOVE_NONE)
                break;
            assert_true(game_play(&g, m, NULL));
        }
        game_free(&g);
    }
    assert_in_range(positions, 8000, 12000);
    assert_in_range(repeated, 500, 8000);
    assert_in_range(foreseen, 500, 8000);
}

static void passing_cuts_the_history(void **state)
{
    (void)state;
    Game g;
    start_game(&g, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", FEN_STANDARD);
    play(&g, "Rg1 Kd8 Rh1 Ke8");
    assert_int_equal(pos_repetitions(&g.pos, g.keys, g.count), 1);
    g.pos.st.null_plies = 3;
    assert_int_equal(pos_repetitions(&g.pos, g.keys, g.count), 0);
    game_free(&g);
}

/* --- the game itself --- */

static void a_long_game_can_be_taken_back_to_the_start(void **state)
{
    (void)state;
    Game g;
    Rng rng;
    rng_seed(&rng, 5);
    start_game(&g, "k7/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/K7 w - - 0 1", FEN_STANDARD);
    const Position start = g.pos;
    for (int i = 0; i < 5000; i++) {
        const Move m = wandering_move(&g, &rng);
        assert_int_not_equal(m, MOVE_NONE);
        assert_true(game_play(&g, m, NULL));
    }
    assert_int_equal(g.count, 5000);
    assert_consistent(&g.pos);
    while (game_undo(&g))
        ;
    assert_int_equal(g.count, 0);
    assert_memory_equal(&g.pos, &start, sizeof start);
    assert_false(game_undo(&g));
    game_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_end_for_the_right_reason),
        cmocka_unit_test(material_is_insufficient_only_where_no_mate_exists),
        cmocka_unit_test(repetitions_are_found_and_foreseen),
        cmocka_unit_test(passing_cuts_the_history),
        cmocka_unit_test(a_long_game_can_be_taken_back_to_the_start),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
