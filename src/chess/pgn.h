// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn.h -- games as text. The reader streams: it holds one game at a time, whatever the size of the file, checks
 * every move, keeps comments, NAGs and variations, and survives broken games. */
#ifndef SAMARA_CHESS_PGN_H
#define SAMARA_CHESS_PGN_H

#include "base/error.h"
#include "base/text.h"
#include "chess/fen.h"

typedef struct PgnReader PgnReader;

/* How the reader gets bytes: up to `size` into `out`; 0 at the end, negative on an error. */
typedef long (*PgnSource)(void *user, char *out, size_t size);

/* The game as a tree in arrays: node 0 is the root (no move). The main line is the chain of first children. */
typedef struct PgnNode {
    Move move;              /* MOVE_NULL for a written null move */
    int parent;             /* -1 for the root */
    int first_child, next;  /* first continuation; next alternative to this move; -1 if none */
    int comment;            /* offset in PgnGame.text of the comment after the move, -1 if none (NUL-terminated) */
    int comment_before;     /* of the comment before the move (or before the game: on the root), -1 if none */
    uint8_t nag_count, nags[7];
} PgnNode;

typedef struct PgnTag {
    int name, value; /* offsets in PgnGame.text */
} PgnTag;

typedef struct PgnGame {
    Position start;
    PgnTag *tags;
    int tag_count;
    PgnNode *nodes;
    int node_count;
    const char *text;      /* all strings of the game */
    char result[8];        /* "1-0", "0-1", "1/2-1/2", "*" */
    bool broken;           /* something could not be read; problem says what; all before it is kept */
    Error problem;
    uint64_t line;         /* where in the file the game began, 1-based */
} PgnGame;

PgnReader *pgn_open(PgnSource source, void *user, Error *err);
PgnReader *pgn_open_file(const char *path, Error *err); /* "-" is standard input */
/* The next game, owned by the reader and valid until the next call; NULL at the end of the input. */
const PgnGame *pgn_next(PgnReader *reader);
bool pgn_failed(const PgnReader *reader, Error *err); /* the source failed or memory ran out */
uint64_t pgn_bytes(const PgnReader *reader);          /* read so far: for progress */
void pgn_close(PgnReader *reader);

const char *pgn_tag(const PgnGame *game, const char *name); /* NULL if absent */

/* Commands inside a comment: [%eval 0.35,18] [%eval #-3] [%clk 0:09:59], and the engines' own {+0.31/18 1.2s}. */
typedef struct PgnEval {
    bool has_eval, is_mate, has_clock;
    double pawns;   /* White's view */
    int mate;       /* White's view */
    int depth;      /* 0 if not given */
    double seconds; /* clock after the move */
} PgnEval;
void pgn_comment_eval(const char *comment, PgnEval *out);

/* Export format: seven tags first, lines under 80 columns; reads back identical. */
void pgn_write(const PgnGame *game, Buffer *out);

#endif
