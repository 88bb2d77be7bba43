// SPDX-License-Identifier: GPL-3.0-or-later
/* Backwards from mate, one move at a time, for 64 knights at once: a set of squares says where the
 * knight may stand for a placement of the other three to be decided. White is the strong side and
 * its bishop is dark; the rest follows by turning the board. */
#include "classical/kbnk.h"

#include "base/memory.h"
#include "base/thread.h"
#include "chess/movegen.h"
#include <string.h>

enum { BISHOPS = 32, UNSOLVED = 255 };

/* Moves to mate with Black to move: [lone king][king][bishop][knight]. 8 MB, which only a game that has
 * come here takes. Written once by kbnk_solve(). */
typedef uint8_t Distances[64][64][BISHOPS][64];
static Distances *distance;
static atomic_bool solved;

/* Knights with which Black, to move, is lost and White, to move, wins: [lone king][king][bishop]. */
typedef Bitboard Sets[64][64][BISHOPS];
typedef struct Solution {
    Sets lost, won;
    Distances *distance;
} Solution;

static Square bishop_square(int index) { return 2 * index + (index / 4 & 1); }
static int bishop_index(Square dark) { return dark / 2; }

/* Knights with which the bishop, not blocked by its king, sees `to`. */
static Bitboard bishop_sees(Square bishop, Square king, Square to)
{
    const bool aligned = bb_has(bishop_attacks(bishop, bb_square(king)), to);
    return aligned ? ~bb_between(bishop, to) : 0;
}

/* Every legal move loses, and there is one, or it is mate. Taking a man saves, if it can be taken.
 */
static Bitboard black_loses(const Solution *s, Square enemy, Square king, int index)
{
    const Square bishop = bishop_square(index);
    Bitboard loses = ~0ULL, mobile = 0;
    for (Bitboard b = attack_king[enemy] & ~attack_king[king]; b;) {
        const Square to = bb_pop(&b);
        const Bitboard illegal =
            attack_knight[to] | (to == bishop ? 0 : bishop_sees(bishop, king, to));
        mobile |= ~illegal;
        loses &= illegal | (to == bishop ? 0 : s->won[to][king][index]);
    }
    const Bitboard check = attack_knight[enemy] | bishop_sees(bishop, king, enemy);
    return loses & (mobile | check) & ~(bb_square(enemy) | bb_square(king) | bb_square(bishop));
}

/* Some move of king, bishop or knight leads to a position that Black has lost. */
static Bitboard white_wins(const Solution *s, Square enemy, Square king, int index)
{
    const Square bishop = bishop_square(index);
    const Bitboard others = bb_square(enemy) | bb_square(king);
    Bitboard wins = 0;
    for (Bitboard b = attack_king[king] & ~attack_king[enemy] & ~bb_square(bishop); b;)
        wins |= s->lost[enemy][bb_pop(&b)][index];
    for (Bitboard b = bishop_attacks(bishop, others) & ~others; b;) {
        const Square to = bb_pop(&b);
        wins |= s->lost[enemy][king][bishop_index(to)] & ~bb_between(bishop, to);
    }
    for (Bitboard b = s->lost[enemy][king][index]; b;)
        wins |= attack_knight[bb_pop(&b)];
    return wins & ~(others | bb_square(bishop));
}

/* Which lone kings and kings a pass has to look at again: those one step from a change. */
typedef struct Changes {
    Bitboard kings[64]; /* [lone king] */
} Changes;

static Bitboard with_neighbours(Bitboard set)
{
    Bitboard all = set;
    while (set)
        all |= attack_king[bb_pop(&set)];
    return all;
}

/* Black's turn: what is newly lost is mate in `moves`. */
static void find_losses(Solution *s, const Changes *in, Changes *out, int moves)
{
    memset(out, 0, sizeof *out);
    for (Square enemy = A1; enemy <= H8; enemy++) {
        Bitboard kings = 0;
        for (Bitboard b = attack_king[enemy]; b;)
            kings |= in->kings[bb_pop(&b)];
        for (kings &= ~(attack_king[enemy] | bb_square(enemy)); kings;) {
            const Square king = bb_pop(&kings);
            for (int index = 0; index < BISHOPS; index++) {
                const Square bishop = bishop_square(index);
                if (bishop == enemy || bishop == king)
                    continue;
                Bitboard fresh = black_loses(s, enemy, king, index) & ~s->lost[enemy][king][index];
                if (!fresh)
                    continue;
                s->lost[enemy][king][index] |= fresh;
                out->kings[enemy] |= bb_square(king);
                while (fresh)
                    (*s->distance)[enemy][king][index][bb_pop(&fresh)] = (uint8_t)moves;
            }
        }
    }
}

static void find_wins(Solution *s, const Changes *in, Changes *out)
{
    memset(out, 0, sizeof *out);
    for (Square enemy = A1; enemy <= H8; enemy++) {
        Bitboard kings = with_neighbours(in->kings[enemy]);
        for (kings &= ~(attack_king[enemy] | bb_square(enemy)); kings;) {
            const Square king = bb_pop(&kings);
            for (int index = 0; index < BISHOPS; index++) {
                const Square bishop = bishop_square(index);
                if (bishop == enemy || bishop == king)
                    continue;
                const Bitboard wins = white_wins(s, enemy, king, index);
                if (wins & ~s->won[enemy][king][index])
                    out->kings[enemy] |= bb_square(king);
                s->won[enemy][king][index] |= wins;
            }
        }
    }
}

static bool any_change(const Changes *c)
{
    for (int i = 0; i < 64; i++)
        if (c->kings[i])
            return true;
    return false;
}

static void solve(void)
{
    Changes wins, losses;
    Solution *s = memory_map(sizeof *s);
    Distances *moves_left = memory_map(sizeof *moves_left);
    if (s && moves_left) {
        s->distance = moves_left;
        memset(moves_left, UNSOLVED, sizeof *moves_left);
        memset(&wins, 0xFF, sizeof wins);
        for (int moves = 0; any_change(&wins); moves++) {
            find_losses(s, &wins, &losses, moves);
            find_wins(s, &losses, &wins);
        }
        distance = moves_left;
    } else {
        memory_unmap(moves_left, sizeof *moves_left);
    }
    memory_unmap(s, sizeof *s);
    atomic_store(&solved, distance != NULL);
}

bool kbnk_solve(void)
{
    static Once once = ONCE_INIT;
    thread_once(&once, solve);
    return distance != NULL;
}

bool kbnk_is_solved(void) { return atomic_load(&solved); }

bool kbnk_is(const Position *p)
{
    return bb_count(pos_occupied(p)) == 4 && pos_has_lone_king(p) && pos_type(p, BISHOP) &&
           pos_type(p, KNIGHT);
}

/* With the lone king to move. */
static int distance_after(const Position *p)
{
    const Color strong = color_flip(p->turn);
    if (!kbnk_is(p))
        return UNSOLVED;
    const Square bishop = square_relative(strong, bb_first(pos_type(p, BISHOP)));
    const int turn = bb_has(DARK_SQUARES, bishop) ? 0 : 7; /* mirrors the files */
    const Square enemy = square_relative(strong, pos_king(p, p->turn)) ^ turn;
    const Square king = square_relative(strong, pos_king(p, strong)) ^ turn;
    const Square knight = square_relative(strong, bb_first(pos_type(p, KNIGHT))) ^ turn;
    return (*distance)[enemy][king][bishop_index(bishop ^ turn)][knight];
}

int kbnk_distance(const Position *p)
{
    int best = UNSOLVED;
    if (!bb_several(pos_color(p, p->turn))) {
        best = distance_after(p);
        return best == UNSOLVED ? -1 : best;
    }
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        Position next = *p;
        Undo undo;
        pos_make(&next, list.moves[i], &undo, NULL);
        const int moves = distance_after(&next);
        best = moves < best ? moves : best;
    }
    return best == UNSOLVED ? -1 : best + 1;
}
