// SPDX-License-Identifier: GPL-3.0-or-later
/* Our tables against libfathom's reading of the same files: every position of the three-man tables,
 * all with en passant, random ones of all others, both sides to move. And how long both take. */
#include "compare.h"

#include <time.h>

static const char *const tables[] = {
    "KQvK",  "KRvK",  "KBvK",  "KNvK",  "KPvK",  "KQQvK", "KQRvK", "KQBvK", "KQNvK",
    "KQPvK", "KRRvK", "KRBvK", "KRNvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNNvK",
    "KNPvK", "KPPvK", "KQvKQ", "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KRvKR", "KRvKB",
    "KRvKN", "KRvKP", "KBvKB", "KBvKN", "KBvKP", "KNvKN", "KNvKP", "KPvKP",
};

enum { TABLES = sizeof tables / sizeof *tables, RANDOM = 20000, ROOTS = 400 };

static int every = 10; /* of the positions whose comparison takes long, one of so many */

/* --- the other library --- */

/* Without its sign. */
static int their_dtz(const Position *p)
{
    const unsigned found =
        tb_probe_root(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING], p->by_type[QUEEN],
                      p->by_type[ROOK], p->by_type[BISHOP], p->by_type[KNIGHT], p->by_type[PAWN],
                      p->st.rule50, 0, ep_of(p), p->turn == WHITE, NULL);
    assert_int_not_equal(found, TB_RESULT_FAILED);
    return (int)TB_GET_DTZ(found);
}

static bool same_move(Move m, TbMove found)
{
    static const PieceType promoted[] = {NO_PIECE_TYPE, QUEEN, ROOK, BISHOP, KNIGHT};
    const PieceType piece = move_kind(m) == PROMOTION ? move_promotion(m) : NO_PIECE_TYPE;
    return move_from(m) == TB_MOVE_FROM(found) && move_to(m) == TB_MOVE_TO(found) &&
           piece == promoted[TB_MOVE_PROMOTES(found)];
}

/* --- comparing --- */

static void compare_dtz(const Position *p)
{
    int dtz = 0;
    char fen[FEN_SIZE];
    fen_write(p, fen);
    if (!syzygy_dtz(ours, p, &dtz))
        fail_msg("%s: distance not known", fen);
    if (!pos_has_legal_move(p))
        return; /* no root for libfathom */
    if (abs(dtz) != their_dtz(p))
        fail_msg("%s: distance %d, libfathom says %d", fen, dtz, their_dtz(p));
}

static int en_passant_count;

/* The pawn of `ran` on `s` has just run two squares, the other stands beside it. */
static void compare_en_passant(Color ran, Square s, Square other, int kings)
{
    Position p;
    pos_clear(&p);
    pos_put(&p, piece_make(ran, PAWN), s);
    pos_put(&p, piece_make(color_flip(ran), PAWN), other);
    const Square behind = s ^ 8, from = ran == WHITE ? s - 16 : s + 16;
    const Square white = kings & 63, black = kings >> 6;
    const Bitboard taken = pos_occupied(&p) | bb_square(behind) | bb_square(from);
    if (white == black || bb_has(taken, white) || bb_has(taken, black))
        return;
    pos_put(&p, WHITE_KING, white);
    pos_put(&p, BLACK_KING, black);
    p.turn = (uint8_t)color_flip(ran);
    p.st.ep = (uint8_t)behind;
    if (!usable(&p) || p.st.ep == NO_SQUARE)
        return;
    en_passant_count++;
    compare_wdl(&p);
    compare_dtz(&p);
}

/* --- tests --- */

static void all_positions_of_three_men_are_equal(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int t = 0; t < 5; t++)
        for (int i = 0; i < 2 * 2 * 64 * 64 * 64; i++) {
            const Square squares[3] = {i >> 2 & 63, i >> 8 & 63, i >> 14};
            Position p;
            if (!place_men(&p, tables[t], squares, i & 1))
                continue;
            p.turn = i >> 1 & 1;
            if (!usable(&p))
                continue;
            compare_wdl(&p);
            if (count++ % (8 * (unsigned)every) == 0)
                compare_dtz(&p);
        }
    print_message("%llu positions\n", (unsigned long long)count);
    assert_true(count > 1500000);
}

static void all_positions_with_en_passant_are_equal(void **state)
{
    (void)state;
    for (Color ran = WHITE; ran <= BLACK; ran++)
        for (int file = 0; file < 8; file++)
            for (int side = -1; side <= 1; side += 2)
                for (int kings = 0; kings < 64 * 64; kings += 1 + every / 2)
                    if (file + side >= 0 && file + side < 8)
                        compare_en_passant(ran, square_make(file, ran == WHITE ? 3 : 4),
                                           square_make(file + side, ran == WHITE ? 3 : 4), kings);
    print_message("%d positions\n", en_passant_count);
    assert_true(en_passant_count > 60000 / (1 + every / 2));
}

static void random_positions_of_all_tables_are_equal(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    for (int t = 0; t < TABLES; t++)
        for (int i = 0; i < RANDOM / every; i++) {
            Position p;
            random_position(&p, tables[t], &rng);
            compare_wdl(&p);
            compare_dtz(&p);
        }
    print_message("%d positions\n", TABLES * RANDOM / every);
}

static void compare_root(const Position *p, bool rule50, bool repeated)
{
    static struct TbRootMoves found;
    found.size = 0;
    const bool known = tb_probe_root_dtz(p->by_color[WHITE], p->by_color[BLACK], p->by_type[KING],
                                         p->by_type[QUEEN], p->by_type[ROOK], p->by_type[BISHOP],
                                         p->by_type[KNIGHT], p->by_type[PAWN], p->st.rule50, 0,
                                         ep_of(p), p->turn == WHITE, repeated, rule50, &found);
    Wdl wdl;
    int dtz;
    MoveList keep;
    char fen[FEN_SIZE];
    fen_write(p, fen);
    assert_true(known);
    if (!syzygy_root(ours, p, rule50, repeated, &wdl, &dtz, &keep))
        fail_msg("%s: root not known", fen);
    int best = -2000, count = 0;
    for (unsigned i = 0; i < found.size; i++)
        best = found.moves[i].tbRank > best ? found.moves[i].tbRank : best;
    for (unsigned i = 0; i < found.size; i++) {
        if (found.moves[i].tbRank != best)
            continue;
        bool kept = false;
        for (int k = 0; k < keep.count; k++)
            kept = kept || same_move(keep.moves[k], found.moves[i].move);
        if (!kept)
            fail_msg("%s: a move that libfathom keeps is missing", fen);
        count++;
    }
    if (count != keep.count)
        fail_msg("%s: %d moves kept, libfathom keeps %d", fen, keep.count, count);
}

static void the_moves_kept_at_the_root_are_equal(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 2);
    for (int t = 0; t < TABLES; t++)
        for (int i = 0; i < ROOTS / every; i++) {
            Position p;
            random_position(&p, tables[t], &rng);
            if (!pos_has_legal_move(&p))
                continue;
            p.st.rule50 =
                (uint16_t)(p.st.ep == NO_SQUARE && rng_below(&rng, 2) ? rng_below(&rng, 101) : 0);
            compare_root(&p, rng_below(&rng, 2), rng_below(&rng, 4) == 0);
        }
}

static double nanoseconds(clock_t time, int count)
{
    return (double)time * 1e9 / CLOCKS_PER_SEC / count;
}

/* Not slower than libfathom by more than half: a mistake would be ten times as slow. */
static void probing_takes_no_longer(void **state)
{
    (void)state;
    enum { LIST = 1000, COUNT = 100 * LIST }; /* the positions stay in the cache, as in a search */
    Rng rng;
    rng_seed(&rng, 3);
    Position *list = malloc(LIST * sizeof *list);
    assert_non_null(list);
    for (int i = 0; i < LIST; i++)
        random_position(&list[i], tables[rng_below(&rng, TABLES)], &rng);
    clock_t best[2] = {0};
    int sums[2] = {0};
    for (int round = 0; round < 6; round++) {
        const clock_t start = clock();
        for (int i = 0; i < COUNT; i++) {
            Wdl wdl = WDL_DRAW;
            if (round % 2 == 0)
                syzygy_wdl(ours, &list[i % LIST], &wdl);
            sums[round % 2] += round % 2 ? their_wdl(&list[i % LIST]) : (int)wdl;
        }
        const clock_t time = clock() - start;
        if (round < 2 || time < best[round % 2])
            best[round % 2] = time;
    }
    free(list);
    assert_int_equal(sums[0], sums[1]);
    print_message("%.0f ns a probe, libfathom %.0f ns\n", nanoseconds(best[0], COUNT),
                  nanoseconds(best[1], COUNT));
#ifndef SAMARA_SANITIZE
    assert_true(best[0] < best[1] * 3 / 2);
#endif
}

static int open_both(void **state)
{
    (void)state;
    attacks_init();
    Error err;
    if (!syzygy_open(&ours, SAMARA_SHARED_DIR "/data/syzygy", &err) || syzygy_men(ours) < 4 ||
        !tb_init(SAMARA_SHARED_DIR "/data/syzygy")) {
        print_message("skipped: %s\n", err.text);
        exit(77);
    }
    assert_string_equal(err.text, "");
    assert_int_equal(syzygy_files(ours), 70);
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    syzygy_close(ours); /* tb_free() of libfathom fails */
    return 0;
}

/* With a word, every position is compared in every way. */
int main(int argc, char **argv)
{
    (void)argv;
    every = argc > 1 ? 1 : 10;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_positions_of_three_men_are_equal),
        cmocka_unit_test(all_positions_with_en_passant_are_equal),
        cmocka_unit_test(random_positions_of_all_tables_are_equal),
        cmocka_unit_test(the_moves_kept_at_the_root_are_equal),
        cmocka_unit_test(probing_takes_no_longer),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
