// SPDX-License-Identifier: GPL-3.0-or-later
#include "classical/pawns.h"

#include "chess/zobrist.h"

/* All that is asked about one pawn. */
typedef struct Pawn {
    Color us;
    Square square;
    int rank;                 /* seen from its own side */
    Bitboard opponents_ahead; /* on its file */
    Bitboard guards;          /* enemy pawns that stand or guard in its way, its file included */
    Bitboard levers;          /* enemy pawns it may take */
    Bitboard neighbours;      /* own pawns on the files beside */
    Bitboard phalanx;         /* of them, on its rank */
    Bitboard supporters;      /* own pawns that defend it */
    bool doubled;             /* an own pawn ahead */
} Pawn;

/* Everything that the terms ask about one pawn, as bitboards. */
static Pawn pawn_describe(const Position *p, Color us, Square s)
{
    const Color them = color_flip(us);
    const Bitboard ours = pos_pieces(p, us, PAWN), theirs = pos_pieces(p, them, PAWN);
    const Bitboard beside = files_beside(s), ahead = file_ahead(us, s);
    return (Pawn){
        .us = us,
        .square = s,
        .rank = rank_relative(us, s),
        .opponents_ahead = theirs & ahead,
        .guards = theirs & (ahead | (beside & ranks_ahead(us, s))),
        .levers = theirs & attack_pawn[us][s],
        .neighbours = ours & beside,
        .phalanx = ours & beside & bb_rank(square_rank(s)),
        .supporters = ours & attack_pawn[them][s],
        .doubled = (ours & ahead) != 0,
    };
}

static bool pawn_is_passed(const Pawn *w) { return !w->guards && !w->doubled; }

/* No neighbour can ever defend it, and an enemy pawn forbids the next step. */
static bool pawn_is_backward(const Position *p, const Pawn *w)
{
    const Bitboard theirs = pos_pieces(p, color_flip(w->us), PAWN);
    const Bitboard stop = bb_forward(w->us, bb_square(w->square));
    const Bitboard forbids = theirs & (stop | attack_pawn[w->us][bb_first(stop)]);
    return forbids && !(w->neighbours & ~ranks_ahead(w->us, w->square));
}

/* The file is free and the enemy's guards beside it are no more than the helpers. */
static bool pawn_is_candidate(const Pawn *w)
{
    if (!w->guards || w->opponents_ahead || w->doubled)
        return false;
    const Bitboard helpers = w->neighbours & ~ranks_ahead(w->us, w->square);
    return bb_count(helpers) >= bb_count(w->guards) &&
           bb_count(w->supporters) >= bb_count(w->levers);
}

/* The terms of one pawn that depend on pawns and kings alone, so that the pawn table can keep them.
 * */
static Packed pawn_structure(const Position *p, const Pawn *w, Tally *tally)
{
    const Color us = w->us;
    const int edge = edge_distance(square_file(w->square));
    const bool open = !w->opponents_ahead;
    const Square own_king = pos_king(p, us), enemy_king = pos_king(p, color_flip(us));
    Packed score = weigh(tally, us, W_PLACEMENT + wing_square(us, w->square, own_king), 1);
    score += weigh(tally, us, W_PLACEMENT_ENEMY + wing_square(us, w->square, enemy_king), 1);

    if (!w->neighbours) {
        score += weigh(tally, us, W_PAWN_ISOLATED + edge, 1);
        if (open)
            score += weigh(tally, us, W_PAWN_ISOLATED_OPEN, 1);
        if (w->doubled)
            score += weigh(tally, us, W_PAWN_DOUBLED_ISOLATED, 1);
    } else if (pawn_is_backward(p, w)) {
        score += weigh(tally, us, W_PAWN_BACKWARD + open, 1);
    }
    if (w->doubled)
        score += weigh(tally, us, W_PAWN_DOUBLED + edge, 1);
    if (w->phalanx)
        score += weigh(tally, us, W_PAWN_PHALANX + w->rank, 1);
    if (w->supporters)
        score += weigh(tally, us, W_PAWN_SUPPORTED + w->rank, 1);
    if (bb_several(w->supporters))
        score += weigh(tally, us, W_PAWN_SUPPORTED_TWICE, 1);
    if (pawn_is_candidate(w))
        score += weigh(tally, us, W_PAWN_CANDIDATE + w->rank, 1);
    if (w->levers)
        score += weigh(tally, us, W_PAWN_LEVER, 1);
    if (w->opponents_ahead & bb_forward(us, bb_square(w->square)))
        score += weigh(tally, us, W_PAWN_RAMMED + w->rank, 1);
    return score;
}

/* What does not depend on pieces; the rest is in passed_way() of the evaluation. */
static Packed passed_pawn(const Position *p, const Pawn *w, Bitboard passed, Tally *tally)
{
    const Color us = w->us;
    const Square stop = bb_first(bb_forward(us, bb_square(w->square)));
    const Bitboard near = bb_rank(square_rank(w->square)) | attack_king[w->square];
    Packed score = weigh(tally, us, W_PASSED_RANK + w->rank, 1);
    score += weigh(tally, us, W_PASSED_FILE + edge_distance(square_file(w->square)), 1);
    score += weigh(tally, us, W_PASSED_OWN_KING + w->rank, king_steps(pos_king(p, us), stop));
    score += weigh(tally, us, W_PASSED_ENEMY_KING + w->rank,
                   king_steps(pos_king(p, color_flip(us)), stop));
    if (passed & w->neighbours & near)
        score += weigh(tally, us, W_PASSED_CONNECTED + w->rank, 1);
    return score;
}

/* Files with pawns, grouped: an island begins where the file to the left has none. */
static int island_count(Bitboard pawns)
{
    Bitboard files = pawns | pawns >> 32;
    files |= files >> 16;
    files |= files >> 8;
    files &= 0xFF;
    return bb_count(files & ~(files << 1));
}

/* Passed pawns come second: their terms need to know all passed pawns of the side. */
static Packed side_pawns(const Position *p, Color us, PawnEntry *entry, Tally *tally)
{
    const Bitboard ours = pos_pieces(p, us, PAWN);
    const Bitboard centre = bb_square(D4) | bb_square(E4) | bb_square(D5) | bb_square(E5);
    Packed score = weigh(tally, us, W_PAWN_ISLAND, island_count(ours));
    score += weigh(tally, us, W_CENTRE_PAWN, bb_count(ours & centre));

    Bitboard passed = 0;
    for (Bitboard b = ours; b;) {
        const Pawn w = pawn_describe(p, us, bb_pop(&b));
        score += pawn_structure(p, &w, tally);
        if (pawn_is_passed(&w))
            passed |= bb_square(w.square);
    }
    for (Bitboard b = passed; b;) {
        const Pawn w = pawn_describe(p, us, bb_pop(&b));
        score += passed_pawn(p, &w, passed, tally);
    }
    entry->passed |= passed;
    entry->attack_span[us] = fill_forward(us, bb_pawn_attacks(us, ours));
    return score;
}

/* The pawn of a set that is nearest to c's first rank; the set is not empty. */
static Square rearmost(Color c, Bitboard b)
{
    return c == WHITE ? bits_lowest(b) : bits_highest(b);
}

/* Shield and storm: own and enemy pawns on the three files before the king. Rank 0 stands for "no
 * pawn". */
static Packed king_shelter(const Position *p, Color us, PawnEntry *entry, Tally *tally)
{
    const Square king = pos_king(p, us);
    const Bitboard front = ranks_ahead(us, king) | bb_rank(square_rank(king));
    const Bitboard ours = pos_pieces(p, us, PAWN) & front,
                   theirs = pos_pieces(p, color_flip(us), PAWN) & front;
    const int file = square_file(king), middle = file < 1 ? 1 : file > 6 ? 6 : file;
    Packed score = 0, danger = 0;

    for (int f = middle - 1; f <= middle + 1; f++) {
        const Bitboard shield = ours & bb_file(f), storm = theirs & bb_file(f);
        const int shield_rank = shield ? rank_relative(us, rearmost(us, shield)) : 0;
        const int storm_rank = storm ? rank_relative(us, rearmost(us, storm)) : 0;
        const bool rammed = shield && storm_rank == shield_rank + 1, own_file = f == file;
        const int edge = edge_distance(f);
        score += weigh(tally, us, W_KING_SHIELD + (own_file * 4 + edge) * 8 + shield_rank, 1);
        score += weigh(tally, us, W_KING_STORM + (rammed * 4 + edge) * 8 + storm_rank, 1);
        danger += weigh(tally, us, W_DANGER_SHIELD + own_file * 8 + shield_rank, 1);
        danger += weigh(tally, us, W_DANGER_STORM + rammed * 8 + storm_rank, 1);
    }
    entry->danger[us] = danger;
    return score;
}

/* In endings the king belongs to the pawns, whoever owns them. */
static Packed king_among_pawns(const Position *p, Color us, Tally *tally)
{
    int nearest = 7;
    for (Bitboard b = pos_type(p, PAWN); b;) {
        const int steps = king_steps(pos_king(p, us), bb_pop(&b));
        nearest = steps < nearest ? steps : nearest;
    }
    return pos_type(p, PAWN) ? weigh(tally, us, W_KING_PAWN_DISTANCE, nearest) : 0;
}

static Packed side_total(const Position *p, Color us, PawnEntry *entry, Tally *tally)
{
    return side_pawns(p, us, entry, tally) + king_shelter(p, us, entry, tally) +
           king_among_pawns(p, us, tally);
}

/* Looked up by pawns and kings; tracing bypasses the table, since a hit would write no tally. */
const PawnEntry *pawns_evaluate(const Position *p, PawnTable *table, Tally *tally,
                                PawnEntry *scratch)
{
    const Key key = p->st.pawn_key ^ zobrist_piece[WHITE_KING][pos_king(p, WHITE)] ^
                    zobrist_piece[BLACK_KING][pos_king(p, BLACK)];
    PawnEntry *entry = table && !tally ? &table->entries[key % PAWN_TABLE_SIZE] : scratch;
    if (entry != scratch && entry->key == key)
        return entry;

    entry->key = key;
    entry->passed = 0;
    entry->score = side_total(p, WHITE, entry, tally);
    entry->score -= side_total(p, BLACK, entry, tally);
    return entry;
}
