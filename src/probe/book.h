// SPDX-License-Identifier: GPL-3.0-or-later
/* book.h -- Polyglot opening books. */
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

Key book_key(const Position *p); /* the Polyglot key */
Book *book_open(const char *path, Error *err);
void book_close(Book *book);
int book_moves(const Book *book, const Position *p, BookMove *out, int max); /* sorted by weight, best first */
/* One of them, by weight or the best; MOVE_NONE if the book has none. */
Move book_pick(const Book *book, const Position *p, bool best, Rng *rng);

#endif
