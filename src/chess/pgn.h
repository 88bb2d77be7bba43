// SPDX-License-Identifier: GPL-3.0-or-later
/* pgn.h -- games as text. The reader streams: it holds one game at a time, whatever the size of the
 * file, checks every move, keeps comments, NAGs and variations, and survives broken games. */
#ifndef SAMARA_CHESS_PGN_H
#define SAMARA_CHESS_PGN_H

#include "base/error.h"
#include "base/text.h"
#include "chess/fen.h"

enum { PGN_MAX_NAGS = 7 };

/* The game as a tree in arrays: node 0 is the root (no move). The main line is the chain of first
 * children; the other children of a node are the variations to its first child. */
typedef struct PgnNode {
    Move move; /* MOVE_NULL for a written null move */
    uint8_t nag_count, nags[PGN_MAX_NAGS];
    int parent;                  /* -1 for the root */
    int first_child, last_child; /* continuations; -1 if none */
    int next;                    /* the next alternative to this move; -1 if none */
    int comment;        /* offset in PgnGame.text of the comment after the move (on the root: before
                           the first move), -1 if none; NUL-terminated, blanks collapsed */
    int comment_before; /* of the comment between the opening bracket of a variation and its first
                           move, on that move; -1 if none */
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
    const char *text; /* all strings of the game, in the bytes of the file (UTF-8 or Latin-1) */
    char result[8];   /* "1-0", "0-1", "1/2-1/2", "*" */
    bool broken;      /* something could not be read: see problem; the rest is here */
    Error problem;    /* the first one: ILLEGAL_MOVE, TEXT, VARIATION, COMMENT, TAG, TOO_LARGE, or a
                         code of fen_parse(); the sentence has line, ply and word */
    uint64_t line;    /* where in the file the game began, 1-based */
} PgnGame;

const char *pgn_tag(const PgnGame *game, const char *name); /* NULL if absent */

/* --- reading --- */

typedef struct PgnReader PgnReader;

/* How the reader gets bytes: up to `size` into `out`; 0 at the end, negative on an error. */
typedef long (*PgnSource)(void *user, char *out, size_t size);

PgnReader *pgn_open(PgnSource source, void *user, Error *err); /* NULL if memory is short */
PgnReader *pgn_open_file(const char *path, Error *err);        /* "-" is standard input */
/* The next game, owned by the reader and valid until the next call; NULL at the end of the input.
 * An illegal move ends its line: what follows is kept as the last comment of that line. */
const PgnGame *pgn_next(PgnReader *reader);
bool pgn_failed(const PgnReader *reader, Error *err); /* the source failed or memory ran out */
uint64_t pgn_bytes(const PgnReader *reader);          /* consumed: where the next game may begin */
void pgn_close(PgnReader *reader);                    /* NULL is fine */

/* --- building a game, to write it --- */

typedef struct PgnBuilder PgnBuilder;

/* Memory that runs out on the way is remembered until pgn_builder_game() is asked. */
PgnBuilder *pgn_builder_new(const Position *start, Error *err); /* NULL if memory is short */
void pgn_builder_free(PgnBuilder *b);                           /* NULL is fine */
void pgn_builder_tag(PgnBuilder *b, const char *name,
                     const char *value); /* a second one replaces */
/* Adds m, legal after `parent` (0 is the root), as its last continuation; returns the new node. */
int pgn_builder_move(PgnBuilder *b, int parent, Move m);
void pgn_builder_comment(PgnBuilder *b, int node, const char *text); /* a second one replaces */
void pgn_builder_nag(PgnBuilder *b, int node, int nag);              /* 0 to 255 */
void pgn_builder_result(PgnBuilder *b, const char *result);          /* one of the four */
/* Valid until the builder is changed or freed; NULL if memory ran out. */
const PgnGame *pgn_builder_game(PgnBuilder *b, Error *err);

/* --- writing --- */

/* Export format: the seven tags first (with "?" where absent), then the others in ASCII order;
 * SetUp, FEN and Variant where the start position asks for them; lines under 80 columns where words
 * allow it. Reads back as the same tree. If memory is short, out->failed is set. */
void pgn_write(const PgnGame *game, Buffer *out);
/* One tag on a line of its own; quotes and backslashes are escaped, as the standard wants. */
void pgn_write_tag(Buffer *out, const char *name, const char *value);

/* --- numbers in comments --- */

/* [%eval 0.35,18] [%eval #-3] [%clk 0:09:59] [%emt 0:00:05], and the engines' own {+0.31/18 1.2s},
 * whose view is that of `mover`, who played the move, and whose mates (+M7/20) count plies. */
typedef struct PgnEval {
    bool has_eval, is_mate, has_clock, has_elapsed;
    double pawns;   /* White's view */
    int mate;       /* moves, White's view; 0 is mate on the board */
    int depth;      /* 0 if not given */
    double clock;   /* seconds left after the move */
    double elapsed; /* seconds spent on the move */
} PgnEval;
void pgn_comment_eval(const char *comment, Color mover, PgnEval *out);

#endif
