// SPDX-License-Identifier: GPL-3.0-or-later
/* classical.c -- pieces, kings, threats, and the sum of everything.
 *
 * All functions on the way are inlined twice by colour and once by purpose: with a NULL tally the
 * compiler removes all bookkeeping, with a real one each weight used is written down. */
#include "classical/classical.h"

#include "base/memory.h"
#include "base/thread.h"
#include "classical/endgame.h"
#include "classical/pawns.h"
#include <string.h>

static const Bitboard centre = 0x0000001818000000ULL; /* d4 e4 d5 e5 */

/* What is known about the position so far. */
typedef struct Sheet {
    const Position *p;
    const PawnEntry *pawns;
    Square king[2];
    Bitboard occupied;
    Bitboard attacked[2], attacked_twice[2]; /* by colour: by anything, by two or more */
    Bitboard attacked_by[2][6];
    Bitboard mobility_area[2];
    Bitboard ring[2];      /* around the king of this colour */
    Packed danger[2];      /* units against the king of this colour */
    int ring_attackers[2]; /* pieces that reach the ring of this colour */
} Sheet;

/* One colour's view. Passed by value to inlined functions, so that every member folds away. */
typedef struct Side {
    Sheet *sheet;
    Tally *tally;
    Color us, them;
} Side;

ALWAYS_INLINE Packed credit(Side x, int weight, int times)
{
    return weigh(x.tally, x.us, weight, times);
}
ALWAYS_INLINE void endanger(Side x, Color victim, int weight, int times)
{
    x.sheet->danger[victim] += weigh(x.tally, victim, weight, times);
}
ALWAYS_INLINE Bitboard ours(Side x, PieceType t) { return pos_pieces(x.sheet->p, x.us, t); }
ALWAYS_INLINE Bitboard theirs(Side x, PieceType t) { return pos_pieces(x.sheet->p, x.them, t); }

ALWAYS_INLINE void mark_attacks(Side x, PieceType t, Bitboard attacks)
{
    Sheet *s = x.sheet;
    s->attacked_twice[x.us] |= s->attacked[x.us] & attacks;
    s->attacked[x.us] |= attacks;
    s->attacked_by[x.us][t] |= attacks;
}

/* --- preparation --- */

/* Always nine squares: a king on the edge is looked at one step further in. */
static Bitboard king_ring(Square king)
{
    const int file = square_file(king), rank = square_rank(king);
    const Square middle = square_make(file < 1   ? 1
                                      : file > 6 ? 6
                                                 : file,
                                      rank < 1   ? 1
                                      : rank > 6 ? 6
                                                 : rank);
    return attack_king[middle] | bb_square(middle);
}

/* Pawn and king attacks, the king's ring, and the squares that count for mobility: not those where
 * a pawn would take the piece, nor those that own men hold for long. */
HOT void prepare(Side x)
{
    Sheet *s = x.sheet;
    const Bitboard pawns = ours(x, PAWN), forward = bb_forward(x.us, pawns);
    const Bitboard left = bb_west(forward), right = bb_east(forward), king = ours(x, KING);

    s->king[x.us] = bb_first(king);

    s->attacked[x.us] = s->attacked_by[x.us][PAWN] = left | right;
    s->attacked_twice[x.us] = left & right;
    for (PieceType t = KNIGHT; t <= KING; t++)
        s->attacked_by[x.us][t] = 0;
    mark_attacks(x, KING, attack_king[s->king[x.us]]);

    const Bitboard stuck = pawns & (bb_forward(x.them, s->occupied) | bb_relative_rank(x.us, 1) |
                                    bb_relative_rank(x.us, 2));
    const Bitboard enemy_pawn_attacks = bb_pawn_attacks(x.them, theirs(x, PAWN));
    s->mobility_area[x.us] = ~(stuck | king | ours(x, QUEEN) | enemy_pawn_attacks);
    /* Two pawns guard a square well enough. */
    s->ring[x.us] = king_ring(s->king[x.us]) & ~s->attacked_twice[x.us];
    s->danger[x.us] = s->pawns->danger[x.us];
    s->ring_attackers[x.us] = 0;
}

/* --- pieces --- */

/* Sliders see through men that would follow them. */
HOT Bitboard attacks_through_friends(Side x, PieceType t, Square from)
{
    const Sheet *s = x.sheet;
    switch (t) {
    case BISHOP:
        return bishop_attacks(from, s->occupied ^ pos_type(s->p, QUEEN));
    case ROOK:
        return rook_attacks(from, s->occupied ^ pos_type(s->p, QUEEN) ^ ours(x, ROOK));
    default:
        return piece_attacks(t, from, s->occupied);
    }
}

/* Outposts, a pawn in front as shelter, and the distance to the own king. */
HOT Packed minor_terms(Side x, PieceType t, Square from, Bitboard attacks)
{
    const Sheet *s = x.sheet;
    const bool knight = t == KNIGHT;
    const Bitboard ranks =
        bb_relative_rank(x.us, 3) | bb_relative_rank(x.us, 4) | bb_relative_rank(x.us, 5);
    const Bitboard outposts = ranks & ~s->pawns->attack_span[x.them];
    Packed score = credit(x, knight ? W_KNIGHT_KING_DISTANCE : W_BISHOP_KING_DISTANCE,
                          king_steps(from, s->king[x.us]));

    if (bb_has(outposts, from))
        score += credit(x,
                        (knight ? W_KNIGHT_OUTPOST : W_BISHOP_OUTPOST) +
                            bb_has(s->attacked_by[x.us][PAWN], from),
                        1);
    else if (knight && (attacks & outposts & s->attacked_by[x.us][PAWN] & ~pos_color(s->p, x.us)))
        score += credit(x, W_KNIGHT_OUTPOST_NEAR, 1);

    if (bb_forward(x.us, bb_square(from)) & pos_type(s->p, PAWN))
        score += credit(x, knight ? W_KNIGHT_BEHIND_PAWN : W_BISHOP_BEHIND_PAWN, 1);
    return score;
}

/* On a7 behind an enemy pawn on b6, or on a1 behind an own pawn on b2, and mirrored. */
HOT bool bishop_is_cornered(Side x, Square from)
{
    const Square s = square_relative(x.us, from);
    const int inward = square_file(s) == 0 ? 1 : -1, up = x.us == WHITE ? 8 : -8;
    if (s == A7 || s == H7)
        return bb_has(theirs(x, PAWN), from + inward - up);
    if (s == A1 || s == H1)
        return bb_has(ours(x, PAWN), from + inward + up);
    return false;
}

/* Own pawns on the bishop's colour are in its way; the long diagonal and the enemy's pawns are its
 * aims. */
HOT Packed bishop_terms(Side x, Square from)
{
    const Sheet *s = x.sheet;
    const Bitboard colour = bb_has(DARK_SQUARES, from) ? DARK_SQUARES : ~DARK_SQUARES;
    const Bitboard own = ours(x, PAWN) & colour;
    const Bitboard through_pieces = bishop_attacks(from, pos_type(s->p, PAWN));
    Packed score = credit(x, W_BISHOP_OWN_PAWNS, bb_count(own));
    score += credit(x, W_BISHOP_RAMMED_PAWNS, bb_count(own & bb_forward(x.them, s->occupied)));
    score += credit(x, W_BISHOP_AIMS_AT_PAWNS, bb_count(through_pieces & theirs(x, PAWN)));
    if (bb_several((through_pieces | bb_square(from)) & centre))
        score += credit(x, W_BISHOP_LONG_DIAGONAL, 1);
    if (bishop_is_cornered(x, from))
        score += credit(x, W_BISHOP_CORNERED, 1);
    return score;
}

/* Shut in between its king and the edge. */
HOT bool rook_is_trapped(Side x, Square from, int mobility)
{
    if (mobility > 3)
        return false;
    const int king = square_file(x.sheet->king[x.us]), rook = square_file(from);
    return king < 4 ? rook < king : rook > king;
}

/* Open and half-open files, a file shut by a blocked pawn, the seventh rank, a rook shut in by its
 * king. */
HOT Packed rook_terms(Side x, Square from, int mobility)
{
    const Sheet *s = x.sheet;
    const Bitboard file = bb_file(square_file(from)), own = ours(x, PAWN) & file;
    Packed score = 0;

    if (!own) {
        score += credit(x, W_ROOK_FILE + ((theirs(x, PAWN) & file) != 0), 1);
    } else {
        if (own & bb_forward(x.them, s->occupied))
            score += credit(x, W_ROOK_FILE + 2, 1);
        if (rook_is_trapped(x, from, mobility))
            score += credit(x, W_ROOK_TRAPPED + !(s->p->st.castling & 3 << 2 * x.us), 1);
    }
    if (file & pos_type(s->p, QUEEN))
        score += credit(x, W_ROOK_QUEEN_FILE, 1);
    const Bitboard seventh = bb_relative_rank(x.us, 6), eighth = bb_relative_rank(x.us, 7);
    if ((seventh & bb_square(from)) && ((theirs(x, PAWN) & seventh) || (theirs(x, KING) & eighth)))
        score += credit(x, W_ROOK_SEVENTH, 1);
    return score;
}

/* A rook or bishop aims at the queen and one man stands between: it may move with a threat, or is
 * pinned. */
HOT Packed queen_terms(Side x, Square from)
{
    const Sheet *s = x.sheet;
    Bitboard snipers = (ray_bishop[from] & theirs(x, BISHOP)) | (ray_rook[from] & theirs(x, ROOK));
    while (snipers) {
        const Bitboard between = bb_between(from, bb_pop(&snipers)) & s->occupied;
        if (between && !bb_several(between))
            return credit(x, W_QUEEN_EXPOSED, 1);
    }
    return 0;
}

HOT Packed placement(Side x, PieceType t, Square from)
{
    const Square own_king = x.sheet->king[x.us], enemy_king = x.sheet->king[x.them];
    return credit(x, W_PLACEMENT + t * 64 + wing_square(x.us, from, own_king), 1) +
           credit(x, W_PLACEMENT_ENEMY + t * 64 + wing_square(x.us, from, enemy_king), 1);
}

/* Attacks of one kind of piece: mobility, pressure on the enemy king, and the terms of the kind.
 * Pinned men move along the pin only. */
HOT Packed pieces_of_type(Side x, PieceType t, int mobility_weights)
{
    Sheet *s = x.sheet;
    Packed score = 0;
    for (Bitboard men = ours(x, t); men;) {
        const Square from = bb_pop(&men);
        Bitboard attacks = attacks_through_friends(x, t, from);
        if (bb_has(s->p->st.blockers[x.us], from))
            attacks &= bb_line(s->king[x.us], from);
        mark_attacks(x, t, attacks);

        if (attacks & s->ring[x.them]) {
            s->ring_attackers[x.them]++;
            endanger(x, x.them, W_DANGER_ATTACKER + t - KNIGHT, 1);
            endanger(x, x.them, W_DANGER_RING_HIT, bb_count(attacks & s->ring[x.them]));
        }
        const int mobility = bb_count(attacks & s->mobility_area[x.us]);
        score += credit(x, mobility_weights + mobility, 1);
        score += placement(x, t, from);
        if (t == KNIGHT || t == BISHOP)
            score += minor_terms(x, t, from, attacks);
        if (t == BISHOP)
            score += bishop_terms(x, from);
        if (t == ROOK)
            score += rook_terms(x, from, mobility);
        if (t == QUEEN)
            score += queen_terms(x, from);
    }
    return score;
}

HOT Packed all_pieces(Side x)
{
    return pieces_of_type(x, KNIGHT, W_KNIGHT_MOBILITY) +
           pieces_of_type(x, BISHOP, W_BISHOP_MOBILITY) + pieces_of_type(x, ROOK, W_ROOK_MOBILITY) +
           pieces_of_type(x, QUEEN, W_QUEEN_MOBILITY);
}

/* --- material --- */

typedef struct Census {
    int count[2][6];
} Census;

/* Piece values, and how they change with what else is on the board: knights like pawns, rooks
 * dislike them, two bishops help each other. */
HOT Packed material(Side x, const Census *men)
{
    const int *own = men->count[x.us], *enemy = men->count[x.them];
    Packed score = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        score += credit(x, W_PIECE_VALUE + t, own[t]);
    score += credit(x, W_KNIGHT_PAWNS, own[KNIGHT] * (own[PAWN] - 5));
    score += credit(x, W_ROOK_PAWNS, own[ROOK] * (own[PAWN] - 5));
    score += credit(x, W_QUEEN_MINORS, own[QUEEN] * (enemy[KNIGHT] + enemy[BISHOP]));
    const Bitboard bishops = ours(x, BISHOP);
    if ((bishops & DARK_SQUARES) && (bishops & ~DARK_SQUARES)) {
        score += credit(x, W_BISHOP_PAIR, 1);
        score += credit(x, W_BISHOP_PAIR_PAWNS, own[PAWN] + enemy[PAWN] - 10);
    }
    if (own[ROOK] > 1)
        score += credit(x, W_ROOK_PAIR, 1);
    return score;
}

/* --- king --- */

/* The files on which a king's fate is decided: its own third of the board, and a bit more. */
static const Bitboard king_flank[8] = {
    FILE_A * 0x07, FILE_A * 0x0F, FILE_A * 0x0F, FILE_A * 0x3C,
    FILE_A * 0x3C, FILE_A * 0xF0, FILE_A * 0xF0, FILE_A * 0xE0,
};

/* Counts squares from which a piece could give check: those where it would stay alive, and the
 * others. */
HOT void checks(Side x, PieceType t, Bitboard squares, Bitboard safe, Bitboard *unsafe)
{
    if (squares & safe)
        endanger(x, x.us, W_DANGER_SAFE_CHECK + (t - KNIGHT) * 2 + bb_several(squares & safe), 1);
    else
        *unsafe |= squares;
}

/* Checks that the enemy has at once: safe ones by piece, unsafe ones as a lesser worry. */
HOT void check_danger(Side x, Bitboard weak)
{
    const Sheet *s = x.sheet;
    const Square king = s->king[x.us];
    const Bitboard occupied = s->occupied ^ ours(x, QUEEN);
    const Bitboard diagonal = bishop_attacks(king, occupied),
                   straight = rook_attacks(king, occupied);
    const Bitboard *by = s->attacked_by[x.them];
    const Bitboard safe =
        ~pos_color(s->p, x.them) & (~s->attacked[x.us] | (weak & s->attacked_twice[x.them]));

    Bitboard unsafe = 0;
    const Bitboard rook_checks = straight & by[ROOK], bishop_checks = diagonal & by[BISHOP];
    checks(x, ROOK, rook_checks, safe, &unsafe);
    /* A queen's check counts where no lesser piece could do it, and where she would not be traded
     * off. */
    checks(x, QUEEN, (diagonal | straight) & by[QUEEN] & ~(rook_checks & safe),
           safe & ~s->attacked_by[x.us][QUEEN], &unsafe);
    checks(x, BISHOP, bishop_checks, safe, &unsafe);
    checks(x, KNIGHT, attack_knight[king] & by[KNIGHT], safe, &unsafe);
    endanger(x, x.us, W_DANGER_UNSAFE_CHECK, bb_count(unsafe & ~pos_color(s->p, x.them)));
}

/* Pressure on our king; only when at least two pieces, or a queen and one, take part. */
HOT Packed king_danger(Side x)
{
    Sheet *s = x.sheet;
    const Position *p = s->p;
    if (s->ring_attackers[x.us] < 2 - (theirs(x, QUEEN) != 0))
        return 0;

    const Square king = s->king[x.us];
    const Bitboard weak =
        s->attacked[x.them] & ~s->attacked_twice[x.us] &
        (~s->attacked[x.us] | s->attacked_by[x.us][QUEEN] | s->attacked_by[x.us][KING]);
    const Bitboard home = bb_relative_rank(x.us, 0) | bb_relative_rank(x.us, 1) |
                          bb_relative_rank(x.us, 2) | bb_relative_rank(x.us, 3) |
                          bb_relative_rank(x.us, 4);
    const Bitboard flank = king_flank[square_file(king)] & home;

    endanger(x, x.us, W_DANGER_BASE, 1);
    endanger(x, x.us, W_DANGER_WEAK_SQUARE, bb_count(s->ring[x.us] & weak));
    endanger(x, x.us, W_DANGER_PINNED, bb_count(p->st.blockers[x.us]));
    endanger(x, x.us, W_DANGER_FLANK_ATTACK,
             bb_count(flank & s->attacked[x.them]) + bb_count(flank & s->attacked_twice[x.them]));
    endanger(x, x.us, W_DANGER_FLANK_GUARD, bb_count(flank & s->attacked[x.us]));
    endanger(x, x.us, W_DANGER_OPEN_LINES,
             bb_count(queen_attacks(king, pos_color(p, x.us) | pos_type(p, PAWN))));
    if (!theirs(x, QUEEN))
        endanger(x, x.us, W_DANGER_NO_QUEEN, 1);
    if (s->attacked_by[x.us][KNIGHT] & s->attacked_by[x.us][KING])
        endanger(x, x.us, W_DANGER_KNIGHT_GUARD, 1);
    check_danger(x, weak);
    return king_danger_value(s->danger[x.us]);
}

/* Where it stands, whether it may still castle, and the danger it is in. */
HOT Packed king(Side x)
{
    const Sheet *s = x.sheet;
    const Square square = s->king[x.us];
    Packed score = credit(
        x, W_KING_PLACEMENT + rank_relative(x.us, square) * 4 + edge_distance(square_file(square)),
        1);
    score += credit(x, W_KING_CASTLING, bb_count((Bitboard)(s->p->st.castling & 3 << 2 * x.us)));
    if (!(pos_type(s->p, PAWN) & king_flank[square_file(square)]))
        score += credit(x, W_KING_PAWNLESS_FLANK, 1);
    return score + king_danger(x);
}

/* --- threats --- */

/* By victim, from pawn to queen. */
HOT Packed threats_on(Side x, int weights, Bitboard victims)
{
    Packed score = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        score += credit(x, weights + t, bb_count(victims & pos_type(x.sheet->p, t)));
    return score;
}

/* Squares to which a pawn can step without being lost. */
HOT Bitboard safe_pawn_steps(Side x)
{
    const Sheet *s = x.sheet;
    Bitboard steps = bb_forward(x.us, ours(x, PAWN)) & ~s->occupied;
    steps |= bb_forward(x.us, steps & bb_relative_rank(x.us, 2)) & ~s->occupied;
    return steps & ~s->attacked_by[x.them][PAWN] & (s->attacked[x.us] | ~s->attacked[x.them]);
}

/* Safe squares from which the only enemy queen would be attacked. */
HOT Packed queen_threats(Side x, Bitboard safe)
{
    const Sheet *s = x.sheet;
    const Bitboard queens = theirs(x, QUEEN);
    if (!queens || bb_several(queens))
        return 0;
    const Square queen = bb_first(queens);
    const Bitboard squares = safe & s->mobility_area[x.us];
    const Bitboard sliders = (s->attacked_by[x.us][BISHOP] & bishop_attacks(queen, s->occupied)) |
                             (s->attacked_by[x.us][ROOK] & rook_attacks(queen, s->occupied));
    return credit(x, W_THREAT_QUEEN_BY_KNIGHT,
                  bb_count(squares & s->attacked_by[x.us][KNIGHT] & attack_knight[queen])) +
           credit(x, W_THREAT_QUEEN_BY_SLIDER,
                  bb_count(squares & sliders & s->attacked_twice[x.us]));
}

/* Attacks on men that are not held, by the kind of the attacker; squares that both sides contest;
 * pawn steps that would attack. */
HOT Packed threats(Side x)
{
    const Sheet *s = x.sheet;
    const Position *p = s->p;
    const Bitboard enemies = pos_color(p, x.them), pieces = enemies & ~pos_type(p, PAWN);
    const Bitboard *by = s->attacked_by[x.us];
    /* Held by a pawn, or by more men than attack it. */
    const Bitboard held =
        s->attacked_by[x.them][PAWN] | (s->attacked_twice[x.them] & ~s->attacked_twice[x.us]);
    const Bitboard weak = enemies & ~held & s->attacked[x.us];
    const Bitboard safe = ~s->attacked[x.them] | s->attacked[x.us];

    Packed score =
        threats_on(x, W_THREAT_BY_PAWN, pieces & bb_pawn_attacks(x.us, ours(x, PAWN) & safe));
    score += threats_on(x, W_THREAT_BY_MINOR, (weak | (pieces & held)) & (by[KNIGHT] | by[BISHOP]));
    score += threats_on(x, W_THREAT_BY_ROOK, weak & by[ROOK]);
    if (weak & by[KING])
        score += credit(x, W_THREAT_BY_KING, 1);

    const Bitboard hanging = weak & (~s->attacked[x.them] | (pieces & s->attacked_twice[x.us]));
    score += credit(x, W_THREAT_HANGING, bb_count(hanging));
    score += credit(x, W_THREAT_QUEEN_GUARD, bb_count(weak & s->attacked_by[x.them][QUEEN]));
    score +=
        credit(x, W_THREAT_RESTRICT, bb_count(s->attacked[x.them] & ~held & s->attacked[x.us]));
    score += credit(x, W_THREAT_PUSH, bb_count(bb_pawn_attacks(x.us, safe_pawn_steps(x)) & pieces));
    return score + queen_threats(x, ~held & ~s->attacked_by[x.them][PAWN]);
}

/* --- passed pawns --- */

/* How free the way is:
 * 0 an enemy stands on the next square, 1 an own man does, 2 it is attacked and not held, 3
 * attacked and held, 4 safe but something waits further on, 5 safe all the way. */
HOT int passed_way(Side x, Square stop, Bitboard way)
{
    const Sheet *s = x.sheet;
    if (bb_has(pos_color(s->p, x.them), stop))
        return 0;
    if (bb_has(s->occupied, stop))
        return 1;
    if (bb_has(s->attacked[x.them], stop))
        return bb_has(s->attacked[x.us], stop) ? 3 : 2;
    return way & (s->attacked[x.them] | pos_color(s->p, x.them)) ? 4 : 5;
}

/* Nothing but king and pawns may stop it, and the king comes too late. */
HOT bool passed_is_unstoppable(Side x, Square from, Bitboard way)
{
    const Position *p = x.sheet->p;
    if (pos_has_pieces(p, x.them) || (way & x.sheet->occupied))
        return false;
    const Square goal = square_make(square_file(from), x.us == WHITE ? 7 : 0);
    const int rank = rank_relative(x.us, from), left = rank == 1 ? 5 : 7 - rank;
    return king_steps(x.sheet->king[x.them], goal) - (p->turn == x.them) > left;
}

/* Those terms of passed pawns that depend on pieces: a free way, rooks behind, a king that comes
 * too late. The pawn table has the rest. */
HOT Packed passed_pawns(Side x)
{
    const Sheet *s = x.sheet;
    Packed score = 0;
    for (Bitboard b = s->pawns->passed & pos_color(s->p, x.us); b;) {
        const Square from = bb_pop(&b), stop = from + (x.us == WHITE ? 8 : -8);
        const Bitboard way = file_ahead(x.us, from), behind = file_ahead(x.them, from);
        score +=
            credit(x, W_PASSED_WAY + passed_way(x, stop, way) * 8 + rank_relative(x.us, from), 1);

        const Bitboard rooks = behind & (pos_type(s->p, ROOK) | pos_type(s->p, QUEEN));
        if (rooks) {
            const Bitboard seen = rook_attacks(from, s->occupied) & rooks;
            if (seen & pos_color(s->p, x.us))
                score += credit(x, W_PASSED_ROOK_BEHIND, 1);
            if (seen & pos_color(s->p, x.them))
                score += credit(x, W_PASSED_ROOK_BEHIND + 1, 1);
        }
        if (passed_is_unstoppable(x, from, way))
            score += credit(x, W_PASSED_UNSTOPPABLE, 1);
    }
    return score;
}

/* --- centre and space --- */

/* Control of the four central squares, and room behind the own pawns. */
HOT Packed centre_and_space(Side x, const Census *men)
{
    const Sheet *s = x.sheet;
    Packed score = credit(x, W_CENTRE_CONTROL,
                          bb_count(centre & s->attacked[x.us] & ~s->attacked_by[x.them][PAWN]));

    /* Squares c to f on our second to fourth rank that no enemy pawn attacks; those behind an own
     * pawn count twice. Room is worth more the more men have to share it. */
    const int *own = men->count[x.us];
    const int crowd = own[KNIGHT] + own[BISHOP] + own[ROOK] + own[QUEEN];
    if (crowd < 4)
        return score;
    const Bitboard pawns = ours(x, PAWN), files = FILE_A * 0x3C;
    const Bitboard ranks =
        bb_relative_rank(x.us, 1) | bb_relative_rank(x.us, 2) | bb_relative_rank(x.us, 3);
    const Bitboard room = files & ranks & ~pawns & ~s->attacked_by[x.them][PAWN];
    const Bitboard behind = bb_forward(x.them, pawns) |
                            bb_forward(x.them, bb_forward(x.them, pawns)) |
                            bb_forward(x.them, bb_forward(x.them, bb_forward(x.them, pawns)));
    const int squares = bb_count(room) + bb_count(room & behind & ~s->attacked[x.them]);
    return score + credit(x, W_SPACE, squares * crowd * crowd / 16);
}

/* --- the sum --- */

/* How easy it is to make progress, for whoever is better. */
HOT int initiative(Side x, const Census *men)
{
    const Position *p = x.sheet->p;
    const Bitboard pawns = pos_type(p, PAWN), queenside = FILE_A * 0x0F;
    const Square white = x.sheet->king[WHITE], black = x.sheet->king[BLACK];
    const int files = square_file(white) - square_file(black),
              ranks = square_rank(white) - square_rank(black);
    const int outflanking = (files < 0 ? -files : files) - (ranks < 0 ? -ranks : ranks);

    Packed sum = credit(x, W_INITIATIVE_BASE, 1);
    sum += credit(x, W_INITIATIVE_PAWNS, men->count[WHITE][PAWN] + men->count[BLACK][PAWN]);
    sum += credit(x, W_INITIATIVE_PASSED, bb_count(x.sheet->pawns->passed));
    sum += credit(x, W_INITIATIVE_OUTFLANKING, outflanking);
    if ((pawns & queenside) && (pawns & ~queenside))
        sum += credit(x, W_INITIATIVE_BOTH_FLANKS, 1);
    if (square_rank(white) > 3 || square_rank(black) < 4)
        sum += credit(x, W_INITIATIVE_INFILTRATION, 1);
    if (!pos_has_pieces(p, WHITE) && !pos_has_pieces(p, BLACK))
        sum += credit(x, W_INITIATIVE_PAWN_ENDING, 1);
    return packed_eg(sum);
}

HOT void count_men(const Position *p, Census *men)
{
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= QUEEN; t++)
            men->count[c][t] = bb_count(pos_pieces(p, c, t));
}

HOT int game_phase(const Census *men)
{
    int phase = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        phase += men->count[c][KNIGHT] + men->count[c][BISHOP] + 2 * men->count[c][ROOK] +
                 4 * men->count[c][QUEEN];
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

ALWAYS_INLINE int clamp_score(int v)
{
    return v > CLASSICAL_MAX ? CLASSICAL_MAX : v < -CLASSICAL_MAX ? -CLASSICAL_MAX : v;
}

/* White's score. tally and trace are both NULL or both given, and constant for the compiler. */
HOT int evaluate(const Position *p, PawnTable *table, Tally *tally, ClassicalTrace *trace)
{
    int known;
    if (UNLIKELY(classical_may_know(p)) && endgame_known(p, &known)) {
        if (trace)
            trace->known = true;
        if (!tally)
            return clamp_score(known);
    }

    PawnEntry scratch;
    Sheet sheet; /* filled by prepare() */
    sheet.p = p;
    sheet.occupied = pos_occupied(p);
    sheet.pawns = pawns_evaluate(p, table, tally, &scratch);
    const Side white = {&sheet, tally, WHITE, BLACK}, black = {&sheet, tally, BLACK, WHITE};
    Census men;
    count_men(p, &men);

    prepare(white);
    prepare(black);
    Packed sum = sheet.pawns->score;
    sum += material(white, &men) - material(black, &men);
    sum += all_pieces(white) - all_pieces(black);
    sum += king(white) - king(black);
    sum += threats(white) - threats(black);
    sum += passed_pawns(white) - passed_pawns(black);
    sum += centre_and_space(white, &men) - centre_and_space(black, &men);
    sum += p->turn == WHITE ? credit(white, W_TEMPO, 1) : -credit(black, W_TEMPO, 1);

    int eg = packed_eg(sum);
    eg += initiative_value(eg, initiative(white, &men));
    const int phase = game_phase(&men);
    const int scale = endgame_scale(p, eg > 0 ? WHITE : BLACK, sheet.pawns->passed);
    if (trace) {
        trace->phase = phase;
        trace->scale = scale;
        if (trace->known)
            return clamp_score(known);
    }
    return clamp_score(taper(packed_mg(sum), eg, phase, scale));
}

/* --- interface --- */

static void init_once(void)
{
    attacks_init();
    endgame_init();
}

void classical_init(void)
{
    static Once once = ONCE_INIT;
    thread_once(&once, init_once);
}

PawnTable *pawn_table_create(void)
{
    PawnTable *table = memory_alloc(sizeof(PawnTable), CACHE_LINE);
    if (table)
        pawn_table_clear(table);
    return table;
}

void pawn_table_destroy(PawnTable *table) { memory_free(table); }

void pawn_table_clear(PawnTable *table)
{
    memset(table, 0, sizeof *table);
    /* An empty entry must not pass for the position whose key is 0. */
    table->entries[0].key = 1;
}

int classical_evaluate(const Position *p, PawnTable *table)
{
    const int score = evaluate(p, table, NULL, NULL);
    return p->turn == WHITE ? score : -score;
}

bool classical_knows(const Position *p, int *score)
{
    int known;
    if (!classical_may_know(p) || !endgame_known(p, &known))
        return false;
    *score = clamp_score(p->turn == WHITE ? known : -known);
    return true;
}

void classical_tally(const Position *p, Tally *tally, ClassicalTrace *trace)
{
    memset(tally, 0, sizeof *tally);
    memset(trace, 0, sizeof *trace);
    trace->total = evaluate(p, NULL, tally, trace);
}
