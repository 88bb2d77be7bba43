// SPDX-License-Identifier: GPL-3.0-or-later
/* book.h -- Polyglot opening books.
 *
 * Polyglot counts an en-passant square whenever a pawn stands beside the one that just ran, even if
 * taking is illegal; a Position remembers only squares where taking is legal. So whoever knows the
 * last move says in `ep` which square a pawn has just passed, or NO_SQUARE. */
#ifndef SAMARA_PROBE_BOOK_H
#define SAMARA_PROBE_BOOK_H

#include "base/error.h"
#include "base/rng.h"
#include "chess/movegen.h"

typedef struct Book Book;

typedef struct BookMove {
    Move move; /* legal in the position asked about */
    int weight;
    uint32_t learn;
} BookMove;

Square book_ep(const Position *p,
               Move last); /* the square that `last`, which led to p, passed; or NO_SQUARE */
Key book_key(const Position *p, Square ep); /* the Polyglot key */

Book *book_open(const char *path, Error *err); /* NULL if it is no book */
void book_close(Book *book);                   /* NULL is fine */
/* The small book inside the program, of its own games (books/README.md); NULL if it was built without
 * one. Never closed. */
const Book *book_embedded(void);
/* Sorted by weight, best first; returns how many were written. */
int book_moves(const Book *book, const Position *p, Square ep, BookMove *out, int max);
/* One of them, by lot according to weight, or the best; MOVE_NONE if the book has none. */
Move book_pick(const Book *book, const Position *p, Square ep, bool best, Rng *rng);

#endif
