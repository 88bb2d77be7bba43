// SPDX-License-Identifier: GPL-3.0-or-later
/* history.h -- what the search has learned about moves: tables of small numbers that are pulled
 * towards what was seen last. A number never leaves +-limit, because the pull weakens as it comes
 * near ("gravity"). */
#ifndef SAMARA_SEARCH_HISTORY_H
#define SAMARA_SEARCH_HISTORY_H

#include "base/thread.h"
#include "chess/position.h"
#include "search/params.h"
#include "search/score.h"
#include <assert.h>

enum {
    PIECE_SQUARES = PIECE_COUNT * 64,
    PAWN_ROWS = 512,
    LOW_PLIES = 5,
    CORRECTION_ROWS = 16384,

    BUTTERFLY_LIMIT = 8192,
    CAPTURE_LIMIT = 16384,
    CONTINUATION_LIMIT = 16384,
    PAWN_LIMIT = 8192,
    LOW_PLY_LIMIT = 8192,
    CORRECTION_LIMIT = 1024,
};

/* Numbers for each (piece, target square) after some earlier move. */
typedef int16_t Continuation[PIECE_SQUARES];

/* Of one worker. All of it is forgotten by history_clear(). */
typedef struct History {
    int16_t butterfly[2][4][64 * 64];       /* [colour][from attacked, to attacked][from, to] */
    int16_t capture[PIECE_SQUARES][8];      /* [piece, to][type of the victim] */
    int16_t pawn[PAWN_ROWS][PIECE_SQUARES]; /* [pawn structure][piece, to] */
    int16_t low_ply[LOW_PLIES][64 * 64];    /* [distance from the root][from, to] */
    Continuation continuation[2][PIECE_SQUARES]; /* [was noisy][earlier piece, to][piece, to] */
    Continuation nothing;                        /* stays zero: what follows no move */
    Move counter[PIECE_SQUARES];                 /* the last good answer to a (piece, to) */
} History;

/* Shared by all workers: how far the static evaluation was off in positions like this one. */
typedef struct Correction {
    AtomicI16 pawn[2][CORRECTION_ROWS]; /* [side to move][key] */
    AtomicI16 minor[2][CORRECTION_ROWS];
    AtomicI16 nonpawn[2][2][CORRECTION_ROWS];       /* [side to move][own, enemy][key] */
    AtomicI16 follow[PIECE_SQUARES][PIECE_SQUARES]; /* [move before the last][last move] */
} Correction;

History *history_create(void); /* NULL if memory is short */
void history_destroy(History *h);
void history_clear(History *h);
void history_fetch(History *h);      /* all of it into memory, near the calling thread */
void history_new_search(History *h); /* what is near the root is new */
Correction *correction_create(void); /* NULL if memory is short */
void correction_destroy(Correction *c);
void correction_clear(Correction *c);

ALWAYS_INLINE int piece_square(Piece p, Square s) { return p * 64 + s; }
ALWAYS_INLINE int from_to(Move m) { return m & 4095; }
ALWAYS_INLINE int clamp_int(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

ALWAYS_INLINE void gravity_add(int16_t *h, int bonus, int limit)
{
    bonus = clamp_int(bonus, -limit, limit);
    *h = (int16_t)(*h + bonus - *h * (bonus < 0 ? -bonus : bonus) / limit);
    assert(*h >= -limit && *h <= limit);
}

/* Keys as the mover sees them: equal for a position and its colour-flipped twin (see zobrist.h). */
ALWAYS_INLINE Key key_relative(Key key, Color turn)
{
    return turn == WHITE ? key : key << 32 | key >> 32;
}
ALWAYS_INLINE int pawn_row(const Position *p)
{
    return (int)(key_relative(p->st.pawn_key, p->turn) % PAWN_ROWS);
}

ALWAYS_INLINE int threat_index(Bitboard threats, Move m)
{
    return (int)(threats >> move_from(m) & 1) * 2 + (int)(threats >> move_to(m) & 1);
}

/* The man that a noisy move takes, as an index; promotions without capture have the empty one. */
ALWAYS_INLINE int victim_index(const Position *p, Move m) { return piece_type(pos_captured(p, m)); }

/* What the evaluation should be moved by, in evaluation units. `before` and `last` are
 * piece_square() of the two moves that led here, -1 if there is none. */
int correction_value(const Correction *c, const Position *p, int before, int last);
/* error: search result minus evaluation. */
void correction_learn(Correction *c, const Position *p, int before, int last, int error, int depth);

#endif
