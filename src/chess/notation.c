// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation.h"

#include "chess/movegen.h"
#include <string.h>

static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static bool is_rank(char c) { return c >= '1' && c <= '8'; }

/* Two characters. */
static Square read_square(const char *s)
{
    return is_file(s[0]) && is_rank(s[1]) ? square_make(s[0] - 'a', s[1] - '1') : NO_SQUARE;
}

static char *write_square(char *out, Square s)
{
    *out++ = (char)('a' + square_file(s));
    *out++ = (char)('1' + square_rank(s));
    return out;
}

/* A man by its letter, upper or lower case; NO_PIECE_TYPE if it is none. */
static PieceType read_man(char c)
{
    switch (c) {
    case 'P':
    case 'p':
        return PAWN;
    case 'N':
    case 'n':
        return KNIGHT;
    case 'B':
    case 'b':
        return BISHOP;
    case 'R':
    case 'r':
        return ROOK;
    case 'Q':
    case 'q':
        return QUEEN;
    case 'K':
    case 'k':
        return KING;
    default:
        return NO_PIECE_TYPE;
    }
}

static bool is_playable(const Position *p, Move m)
{
    return pos_is_pseudo_legal(p, m) && pos_is_legal(p, m);
}

/* --- UCI --- */

static Square castled_king(Square king, bool to_the_east)
{
    return square_make(to_the_east ? square_file(G1) : square_file(C1), square_rank(king));
}

/* Castling is stored as king takes rook; only Chess960 says it so, standard chess names the king's
 * target. */
void move_to_uci(Move m, bool chess960, char out[UCI_MOVE_SIZE])
{
    if (m == MOVE_NONE || m == MOVE_NULL) {
        memcpy(out, "0000", 5);
        return;
    }
    const Square from = move_from(m);
    Square to = move_to(m);
    if (move_kind(m) == CASTLING && !chess960)
        to = castled_king(from, to > from);
    char *end = write_square(write_square(out, from), to);
    if (move_kind(m) == PROMOTION)
        *end++ = "nbrq"[move_promotion(m) - KNIGHT];
    *end = '\0';
}

/* In either spelling. A king step of one file is never castling: that would hide the plain move. */
static Move find_castling(const Position *p, Square from, Square to)
{
    for (int side = CASTLE_SHORT; side <= CASTLE_LONG; side++) {
        if (!(p->st.castling & CASTLE_RIGHT(p->turn, side)))
            continue;
        const Square rook = p->castle_rook[CASTLE_INDEX(p->turn, side)];
        const int files = square_file(to) - square_file(from);
        const bool jump = to == castled_king(from, side == CASTLE_SHORT) && files * files >= 4;
        const Move m = move_make_kind(from, rook, CASTLING);
        if ((to == rook || jump) && is_playable(p, m))
            return m;
    }
    return MOVE_NONE;
}

/* The legal move between two squares; promotion is NO_PIECE_TYPE if none was written. */
static Move find_between(const Position *p, Square from, Square to, PieceType promotion)
{
    const Piece piece = p->board[from];
    Move m = move_make(from, to);
    if (promotion != NO_PIECE_TYPE)
        m = move_make_promotion(from, to, promotion);
    else if (piece == piece_make(p->turn, PAWN) && to == p->st.ep)
        m = move_make_kind(from, to, EN_PASSANT);

    if (is_playable(p, m))
        return m;
    if (piece == piece_make(p->turn, KING) && promotion == NO_PIECE_TYPE)
        return find_castling(p, from, to);
    return MOVE_NONE;
}

static bool is_promotion_man(PieceType t) { return t >= KNIGHT && t <= QUEEN; }

Move move_from_uci(const Position *p, Str text)
{
    if (text.len < 4 || text.len > 5)
        return MOVE_NONE;
    const Square from = read_square(text.ptr), to = read_square(text.ptr + 2);
    const PieceType promotion = text.len == 5 ? read_man(text.ptr[4]) : NO_PIECE_TYPE;
    if (from == NO_SQUARE || to == NO_SQUARE || (text.len == 5 && !is_promotion_man(promotion)))
        return MOVE_NONE;
    return find_between(p, from, to, promotion);
}

/* --- writing SAN --- */

/* Own men of type t that attack `to`: whether they may go there, is_playable says. Few men stand on
 * the lines through a square, so looking between is cheaper than the large tables of attacks. */
static Bitboard candidates(const Position *p, PieceType t, Square to, Bitboard origin)
{
    const Bitboard reach = t == KNIGHT   ? attack_knight[to]
                           : t == BISHOP ? ray_bishop[to]
                           : t == ROOK   ? ray_rook[to]
                           : t == QUEEN  ? ray_bishop[to] | ray_rook[to]
                                         : attack_king[to];
    const Bitboard occupied = pos_occupied(p);
    Bitboard found = 0;
    for (Bitboard b = reach & origin & pos_pieces(p, p->turn, t); b;) {
        const Square s = bb_pop(&b);
        if (!(bb_between(s, to) & occupied))
            found |= bb_square(s);
    }
    return found;
}

/* The file if that tells the man from all others that could go there, else the rank, else both. */
static char *write_origin(const Position *p, PieceType t, Square from, Square to, char *out)
{
    Bitboard others = 0;
    for (Bitboard b = candidates(p, t, to, ~bb_square(from)); b;) {
        const Square s = bb_pop(&b);
        if (is_playable(p, move_make(s, to)))
            others |= bb_square(s);
    }
    if (!others)
        return out;
    const bool file_tells = !(others & bb_file(square_file(from)));
    const bool rank_tells = !(others & bb_rank(square_rank(from)));
    if (file_tells || !rank_tells)
        *out++ = (char)('a' + square_file(from));
    if (!file_tells)
        *out++ = (char)('1' + square_rank(from));
    return out;
}

/* Piece, origin where two could go, capture mark, target, promotion. */
static char *write_man_move(const Position *p, Move m, char *out)
{
    const Square from = move_from(m), to = move_to(m);
    const PieceType t = piece_type(p->board[from]);
    const bool capture = pos_captured(p, m) != NO_PIECE;
    if (t == PAWN) {
        if (capture)
            *out++ = (char)('a' + square_file(from));
    } else {
        *out++ = "PNBRQK"[t];
        out = write_origin(p, t, from, to, out);
    }
    if (capture)
        *out++ = 'x';
    out = write_square(out, to);
    if (move_kind(m) == PROMOTION) {
        *out++ = '=';
        *out++ = "PNBRQK"[move_promotion(m)];
    }
    return out;
}

/* Makes the move only if it gives check, to tell mate from check. */
static char *write_check(const Position *p, Move m, char *out)
{
    CheckInfo info;
    pos_check_info(p, &info);
    if (!pos_gives_check(p, &info, m))
        return out;
    Position after = *p;
    Undo undo;
    pos_make(&after, m, &undo, NULL);
    *out++ = pos_has_legal_move(&after) ? '+' : '#';
    return out;
}

/* Castling counts as short if the rook stands on the king's right, wherever both started. */
void move_to_san(const Position *p, Move m, char out[SAN_SIZE])
{
    if (m == MOVE_NULL || m == MOVE_NONE) {
        memcpy(out, "--", 3);
        return;
    }
    char *end = out;
    if (move_kind(m) == CASTLING) {
        const size_t len = move_to(m) > move_from(m) ? 3 : 5;
        memcpy(out, "O-O-O", len);
        end += len;
    } else
        end = write_man_move(p, m, out);
    *write_check(p, m, end) = '\0';
}

/* --- reading SAN --- */

typedef struct San {
    PieceType man;       /* NO_PIECE_TYPE: whatever stands on the origin */
    PieceType promotion; /* NO_PIECE_TYPE: none */
    Bitboard origin;     /* where the man may stand, as far as the text says */
    Square to;
    bool capture;
} San;

static bool is_mark(char c)
{
    return c == '+' || c == '#' || c == '!' || c == '?' || c == '=' || c == '/' || c == '-' ||
           c == '~';
}

/* Check marks, judgements, "e.p.": all that may follow a move and does not change it. */
static Str cut_tail(Str s)
{
    static const char *const en_passant[] = {"e.p.", "e.p", "ep"};
    while (s.len > 0 && is_mark(s.ptr[s.len - 1]))
        s.len--;
    if (s.len > 0 && is_rank(s.ptr[s.len - 1]))
        return s;
    for (int i = 0; i < 3; i++) {
        const size_t len = strlen(en_passant[i]);
        if (s.len > len && !memcmp(s.ptr + s.len - len, en_passant[i], len)) {
            s.len -= len;
            break;
        }
    }
    return s;
}

/* e8=Q, e8Q, e8(Q), e8/Q, in either case. Cuts it off. */
static PieceType cut_promotion(Str *s)
{
    const char *end = s->ptr + s->len;
    const bool bracket = s->len >= 5 && end[-1] == ')' && end[-3] == '(';
    if (s->len < 3)
        return NO_PIECE_TYPE;
    const char before = bracket ? end[-4] : end[-2];
    const PieceType t = read_man(bracket ? end[-2] : end[-1]);
    if (!is_promotion_man(t) || !(is_rank(before) || before == '=' || before == '/'))
        return NO_PIECE_TYPE;
    s->len -= bracket ? 3 : 1;
    while (s->len > 0 && !is_rank(s->ptr[s->len - 1]))
        s->len--;
    return t;
}

/* [file][rank][x or dash]: what stands between the letter of the man and the target. */
static bool read_origin(Str s, San *san)
{
    size_t i = 0;
    san->origin = ~0ULL;
    san->capture = false;
    if (i < s.len && is_file(s.ptr[i]))
        san->origin &= bb_file(s.ptr[i++] - 'a');
    if (i < s.len && is_rank(s.ptr[i]))
        san->origin &= bb_rank(s.ptr[i++] - '1');
    if (i < s.len && (s.ptr[i] == 'x' || s.ptr[i] == ':' || s.ptr[i] == '-'))
        san->capture = s.ptr[i++] != '-';
    return i == s.len;
}

/* Captures may lack their x, and the origin may be a file or a square; two pawns that fit make the
 * text ambiguous. */
static Move find_pawn_move(const Position *p, const San *san)
{
    const Color us = p->turn;
    const Bitboard pawns = pos_pieces(p, us, PAWN) & san->origin;
    const Square to = san->to;
    const bool straight = !san->capture && bb_has(san->origin, to);
    Bitboard from;
    if (straight) {
        from = pawns & bb_forward(color_flip(us), bb_square(to));
        if (!from && rank_relative(us, to) == 3)
            from = pawns & bb_square(to ^ 16);
    } else
        from = pawns & attack_pawn[color_flip(us)][to];

    Move found = MOVE_NONE;
    while (from) {
        const Move m = find_between(p, bb_pop(&from), to, san->promotion);
        if (m != MOVE_NONE && found != MOVE_NONE)
            return MOVE_NONE;
        if (m != MOVE_NONE)
            found = m;
    }
    return found;
}

/* The one legal move that fits; none if two do, because a wrong guess would spoil the rest of the
 * game. */
static Move find_man_move(const Position *p, const San *san)
{
    Move found = MOVE_NONE;
    if (bb_has(p->by_color[p->turn], san->to) || san->promotion != NO_PIECE_TYPE)
        return MOVE_NONE;
    for (Bitboard from = candidates(p, san->man, san->to, san->origin); from;) {
        const Move m = move_make(bb_pop(&from), san->to);
        /* Out of check the man attacks the square, and that is all pseudo-legality asks. */
        if (p->st.checkers ? !is_playable(p, m) : !pos_is_legal(p, m))
            continue;
        if (found != MOVE_NONE)
            return MOVE_NONE;
        found = m;
    }
    return found;
}

static Move find_san(const Position *p, const San *san)
{
    if (!bb_several(san->origin)) {
        const Square from = bb_first(san->origin);
        if (san->man != NO_PIECE_TYPE && piece_type(p->board[from]) != san->man)
            return MOVE_NONE;
        return find_between(p, from, san->to, san->promotion);
    }
    return san->man == PAWN ? find_pawn_move(p, san) : find_man_move(p, san);
}

static bool is_castling_letter(char c) { return c == 'O' || c == '0' || c == 'o'; }

/* O-O and O-O-O, with the letter in either case or zeros. */
static Move find_written_castling(const Position *p, Str s)
{
    if (s.len != 3 && s.len != 5)
        return MOVE_NONE;
    for (size_t i = 0; i < s.len; i++)
        if (i % 2 ? s.ptr[i] != '-' : !is_castling_letter(s.ptr[i]))
            return MOVE_NONE;
    const int side = s.len == 3 ? CASTLE_SHORT : CASTLE_LONG;
    if (!(p->st.castling & CASTLE_RIGHT(p->turn, side)))
        return MOVE_NONE;
    const Square king = pos_king(p, p->turn), rook = p->castle_rook[CASTLE_INDEX(p->turn, side)];
    const Move m = move_make_kind(king, rook, CASTLING);
    return is_playable(p, m) ? m : MOVE_NONE;
}

static bool is_null_move(Str s)
{
    return str_is(s, "--") || str_is(s, "Z0") || str_is(s, "0000") || str_is(s, "@@@@");
}

/* The rest of the text stands before the target square. A letter says the man; without one it is a
 * pawn, or whatever stands on the origin if that is given in full. */
static Move find_with_prefix(const Position *p, Str prefix, San *san)
{
    if (prefix.len == 0 || is_file(prefix.ptr[0])) {
        if (!read_origin(prefix, san))
            return MOVE_NONE;
        san->man = bb_several(san->origin) ? PAWN : NO_PIECE_TYPE;
        return find_san(p, san);
    }
    const bool lone_x = prefix.ptr[0] == 'x';
    const size_t letters = lone_x ? 0 : 1;
    san->man = lone_x ? PAWN : read_man(prefix.ptr[0]);
    if (san->man == NO_PIECE_TYPE ||
        !read_origin((Str){prefix.ptr + letters, prefix.len - letters}, san))
        return MOVE_NONE;
    return find_san(p, san);
}

/* Generous in what it reads: marks behind the move, lower-case bishops, zeros for castling, e8Q and
 * e8(Q). */
Move move_from_san(const Position *p, Str text)
{
    enum { LONGEST = 24 };
    if (text.len < 2 || text.len > LONGEST)
        return MOVE_NONE;
    const char first = text.ptr[0];
    Str s = cut_tail(text);
    if (is_castling_letter(first) || first == '-' || first == 'Z' || first == '@')
        return is_null_move(text) ? MOVE_NULL : find_written_castling(p, s);

    San san = {.promotion = cut_promotion(&s)};
    if (s.len < 2)
        return MOVE_NONE;
    san.to = read_square(s.ptr + s.len - 2);
    if (san.to == NO_SQUARE)
        return MOVE_NONE;
    const Str prefix = {s.ptr, s.len - 2};
    const Move m = find_with_prefix(p, prefix, &san);
    if (m != MOVE_NONE || prefix.len == 0 || prefix.ptr[0] != 'b')
        return m;

    /* A 'b' is the file first, and a bishop in lower case only if no pawn can do it. */
    san.man = BISHOP;
    return read_origin((Str){prefix.ptr + 1, prefix.len - 1}, &san) ? find_san(p, &san) : MOVE_NONE;
}
