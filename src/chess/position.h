// SPDX-License-Identifier: GPL-3.0-or-later
/* position.h -- the board, and what a move does to it.
 *
 * A Position holds no pointers and may be copied with `=`. Game history (for repetitions) lives
 * with the caller as an array of keys. Piece bitboards, mailbox, keys and check information always
 * agree: pos_is_consistent() states it, and debug builds assert it of every 64th position. */
#ifndef SAMARA_CHESS_POSITION_H
#define SAMARA_CHESS_POSITION_H

#include "chess/attacks.h"

/* What a move changes and cannot be computed back: saved by pos_make, restored by pos_unmake. */
typedef struct PosState {
    Key key;              /* everything that tells two positions apart under the repetition rule */
    Key pawn_key;         /* pawns of both colours */
    Key minor_key;        /* knights, bishops and kings */
    Key nonpawn_key[2];   /* all but pawns, by colour */
    Bitboard checkers;    /* enemy men that attack the king of the side to move */
    Bitboard blockers[2]; /* men of either colour that alone shield the king of this colour from a
                             slider */
    Bitboard pinners[2];  /* sliders of this colour that pin an enemy man to the enemy king */
    uint16_t rule50;      /* plies since the last capture or pawn move */
    uint16_t null_plies;  /* plies since the last null move (or the start): how far back repetition
                             reaches */
    uint8_t castling;     /* set of CASTLE_RIGHT */
    uint8_t ep;           /* en-passant square, only when a legal capture exists; else NO_SQUARE */
    uint8_t captured;     /* Piece taken by the last move, or NO_PIECE */
} PosState;

typedef struct Position {
    Bitboard by_type[6];
    Bitboard by_color[2];
    uint8_t board[64]; /* Piece */
    PosState st;
    uint8_t turn;           /* Color to move */
    bool chess960;          /* castling is spoken king-takes-rook and the rights may sit anywhere */
    uint8_t castle_rook[4]; /* by CASTLE_INDEX: where the rook stands while the right exists, or
                               NO_SQUARE */
    Bitboard castle_path[4]; /* by CASTLE_INDEX: squares that must be empty, king and rook apart */
    uint8_t castle_loss[64]; /* rights that vanish when a man leaves or enters this square */
    uint32_t ply; /* of the game: 2 * (full-move number - 1) + turn; set it when building */
} Position;

/* For unmake: the state before the move. */
typedef struct Undo {
    PosState st;
} Undo;

/* What a move changed on the board, in the order in which it should be applied; for accumulators.
 * from == NO_SQUARE: the piece appeared; to == NO_SQUARE: it vanished. */
typedef struct Delta {
    int count; /* 0 (null move) to 3 */
    struct {
        uint8_t piece, from, to;
    } change[3];
} Delta;

/* --- reading --- */
ALWAYS_INLINE Bitboard pos_occupied(const Position *p)
{
    return p->by_color[WHITE] | p->by_color[BLACK];
}
ALWAYS_INLINE Bitboard pos_pieces(const Position *p, Color c, PieceType t)
{
    return p->by_color[c] & p->by_type[t];
}
ALWAYS_INLINE Bitboard pos_color(const Position *p, Color c) { return p->by_color[c]; }
ALWAYS_INLINE Bitboard pos_type(const Position *p, PieceType t) { return p->by_type[t]; }
ALWAYS_INLINE Square pos_king(const Position *p, Color c)
{
    return bb_first(pos_pieces(p, c, KING));
}
ALWAYS_INLINE Piece pos_piece_on(const Position *p, Square s) { return p->board[s]; }
ALWAYS_INLINE bool pos_in_check(const Position *p) { return p->st.checkers != 0; }
/* One side has nothing but its king. */
ALWAYS_INLINE bool pos_has_lone_king(const Position *p)
{
    return !bb_several(p->by_color[WHITE]) || !bb_several(p->by_color[BLACK]);
}
/* Something beside king and pawns: passing is then rarely a privilege. */
ALWAYS_INLINE bool pos_has_pieces(const Position *p, Color c)
{
    return (p->by_color[c] & ~(p->by_type[PAWN] | p->by_type[KING])) != 0;
}
/* The man that m takes, NO_PIECE if none; en passant gives the pawn, castling none. */
ALWAYS_INLINE Piece pos_captured(const Position *p, Move m)
{
    if (move_kind(m) == CASTLING)
        return NO_PIECE;
    if (move_kind(m) == EN_PASSANT)
        return piece_make(color_flip(p->turn), PAWN);
    return p->board[move_to(m)];
}
/* Capture or promotion: what the noisy generator yields. */
ALWAYS_INLINE bool pos_is_noisy(const Position *p, Move m)
{
    return move_kind(m) == PROMOTION || pos_captured(p, m) != NO_PIECE;
}

Bitboard pos_attackers(const Position *p, Square s, Bitboard occupied); /* of both colours */
bool pos_attacked(const Position *p, Square s, Color by, Bitboard occupied);
/* Every square that colour `by` attacks, looking through the enemy king (where it may not flee to).
 */
Bitboard pos_threats(const Position *p, Color by);

/* --- building; pos_finish() must close it --- */
void pos_clear(Position *p);
void pos_put(Position *p, Piece piece, Square s); /* s must be empty */
/* Grants a castling right to the king where it stands and the rook on `rook`. */
void pos_grant_castling(Position *p, Color c, int side, Square rook);
/* Computes keys and check information from the board, turn, rights and p->st.ep; drops an ep square
 * for which no legal capture exists. */
void pos_finish(Position *p);
void pos_start(Position *p); /* the standard start position */
/* Start position number 0..959 of each side (518 is the classical one), with chess960 set. */
void pos_start_960(Position *p, int white, int black);
void pos_flip(const Position *p, Position *out); /* colours exchanged, board turned upside down */

/* --- moving --- */
/* m must be legal. `delta` may be NULL. */
void pos_make(Position *p, Move m, Undo *undo, Delta *delta);
void pos_unmake(Position *p, Move m, const Undo *undo);
void pos_make_null(Position *p, Undo *undo); /* not when in check */
void pos_unmake_null(Position *p, const Undo *undo);
/* Key after m, exact but for castling and en-passant rights: for prefetching. */
Key pos_key_after(const Position *p, Move m);

/* Any 16 bits: could the side to move play m, leaving aside whether its king stays safe?
 * Exhaustive, so that a damaged table entry can never bring an impossible move onto the board. */
bool pos_is_pseudo_legal(const Position *p, Move m);
/* m is pseudo-legal: is the king safe afterwards? */
bool pos_is_legal(const Position *p, Move m);

/* Which squares give check, computed once per node. */
typedef struct CheckInfo {
    Bitboard squares[6];  /* by type of the moving man */
    Bitboard discoverers; /* own men whose departure may open a check */
    Square king;          /* the enemy's */
} CheckInfo;
void pos_check_info(const Position *p, CheckInfo *info);
bool pos_gives_check(const Position *p, const CheckInfo *info, Move m);

/* --- rules --- */
bool pos_insufficient_material(
    const Position *p); /* no mate is possible by any play: K, K+minor, one-coloured bishops */
/* keys[0..count) are the keys of the earlier positions of game and search path, oldest first, the
 * last one being the position just before p. How often p's position occurred among them (0,
 * 1, 2...). */
int pos_repetitions(const Position *p, const Key *keys, int count);
/* Draw inside a search: repeated once within the last `search_plies` positions, or twice at all. */
bool pos_is_repetition(const Position *p, const Key *keys, int count, int search_plies);
/* The side to move has a move that repeats an earlier position (cuckoo tables); search_plies as
 * above. */
bool pos_can_repeat(const Position *p, const Key *keys, int count, int search_plies);

/* For asserts: the same for every 64th position, chosen by its key; true for the others. */
bool pos_is_consistent_sample(const Position *p);
bool pos_is_consistent(const Position *p); /* keys, bitboards, mailbox, check information: all
                                              recomputed and compared */

#endif
