// SPDX-License-Identifier: GPL-3.0-or-later
/* record.h -- self-play games on disk: between two and three bytes for a move with its score.
 *
 * A file is a header and blocks of at most 64 KiB, each with its own checksum: what is damaged
 * costs the blocks that it touches, a torn tail costs the last one, and never the file.
 *
 *   header   128 bytes: "SAMARAGR", u32 version, u32 128, u64 seed, u32 soft and u32 hard node
 *            limit, 8 zero bytes, 80 bytes of text (who made it, NUL-padded), 4 zero bytes,
 *            u32 CRC-32C of all before
 *   block    "SGBK", u32 bytes of games, u32 games, u32 plies, u32 CRC-32C of the 16 bytes before
 *            and the games
 *   game     1 byte: bits 0-1 result in half points of White, bit 2 Chess960 (then u16 + u16
 *            follow: the numbers of White's and Black's start array); varint opening plies;
 *            varint plies; for each ply a varint rank of the move and, behind the opening, a
 *            varint score
 *   rank     how many legal moves are smaller when seen as numbers (chess/types.h): part of the
 *            format
 *   score    of the position before the move, side to move, as difference from the previous one
 *            negated; zigzag
 *   varint   7 bits a byte, low ones first; the high bit says that more follow
 *
 * Numbers are little-endian. */
#ifndef SAMARA_TRAIN_RECORD_H
#define SAMARA_TRAIN_RECORD_H

#include "base/error.h"
#include "base/text.h"
#include "chess/position.h"

enum {
    RECORD_MAX_PLIES = 1024,
    RECORD_MAX_SCORE = 32767,
    RECORD_MAKER_SIZE = 80,
    RECORD_STANDARD = 518
};

typedef struct RecordPly {
    Move move;
    int16_t score; /* side to move; 0 in the opening */
} RecordPly;

typedef struct GameRecord {
    bool chess960;
    uint16_t white_start, black_start; /* 0..959; RECORD_STANDARD both if !chess960 */
    uint8_t result;                    /* half points of White: 0, 1, 2 */
    int opening;                       /* so many plies were drawn at random and have no score */
    int count;
    RecordPly plies[RECORD_MAX_PLIES];
} GameRecord;

typedef struct RecordHeader {
    uint64_t seed;
    uint32_t soft_nodes, hard_nodes;
    char maker[RECORD_MAKER_SIZE];
} RecordHeader;

void record_start(const GameRecord *game, Position *p); /* where the game begins */

/* --- reading --- */
typedef struct RecordReader RecordReader;

typedef struct RecordTotals {
    uint64_t games, plies, blocks;
    uint64_t damaged;    /* places where something had to be skipped */
    uint64_t lost_bytes; /* in them */
} RecordTotals;

RecordReader *record_open(const char *path, Error *err); /* NULL if unreadable or foreign */
/* Only the blocks that begin in one of `parts` equal pieces of the file: for reading with several
 * threads. */
RecordReader *record_open_part(const char *path, int part, int parts, Error *err);
const RecordHeader *record_header(const RecordReader *reader);
/* The next game, every move legal; false at the end of the file. Damaged blocks are stepped over.
 */
bool record_next(RecordReader *reader, GameRecord *game);
RecordTotals record_totals(const RecordReader *reader); /* of what was read so far */
uint64_t record_bytes(const RecordReader *reader);      /* read so far */
void record_close(RecordReader *reader);                /* NULL is fine */

/* --- travelling --- */
/* One game as in a block, appended; and read back, every move legal. False: it is damaged. */
void record_pack(const GameRecord *game, Buffer *out);
bool record_unpack(Str *in, GameRecord *game);

/* --- writing --- */
typedef struct RecordWriter RecordWriter;

/* A new file; fails if there is one already. */
RecordWriter *record_create(const char *path, const RecordHeader *header, Error *err);
/* Goes on with a file, or makes it: drops a torn tail, takes a short last block back into memory,
 * and says how many games are there. The header must be the same. The bytes are those of an
 * unbroken run. */
RecordWriter *record_resume(const char *path, const RecordHeader *header, uint64_t *games,
                            Error *err);
bool record_put(RecordWriter *writer, const GameRecord *game, Error *err);
bool record_flush(RecordWriter *writer,
                  Error *err); /* everything to the disk, also a block that is not full */
bool record_finish(RecordWriter *writer,
                   Error *err); /* flushes and frees in any case; NULL is fine */

#endif
