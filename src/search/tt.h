// SPDX-License-Identifier: GPL-3.0-or-later
/* tt.h -- transposition table: what finished searches leave behind for later ones.
 *
 * Shared by all workers without locks: everything is a relaxed atomic word, and the check bits of
 * an entry cover its data, so that an entry torn by two writers is a miss and not a lie. */
#ifndef SAMARA_SEARCH_TT_H
#define SAMARA_SEARCH_TT_H

#include "base/error.h"
#include "chess/types.h"
#include "search/score.h"
#include <stddef.h>

typedef struct TTable TTable; /* opaque: only tt.c knows the layout */

/* Depth of an entry that holds no search, only a static evaluation. */
enum { TT_DEPTH_NONE = -2 };

typedef struct TTData {
    Move move;
    int16_t score; /* mate distance counted from this node, see tt_score_in/out */
    int16_t eval;  /* raw static evaluation, SCORE_NONE if in check */
    int depth;     /* TT_DEPTH_NONE to MAX_PLY */
    Bound bound;
    bool pv;
} TTData;

TTable *tt_create(size_t megabytes, Error *err); /* NULL, and *err set, if memory is short */
void tt_destroy(TTable *tt);                     /* NULL is fine */
size_t tt_megabytes(const TTable *tt);
void tt_clear(TTable *tt, int threads); /* by so many where it must be written */
void tt_new_search(TTable *tt);         /* ages what is there */
int tt_hashfull(const TTable *tt);      /* permille of entries of this search */
void tt_prefetch(const TTable *tt, Key key);
bool tt_probe(const TTable *tt, Key key, TTData *out); /* a miss leaves *out untouched */
/* The old entry of the same position stays if it is much deeper, but takes the new move; its move
 * stays if the new one has none. */
void tt_store(TTable *tt, Key key, const TTData *data);

/* A decisive score counts plies from the root; in the table it counts them from the node. */
int16_t tt_score_in(Score score, int ply);
/* Back again. A win that cannot be had before the fifty-move rule steps in is only a large
 * advantage. */
Score tt_score_out(int16_t score, int ply, int rule50);

#endif
