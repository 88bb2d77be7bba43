// SPDX-License-Identifier: GPL-3.0-or-later
/* book_build.h -- makes a Polyglot book from games. */
#ifndef SAMARA_PROBE_BOOK_BUILD_H
#define SAMARA_PROBE_BOOK_BUILD_H

#include "base/error.h"
#include <stdint.h>

typedef struct BookPlan {
    int max_plies;      /* of each game */
    int min_games;      /* in which a move was played */
    const char *player; /* only the moves of the player of this name; NULL: all */
} BookPlan;

typedef struct BookStats {
    uint64_t games, skipped;   /* skipped: no result */
    uint64_t positions, moves; /* written */
} BookStats;

/* Weight of a move = 2 * wins + draws of the side that played it, scaled down where it does not fit
 * in 16 bits. The book appears under its name only when it is whole. False leaves an old one as it
 * was. */
bool book_build(const char *pgn_path, const char *book_path, const BookPlan *plan, BookStats *stats,
                Error *err);

#endif
