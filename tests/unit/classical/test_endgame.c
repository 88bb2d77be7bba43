// SPDX-License-Identifier: GPL-3.0-or-later
/* King and pawn against king is exact; lone kings are mated where they can be; drawn material is
 * drawn. */
#include "classical/endgame.h"
#include "classical/classical.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

/* --- a second opinion on king and pawn, from the rules themselves --- */

enum { UNKNOWN, WON, ILLEGAL }; /* for White, who has the pawn; what stays unknown is drawn */

static unsigned char solved[2][64][64][64]; /* turn, king, pawn, enemy king */

static bool set_up(Position *p, Color turn, Square king, Square pawn, Square enemy)
{
    if (king == pawn || king == enemy || pawn == enemy || bb_has(attack_king[king], enemy))
        return false;
    pos_clear(p);
    pos_put(p, WHITE_KING, king);
    pos_put(p, WHITE_PAWN, pawn);
    pos_put(p, BLACK_KING, enemy);
    p->turn = (uint8_t)turn;
    p->ply = p->turn;
    pos_finish(p);
    return !pos_attacked(p, pos_king(p, color_flip(turn)), turn, pos_occupied(p));
}

/* After a promotion: queen or rook that the king can neither take nor be stalemated by. */
static bool promotion_wins(const Position *p)
{
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++)
        if (pos_is_noisy(p, list.moves[i]))
            return false;
    return list.count > 0 || pos_in_check(p);
}

static bool move_wins(const Position *p, Move m)
{
    Position next = *p;
    Undo undo;
    pos_make(&next, m, &undo, NULL);
    if (move_kind(m) == PROMOTION)
        return move_promotion(m) >= ROOK && promotion_wins(&next);
    if (!pos_type(&next, PAWN))
        return false;
    return solved[next.turn][pos_king(&next, WHITE)][bb_first(pos_type(&next, PAWN))]
                 [pos_king(&next, BLACK)] == WON;
}

static bool is_won(const Position *p)
{
    MoveList list;
    gen_legal(p, &list);
    int winning = 0;
    for (int i = 0; i < list.count; i++)
        winning += move_wins(p, list.moves[i]);
    return p->turn == WHITE ? winning > 0 : list.count > 0 && winning == list.count;
}

static bool solve_pass(void)
{
    bool changed = false;
    for (int index = 0; index < 2 * 64 * 24 * 64; index++) {
        const Color turn = index & 1;
        const Square king = index >> 1 & 63, enemy = index >> 7 & 63;
        const int pawn_index = index >> 13;
        const Square pawn = square_make(pawn_index % 4, 6 - pawn_index / 4);
        unsigned char *entry = &solved[turn][king][pawn][enemy];
        Position p;
        if (*entry != UNKNOWN)
            continue;
        if (!set_up(&p, turn, king, pawn, enemy)) {
            *entry = ILLEGAL;
        } else if (is_won(&p)) {
            *entry = WON;
            changed = true;
        }
    }
    return changed;
}

static void king_and_pawn_against_king_is_exact(void **state)
{
    (void)state;
    while (solve_pass())
        continue;
    int won = 0, drawn = 0;
    for (Color turn = WHITE; turn <= BLACK; turn++)
        for (Square king = A1; king <= H8; king++)
            for (Square pawn = A2; pawn <= H7; pawn++)
                for (Square enemy = A1; enemy <= H8; enemy++) {
                    /* The other half of the board is the mirror image. */
                    const int mirror = square_file(pawn) > 3 ? 7 : 0;
                    const int truth = solved[turn][king ^ mirror][pawn ^ mirror][enemy ^ mirror];
                    if (truth == ILLEGAL)
                        continue;
                    won += truth == WON;
                    drawn += truth != WON;
                    assert_int_equal(kpk_is_win(WHITE, king, pawn, enemy, turn), truth == WON);
                    assert_int_equal(kpk_is_win(BLACK, square_flip(king), square_flip(pawn),
                                                square_flip(enemy), color_flip(turn)),
                                     truth == WON);
                }
    /* So many are known from the literature. */
    assert_int_equal(won + drawn, 331352);
    assert_int_equal(won, 222564);
}

static Position position(const char *fen)
{
    Position p;
    Error err;
    if (!fen_parse(&p, str_from(fen), FEN_STANDARD, &err, NULL))
        fail_msg("%s: %s", fen, err.text);
    return p;
}

static const struct {
    const char *fen;
    int verdict; /* 1 won for White, -1 for Black, 0 drawn, 2 for the ordinary evaluation */
} verdicts[] = {
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0},
    {"4k3/8/8/8/8/8/8/3NK3 w - - 0 1", 0},
    {"4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", 0},
    {"4k3/8/8/8/8/8/8/1NNNK3 w - - 0 1", 1},
    {"4k3/8/8/8/8/8/8/3BK3 b - - 0 1", 0},
    {"4k3/8/8/8/8/8/8/1B1BK3 b - - 0 1", 0},
    {"4k3/8/8/8/8/8/8/2BBK3 b - - 0 1", 1},
    {"4k3/8/8/8/8/8/8/2BNK3 b - - 0 1", 1},
    {"4k3/8/8/8/8/8/8/3RK3 b - - 0 1", 1},
    {"4k2q/8/8/8/8/8/8/4K3 w - - 0 1", -1},
    {"4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1", 1}, /* queen against rook */
    {"4k2q/8/8/8/8/8/8/R3K3 w - - 0 1", -1},
    {"4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", 2},
    {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0}, /* stalemate */
    {"7k/5K2/8/8/8/8/8/6Q1 b - - 0 1", 1},
    {"4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", 0},
    {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 1},
    {"k7/8/8/P7/K7/2B5/8/8 w - - 0 1", 0},  /* the bishop does not see the corner */
    {"k7/8/8/P7/K7/3B4/8/8 w - - 0 1", 2},  /* it does */
    {"4k3/8/8/P7/K7/2B5/8/8 w - - 0 1", 2}, /* the king is too far */
    {"k7/8/8/P7/P7/K7/8/8 w - - 0 1", 0},   /* two rook pawns */
    {"8/8/8/8/7p/6kp/8/7K b - - 0 1", 0},
    {"k7/8/8/P7/1P6/K7/8/8 w - - 0 1", 2},
    {"4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1", 2},
};

static void lone_kings_are_judged_rightly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        const Position p = position(verdicts[i].fen);
        int score = 12345;
        const bool known = endgame_known(&p, &score);
        const int verdict = !known ? 2 : score > 1000 ? 1 : score < -1000 ? -1 : score == 0 ? 0 : 3;
        if (verdict != verdicts[i].verdict || (!known && score != 12345))
            fail_msg("%s: known %d, score %d", verdicts[i].fen, known, score);
    }
}

/* Each step brings the mate nearer. */
static void progress_towards_mate_is_rewarded(void **state)
{
    (void)state;
    static const struct {
        const char *nearer, *farther;
    } pairs[] = {
        {"4k3/8/4K3/8/8/8/8/R7 w - - 0 1", "8/8/8/4k3/8/4K3/8/R7 w - - 0 1"},
        {"4k3/8/4K3/8/8/8/8/R7 w - - 0 1", "4k3/8/8/8/8/8/4K3/R7 w - - 0 1"},
        {"7k/8/6K1/8/8/8/8/2N1B3 w - - 0 1",
         "k7/8/1K6/8/8/8/8/2N1B3 w - - 0 1"}, /* e1 is dark, so is h8 */
        {"k7/8/1K6/8/8/8/8/2N2B2 w - - 0 1", "7k/8/6K1/8/8/8/8/2N2B2 w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const Position nearer = position(pairs[i].nearer), farther = position(pairs[i].farther);
        assert_true(classical_evaluate(&nearer, NULL) > classical_evaluate(&farther, NULL));
    }
}

static void drawish_endings_count_for_less(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int least, most;
    } cases[] = {
        {"4k3/4n3/8/8/8/8/8/3RK3 w - - 0 1", 0, 16},  /* rook against knight */
        {"4k3/4r3/8/8/8/8/8/2BRK3 w - - 0 1", 0, 16}, /* rook and bishop against rook */
        {"4k3/4p3/8/8/8/8/8/3NK3 w - - 0 1", 0, 0},   /* a knight alone cannot win */
        {"4k3/4r3/8/8/8/8/8/3QK3 w - - 0 1", 64, 64},
        {"8/2k1bp2/8/2P5/3P4/8/1P3K2/5B2 w - - 0 1", 1, 40}, /* opposite bishops */
        {"8/2kb1p2/8/2P5/3P4/8/1P3K2/5B2 w - - 0 1", 41, 64},
        {"3k4/8/8/8/3P4/8/r7/3K3R w - - 0 1", 1, 30}, /* the king stands before the pawn */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 64, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position p = position(cases[i].fen), flipped;
        pos_flip(&p, &flipped);
        const int scale = endgame_scale(&p, WHITE, 0);
        if (scale < cases[i].least || scale > cases[i].most)
            fail_msg("%s: scale %d", cases[i].fen, scale);
        assert_int_equal(scale, endgame_scale(&flipped, BLACK, 0));
    }
}

static void what_is_known_is_told_to_the_side_to_move(void **state)
{
    (void)state;
    const Position white = position("4k3/8/8/8/8/8/8/3RK3 w - - 0 1"),
                   black = position("4k3/8/8/8/8/8/8/3RK3 b - - 0 1");
    int score = 0;
    assert_true(classical_knows(&white, &score) && score > 1000);
    assert_true(classical_knows(&black, &score) && score < -1000);
}

int main(void)
{
    classical_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_told_to_the_side_to_move),
        cmocka_unit_test(king_and_pawn_against_king_is_exact),
        cmocka_unit_test(lone_kings_are_judged_rightly),
        cmocka_unit_test(progress_towards_mate_is_rewarded),
        cmocka_unit_test(drawish_endings_count_for_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
