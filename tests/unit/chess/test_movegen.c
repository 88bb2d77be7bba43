// SPDX-License-Identifier: GPL-3.0-or-later
/* Make, unmake, generate, validate: each against a second way of knowing. */
#include "support.h"

#include "chess/perft.h"

static int setup(void **state)
{
    (void)state;
    attacks_init();
    return 0;
}

static void fail_at(const Position *p, Move m, const char *what)
{
    char fen[FEN_SIZE];
    fen_write(p, fen);
    fail_msg("%s: %s, move %04x", fen, what, m);
}

/* --- make and unmake --- */

static void apply_delta(uint8_t board[64], const Delta *delta)
{
    for (int i = 0; i < delta->count; i++)
        if (delta->change[i].from != NO_SQUARE)
            board[delta->change[i].from] = NO_PIECE;
    for (int i = 0; i < delta->count; i++)
        if (delta->change[i].to != NO_SQUARE)
            board[delta->change[i].to] = delta->change[i].piece;
}

static void check_make(Position *p, void *user)
{
    MoveList list;
    gen_legal(p, &list);
    CheckInfo info;
    pos_check_info(p, &info);
    const Position before = *p;
    for (int i = 0; i < list.count; i++) {
        const Move m = list.moves[i];
        const bool check = pos_gives_check(p, &info, m);
        const Key key = pos_key_after(p, m);
        const Piece captured = pos_captured(p, m);
        Undo undo;
        Delta delta;
        uint8_t board[64];
        memcpy(board, p->board, sizeof board);
        pos_make(p, m, &undo, &delta);
        if (!pos_is_consistent(p))
            fail_at(&before, m, "inconsistent afterwards");
        if (pos_attacked(p, pos_king(p, color_flip(p->turn)), p->turn, pos_occupied(p)))
            fail_at(&before, m, "leaves the king to be taken");
        if (pos_in_check(p) != check)
            fail_at(&before, m, "gives check or does not");
        if (p->st.captured != captured)
            fail_at(&before, m, "captured something else");
        apply_delta(board, &delta);
        if (memcmp(board, p->board, sizeof board) != 0)
            fail_at(&before, m, "delta tells another story");
        const bool rights_stay = p->st.castling == before.st.castling && p->st.ep == NO_SQUARE &&
                                 before.st.ep == NO_SQUARE;
        if (rights_stay && move_kind(m) != CASTLING && move_kind(m) != EN_PASSANT &&
            key != p->st.key)
            fail_at(&before, m, "key after the move was foretold wrongly");
        pos_unmake(p, m, &undo);
        if (memcmp(p, &before, sizeof before) != 0)
            fail_at(&before, m, "unmake leaves a trace");
    }
    if (!pos_in_check(p)) {
        Undo undo;
        pos_make_null(p, &undo);
        if (!pos_is_consistent(p))
            fail_at(&before, MOVE_NULL, "inconsistent after passing");
        pos_unmake_null(p, &undo);
        assert_memory_equal(p, &before, sizeof before);
    }
    *(int *)user += list.count;
}

static void make_and_unmake_leave_everything_right(void **state)
{
    (void)state;
    int checks = 0;
    assert_int_equal(visit_suites(1, check_make, &checks), 415);
    assert_in_range(checks, 250000, 400000);
}

/* --- the generator against the validator --- */

static void check_encodings(Position *p, void *user)
{
    static bool generated[1 << 16];
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++)
        generated[list.moves[i]] = true;
    for (int m = 0; m < 1 << 16; m++) {
        const bool valid = pos_is_pseudo_legal(p, (Move)m) && pos_is_legal(p, (Move)m);
        if (valid != generated[m])
            fail_at(p, (Move)m, valid ? "valid but not generated" : "generated but not valid");
    }
    for (int i = 0; i < list.count; i++)
        generated[list.moves[i]] = false;
    ++*(int *)user;
}

static void of_all_65536_encodings_the_generated_ones_are_valid(void **state)
{
    (void)state;
    int positions = 0;
    visit_suites(0, check_encodings, &positions);
    assert_int_equal(positions, 415);
}

static int compare_moves(const void *a, const void *b)
{
    return *(const Move *)a - *(const Move *)b;
}

static void check_stages(Position *p, void *user)
{
    MoveList noisy = {0}, quiet = {0}, all;
    gen_noisy(p, &noisy);
    gen_quiet(p, &quiet);
    gen_legal(p, &all);
    for (int i = 0; i < noisy.count; i++)
        if (!pos_is_noisy(p, noisy.moves[i]))
            fail_at(p, noisy.moves[i], "is not noisy");
    for (int i = 0; i < quiet.count; i++)
        if (pos_is_noisy(p, quiet.moves[i]))
            fail_at(p, quiet.moves[i], "is not quiet");
    gen_quiet(p, &noisy); /* appends */
    if (noisy.count != all.count || all.count != gen_count(p))
        fail_at(p, MOVE_NONE, "the stages do not add up");
    assert_int_equal(pos_has_legal_move(p), all.count > 0);

    qsort(noisy.moves, (size_t)noisy.count, sizeof(Move), compare_moves);
    qsort(all.moves, (size_t)all.count, sizeof(Move), compare_moves);
    assert_memory_equal(noisy.moves, all.moves, (size_t)all.count * sizeof(Move));
    for (int i = 0; i < all.count; i++) {
        assert_true(i == 0 || all.moves[i] != all.moves[i - 1]);
        assert_true(list_has(&all, all.moves[i]));
    }
    assert_false(list_has(&all, MOVE_NONE));
    ++*(int *)user;
}

static void the_stages_together_are_the_legal_moves(void **state)
{
    (void)state;
    int positions = 0;
    visit_suites(1, check_stages, &positions);
    assert_in_range(positions, 10000, 20000);
}

/* --- attacks and flips --- */

static void check_attacks(Position *p, void *user)
{
    const Bitboard occupied = pos_occupied(p);
    for (Color c = WHITE; c <= BLACK; c++) {
        Bitboard attacked = 0;
        for (Square s = A1; s <= H8; s++) {
            const bool by = (pos_attackers(p, s, occupied) & p->by_color[c]) != 0;
            assert_int_equal(by, pos_attacked(p, s, c, occupied));
        }
        const Bitboard without_king = occupied ^ pos_pieces(p, color_flip(c), KING);
        for (Square s = A1; s <= H8; s++)
            if (pos_attackers(p, s, without_king) & p->by_color[c])
                attacked |= bb_square(s);
        if (attacked != pos_threats(p, c))
            fail_at(p, MOVE_NONE, "threats");
    }
    Position flipped, twice;
    pos_flip(p, &flipped);
    assert_true(pos_is_consistent(&flipped));
    assert_int_equal(gen_count(&flipped), gen_count(p));
    assert_int_equal(pos_in_check(&flipped), pos_in_check(p));
    pos_flip(&flipped, &twice);
    assert_true(twice.st.key == p->st.key);
    assert_int_equal(twice.st.castling, p->st.castling);
    ++*(int *)user;
}

static void attacks_and_flipped_positions_agree(void **state)
{
    (void)state;
    int positions = 0;
    visit_suites(1, check_attacks, &positions);
    assert_in_range(positions, 10000, 20000);
}

/* --- keys --- */

static void keys_tell_apart_what_the_rules_tell_apart(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    };
    enum { COUNT = sizeof fens / sizeof fens[0] };
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_true(position(fens[i], FEN_STANDARD).st.key !=
                        position(fens[k], FEN_STANDARD).st.key);

    const Position a = position("4k3/8/8/8/8/8/4P3/4K2N w - - 0 1", FEN_STANDARD);
    const Position b = position("4k3/8/8/8/8/8/4P3/4K1N1 w - - 7 9", FEN_STANDARD);
    assert_true(a.st.pawn_key == b.st.pawn_key);
    assert_true(a.st.minor_key != b.st.minor_key);
    assert_true(a.st.nonpawn_key[WHITE] != b.st.nonpawn_key[WHITE]);
    assert_true(a.st.nonpawn_key[BLACK] == b.st.nonpawn_key[BLACK]);

    /* Clocks are no part of it. */
    const Position c = position("4k3/8/8/8/8/8/4P3/4K2N w - - 50 80", FEN_STANDARD);
    assert_true(a.st.key == c.st.key);
}

/* --- perft --- */

typedef struct Divide {
    MoveList moves;
    int next;
    uint64_t sum;
} Divide;

static void add_share(void *user, Move m, uint64_t count)
{
    Divide *d = user;
    assert_int_equal(m, d->moves.moves[d->next++]);
    d->sum += count;
}

static void perft_counts_the_same_however_it_is_run(void **state)
{
    (void)state;
    Position p = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                          FEN_STANDARD);
    const Position before = p;
    assert_int_equal(perft(&p, 0), 1);
    assert_int_equal(perft(&p, 3), 97862);
    assert_memory_equal(&p, &before, sizeof p);
    for (int threads = 1; threads <= 3; threads++)
        for (size_t hash_mb = 0; hash_mb <= 2; hash_mb += 2) {
            Divide d = {0};
            gen_legal(&p, &d.moves);
            const PerftOptions options = {.depth = 3,
                                          .threads = threads,
                                          .hash_mb = hash_mb,
                                          .divide = add_share,
                                          .user = &d};
            uint64_t total = 0;
            assert_true(perft_run(&p, &options, &total, NULL));
            assert_int_equal(total, 97862);
            assert_int_equal(d.sum, total);
            assert_int_equal(d.next, d.moves.count);
        }
}

typedef struct Patience {
    int questions; /* until the answer is no */
    uint64_t told; /* by divide */
} Patience;

static bool has_patience(void *user)
{
    Patience *p = user;
    return p->questions-- > 0;
}

static void add_told(void *user, Move m, uint64_t count)
{
    (void)m;
    ((Patience *)user)->told += count;
}

static void a_perft_that_is_stopped_tells_what_it_has(void **state)
{
    (void)state;
    Position p;
    pos_start(&p);
    for (size_t hash_mb = 0; hash_mb <= 2; hash_mb += 2)
        for (int questions = 0; questions <= 30; questions += 15) {
            Patience patience = {.questions = questions};
            const PerftOptions options = {.depth = 5,
                                          .threads = 1,
                                          .hash_mb = hash_mb,
                                          .divide = add_told,
                                          .goes_on = has_patience,
                                          .user = &patience};
            uint64_t total = 0;
            Error err;
            assert_false(perft_run(&p, &options, &total, &err));
            assert_string_equal(err.code, "STOPPED");
            assert_true(questions == 0 ? total == 0 : total > 0 && total < 4865609);
            assert_true(patience.told <= total);
            /* The first move, 181046 leaves, is finished by the 22nd question. */
            assert_int_equal(patience.told, questions == 30 ? 181046 : 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(make_and_unmake_leave_everything_right),
        cmocka_unit_test(of_all_65536_encodings_the_generated_ones_are_valid),
        cmocka_unit_test(the_stages_together_are_the_legal_moves),
        cmocka_unit_test(attacks_and_flipped_positions_agree),
        cmocka_unit_test(keys_tell_apart_what_the_rules_tell_apart),
        cmocka_unit_test(perft_counts_the_same_however_it_is_run),
        cmocka_unit_test(a_perft_that_is_stopped_tells_what_it_has),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
