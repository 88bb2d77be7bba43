// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position.h"

#include "chess/zobrist.h"
#include <assert.h>
#include <string.h>

/* --- attacks --- */

Bitboard pos_attackers(const Position *p, Square s, Bitboard occupied)
{
    return (attack_pawn[BLACK][s] & pos_pieces(p, WHITE, PAWN)) |
           (attack_pawn[WHITE][s] & pos_pieces(p, BLACK, PAWN)) |
           (attack_knight[s] & p->by_type[KNIGHT]) | (attack_king[s] & p->by_type[KING]) |
           (bishop_attacks(s, occupied) & (p->by_type[BISHOP] | p->by_type[QUEEN])) |
           (rook_attacks(s, occupied) & (p->by_type[ROOK] | p->by_type[QUEEN]));
}

bool pos_attacked(const Position *p, Square s, Color by, Bitboard occupied)
{
    const Bitboard them = p->by_color[by] & occupied;
    return (attack_pawn[color_flip(by)][s] & them & p->by_type[PAWN]) ||
           (attack_knight[s] & them & p->by_type[KNIGHT]) ||
           (attack_king[s] & them & p->by_type[KING]) ||
           (bishop_attacks(s, occupied) & them & (p->by_type[BISHOP] | p->by_type[QUEEN])) ||
           (rook_attacks(s, occupied) & them & (p->by_type[ROOK] | p->by_type[QUEEN]));
}

/* Squares that this side attacks. The enemy king is transparent, so that it does not shade the
 * squares behind it. */
Bitboard pos_threats(const Position *p, Color by)
{
    const Bitboard occupied = pos_occupied(p) ^ pos_pieces(p, color_flip(by), KING);
    Bitboard threats = bb_pawn_attacks(by, pos_pieces(p, by, PAWN)) | attack_king[pos_king(p, by)];
    for (Bitboard b = pos_pieces(p, by, KNIGHT); b;)
        threats |= attack_knight[bb_pop(&b)];
    for (Bitboard b = p->by_color[by] & (p->by_type[BISHOP] | p->by_type[QUEEN]); b;)
        threats |= bishop_attacks(bb_pop(&b), occupied);
    for (Bitboard b = p->by_color[by] & (p->by_type[ROOK] | p->by_type[QUEEN]); b;)
        threats |= rook_attacks(bb_pop(&b), occupied);
    return threats;
}

/* Looks along the lines from the king of colour c: a slider with nothing between gives check, one
 * with a single man between makes that man a blocker. No slider attack is computed. Returns the
 * checking sliders. */
ALWAYS_INLINE Bitboard scan_lines(const Position *p, Color c, PosState *st)
{
    const Square king = pos_king(p, c);
    const Bitboard occupied = pos_occupied(p), own = p->by_color[c];
    Bitboard checkers = 0, blockers = 0, pinners = 0;
    Bitboard sliders = p->by_color[color_flip(c)] &
                       ((ray_bishop[king] & (p->by_type[BISHOP] | p->by_type[QUEEN])) |
                        (ray_rook[king] & (p->by_type[ROOK] | p->by_type[QUEEN])));
    while (sliders) {
        const Square s = bb_pop(&sliders);
        const Bitboard between = bb_between(king, s) & occupied;
        if (!between)
            checkers |= bb_square(s);
        else if (!bb_several(between)) {
            blockers |= between;
            if (between & own)
                pinners |= bb_square(s);
        }
    }
    st->blockers[c] = blockers;
    st->pinners[color_flip(c)] = pinners;
    return checkers;
}

ALWAYS_INLINE void update_checks(Position *p, Color us)
{
    const Square king = pos_king(p, us);
    scan_lines(p, color_flip(us), &p->st);
    p->st.checkers = scan_lines(p, us, &p->st) |
                     (p->by_color[color_flip(us)] & ((attack_pawn[us][king] & p->by_type[PAWN]) |
                                                     (attack_knight[king] & p->by_type[KNIGHT])));
}

/* --- keys --- */

/* XORs a man into (or out of) the keys that it belongs to. */
ALWAYS_INLINE void key_toggle(PosState *st, Piece piece, Key k)
{
    const PieceType t = piece_type(piece);
    st->key ^= k;
    if (t == PAWN) {
        st->pawn_key ^= k;
        return;
    }
    st->nonpawn_key[piece_color(piece)] ^= k;
    if (t == KNIGHT || t == BISHOP || t == KING)
        st->minor_key ^= k;
}

/* From scratch; pos_make() keeps the keys up to date from there on. */
static void compute_keys(const Position *p, PosState *st)
{
    st->key = st->pawn_key = st->minor_key = st->nonpawn_key[0] = st->nonpawn_key[1] = 0;
    for (Bitboard b = pos_occupied(p); b;) {
        const Square s = bb_pop(&b);
        key_toggle(st, p->board[s], zobrist_piece[p->board[s]][s]);
    }
    st->key ^= zobrist_castling[p->st.castling];
    if (p->st.ep != NO_SQUARE)
        st->key ^= zobrist_ep[square_file(p->st.ep)];
    if (p->turn == BLACK)
        st->key ^= zobrist_turn;
}

/* --- building --- */

void pos_clear(Position *p)
{
    memset(p, 0, sizeof *p);
    memset(p->board, NO_PIECE, sizeof p->board);
    memset(p->castle_rook, NO_SQUARE, sizeof p->castle_rook);
    p->st.ep = NO_SQUARE;
    p->st.captured = NO_PIECE;
}

ALWAYS_INLINE void put(Position *p, Piece piece, Square s)
{
    p->by_type[piece_type(piece)] ^= bb_square(s);
    p->by_color[piece_color(piece)] ^= bb_square(s);
    p->board[s] = (uint8_t)piece;
}

ALWAYS_INLINE void take(Position *p, Piece piece, Square s)
{
    p->by_type[piece_type(piece)] ^= bb_square(s);
    p->by_color[piece_color(piece)] ^= bb_square(s);
    p->board[s] = NO_PIECE;
}

ALWAYS_INLINE void shift(Position *p, Piece piece, Square from, Square to)
{
    const Bitboard both = bb_square(from) | bb_square(to);
    p->by_type[piece_type(piece)] ^= both;
    p->by_color[piece_color(piece)] ^= both;
    p->board[from] = NO_PIECE;
    p->board[to] = (uint8_t)piece;
}

void pos_put(Position *p, Piece piece, Square s)
{
    assert(p->board[s] == NO_PIECE);
    put(p, piece, s);
}

static Square castle_king_to(Color c, int side)
{
    return square_relative(c, side == CASTLE_SHORT ? G1 : C1);
}
static Square castle_rook_to(Color c, int side)
{
    return square_relative(c, side == CASTLE_SHORT ? F1 : D1);
}

/* The squares that castling needs: from start to target of king and rook, the two men themselves
 * apart. */
static Bitboard castle_path(Color c, int side, Square king, Square rook)
{
    const Square king_to = castle_king_to(c, side), rook_to = castle_rook_to(c, side);
    return (bb_between(king, king_to) | bb_square(king_to) | bb_between(rook, rook_to) |
            bb_square(rook_to)) &
           ~(bb_square(king) | bb_square(rook));
}

void pos_grant_castling(Position *p, Color c, int side, Square rook)
{
    const Square king = pos_king(p, c);
    const int index = CASTLE_INDEX(c, side);
    assert(p->board[rook] == piece_make(c, ROOK));
    p->st.castling |= (uint8_t)CASTLE_RIGHT(c, side);
    p->castle_rook[index] = (uint8_t)rook;
    p->castle_path[index] = castle_path(c, side, king, rook);
    p->castle_loss[king] |= (uint8_t)CASTLE_RIGHT(c, side);
    p->castle_loss[rook] |= (uint8_t)CASTLE_RIGHT(c, side);
}

/* May `capturer` take en passant on `ep` without leaving its king in check? */
static bool ep_is_safe(const Position *p, Color us, Square capturer, Square ep)
{
    const Bitboard occupied =
        pos_occupied(p) ^ bb_square(capturer) ^ bb_square(ep) ^ bb_square(ep ^ 8);
    return !pos_attacked(p, pos_king(p, us), color_flip(us), occupied);
}

/* Could the side to move (`us`) take en passant on `ep`? Keeping the square only then makes equal
 * positions equal. */
static bool ep_is_possible(const Position *p, Color us, Square ep)
{
    Bitboard capturers = attack_pawn[color_flip(us)][ep] & pos_pieces(p, us, PAWN);
    while (capturers)
        if (ep_is_safe(p, us, bb_pop(&capturers), ep))
            return true;
    return false;
}

void pos_finish(Position *p)
{
    assert(bb_count(pos_pieces(p, WHITE, KING)) == 1 && bb_count(pos_pieces(p, BLACK, KING)) == 1);
    if (p->st.ep != NO_SQUARE && !ep_is_possible(p, p->turn, p->st.ep))
        p->st.ep = NO_SQUARE;
    compute_keys(p, &p->st);
    update_checks(p, p->turn);
    assert(pos_is_consistent(p));
}

/* Castling rights follow from the back rank: the rook on either side of the king has one. */
static void put_army(Position *p, Color c, const PieceType back_rank[8])
{
    for (int file = 0; file < 8; file++) {
        put(p, piece_make(c, back_rank[file]), square_relative(c, square_make(file, 0)));
        put(p, piece_make(c, PAWN), square_relative(c, square_make(file, 1)));
    }
    const int king = square_file(pos_king(p, c));
    for (int file = 0; file < 8; file++)
        if (back_rank[file] == ROOK)
            pos_grant_castling(p, c, file > king ? CASTLE_SHORT : CASTLE_LONG,
                               square_relative(c, square_make(file, 0)));
}

/* The numbering of Reinhard Scharnagl: bishops, queen, knights by division, then rook, king, rook.
 */
static void back_rank_960(int number, PieceType rank[8])
{
    static const int knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                       {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    for (int file = 0; file < 8; file++)
        rank[file] = NO_PIECE_TYPE;
    rank[number % 4 * 2 + 1] = BISHOP;
    rank[number / 4 % 4 * 2] = BISHOP;

    /* The others are counted in free squares from the left. */
    int queen = number / 16 % 6;
    for (int file = 0; file < 8; file++)
        if (rank[file] == NO_PIECE_TYPE && queen-- == 0)
            rank[file] = QUEEN;
    static const PieceType rest[3] = {ROOK, KING, ROOK};
    for (int file = 0, slot = 0, next = 0; file < 8; file++)
        if (rank[file] == NO_PIECE_TYPE) {
            const bool knight = slot == knights[number / 96][0] || slot == knights[number / 96][1];
            rank[file] = knight ? KNIGHT : rest[next++];
            slot++;
        }
}

static void start_from(Position *p, int white, int black, bool chess960)
{
    PieceType rank[8];
    pos_clear(p);
    p->chess960 = chess960;
    back_rank_960(white, rank);
    put_army(p, WHITE, rank);
    back_rank_960(black, rank);
    put_army(p, BLACK, rank);
    pos_finish(p);
}

void pos_start(Position *p) { start_from(p, 518, 518, false); }
void pos_start_960(Position *p, int white, int black) { start_from(p, white, black, true); }

/* The same game with colours exchanged: an evaluation must not change, and tests ask for that. */
void pos_flip(const Position *p, Position *out)
{
    pos_clear(out);
    for (Bitboard b = pos_occupied(p); b;) {
        const Square s = bb_pop(&b);
        put(out, p->board[s] ^ 1, square_flip(s));
    }
    for (Color c = WHITE; c <= BLACK; c++)
        for (int side = CASTLE_SHORT; side <= CASTLE_LONG; side++)
            if (p->st.castling & CASTLE_RIGHT(c, side))
                pos_grant_castling(out, color_flip(c), side,
                                   square_flip(p->castle_rook[CASTLE_INDEX(c, side)]));
    out->turn = (uint8_t)color_flip(p->turn);
    out->chess960 = p->chess960;
    out->ply = p->ply ^ 1;
    out->st.rule50 = p->st.rule50;
    out->st.null_plies = p->st.null_plies;
    if (p->st.ep != NO_SQUARE)
        out->st.ep = (uint8_t)square_flip(p->st.ep);
    pos_finish(out);
}

/* --- moving --- */

ALWAYS_INLINE void delta_add(Delta *delta, Piece piece, Square from, Square to)
{
    if (!delta)
        return;
    delta->change[delta->count].piece = (uint8_t)piece;
    delta->change[delta->count].from = (uint8_t)from;
    delta->change[delta->count].to = (uint8_t)to;
    delta->count++;
}

/* Both men are lifted before either is put down: in Chess960 their squares may overlap. */
ALWAYS_INLINE void make_castling(Position *p, Color us, Square king, Square rook, Delta *delta)
{
    const int side = rook > king ? CASTLE_SHORT : CASTLE_LONG;
    const Square king_to = castle_king_to(us, side), rook_to = castle_rook_to(us, side);
    const Piece king_piece = piece_make(us, KING), rook_piece = piece_make(us, ROOK);
    take(p, king_piece, king);
    take(p, rook_piece, rook);
    put(p, king_piece, king_to);
    put(p, rook_piece, rook_to);
    key_toggle(&p->st, king_piece,
               zobrist_piece[king_piece][king] ^ zobrist_piece[king_piece][king_to]);
    key_toggle(&p->st, rook_piece,
               zobrist_piece[rook_piece][rook] ^ zobrist_piece[rook_piece][rook_to]);
    delta_add(delta, king_piece, king, king_to);
    delta_add(delta, rook_piece, rook, rook_to);
}

ALWAYS_INLINE void make_capture(Position *p, Piece captured, Square s, Delta *delta)
{
    take(p, captured, s);
    key_toggle(&p->st, captured, zobrist_piece[captured][s]);
    p->st.captured = (uint8_t)captured;
    p->st.rule50 = 0;
    delta_add(delta, captured, s, NO_SQUARE);
}

/* The en-passant square is set only if a legal capture exists, so that equal positions have equal
 * keys. */
ALWAYS_INLINE void make_pawn_move(Position *p, Color us, Move m, Delta *delta)
{
    const Square from = move_from(m), to = move_to(m);
    const Piece pawn = piece_make(us, PAWN);
    p->st.rule50 = 0;
    if (move_kind(m) == PROMOTION) {
        const Piece promoted = piece_make(us, move_promotion(m));
        take(p, pawn, from);
        put(p, promoted, to);
        key_toggle(&p->st, pawn, zobrist_piece[pawn][from]);
        key_toggle(&p->st, promoted, zobrist_piece[promoted][to]);
        delta_add(delta, pawn, from, NO_SQUARE);
        delta_add(delta, promoted, NO_SQUARE, to);
        return;
    }
    shift(p, pawn, from, to);
    key_toggle(&p->st, pawn, zobrist_piece[pawn][from] ^ zobrist_piece[pawn][to]);
    delta_add(delta, pawn, from, to);
    if ((from ^ to) == 16 && (attack_pawn[us][to ^ 8] & pos_pieces(p, color_flip(us), PAWN)) &&
        ep_is_possible(p, color_flip(us), to ^ 8)) {
        p->st.ep = (uint8_t)(to ^ 8);
        p->st.key ^= zobrist_ep[square_file(to)];
    }
}

/* Inlined once per colour. State and keys first, then the men, then the check information of the
 * side that moves next. */
ALWAYS_INLINE void make_for(Position *p, Color us, Move m, Delta *delta)
{
    const Square from = move_from(m), to = move_to(m);
    const Piece piece = p->board[from];
    PosState *st = &p->st;

    st->captured = NO_PIECE;
    st->key ^= zobrist_turn;
    st->rule50++;
    st->null_plies++;
    if (st->ep != NO_SQUARE) {
        st->key ^= zobrist_ep[square_file(st->ep)];
        st->ep = NO_SQUARE;
    }
    const int lost = st->castling & (p->castle_loss[from] | p->castle_loss[to]);
    if (lost) {
        st->key ^= zobrist_castling[lost];
        st->castling ^= (uint8_t)lost;
    }

    if (UNLIKELY(move_kind(m) == CASTLING))
        make_castling(p, us, from, to, delta);
    else {
        if (p->board[to] != NO_PIECE)
            make_capture(p, p->board[to], to, delta);
        else if (UNLIKELY(move_kind(m) == EN_PASSANT))
            make_capture(p, piece_make(color_flip(us), PAWN), to ^ 8, delta);
        if (piece_type(piece) == PAWN)
            make_pawn_move(p, us, m, delta);
        else {
            shift(p, piece, from, to);
            key_toggle(st, piece, zobrist_piece[piece][from] ^ zobrist_piece[piece][to]);
            delta_add(delta, piece, from, to);
        }
    }
    p->turn = (uint8_t)color_flip(us);
    p->ply++;
    update_checks(p, color_flip(us));
}

void pos_make(Position *p, Move m, Undo *undo, Delta *delta)
{
    undo->st = p->st;
    if (delta)
        delta->count = 0;
    if (p->turn == WHITE)
        make_for(p, WHITE, m, delta);
    else
        make_for(p, BLACK, m, delta);
    assert(pos_is_consistent_sample(p));
}

/* Only the men are moved back; everything else was saved by pos_make(). */
void pos_unmake(Position *p, Move m, const Undo *undo)
{
    const Square from = move_from(m), to = move_to(m);
    const Color us = color_flip(p->turn);
    p->turn = (uint8_t)us;
    p->ply--;

    if (UNLIKELY(move_kind(m) == CASTLING)) {
        const int side = to > from ? CASTLE_SHORT : CASTLE_LONG;
        take(p, piece_make(us, KING), castle_king_to(us, side));
        take(p, piece_make(us, ROOK), castle_rook_to(us, side));
        put(p, piece_make(us, KING), from);
        put(p, piece_make(us, ROOK), to);
    } else {
        if (move_kind(m) == PROMOTION) {
            take(p, p->board[to], to);
            put(p, piece_make(us, PAWN), from);
        } else
            shift(p, p->board[to], to, from);
        if (p->st.captured != NO_PIECE)
            put(p, p->st.captured, move_kind(m) == EN_PASSANT ? to ^ 8 : to);
    }
    p->st = undo->st;
    assert(pos_is_consistent_sample(p));
}

/* Not in check: a null move there would leave the king to be taken. Repetitions do not reach over
 * it. */
void pos_make_null(Position *p, Undo *undo)
{
    assert(!p->st.checkers);
    undo->st = p->st;
    p->st.key ^= zobrist_turn;
    if (p->st.ep != NO_SQUARE) {
        p->st.key ^= zobrist_ep[square_file(p->st.ep)];
        p->st.ep = NO_SQUARE;
    }
    p->st.captured = NO_PIECE;
    p->st.rule50++;
    p->st.null_plies = 0;
    p->turn ^= 1;
    p->ply++;
    update_checks(p, p->turn);
    assert(pos_is_consistent_sample(p));
}

void pos_unmake_null(Position *p, const Undo *undo)
{
    p->turn ^= 1;
    p->ply--;
    p->st = undo->st;
}

Key pos_key_after(const Position *p, Move m)
{
    const Square from = move_from(m), to = move_to(m);
    const Piece piece = p->board[from], captured = p->board[to];
    Key key = p->st.key ^ zobrist_turn ^ zobrist_piece[piece][from];
    if (captured != NO_PIECE)
        key ^= zobrist_piece[captured][to];
    return key ^ zobrist_piece[move_kind(m) == PROMOTION ? piece_make(p->turn, move_promotion(m))
                                                         : piece][to];
}

/* --- legality --- */

/* Has the side this right, do king and rook of the move fit it, and is the way empty? */
static bool castling_is_possible(const Position *p, Move m)
{
    const Color us = p->turn;
    const Square king = move_from(m), rook = move_to(m);
    for (int side = CASTLE_SHORT; side <= CASTLE_LONG; side++) {
        const int index = CASTLE_INDEX(us, side);
        if ((p->st.castling & CASTLE_RIGHT(us, side)) && king == pos_king(p, us) &&
            rook == p->castle_rook[index])
            return !p->st.checkers && !(pos_occupied(p) & p->castle_path[index]) &&
                   m == move_make_kind(king, rook, CASTLING);
    }
    return false;
}

static bool pawn_move_is_possible(const Position *p, Square from, Square to)
{
    const Color us = p->turn;
    const Square forward = us == WHITE ? from + 8 : from - 8;
    if (bb_has(attack_pawn[us][from], to))
        return p->board[to] != NO_PIECE; /* an enemy: own men were excluded before */
    if (p->board[to] != NO_PIECE || p->board[forward] != NO_PIECE)
        return false;
    return to == forward || (rank_relative(us, from) == 1 && (from ^ to) == 16 &&
                             square_file(from) == square_file(to));
}

/* Could this position have generated the move? It may come from a hash collision, so nothing is
 * assumed; only the safety of the king is left to pos_is_legal(). */
bool pos_is_pseudo_legal(const Position *p, Move m)
{
    const Color us = p->turn;
    const Square from = move_from(m), to = move_to(m);
    const Piece piece = p->board[from];
    if (piece == NO_PIECE || piece_color(piece) != us)
        return false;
    if (move_kind(m) == CASTLING)
        return castling_is_possible(p, m);
    if (move_kind(m) != PROMOTION && (m >> 12 & 3))
        return false; /* promotion bits without a promotion */
    if (bb_has(p->by_color[us] | p->by_type[KING], to))
        return false;
    if (move_kind(m) == EN_PASSANT)
        return piece_type(piece) == PAWN && p->st.ep == to && bb_has(attack_pawn[us][from], to);

    if (piece_type(piece) == PAWN) {
        if ((rank_relative(us, to) == 7) != (move_kind(m) == PROMOTION) ||
            !pawn_move_is_possible(p, from, to))
            return false;
    } else if (move_kind(m) == PROMOTION ||
               !bb_has(piece_attacks(piece_type(piece), from, pos_occupied(p)), to))
        return false;

    /* In check, whoever is not the king must take the checker or step between. */
    if (p->st.checkers && piece_type(piece) != KING) {
        if (bb_several(p->st.checkers))
            return false;
        const Square checker = bb_first(p->st.checkers);
        return bb_has(bb_between(pos_king(p, us), checker) | p->st.checkers, to);
    }
    return true;
}

/* No square of the king's way may be attacked, the target included. */
static bool castling_is_safe(const Position *p, Move m)
{
    const Color us = p->turn;
    const Square king = move_from(m), rook = move_to(m);
    const int side = rook > king ? CASTLE_SHORT : CASTLE_LONG;
    const Square king_to = castle_king_to(us, side);
    /* The rook may have shielded the king's target along the rank: it counts as gone. */
    const Bitboard occupied =
        (pos_occupied(p) ^ bb_square(king) ^ bb_square(rook)) | bb_square(castle_rook_to(us, side));
    for (Bitboard path = bb_between(king, king_to) | bb_square(king_to); path;)
        if (pos_attacked(p, bb_pop(&path), color_flip(us), occupied))
            return false;
    return true;
}

/* For pseudo-legal moves: does the king stand safe afterwards? Most men are not pinned and need one
 * test. */
bool pos_is_legal(const Position *p, Move m)
{
    const Color us = p->turn;
    const Square from = move_from(m), to = move_to(m), king = pos_king(p, us);
    if (move_kind(m) == CASTLING)
        return castling_is_safe(p, m);
    if (move_kind(m) == EN_PASSANT)
        return ep_is_safe(p, us, from, to);
    if (from == king)
        return !pos_attacked(p, to, color_flip(us),
                             (pos_occupied(p) ^ bb_square(king)) & ~bb_square(to));
    return !bb_has(p->st.blockers[us], from) || bb_has(bb_line(from, to), king);
}

/* From which squares each man would give check, once per node instead of once per move. */
void pos_check_info(const Position *p, CheckInfo *info)
{
    const Color us = p->turn, them = color_flip(us);
    const Bitboard occupied = pos_occupied(p);
    info->king = pos_king(p, them);
    info->squares[PAWN] = attack_pawn[them][info->king];
    info->squares[KNIGHT] = attack_knight[info->king];
    info->squares[BISHOP] = bishop_attacks(info->king, occupied);
    info->squares[ROOK] = rook_attacks(info->king, occupied);
    info->squares[QUEEN] = info->squares[BISHOP] | info->squares[ROOK];
    info->squares[KING] = 0;
    info->discoverers = p->st.blockers[them] & p->by_color[us];
}

/* The rook may check from its new square, and the king's departure may open any line. */
static bool castling_gives_check(const Position *p, Square enemy_king, Move m)
{
    const Color us = p->turn;
    const Square king = move_from(m), rook = move_to(m);
    const int side = rook > king ? CASTLE_SHORT : CASTLE_LONG;
    const Bitboard rook_to = bb_square(castle_rook_to(us, side)),
                   king_to = bb_square(castle_king_to(us, side));
    const Bitboard occupied =
        (pos_occupied(p) & ~(bb_square(king) | bb_square(rook))) | rook_to | king_to;
    const Bitboard own = p->by_color[us] & ~bb_square(rook);
    return ((bishop_attacks(enemy_king, occupied) & own &
             (p->by_type[BISHOP] | p->by_type[QUEEN])) |
            (rook_attacks(enemy_king, occupied) &
             ((own & (p->by_type[ROOK] | p->by_type[QUEEN])) | rook_to))) != 0;
}

/* Two pawns leave a line at once. */
static bool en_passant_opens_check(const Position *p, Square enemy_king, Move m)
{
    const Square from = move_from(m), to = move_to(m);
    const Bitboard occupied = pos_occupied(p) ^ bb_square(from) ^ bb_square(to) ^ bb_square(to ^ 8);
    const Bitboard own = p->by_color[p->turn];
    return ((bishop_attacks(enemy_king, occupied) & own &
             (p->by_type[BISHOP] | p->by_type[QUEEN])) |
            (rook_attacks(enemy_king, occupied) & own & (p->by_type[ROOK] | p->by_type[QUEEN]))) !=
           0;
}

/* Answers without making the move: a discovered check, a direct one from a square of `info`, or one
 * of the special moves. */
bool pos_gives_check(const Position *p, const CheckInfo *info, Move m)
{
    const Square from = move_from(m), to = move_to(m);
    if (move_kind(m) == CASTLING)
        return castling_gives_check(p, info->king, m);
    if (bb_has(info->discoverers, from) && !bb_has(bb_line(from, to), info->king))
        return true;
    if (move_kind(m) == PROMOTION)
        return bb_has(piece_attacks(move_promotion(m), to, pos_occupied(p) ^ bb_square(from)),
                      info->king);
    if (bb_has(info->squares[piece_type(p->board[from])], to))
        return true;
    return move_kind(m) == EN_PASSANT && en_passant_opens_check(p, info->king, m);
}

/* --- consistency --- */

static bool board_agrees(const Position *p)
{
    Bitboard by_type[6] = {0}, by_color[2] = {0};
    for (Square s = A1; s <= H8; s++)
        if (p->board[s] != NO_PIECE) {
            by_type[piece_type(p->board[s])] |= bb_square(s);
            by_color[piece_color(p->board[s])] |= bb_square(s);
        }
    return !memcmp(by_type, p->by_type, sizeof by_type) &&
           !memcmp(by_color, p->by_color, sizeof by_color);
}

/* Each castling right needs its king and its rook on the first rank, on the right sides of each
 * other. */
static bool rights_agree(const Position *p)
{
    for (Color c = WHITE; c <= BLACK; c++)
        for (int side = CASTLE_SHORT; side <= CASTLE_LONG; side++)
            if (p->st.castling & CASTLE_RIGHT(c, side)) {
                const Square rook = p->castle_rook[CASTLE_INDEX(c, side)], king = pos_king(p, c);
                if (rook > H8 || p->board[rook] != piece_make(c, ROOK) ||
                    rank_relative(c, king) != 0 || rank_relative(c, rook) != 0 ||
                    (rook > king) != (side == CASTLE_SHORT))
                    return false;
            }
    return true;
}

/* Computes everything that pos_make() updates step by step from scratch and compares. */
bool pos_is_consistent(const Position *p)
{
    if (!board_agrees(p) || bb_count(pos_pieces(p, WHITE, KING)) != 1 ||
        bb_count(pos_pieces(p, BLACK, KING)) != 1 || !rights_agree(p) ||
        (p->by_type[PAWN] & (RANK_1 | RANK_8)) || p->turn != (p->ply & 1))
        return false;
    if (p->st.ep != NO_SQUARE && !ep_is_possible(p, p->turn, p->st.ep))
        return false;

    PosState keys = p->st;
    compute_keys(p, &keys);
    Position fresh = *p;
    update_checks(&fresh, fresh.turn);
    const Bitboard king_attackers =
        pos_attackers(p, pos_king(p, p->turn), pos_occupied(p)) & p->by_color[color_flip(p->turn)];
    return keys.key == p->st.key && keys.pawn_key == p->st.pawn_key &&
           keys.minor_key == p->st.minor_key && keys.nonpawn_key[0] == p->st.nonpawn_key[0] &&
           keys.nonpawn_key[1] == p->st.nonpawn_key[1] && fresh.st.checkers == p->st.checkers &&
           (king_attackers & ~p->by_type[KING]) == p->st.checkers &&
           !memcmp(fresh.st.blockers, p->st.blockers, sizeof fresh.st.blockers) &&
           !memcmp(fresh.st.pinners, p->st.pinners, sizeof fresh.st.pinners);
}

bool pos_is_consistent_sample(const Position *p)
{
    return (p->st.key & 63) != 0 || pos_is_consistent(p);
}
