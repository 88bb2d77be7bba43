// SPDX-License-Identifier: GPL-3.0-or-later
/* gamelog.h -- what stays of the games on disk: a PGN file, and a journal from which an interrupted
 * match goes on.
 *
 * Games are appended in schedule order, the PGN first. A journal line is complete only with its
 * newline and tells how long the PGN file was then, so that after any interruption both can be cut
 * back to the same game. */
#ifndef SAMARA_MATCH_GAMELOG_H
#define SAMARA_MATCH_GAMELOG_H

#include "match/journal.h"
#include "match/score.h"

typedef struct PgnHeader {
    const char *event;
    const char *white, *black;
    uint64_t round, game;        /* from 1 */
    const TimeControl *limit[2]; /* by colour */
} PgnHeader;

/* The game with comments like {+0.31/18 1.234s}: the mover's score, depth, time; -M4: mated in four
 * plies. */
void pgn_of_record(const PgnHeader *header, const GameRecord *record, Buffer *out);

typedef struct GameLog {
    FILE *pgn; /* NULL: not wanted */
    Journal journal;
} GameLog;

/* Paths may be NULL. The fingerprint names the match: an existing journal of the same match is read
 * into *score, one of another match is refused. */
bool gamelog_open(GameLog *log, const char *pgn_path, const char *journal_path,
                  uint64_t fingerprint, Score *score, Error *err);
bool gamelog_add(GameLog *log, uint64_t game, const GameResult *result, Str pgn, Error *err);
bool gamelog_close(GameLog *log, Error *err);

#endif
