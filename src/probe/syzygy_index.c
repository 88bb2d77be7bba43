// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/syzygy_index.h"

#include "base/thread.h"
#include <assert.h>
#include <string.h>

enum {
    TRIPLE_PLACES = 31332,
    KING_PLACES = 462,
    TRIANGLE = 10, /* squares of a1-d1-d4 */
    MAX_GROUP = 6,
    MAX_LEAD_PAWNS = 5
};

/* Filled once. */
static struct {
    uint64_t choose[MAX_GROUP + 1][64]; /* [k][n]: ways to choose k of n squares */
    uint8_t triangle[64];               /* a1-d1-d4: below the diagonal first, then on it */
    uint8_t below[64];                  /* b1-h1-h7: 0 to 27 */
    int16_t kings[TRIANGLE][64];        /* -1: too near, or the mirror image of another pair */
    /* Of a pawn: how many squares are left for others if it leads. A pawn leads those of lower
     * rank in this order: nearer to the edge, then further back. */
    uint8_t pawn_order[64];
    uint64_t lead_start[MAX_LEAD_PAWNS + 1][64]; /* first number with this leading pawn */
    uint64_t lead_size[MAX_LEAD_PAWNS + 1][4];   /* numbers of a part */
} map;

/* Above 0: above the diagonal from a1 to h8. */
static int above_diagonal(Square s) { return square_rank(s) - square_file(s); }

/* --- filling the maps --- */

static void init_choose(void)
{
    for (int n = 0; n < 64; n++)
        for (int k = 0; k <= MAX_GROUP; k++)
            map.choose[k][n] = k == 0   ? 1
                               : n == 0 ? 0
                                        : map.choose[k - 1][n - 1] + map.choose[k][n - 1];
}

/* Numbers the squares that are left when a king is mirrored into the triangle a1-d1-d4. */
static void init_triangles(void)
{
    uint8_t below = 0, inner = 0, diagonal = 6;
    for (Square s = A1; s <= H8; s++) {
        const bool near = square_file(s) < 4 && square_rank(s) < 4;
        if (above_diagonal(s) < 0)
            map.below[s] = below++;
        if (near && above_diagonal(s) < 0)
            map.triangle[s] = inner++;
        else if (near && above_diagonal(s) == 0)
            map.triangle[s] = diagonal++;
    }
}

/* Numbers the pairs with the first king on one square of the triangle. A first king on the diagonal
 * wants the second one on it or below; pairs that lie on it together are numbered last of all. */
static void number_kings(Square first, bool both_on_diagonal, int16_t *next)
{
    for (Square second = A1; second <= H8; second++) {
        const bool mirrored = above_diagonal(first) == 0 && above_diagonal(second) > 0;
        const bool on_diagonal = above_diagonal(first) == 0 && above_diagonal(second) == 0;
        if (!bb_has(attack_king[first] | bb_square(first), second) && !mirrored &&
            on_diagonal == both_on_diagonal)
            map.kings[map.triangle[first]][second] = (*next)++;
    }
}

static void init_kings(void)
{
    /* The triangle in the order of its numbers. */
    static const uint8_t order[TRIANGLE] = {B1, C1, D1, C2, D2, D3, A1, B2, C3, D4};
    memset(map.kings, -1, sizeof map.kings);
    int16_t next = 0;
    for (int diagonal = 0; diagonal < 2; diagonal++)
        for (int i = 0; i < TRIANGLE; i++)
            number_kings(order[i], diagonal, &next);
    assert(next == KING_PLACES);
}

/* The order of pawn squares in the format, and where the leading pawns of each file begin. */
static void init_pawns(void)
{
    uint8_t left = 48;
    for (int file = 0; file < 4; file++)
        for (int rank = 1; rank < 7; rank++) {
            map.pawn_order[square_make(file, rank)] = --left;
            map.pawn_order[square_make(7 - file, rank)] = --left;
        }
    for (int pawns = 1; pawns <= MAX_LEAD_PAWNS; pawns++)
        for (int file = 0; file < 4; file++) {
            uint64_t next = 0;
            for (int rank = 1; rank < 7; rank++) {
                const Square s = square_make(file, rank);
                map.lead_start[pawns][s] = next;
                next += map.choose[pawns - 1][map.pawn_order[s]];
            }
            map.lead_size[pawns][file] = next;
        }
}

static void init_maps(void)
{
    attacks_init();
    init_choose();
    init_triangles();
    init_kings();
    init_pawns();
}

void tb_index_init(void)
{
    static Once once = ONCE_INIT;
    thread_once(&once, init_maps);
}

/* --- material --- */

/* What follows from the counts: who leads the index, and whether both sides are alike. */
void tb_material_finish(TbMaterial *m)
{
    m->men = 0;
    m->has_single = false;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++) {
            m->men += m->count[c][t];
            m->has_single = m->has_single || (t != KING && m->count[c][t] == 1);
        }
    m->symmetric = memcmp(m->count[WHITE], m->count[BLACK], sizeof m->count[WHITE]) == 0;
    const int white = m->count[WHITE][PAWN], black = m->count[BLACK][PAWN];
    m->lead = black == 0 || (white > 0 && white <= black) ? WHITE : BLACK;
    m->lead_pawns = m->count[m->lead][PAWN];
    m->other_pawns = m->count[color_flip(m->lead)][PAWN];
}

/* --- layout --- */

/* Reads the men, and sees that they are those of the material, equal ones side by side. */
static bool read_pieces(TbLayout *l, const TbMaterial *m, const uint8_t *codes)
{
    uint8_t seen[2][6] = {{0}};
    for (int i = 0; i < m->men; i++) {
        const int type = (codes[i] & 7) - 1;
        const Color color = codes[i] >> 3;
        if (codes[i] > 14 || type < PAWN || type > KING)
            return false;
        const bool repeats = i > 0 && codes[i] == codes[i - 1];
        if (seen[color][type]++ != 0 && !repeats)
            return false;
        l->pieces[i] = (uint8_t)piece_make(color, type);
    }
    return memcmp(seen, m->count, sizeof seen) == 0;
}

static int how_many(const TbMaterial *m, Piece piece)
{
    return m->count[piece_color(piece)][piece_type(piece)];
}

/* How many men lead; 0 if those in front cannot. */
static int leaders(const TbLayout *l, const TbMaterial *m)
{
    if (m->lead_pawns > 0) {
        const bool other_next = m->other_pawns == 0 ||
                                l->pieces[m->lead_pawns] == piece_make(color_flip(m->lead), PAWN);
        return l->pieces[0] == piece_make(m->lead, PAWN) && other_next ? m->lead_pawns : 0;
    }
    const int wanted = m->has_single ? 3 : 2;
    for (int i = 0; i < wanted; i++)
        if (how_many(m, l->pieces[i]) != 1)
            return 0;
    return wanted;
}

static void make_groups(TbLayout *l, const TbMaterial *m, int lead)
{
    l->length[0] = (uint8_t)lead;
    l->groups = 1;
    for (int i = lead; i < m->men; i += l->length[l->groups - 1])
        l->length[l->groups++] = (uint8_t)how_many(m, l->pieces[i]);
}

static uint64_t lead_places(const TbLayout *l, int file)
{
    if (l->lead_is_pawns)
        return map.lead_size[l->length[0]][file];
    return l->lead_is_triple ? TRIPLE_PLACES : KING_PLACES;
}

/* The groups are multiplied in the order that the table found best: the leading one and the other
 * side's pawns stand where `places` says, the rest fills the gaps in turn. */
static void set_factors(TbLayout *l, const int places[2], int file)
{
    const int fixed = l->other_pawns ? 2 : 1;
    int next = fixed, free_squares = 64 - l->length[0] - (l->other_pawns ? l->length[1] : 0);
    l->size = 1;
    for (int place = 0; place < l->groups; place++) {
        if (place == places[0]) {
            l->factor[0] = l->size;
            l->size *= lead_places(l, file);
        } else if (l->other_pawns && place == places[1]) {
            l->factor[1] = l->size;
            l->size *= map.choose[l->length[1]][48 - l->length[0]];
        } else {
            l->factor[next] = l->size;
            l->size *= map.choose[l->length[next]][free_squares];
            free_squares -= l->length[next++];
        }
    }
}

/* How a position of this material becomes an index; false if the file's description makes no sense.
 * */
bool tb_layout_init(TbLayout *l, const TbMaterial *m, const uint8_t *codes, const int places[2],
                    int file)
{
    *l = (TbLayout){.men = m->men,
                    .lead_is_pawns = m->lead_pawns > 0,
                    .lead_is_triple = m->has_single,
                    .other_pawns = m->lead_pawns > 0 && m->other_pawns > 0};
    if (!read_pieces(l, m, codes))
        return false;
    const int lead = leaders(l, m);
    if (lead == 0)
        return false;
    make_groups(l, m, lead);
    if (places[0] >= l->groups ||
        (l->other_pawns && (places[1] >= l->groups || places[1] == places[0])))
        return false;
    set_factors(l, places, file);
    return true;
}

/* --- positions --- */

/* The squares as the table sees them, in the order of its men. */
static void list_squares(const TbLayout *l, const Position *p, bool flip, uint8_t *squares)
{
    const int turn_board = flip ? 56 : 0;
    for (int i = 0; i < l->men;) {
        const Piece piece = l->pieces[i] ^ flip;
        for (Bitboard b = pos_pieces(p, piece_color(piece), piece_type(piece)); b;)
            squares[i++] = (uint8_t)(bb_pop(&b) ^ turn_board);
    }
}

/* Few numbers, nearly in order. */
static void sort(uint8_t *first, int count, const uint8_t *rank)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0; j--) {
            const uint8_t a = first[j - 1], b = first[j];
            if (rank ? rank[a] <= rank[b] : a <= b)
                break;
            first[j - 1] = b;
            first[j] = a;
        }
}

int tb_lead_file(const Position *p, Color lead, bool flip)
{
    Square best = NO_SQUARE;
    for (Bitboard b = pos_pieces(p, lead ^ flip, PAWN); b;) {
        const Square s = bb_pop(&b) ^ (flip ? 56 : 0);
        if (best == NO_SQUARE || map.pawn_order[s] > map.pawn_order[best])
            best = s;
    }
    const int file = square_file(best);
    return file < 4 ? file : 7 - file;
}

/* All of them, even those that no man stands on: one instruction. */
static void mirror(uint8_t squares[TB_MAX_MEN], int with)
{
    for (int i = 0; i < TB_MAX_MEN; i++)
        squares[i] ^= (uint8_t)with;
}

/* The leading pawn comes to the left half of the board; it is the last by its order, and the number
 * is built from the others upwards. */
static uint64_t number_lead_pawns(const TbLayout *l, uint8_t *squares)
{
    const int pawns = l->length[0];
    sort(squares, pawns, map.pawn_order);
    if (square_file(squares[pawns - 1]) > 3)
        mirror(squares, 7);
    uint64_t number = map.lead_start[pawns][squares[pawns - 1]];
    sort(squares, pawns - 1, map.pawn_order);
    for (int i = 0; i < pawns - 1; i++)
        number += map.choose[i + 1][map.pawn_order[squares[i]]];
    return number;
}

/* Brings the first man into a1-d1-d4, and the first that is not on the diagonal below it. */
static void mirror_pieces(const TbLayout *l, uint8_t *squares)
{
    if (square_file(squares[0]) > 3)
        mirror(squares, 7);
    if (square_rank(squares[0]) > 3)
        mirror(squares, 56);
    for (int i = 0; i < l->length[0]; i++) {
        if (above_diagonal(squares[i]) == 0)
            continue;
        if (above_diagonal(squares[i]) > 0)
            for (int k = 0; k < TB_MAX_MEN; k++)
                squares[k] = (uint8_t)square_make(square_rank(squares[k]), square_file(squares[k]));
        break;
    }
}

/* By how many of the three men are on the diagonal: each of these cases has its own range. The
 * first man has 6 squares below the diagonal and 4 on it, the next 28 below and 7 left on it. */
static uint64_t number_triple(const uint8_t *s)
{
    enum {
        ONE_ON_IT = 6 * 63 * 62,
        TWO_ON_IT = ONE_ON_IT + 4 * 28 * 62,
        ALL_ON_IT = TWO_ON_IT + 4 * 7 * 28
    };
    const int second_skips = s[1] > s[0], third_skips = (s[2] > s[0]) + (s[2] > s[1]);
    int number;
    if (above_diagonal(s[0]) != 0)
        number = (map.triangle[s[0]] * 63 + s[1] - second_skips) * 62 + s[2] - third_skips;
    else if (above_diagonal(s[1]) != 0)
        number = ONE_ON_IT + (square_rank(s[0]) * 28 + map.below[s[1]]) * 62 + s[2] - third_skips;
    else if (above_diagonal(s[2]) != 0)
        number = TWO_ON_IT + (square_rank(s[0]) * 7 + square_rank(s[1]) - second_skips) * 28 +
                 map.below[s[2]];
    else
        number = ALL_ON_IT + (square_rank(s[0]) * 7 + square_rank(s[1]) - second_skips) * 6 +
                 square_rank(s[2]) - third_skips;
    return (uint64_t)number;
}

static uint64_t number_lead(const TbLayout *l, uint8_t *squares)
{
    if (l->lead_is_pawns)
        return number_lead_pawns(l, squares);
    mirror_pieces(l, squares);
    if (l->lead_is_triple)
        return number_triple(squares);
    const int number = map.kings[map.triangle[squares[0]]][squares[1]];
    return number < 0 ? 0
                      : (uint64_t)number; /* kings side by side: no such position can be asked */
}

/* Each square counts without those before it that are taken by earlier groups; pawns have no first
 * rank. */
static uint64_t number_group(uint8_t *squares, int begin, int length, int skipped)
{
    uint64_t number = 0;
    sort(squares + begin, length, NULL);
    for (int i = 0; i < length; i++) {
        int place = squares[begin + i] - skipped;
        for (int k = 0; k < begin; k++)
            place -= squares[k] < squares[begin + i];
        number += map.choose[i + 1][place];
    }
    return number;
}

uint64_t tb_layout_index(const TbLayout *l, const Position *p, bool flip)
{
    uint8_t squares[TB_MAX_MEN] = {0};
    list_squares(l, p, flip, squares);
    uint64_t index = number_lead(l, squares) * l->factor[0];
    for (int group = 1, begin = l->length[0]; group < l->groups; begin += l->length[group++]) {
        const int skipped = group == 1 && l->other_pawns ? 8 : 0;
        index += number_group(squares, begin, l->length[group], skipped) * l->factor[group];
    }
    return index;
}
