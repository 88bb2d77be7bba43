// SPDX-License-Identifier: GPL-3.0-or-later
/* Bishop and knight against king: the solution agrees with the rules, move by move, and with what
 * the literature says. */
#include "classical/kbnk.h"
#include "classical/classical.h"

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
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    return p;
}

static void known_positions_have_their_distance(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int moves;
    } cases[] = {
        {"7k/8/5BKN/8/8/8/8/8 b - - 0 1", 0},    {"7k/8/6KN/8/8/8/8/B7 b - - 0 1", 0},
        {"8/8/8/8/8/5bkn/8/7K w - - 0 1", 0},    {"7k/8/6KN/8/8/8/8/2B5 w - - 0 1", 1},
        {"7k/8/5NK1/8/8/8/8/5B2 b - - 0 1", -1}, /* stalemate */
        {"8/8/8/8/8/2k5/3B4/K6N b - - 0 1", -1}, /* the bishop falls */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Position p = position(cases[i].fen);
        if (kbnk_distance(&p) != cases[i].moves)
            fail_msg("%s: %d", cases[i].fen, kbnk_distance(&p));
    }
}

static bool random_position(Rng *rng, Position *p)
{
    const Color strong = (Color)rng_below(rng, 2);
    const Piece men[] = {piece_make(strong, KING), piece_make(strong, BISHOP),
                         piece_make(strong, KNIGHT), piece_make(color_flip(strong), KING)};
    pos_clear(p);
    for (int i = 0; i < 4; i++) {
        const Square s = (Square)rng_below(rng, 64);
        if (p->board[s] != NO_PIECE)
            return false;
        pos_put(p, men[i], s);
    }
    p->turn = (uint8_t)rng_below(rng, 2);
    p->ply = p->turn;
    pos_finish(p);
    return !pos_attacked(p, pos_king(p, !p->turn), p->turn, pos_occupied(p));
}

/* The distance of a position follows from those of its children, by the rules alone. */
static int distance_of_children(const Position *p)
{
    const bool strong = bb_several(pos_color(p, p->turn));
    MoveList list;
    gen_legal(p, &list);
    if (list.count == 0)
        return pos_in_check(p) ? 0 : -1;
    int best = -1;
    for (int i = 0; i < list.count; i++) {
        Position next = *p;
        Undo undo;
        pos_make(&next, list.moves[i], &undo, NULL);
        const int moves = kbnk_is(&next) ? kbnk_distance(&next) : -1;
        if (!strong && moves < 0)
            return -1;
        if (moves >= 0 && (best < 0 || (strong ? moves < best : moves > best)))
            best = moves;
    }
    return strong && best >= 0 ? best + 1 : best;
}

static void every_distance_follows_from_the_moves(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 5);
    int longest = 0, checked = 0;
    while (checked < 20000) {
        Position p;
        if (!random_position(&rng, &p))
            continue;
        const int moves = kbnk_distance(&p);
        assert_int_equal(moves, distance_of_children(&p));
        longest = moves > longest ? moves : longest;
        checked++;
    }
    assert_in_range(longest, 31, 33); /* 33 is the longest there is */
}

int main(void)
{
    classical_init();
    kbnk_solve();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_positions_have_their_distance),
        cmocka_unit_test(every_distance_follows_from_the_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
