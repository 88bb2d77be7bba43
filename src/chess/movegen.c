// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.h"

#include <assert.h>
#include <stddef.h>

/* One body serves all generators: kind, colour and whether to list or only to count are
 * compile-time constants of the inlined copies. Legality comes from two masks, checks and pins, so
 * that only king moves, castling and en passant need a look at the board after the move. A king
 * is never taken: boards that cannot arise in a game may ask for it. */
typedef enum Kind { KIND_NOISY, KIND_QUIET, KIND_ALL } Kind;

typedef struct Sink {
    Move *moves; /* NULL: count only */
    int count;
} Sink;

ALWAYS_INLINE void emit(Sink *sink, Square from, Bitboard targets)
{
    if (!sink->moves) {
        sink->count += bb_count(targets);
        return;
    }
    while (targets)
        sink->moves[sink->count++] = move_make(from, bb_pop(&targets));
}

/* Pawns move as a set: each target square tells its origin by a constant offset. */
ALWAYS_INLINE void emit_pawns(Sink *sink, Bitboard targets, int offset)
{
    if (!sink->moves) {
        sink->count += bb_count(targets);
        return;
    }
    while (targets) {
        const Square to = bb_pop(&targets);
        sink->moves[sink->count++] = move_make(to - offset, to);
    }
}

/* Queen first: it is nearly always the best. */
ALWAYS_INLINE void emit_promotions(Sink *sink, Bitboard targets, int offset)
{
    if (!sink->moves) {
        sink->count += 4 * bb_count(targets);
        return;
    }
    while (targets) {
        const Square to = bb_pop(&targets);
        for (PieceType t = QUEEN; t >= KNIGHT; t--)
            sink->moves[sink->count++] = move_make_promotion(to - offset, to, t);
    }
}

/* `allowed`: squares that answer a check, or all. */
ALWAYS_INLINE void pawn_moves(const Position *p, Color us, Kind kind, Bitboard pawns,
                              Bitboard allowed, Sink *sink)
{
    const int up = us == WHITE ? 8 : -8;
    const Bitboard empty = ~pos_occupied(p),
                   enemies = p->by_color[color_flip(us)] & ~p->by_type[KING] & allowed;
    const Bitboard seventh = pawns & bb_relative_rank(us, 6), others = pawns & ~seventh;

    if (kind != KIND_NOISY) {
        const Bitboard single = bb_forward(us, others) & empty;
        const Bitboard twice = bb_forward(us, single & bb_relative_rank(us, 2)) & empty;
        emit_pawns(sink, single & allowed, up);
        emit_pawns(sink, twice & allowed, 2 * up);
    }
    if (kind != KIND_QUIET) {
        emit_pawns(sink, bb_west(bb_forward(us, others)) & enemies, up - 1);
        emit_pawns(sink, bb_east(bb_forward(us, others)) & enemies, up + 1);
        if (seventh) {
            const Bitboard ahead = bb_forward(us, seventh);
            emit_promotions(sink, ahead & empty & allowed, up);
            emit_promotions(sink, bb_west(ahead) & enemies, up - 1);
            emit_promotions(sink, bb_east(ahead) & enemies, up + 1);
        }
    }
}

/* Rare enough to be settled by looking at the board afterwards: four men are involved. */
ALWAYS_INLINE void en_passant(const Position *p, Color us, Sink *sink)
{
    Bitboard capturers = attack_pawn[color_flip(us)][p->st.ep] & pos_pieces(p, us, PAWN);
    while (capturers) {
        const Move m = move_make_kind(bb_pop(&capturers), p->st.ep, EN_PASSANT);
        if (pos_is_legal(p, m)) {
            if (sink->moves)
                sink->moves[sink->count] = m;
            sink->count++;
        }
    }
}

/* The path must be empty and pos_is_legal() must find no attack on the king's way. */
ALWAYS_INLINE void castling(const Position *p, Color us, Sink *sink)
{
    const Bitboard occupied = pos_occupied(p);
    for (int side = CASTLE_SHORT; side <= CASTLE_LONG; side++) {
        const int index = CASTLE_INDEX(us, side);
        if (!(p->st.castling & CASTLE_RIGHT(us, side)) || (occupied & p->castle_path[index]))
            continue;
        const Move m = move_make_kind(pos_king(p, us), p->castle_rook[index], CASTLING);
        if (pos_is_legal(p, m)) {
            if (sink->moves)
                sink->moves[sink->count] = m;
            sink->count++;
        }
    }
}

/* The king is taken off the board first, so that it cannot hide in its own shadow from a slider. */
ALWAYS_INLINE void king_moves(const Position *p, Color us, Bitboard targets, Sink *sink)
{
    const Color them = color_flip(us);
    const Square king = pos_king(p, us);
    const Bitboard occupied = pos_occupied(p) ^ bb_square(king);
    const Bitboard diagonals = p->by_color[them] & (p->by_type[BISHOP] | p->by_type[QUEEN]);
    const Bitboard straights = p->by_color[them] & (p->by_type[ROOK] | p->by_type[QUEEN]);
    const Bitboard knights = pos_pieces(p, them, KNIGHT);

    targets &= attack_king[king] & ~attack_king[pos_king(p, them)] &
               ~bb_pawn_attacks(them, pos_pieces(p, them, PAWN));
    Bitboard safe = 0;
    while (targets) {
        const Square to = bb_pop(&targets);
        if (!(attack_knight[to] & knights) && !(bishop_attacks(to, occupied) & diagonals) &&
            !(rook_attacks(to, occupied) & straights))
            safe |= bb_square(to);
    }
    emit(sink, king, safe);
}

/* A pinned man moves along the line to its king only; a pinned knight never moves. */
ALWAYS_INLINE void pinned_moves(const Position *p, Color us, Kind kind, Bitboard pinned,
                                Bitboard targets, Bitboard allowed, Sink *sink)
{
    const Square king = pos_king(p, us);
    const Bitboard occupied = pos_occupied(p);
    while (pinned) {
        const Square s = bb_pop(&pinned);
        const PieceType t = piece_type(p->board[s]);
        const Bitboard line = bb_line(king, s);
        if (t == PAWN)
            pawn_moves(p, us, kind, bb_square(s), allowed & line, sink);
        else if (t != KNIGHT)
            emit(sink, s, piece_attacks(t, s, occupied) & targets & line);
    }
}

/* Legal moves directly, with no test afterwards: men that are not pinned go anywhere that answers a
 * check, pinned ones along their line, the king where nothing attacks. */
ALWAYS_INLINE void generate(const Position *p, Color us, Kind kind, Sink *sink)
{
    const Bitboard own = p->by_color[us], enemies = p->by_color[color_flip(us)],
                   occupied = own | enemies;
    Bitboard targets =
        kind == KIND_QUIET ? ~occupied : (kind == KIND_NOISY ? enemies : ~own) & ~p->by_type[KING];
    Bitboard allowed = ~0ULL;

    if (p->st.checkers) {
        if (bb_several(p->st.checkers)) {
            king_moves(p, us, targets, sink);
            return;
        }
        allowed = bb_between(pos_king(p, us), bb_first(p->st.checkers)) | p->st.checkers;
    }
    const Bitboard pinned = p->st.blockers[us] & own, pieces = own & ~pinned;
    const Bitboard reach = targets & allowed;

    pawn_moves(p, us, kind, pieces & p->by_type[PAWN], allowed, sink);
    for (Bitboard b = pieces & p->by_type[KNIGHT]; b;) {
        const Square s = bb_pop(&b);
        emit(sink, s, attack_knight[s] & reach);
    }
    for (Bitboard b = pieces & p->by_type[BISHOP]; b;) {
        const Square s = bb_pop(&b);
        emit(sink, s, bishop_attacks(s, occupied) & reach);
    }
    for (Bitboard b = pieces & p->by_type[ROOK]; b;) {
        const Square s = bb_pop(&b);
        emit(sink, s, rook_attacks(s, occupied) & reach);
    }
    for (Bitboard b = pieces & p->by_type[QUEEN]; b;) {
        const Square s = bb_pop(&b);
        emit(sink, s, queen_attacks(s, occupied) & reach);
    }
    if (pinned)
        pinned_moves(p, us, kind, pinned, reach, allowed, sink);
    king_moves(p, us, targets, sink);
    if (kind != KIND_QUIET && p->st.ep != NO_SQUARE)
        en_passant(p, us, sink);
    if (kind != KIND_NOISY && p->st.castling && !p->st.checkers)
        castling(p, us, sink);
}

ALWAYS_INLINE void append(const Position *p, Kind kind, MoveList *list)
{
    Sink sink = {list->moves, list->count};
    if (p->turn == WHITE)
        generate(p, WHITE, kind, &sink);
    else
        generate(p, BLACK, kind, &sink);
    list->count = sink.count;
    assert(list->count <= MAX_MOVES);
}

void gen_noisy(const Position *p, MoveList *list) { append(p, KIND_NOISY, list); }
void gen_quiet(const Position *p, MoveList *list) { append(p, KIND_QUIET, list); }

void gen_legal(const Position *p, MoveList *list)
{
    list->count = 0;
    append(p, KIND_ALL, list);
}

int gen_count(const Position *p)
{
    Sink sink = {NULL, 0};
    if (p->turn == WHITE)
        generate(p, WHITE, KIND_ALL, &sink);
    else
        generate(p, BLACK, KIND_ALL, &sink);
    return sink.count;
}

bool list_has(const MoveList *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m)
            return true;
    return false;
}

bool pos_has_legal_move(const Position *p) { return gen_count(p) > 0; }

bool pos_fifty_moves(const Position *p)
{
    return p->st.rule50 >= 100 && (!p->st.checkers || pos_has_legal_move(p));
}
