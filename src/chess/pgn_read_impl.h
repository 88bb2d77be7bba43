// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn_read_impl.h -- the inside of the PGN reader. pgn_read.c reads comments, tags and whole games,
 * pgn_movetext.c the moves with their variations. */
#ifndef SAMARA_CHESS_PGN_READ_IMPL_H
#define SAMARA_CHESS_PGN_READ_IMPL_H

#include "chess/pgn.h"
#include "chess/pgn_build.h"
#include "chess/pgn_bytes.h"
#include <stdio.h>

/* A variation that is open: where its main line stands. */
typedef struct Level {
    int node, depth;
    size_t pending_start;
} Level;

struct PgnReader {
    PgnBytes in;
    FILE *file; /* NULL unless opened by name */
    bool out_of_memory;

    /* The game so far. */
    PgnBuilder b;
    Position start, pos; /* the standard start; the position after `node` */
    Undo *path;          /* path[i] takes back move i of the line that leads to `node` */
    int path_capacity, depth;
    Level *levels;
    int level_capacity, level_count;
    int node;
    bool fresh; /* no move yet in this line */
    bool over;  /* the header already met the next game */

    /* Comments of the line that stands still, each with a blank behind it; outer lines below. */
    Buffer pending;
    size_t pending_start;
    const char *result, *late_result; /* in the main line; inside a variation */
};

/* pgn_read.c */
bool pgn_no_memory(PgnReader *r); /* ends the input; the game that was being read is lost. False */
/* What is wrong with the game. The first problem counts, with the line where reading stands. */
void pgn_problem(PgnReader *r, const char *code, const char *format, ...) PRINTF_LIKE(3, 4);
/* The word that begins here, cut after PGN_LONGEST bytes; promotions may be e8(Q). */
Str pgn_peek_word(const PgnReader *r);
void pgn_skip_word(PgnReader *r); /* to its end, however long it is */
bool pgn_is_tag_here(const PgnReader *r);
void pgn_skip_spaces(PgnReader *r);
void pgn_add_text(PgnReader *r, Str s); /* to the pending comment */
void pgn_read_brace_comment(PgnReader *r);
void pgn_read_line_comment(PgnReader *r);
void pgn_flush_comment(PgnReader *r, bool before); /* gives the pending comment to the node */

/* pgn_movetext.c */
void pgn_read_movetext(PgnReader *r); /* up to the result, the next game or the end */
void pgn_close_variation(PgnReader *r);
const char *pgn_find_result(Str word); /* "1-0" and so on; NULL if the word is no result */
/* Keeps what cannot be played as a comment: up to the end of the line of moves if `open` is 0, up to
 * the bracket that closes a variation if it is 1. */
void pgn_keep_text(PgnReader *r, int open);

#endif
