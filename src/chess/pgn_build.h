// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn_build.h -- the inside of a game that grows: shared by the builder and the reader of pgn.h. */
#ifndef SAMARA_CHESS_PGN_BUILD_H
#define SAMARA_CHESS_PGN_BUILD_H

#include "chess/pgn.h"

enum {
    PGN_MAX_NODES = 1 << 21, /* 300 MB of nodes and positions: no game of chess needs it */
    PGN_MAX_TEXT = 1 << 28
};

struct PgnBuilder {
    PgnGame game; /* game.text is set by pgn_build_finish() */
    Buffer text;
    int tag_capacity, node_capacity;
    bool failed; /* memory ran out */
};

/* All memory is kept for the next game. */
void pgn_build_reset(PgnBuilder *b, const Position *start);
void pgn_build_release(PgnBuilder *b);
/* The next two give -1 if the game is too large, or memory short (then b->failed is set, too). */
int pgn_build_text(PgnBuilder *b, Str s); /* a copy among the strings of the game: its offset */
int pgn_build_add_node(PgnBuilder *b, int parent, Move m);
void pgn_build_add_tag(PgnBuilder *b, int name, int value); /* nothing if either is -1 */
void pgn_build_add_nag(PgnNode *node, int nag);
const char *pgn_build_find_tag(const PgnBuilder *b, const char *name);
void pgn_build_finish(PgnBuilder *b);

/* Appends with every run of blanks made one; none at the start and none after a blank that is
 * already behind `start`. */
void pgn_append_collapsed(Buffer *b, size_t start, Str s);

#endif
