// SPDX-License-Identifier: GPL-3.0-or-later
/* opening.h -- where games begin: positions of an EPD file or the first moves of PGN games, in
 * order or shuffled. */
#ifndef SAMARA_MATCH_OPENING_H
#define SAMARA_MATCH_OPENING_H

#include "base/error.h"
#include "chess/position.h"

typedef enum OpeningFormat { OPENING_BY_NAME, OPENING_EPD, OPENING_PGN } OpeningFormat;

typedef struct OpeningConfig {
    const char *path; /* NULL: always the start position. "*.pgn" (any case) is PGN unless `format`
                         says else */
    OpeningFormat format;
    bool shuffle;
    uint64_t seed;
    uint64_t first; /* how many to leave out at the beginning (after shuffling) */
    int plies;      /* of PGN games; 0: all of them */
    bool chess960;  /* asked for by the user; a book with Shredder castling letters asks for it, too
                     */
} OpeningConfig;

typedef struct Openings Openings;

/* The whole file is read and checked: NULL, and *err names file and line, if anything in it cannot
 * be played. */
Openings *openings_load(const OpeningConfig *config, Error *err);
void openings_free(Openings *openings);
uint64_t openings_count(const Openings *openings); /* at least 1 */
bool openings_chess960(const Openings *openings);

typedef struct Opening {
    Position start;
    const Move *moves; /* owned by the book */
    int count;
} Opening;

/* Number `index`, beginning anew behind the last one. */
Opening openings_get(const Openings *openings, uint64_t index);

#endif
