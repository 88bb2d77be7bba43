// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy.h -- endgame tablebases of up to seven men, in the format of Ronald de Man.
 *
 * A Syzygy is a set of table files, and belongs to whoever opened it; there may be several. Files
 * are read, never mapped, and every access is checked, so that a damaged file or one that changes
 * while in use can cost knowledge, but nothing else: it is named in words and left out, and the
 * rest is used. Tables of three and four men are read and checked when the set is opened, larger
 * ones when they are first needed. */
#ifndef SAMARA_PROBE_SYZYGY_H
#define SAMARA_PROBE_SYZYGY_H

#include "base/error.h"
#include "chess/movegen.h"

typedef struct TbSet Syzygy; /* syzygy_set.h */

/* A list of folders as in the option SyzygyPath; "" and "<empty>" give no tables, *out NULL. True
 * with a sentence in *err if some files are damaged, else err->text is "". False, and *out
 * untouched, if there is no usable table at all. */
bool syzygy_open(Syzygy **out, const char *path, Error *err);
void syzygy_close(Syzygy *s);      /* NULL is fine */
int syzygy_men(const Syzygy *s);   /* of the largest table; 0 if there is none, or s is NULL */
int syzygy_files(const Syzygy *s); /* usable as far as is known */

/* Files that turned out damaged since the last call, or since the set was opened; false if none. */
bool syzygy_complaint(Syzygy *s, Error *out);

/* Reads every file of the list to its end and compares its checksum: for a person who wants to
 * know. `each` is called with a file's path and what is wrong with it, or NULL. Returns how many
 * are damaged, -1 if there are no tables. */
int syzygy_check(const char *path, void (*each)(void *user, const char *file, const char *problem),
                 void *user, Error *err);

typedef enum Wdl {
    WDL_LOSS = -2,
    WDL_BLESSED_LOSS = -1,
    WDL_DRAW = 0,
    WDL_CURSED_WIN = 1,
    WDL_WIN = 2
} Wdl;

/* The functions below may be called from any thread. They say false if the tables do not know:
 * castling rights, too many men, a table that is missing; s NULL. */

/* Only with rule50 == 0: the tables count from there. */
bool syzygy_wdl(Syzygy *s, const Position *p, Wdl *out);
/* Plies to the next capture or pawn move (or mate) with best play, negative when losing, 0 for a
 * draw; 100 more where the fifty-move rule makes a draw of it. May be one too low. */
bool syzygy_dtz(Syzygy *s, const Position *p, int *out);
/* The same for one legal move, as the side that makes it sees it. The fifty-move rule counts, with the plies
 * that the position has on its clock. Where distances are missing, *dtz is 0. */
bool syzygy_move(Syzygy *s, const Position *p, Move m, Wdl *wdl, int *dtz);
/* For the root of a search: value, distance (without its sign), and the legal moves that keep the
 * value. rule50: the fifty-move rule counts. repeated: a position of the game occurred before, so a
 * win has to make progress. */
bool syzygy_root(Syzygy *s, const Position *p, bool rule50, bool repeated, Wdl *wdl, int *dtz,
                 MoveList *keep);

#endif
