// SPDX-License-Identifier: GPL-3.0-or-later
#include "classical/endgame.h"

#include "chess/movegen.h"
#include "classical/pawns.h"

/* --- king and pawn against king --- */

enum { KPK_PAWNS = 24 }; /* files a to d, ranks 2 to 7 */

/* Squares of the lone king on which White, with the pawn, wins. Written once by endgame_init(). */
static Bitboard kpk_white_moves[KPK_PAWNS][64], kpk_black_moves[KPK_PAWNS][64];

static int kpk_pawn_index(Square pawn) { return (square_rank(pawn) - 1) * 4 + square_file(pawn); }
static Square kpk_pawn_square(int index) { return square_make(index % 4, index / 4 + 1); }

/* Can the pawn run to a queen that stays? It stands on the seventh rank. */
static Bitboard kpk_promotion_wins(Square pawn, Square king)
{
    const Square queen = pawn + 8;
    if (queen == king)
        return 0;
    const Bitboard touches = attack_king[queen] | bb_square(queen);
    return bb_has(attack_king[king], queen) ? ~bb_square(queen) : ~touches;
}

/* Lone-king squares from which some white move reaches a position already known to be won. */
static Bitboard kpk_white_wins(Square pawn, Square king)
{
    const int index = kpk_pawn_index(pawn);
    Bitboard wins = 0;
    for (Bitboard to = attack_king[king] & ~bb_square(pawn); to;)
        wins |= kpk_black_moves[index][bb_pop(&to)];

    if (square_rank(pawn) == 6) {
        wins |= kpk_promotion_wins(pawn, king);
    } else if (king != pawn + 8) {
        wins |= kpk_black_moves[index + 4][king];
        if (square_rank(pawn) == 1 && king != pawn + 16)
            wins |= kpk_black_moves[index + 8][king] & ~bb_square(pawn + 8);
    }
    return wins &
           ~(attack_king[king] | bb_square(king) | bb_square(pawn) | attack_pawn[WHITE][pawn]);
}

/* Lone-king squares from which every move loses, and there is one: stalemate saves, and so does
 * taking the pawn. */
static Bitboard kpk_black_losses(Square pawn, Square king)
{
    const Bitboard guarded = attack_king[king] | attack_pawn[WHITE][pawn];
    const Bitboard lost = kpk_white_moves[kpk_pawn_index(pawn)][king];
    Bitboard losses = 0;
    for (Bitboard b = ~(attack_king[king] | bb_square(king) | bb_square(pawn)); b;) {
        const Square s = bb_pop(&b);
        const Bitboard moves = attack_king[s] & ~guarded;
        if (moves && !(moves & ~lost))
            losses |= bb_square(s);
    }
    return losses;
}

/* One pass over all kings for one pawn; true if something new was found. */
static bool kpk_improve(Square pawn)
{
    const int index = kpk_pawn_index(pawn);
    bool changed = false;
    for (Square king = A1; king <= H8; king++) {
        if (king == pawn)
            continue;
        const Bitboard white = kpk_white_wins(pawn, king);
        changed |= white != kpk_white_moves[index][king];
        kpk_white_moves[index][king] = white;
        const Bitboard black = kpk_black_losses(pawn, king);
        changed |= black != kpk_black_moves[index][king];
        kpk_black_moves[index][king] = black;
    }
    return changed;
}

void endgame_init(void)
{
    /* A pawn only moves on, so the further one is solved first. */
    for (int index = KPK_PAWNS - 1; index >= 0; index--)
        while (kpk_improve(kpk_pawn_square(index)))
            continue;
}

bool kpk_is_win(Color strong, Square king, Square pawn, Square enemy_king, Color turn)
{
    const int mirror = square_file(pawn) > 3 ? 7 : 0;
    const Square k = square_relative(strong, king) ^ mirror,
                 e = square_relative(strong, enemy_king) ^ mirror;
    const int index = kpk_pawn_index(square_relative(strong, pawn) ^ mirror);
    return bb_has(turn == strong ? kpk_white_moves[index][k] : kpk_black_moves[index][k], e);
}

/* --- against a lone king --- */

enum { KNOWN_WIN = 3000 }; /* beyond any advantage that still has to be proved */

static int count_of(const Position *p, Color c, PieceType t)
{
    return bb_count(pos_pieces(p, c, t));
}

static bool bishops_of_both_colours(const Position *p, Color c)
{
    const Bitboard bishops = pos_pieces(p, c, BISHOP);
    return (bishops & DARK_SQUARES) && (bishops & ~DARK_SQUARES);
}

/* Enough to mate without a pawn. Two knights are not: the king need not walk into it. */
static bool has_mating_material(const Position *p, Color c)
{
    const int knights = count_of(p, c, KNIGHT);
    return pos_pieces(p, c, QUEEN) || pos_pieces(p, c, ROOK) || bishops_of_both_colours(p, c) ||
           (pos_pieces(p, c, BISHOP) && knights) || knights > 2;
}

static int material_value(const Position *p, Color c)
{
    int value = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        value += count_of(p, c, t) * packed_eg(classical_weights[W_PIECE_VALUE + t]);
    return value;
}

/* Steps away from the four centre squares, both directions added: 0 to 6. */
static int centre_distance(Square s)
{
    return 6 - edge_distance(square_file(s)) - edge_distance(square_rank(s));
}

/* 7 in the two corners of the bishop's colour, 0 on the long diagonal between the others. */
static int mating_corner(Square s, bool dark_bishop)
{
    const int file = dark_bishop ? square_file(s) : 7 - square_file(s);
    const int sum = square_rank(s) + file - 7;
    return sum < 0 ? -sum : sum;
}

/* Rings around the centre: 0 for the four squares in the middle, 3 for the edge. */
static int ring(Square s)
{
    const int file = edge_distance(square_file(s)), rank = edge_distance(square_rank(s));
    return 3 - (file < rank ? file : rank);
}

/* As the crow flies, squared: tells steps apart that king moves do not. */
static int square_distance2(Square a, Square b)
{
    const int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    return files * files + ranks * ranks;
}

/* How many squares the lone king can ever reach if the enemy stands still. */
static int room(const Position *p, Color weak)
{
    const Color strong = color_flip(weak);
    const Bitboard occupied = pos_occupied(p) ^ pos_pieces(p, weak, KING);
    Bitboard closed = attack_king[pos_king(p, strong)] | pos_color(p, strong);
    for (Bitboard b = pos_pieces(p, strong, KNIGHT); b;)
        closed |= attack_knight[bb_pop(&b)];
    for (Bitboard b = pos_pieces(p, strong, BISHOP); b;)
        closed |= bishop_attacks(bb_pop(&b), occupied);
    Bitboard reached = pos_pieces(p, weak, KING), edge = reached;
    while (edge) {
        Bitboard next = 0;
        while (edge)
            next |= attack_king[bb_pop(&edge)];
        edge = next & ~closed & ~reached;
        reached |= edge;
    }
    return bb_count(reached) - 1;
}

/* Bishop and knight mate in the corners of the bishop's colour only. The weights follow the mean
 * distance to mate over all positions: what counts is the way to the corner, a king that stands
 * nearer to the centre than its prey, and a prey with few squares. */
static int bishop_and_knight_progress(const Position *p, Color strong)
{
    static const int corner[8] = {0, 8, 20, 36, 60, 92, 140, 200};
    const Square king = pos_king(p, strong), enemy = pos_king(p, color_flip(strong));
    const Square knight = bb_first(pos_pieces(p, strong, KNIGHT));
    const bool dark = (pos_pieces(p, strong, BISHOP) & DARK_SQUARES) != 0;
    return corner[mating_corner(enemy, dark)] + 12 * centre_distance(enemy) +
           28 * (3 - ring(king)) + 14 * (7 - king_steps(king, enemy)) +
           6 * (7 - king_steps(knight, enemy)) - 4 * room(p, color_flip(strong));
}

/* Drives the king to the edge (with bishop and knight: to the right corner) and brings up our own.
 * Queens and rooks shut whole lines at once; bishops take the king's room away bit by bit. */
static int mating_progress(const Position *p, Color strong)
{
    const Square king = pos_king(p, strong), enemy = pos_king(p, color_flip(strong));
    const bool has_heavy = pos_pieces(p, strong, QUEEN) || pos_pieces(p, strong, ROOK);
    if (!has_heavy && !pos_pieces(p, strong, PAWN) && !bishops_of_both_colours(p, strong) &&
        pos_pieces(p, strong, BISHOP))
        return bishop_and_knight_progress(p, strong);
    return 20 * centre_distance(enemy) +
           (has_heavy ? 15 * (7 - king_steps(king, enemy))
                      : -3 * square_distance2(king, enemy) - 12 * room(p, color_flip(strong)));
}

static int best_pawn_rank(const Position *p, Color c)
{
    int best = 0;
    for (Bitboard b = pos_pieces(p, c, PAWN); b;) {
        const int rank = rank_relative(c, bb_pop(&b));
        best = rank > best ? rank : best;
    }
    return best;
}

/* Rook pawns alone, the lone king in their corner, and nothing that could drive it out: no piece,
 * or bishops that do not see the corner. */
static bool is_wrong_corner(const Position *p, Color strong)
{
    const Bitboard pawns = pos_pieces(p, strong, PAWN), bishops = pos_pieces(p, strong, BISHOP);
    if (!pawns || pos_pieces(p, strong, KNIGHT) || pos_pieces(p, strong, ROOK) ||
        pos_pieces(p, strong, QUEEN))
        return false;
    if ((pawns & ~FILE_A) && (pawns & ~FILE_H))
        return false;

    const Square corner = square_relative(strong, pawns & FILE_A ? A8 : H8);
    const Bitboard corner_colour = bb_has(DARK_SQUARES, corner) ? DARK_SQUARES : ~DARK_SQUARES;
    return !(bishops & corner_colour) && king_steps(pos_king(p, color_flip(strong)), corner) <= 1;
}

/* Of two lines that promote, the one that did it earlier has more quiet plies behind it. Without
 * this, one move later is always just as good. */
static int promoted_early(const Position *p, Color strong)
{
    const int plies = p->st.rule50 < 12 ? p->st.rule50 : 12;
    return pos_pieces(p, strong, PAWN) ? 0 : 4 * plies;
}

/* The strong side's score, or false if the ordinary evaluation should judge. */
static bool against_lone_king(const Position *p, Color strong, int *score)
{
    const Bitboard pawns = pos_pieces(p, strong, PAWN);
    if (p->turn != strong && !pos_in_check(p) && !pos_has_legal_move(p))
        return *score = 0, true;
    if (pawns && !bb_several(pawns) && !pos_has_pieces(p, strong)) {
        const bool win = kpk_is_win(strong, pos_king(p, strong), bb_first(pawns),
                                    pos_king(p, color_flip(strong)), p->turn);
        return *score = win ? KNOWN_WIN + 50 * best_pawn_rank(p, strong) : 0, true;
    }
    if (has_mating_material(p, strong)) {
        *score = KNOWN_WIN + material_value(p, strong) + mating_progress(p, strong) +
                 10 * best_pawn_rank(p, strong) + promoted_early(p, strong);
        return true;
    }
    if (!pawns || is_wrong_corner(p, strong))
        return *score = 0, true;
    return false;
}

/* Queen against rook is won nearly everywhere, but slowly: the king goes to the edge, ours
 * follows, and rook and king are driven apart until both are attacked at once. */
static bool queen_against_rook(const Position *p, Color strong, int *score)
{
    enum { WIN = 1200 };
    const Color weak = color_flip(strong);
    const Bitboard queens = pos_pieces(p, strong, QUEEN), rooks = pos_pieces(p, weak, ROOK);
    if (bb_count(pos_occupied(p)) != 4 || !queens || !rooks)
        return false;
    const Square enemy = pos_king(p, weak);
    *score = WIN + 20 * centre_distance(enemy) + 15 * (7 - king_steps(pos_king(p, strong), enemy)) +
             4 * king_steps(bb_first(rooks), enemy);
    return true;
}

/* Knowledge of simple endings: the score replaces the evaluation. */
bool endgame_known(const Position *p, int *score)
{
    for (Color strong = WHITE; strong <= BLACK; strong++) {
        int own;
        if (queen_against_rook(p, strong, &own))
            return *score = strong == WHITE ? own : -own, true;
    }
    for (Color strong = WHITE; strong <= BLACK; strong++) {
        if (bb_several(pos_color(p, color_flip(strong))))
            continue;
        int own = 0;
        if (!against_lone_king(p, strong, &own))
            return false;
        *score = strong == WHITE ? own : -own;
        return true;
    }
    return false;
}

/* --- drawish endings --- */

/* The old count of points: what may be exchanged for what. */
static int points(const Position *p, Color c)
{
    return 3 * count_of(p, c, KNIGHT) + 3 * count_of(p, c, BISHOP) + 5 * count_of(p, c, ROOK) +
           9 * count_of(p, c, QUEEN);
}

static bool opposite_bishops(const Position *p)
{
    const Bitboard bishops = pos_type(p, BISHOP);
    return count_of(p, WHITE, BISHOP) == 1 && count_of(p, BLACK, BISHOP) == 1 &&
           (bishops & DARK_SQUARES) && (bishops & ~DARK_SQUARES);
}

/* Without pawns, a minor piece more seldom wins. */
static int scale_without_pawns(int strong_points, int weak_points)
{
    if (strong_points - weak_points > 3)
        return SCALE_FULL;
    if (strong_points <= 3)
        return 0;
    return weak_points <= 3 ? 2 : 6;
}

static bool only_rooks(const Position *p, Color c)
{
    return count_of(p, c, ROOK) == 1 && points(p, c) == 5;
}

/* Rook and pawn against rook: the king in front of the pawn holds. */
static int scale_rook_and_pawn(const Position *p, Color strong)
{
    const Square pawn = bb_first(pos_pieces(p, strong, PAWN)),
                 king = pos_king(p, color_flip(strong));
    const int files = square_file(pawn) - square_file(king);
    const bool in_front =
        rank_relative(strong, king) > rank_relative(strong, pawn) && files >= -1 && files <= 1;
    return in_front ? 13 : 44;
}

/* How much of an advantage in the endgame is worth anything, in 64ths: without pawns, with opposite
 * bishops or in rook endings less than it looks. */
int endgame_scale(const Position *p, Color strong, Bitboard passed)
{
    const Color weak = color_flip(strong);
    const int pawns = count_of(p, strong, PAWN), mine = points(p, strong), yours = points(p, weak);

    if (pawns == 0)
        return scale_without_pawns(mine, yours);
    if (pawns == 1 && only_rooks(p, strong) && only_rooks(p, weak) && !pos_pieces(p, weak, PAWN))
        return scale_rook_and_pawn(p, strong);
    /* The last pawn can be had for a minor piece. */
    if (pawns == 1 && yours >= 3 && mine > 0 && mine - yours <= 0 &&
        scale_without_pawns(mine, yours - 3) < SCALE_FULL)
        return 20;
    if (opposite_bishops(p)) {
        const int passers = bb_count(passed & pos_color(p, strong));
        return mine == 3 && yours == 3 ? 18 + 4 * passers : 43 + 4 * passers;
    }
    const int few = 44 + 7 * pawns;
    return few < SCALE_FULL ? few : SCALE_FULL;
}
