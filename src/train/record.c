// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/record.h"

#include "base/file.h"
#include "base/rng.h"
#include "chess/movegen.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    HEADER_SIZE = 128,
    BLOCK_HEADER = 20,
    BLOCK_SIZE = 1 << 16, /* with its header */
    /* A move costs at most 2 + 3 bytes and a game 16 more, so every game fits a block. */
    GAME_MAX = 16 + RECORD_MAX_PLIES * 5,
};
static const char FILE_MAGIC[8] = "SAMARAGR", BLOCK_MAGIC[4] = "SGBK";

/* --- numbers --- */

static uint64_t get_le(const uint8_t *p, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static void put_le(uint8_t *p, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *put_varint(uint8_t *p, uint32_t value)
{
    for (; value > 127; value >>= 7)
        *p++ = (uint8_t)(value | 128);
    *p++ = (uint8_t)value;
    return p;
}

/* A slice of bytes being read; `bad` once it ran dry. */
typedef struct Bytes {
    const uint8_t *at, *end;
    bool bad;
} Bytes;

static uint32_t get_byte(Bytes *in)
{
    if (in->at == in->end) {
        in->bad = true;
        return 0;
    }
    return *in->at++;
}

/* Seven bits per byte, at most four bytes; more is damage. */
static uint32_t get_varint(Bytes *in)
{
    uint32_t value = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        const uint32_t byte = get_byte(in);
        value |= (byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    in->bad = true;
    return 0;
}

static uint32_t zigzag(int32_t value)
{
    return (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0);
}
static int32_t unzigzag(uint32_t value) { return (int32_t)(value >> 1) ^ -(int32_t)(value & 1); }

/* --- games --- */

void record_start(const GameRecord *game, Position *p)
{
    if (game->chess960)
        pos_start_960(p, game->white_start, game->black_start);
    else
        pos_start(p);
}

static int rank_of_move(const MoveList *list, Move m)
{
    int rank = 0;
    for (int i = 0; i < list->count; i++)
        rank += list->moves[i] < m;
    return rank;
}

static Move move_of_rank(const MoveList *list, int rank)
{
    for (int i = 0; i < list->count; i++)
        if (rank_of_move(list, list->moves[i]) == rank)
            return list->moves[i];
    return MOVE_NONE;
}

/* Returns the end; at most GAME_MAX bytes. */
static uint8_t *encode_game(uint8_t *out, const GameRecord *game)
{
    *out++ = (uint8_t)(game->result | game->chess960 << 2);
    if (game->chess960) {
        put_le(out, game->white_start, 2);
        put_le(out + 2, game->black_start, 2);
        out += 4;
    }
    out = put_varint(out, (uint32_t)game->opening);
    out = put_varint(out, (uint32_t)game->count);

    Position p;
    record_start(game, &p);
    int expected = 0;
    for (int i = 0; i < game->count; i++) {
        const RecordPly *ply = &game->plies[i];
        MoveList list;
        gen_legal(&p, &list);
        assert(list_has(&list, ply->move));
        out = put_varint(out, (uint32_t)rank_of_move(&list, ply->move));
        if (i >= game->opening) {
            out = put_varint(out, zigzag(ply->score - expected));
            expected = -ply->score;
        }
        Undo undo;
        pos_make(&p, ply->move, &undo, NULL);
    }
    return out;
}

/* Flags, start positions and lengths, all checked: the block's checksum does not protect from a
 * wrong writer. */
static bool decode_start(Bytes *in, GameRecord *game)
{
    const uint32_t flags = get_byte(in);
    game->result = flags & 3;
    game->chess960 = flags >> 2 & 1;
    game->white_start = game->black_start = RECORD_STANDARD;
    if (game->chess960) {
        game->white_start = (uint16_t)get_byte(in);
        game->white_start |= (uint16_t)(get_byte(in) << 8);
        game->black_start = (uint16_t)get_byte(in);
        game->black_start |= (uint16_t)(get_byte(in) << 8);
    }
    const uint32_t opening = get_varint(in), count = get_varint(in);
    game->opening = (int)opening;
    game->count = (int)count;
    return !in->bad && flags < 8 && game->result <= 2 && game->white_start < 960 &&
           game->black_start < 960 && count <= RECORD_MAX_PLIES && opening <= count;
}

/* Moves are stored as ranks in the sorted list of legal moves, scores as differences from the
 * negated last one: both are small numbers. */
static bool decode_game(Bytes *in, GameRecord *game)
{
    if (!decode_start(in, game))
        return false;
    Position p;
    record_start(game, &p);
    int expected = 0;
    for (int i = 0; i < game->count; i++) {
        RecordPly *ply = &game->plies[i];
        MoveList list;
        gen_legal(&p, &list);
        ply->move = move_of_rank(&list, (int)get_varint(in));
        ply->score = 0;
        if (i >= game->opening) {
            const int score = expected + unzigzag(get_varint(in));
            if (score > RECORD_MAX_SCORE || score < -RECORD_MAX_SCORE)
                return false;
            ply->score = (int16_t)score;
            expected = -score;
        }
        if (in->bad || ply->move == MOVE_NONE)
            return false;
        Undo undo;
        pos_make(&p, ply->move, &undo, NULL);
    }
    return true;
}

/* --- headers --- */

void record_pack(const GameRecord *game, Buffer *out)
{
    uint8_t bytes[GAME_MAX];
    buffer_append(out, bytes, (size_t)(encode_game(bytes, game) - bytes));
}

bool record_unpack(Str *in, GameRecord *game)
{
    Bytes bytes = {(const uint8_t *)in->ptr, (const uint8_t *)in->ptr + in->len, false};
    if (!decode_game(&bytes, game))
        return false;
    in->len = (size_t)(bytes.end - bytes.at);
    in->ptr = (const char *)bytes.at;
    return true;
}

/* The layout is drawn in record.h. */
static void encode_header(uint8_t out[HEADER_SIZE], const RecordHeader *header)
{
    memset(out, 0, HEADER_SIZE);
    memcpy(out, FILE_MAGIC, sizeof FILE_MAGIC);
    put_le(out + 8, VERSION, 4);
    put_le(out + 12, HEADER_SIZE, 4);
    put_le(out + 16, header->seed, 8);
    put_le(out + 24, header->soft_nodes, 4);
    put_le(out + 28, header->hard_nodes, 4);
    str_copy((char *)out + 40, RECORD_MAKER_SIZE, str_from(header->maker));
    put_le(out + 124, crc32c(0, out, 124), 4);
}

/* A foreign file, damage and another version have different messages. */
static bool decode_header(const uint8_t in[HEADER_SIZE], size_t size, RecordHeader *header,
                          const char *path, Error *err)
{
    if (size < sizeof FILE_MAGIC || memcmp(in, FILE_MAGIC, sizeof FILE_MAGIC) != 0)
        return error_set(err, "'%s' is not a file of Samara's games", path);
    if (size < HEADER_SIZE || crc32c(0, in, 124) != get_le(in + 124, 4))
        return error_set(err, "the header of '%s' is damaged", path);
    if (get_le(in + 8, 4) != VERSION || get_le(in + 12, 4) != HEADER_SIZE)
        return error_set(err, "'%s' has version %u, this program reads %d", path,
                         (unsigned)get_le(in + 8, 4), VERSION);
    header->seed = get_le(in + 16, 8);
    header->soft_nodes = (uint32_t)get_le(in + 24, 4);
    header->hard_nodes = (uint32_t)get_le(in + 28, 4);
    memcpy(header->maker, in + 40, RECORD_MAKER_SIZE);
    header->maker[RECORD_MAKER_SIZE - 1] = '\0';
    return true;
}

/* --- reader --- */

enum { WINDOW = 2 * BLOCK_SIZE };

struct RecordReader {
    FILE *file;
    RecordHeader header;
    uint8_t window[WINDOW]; /* bytes not yet understood: [begin, end) */
    size_t begin, end;
    uint64_t offset;      /* of window[begin] in the file */
    uint64_t limit;       /* blocks that begin here or behind are not ours */
    bool seeking;         /* for our first block: what comes before it is another part's */
    bool in_gap;          /* the last bytes were skipped */
    Bytes block;          /* games still to come, in `games` */
    uint32_t block_games; /* how many */
    uint64_t block_at;    /* where the block begins in the file */
    uint32_t block_total; /* games it had, and bytes */
    uint32_t block_bytes;
    uint8_t games[BLOCK_SIZE];
    RecordTotals totals;
};

static void fill_window(RecordReader *r)
{
    memmove(r->window, r->window + r->begin, r->end - r->begin);
    r->end -= r->begin;
    r->begin = 0;
    r->end += fread(r->window + r->end, 1, WINDOW - r->end, r->file);
}

static void step_over(RecordReader *r, size_t bytes)
{
    if (!r->seeking) {
        r->totals.damaged += !r->in_gap;
        r->in_gap = true;
        r->totals.lost_bytes += bytes;
    }
    r->begin += bytes;
    r->offset += bytes;
}

/* Is there a whole, undamaged block at the window's beginning? */
static bool block_here(const RecordReader *r)
{
    const uint8_t *p = r->window + r->begin;
    if (r->end - r->begin < BLOCK_HEADER || memcmp(p, BLOCK_MAGIC, sizeof BLOCK_MAGIC) != 0)
        return false;
    const uint64_t bytes = get_le(p + 4, 4);
    if (bytes > BLOCK_SIZE - BLOCK_HEADER || bytes + BLOCK_HEADER > r->end - r->begin)
        return false;
    return crc32c(crc32c(0, p, 16), p + BLOCK_HEADER, bytes) == get_le(p + 16, 4);
}

/* The block is copied, since the window moves on while its games are read. */
static void take_block(RecordReader *r)
{
    const uint8_t *p = r->window + r->begin;
    const uint32_t bytes = (uint32_t)get_le(p + 4, 4);
    memcpy(r->games, p + BLOCK_HEADER, bytes);
    r->block = (Bytes){r->games, r->games + bytes, false};
    r->block_games = r->block_total = (uint32_t)get_le(p + 8, 4);
    r->block_bytes = bytes;
    r->block_at = r->offset;
    r->begin += BLOCK_HEADER + bytes;
    r->offset += BLOCK_HEADER + bytes;
    r->in_gap = r->seeking = false;
    r->totals.blocks++;
}

/* After damage the search goes on at the next byte that may begin a block. */
static bool next_block(RecordReader *r)
{
    for (;;) {
        if (r->end - r->begin < BLOCK_SIZE)
            fill_window(r);
        if (r->begin == r->end || r->offset >= r->limit)
            return false;
        if (block_here(r)) {
            take_block(r);
            return true;
        }
        const uint8_t *next =
            memchr(r->window + r->begin + 1, BLOCK_MAGIC[0], r->end - r->begin - 1);
        step_over(r, next ? (size_t)(next - r->window) - r->begin : r->end - r->begin);
    }
}

/* A part begins at the first block behind its share of the bytes; the reader before it ends there.
 * */
static bool begin_reading(RecordReader *r, const char *path, int part, int parts, Error *err)
{
    r->file = file_stream(path, "rb");
    if (!r->file)
        return error_set(err, "cannot open '%s': %s", path, strerror(errno));
    uint8_t header[HEADER_SIZE] = {0};
    const size_t size = fread(header, 1, sizeof header, r->file);
    if (!decode_header(header, size, &r->header, path, err))
        return false;
    r->offset = HEADER_SIZE;
    r->limit = UINT64_MAX;
    if (parts == 1)
        return true;
    if (fseeko(r->file, 0, SEEK_END) != 0)
        return error_set(err, "cannot read '%s': %s", path, strerror(errno));
    const uint64_t bytes = (uint64_t)ftello(r->file) - HEADER_SIZE;
    r->offset += bytes * (uint64_t)part / (uint64_t)parts;
    r->limit = HEADER_SIZE + bytes * (uint64_t)(part + 1) / (uint64_t)parts;
    r->seeking = part > 0;
    if (fseeko(r->file, (off_t)r->offset, SEEK_SET) != 0)
        return error_set(err, "cannot read '%s': %s", path, strerror(errno));
    return true;
}

/* Several threads can read one file, each its part. */
RecordReader *record_open_part(const char *path, int part, int parts, Error *err)
{
    RecordReader *r = calloc(1, sizeof *r);
    if (!r) {
        error_set(err, "there is not enough memory to read '%s'", path);
        return NULL;
    }
    if (!begin_reading(r, path, part, parts, err)) {
        record_close(r);
        return NULL;
    }
    return r;
}

RecordReader *record_open(const char *path, Error *err)
{
    return record_open_part(path, 0, 1, err);
}

/* A block whose checksum is right but whose games are not is left out and counted as damage. */
bool record_next(RecordReader *r, GameRecord *game)
{
    for (;;) {
        while (r->block_games == 0)
            if (!next_block(r))
                return false;
        if (decode_game(&r->block, game)) {
            r->block_games--;
            r->totals.games++;
            r->totals.plies += (uint64_t)game->count;
            return true;
        }
        r->block_games = 0; /* the checksum is right, the games are not: somebody else's mistake */
        r->totals.damaged++;
        r->totals.lost_bytes += (uint64_t)(r->block.end - r->block.at);
    }
}

const RecordHeader *record_header(const RecordReader *r) { return &r->header; }
RecordTotals record_totals(const RecordReader *r) { return r->totals; }
uint64_t record_bytes(const RecordReader *r) { return r->offset; }

void record_close(RecordReader *r)
{
    if (!r)
        return;
    if (r->file)
        fclose(r->file);
    free(r);
}

/* --- writer --- */

struct RecordWriter {
    FILE *file;
    size_t used; /* of games */
    uint32_t game_count, ply_count;
    uint8_t block[BLOCK_SIZE]; /* header first */
    uint8_t next[GAME_MAX];
};

static bool write_bytes(RecordWriter *w, const void *bytes, size_t size, Error *err)
{
    if (fwrite(bytes, 1, size, w->file) != size)
        return error_set(err, "cannot write the games: %s", strerror(errno));
    return true;
}

/* Each block has its own checksum: damage costs one block. */
static bool write_block(RecordWriter *w, Error *err)
{
    if (w->game_count == 0)
        return true;
    uint8_t *p = w->block;
    memcpy(p, BLOCK_MAGIC, sizeof BLOCK_MAGIC);
    put_le(p + 4, w->used, 4);
    put_le(p + 8, w->game_count, 4);
    put_le(p + 12, w->ply_count, 4);
    put_le(p + 16, crc32c(crc32c(0, p, 16), p + BLOCK_HEADER, w->used), 4);
    if (!write_bytes(w, p, BLOCK_HEADER + w->used, err))
        return false;
    w->used = w->game_count = w->ply_count = 0;
    return true;
}

/* Blocks are written when the next game does not fit, and flushed, so that a crash loses one block
 * at most. */
bool record_put(RecordWriter *w, const GameRecord *game, Error *err)
{
    const size_t size = (size_t)(encode_game(w->next, game) - w->next);
    if (BLOCK_HEADER + w->used + size > BLOCK_SIZE &&
        (!write_block(w, err) || !record_flush(w, err)))
        return false;
    memcpy(w->block + BLOCK_HEADER + w->used, w->next, size);
    w->used += size;
    w->game_count++;
    w->ply_count += (uint32_t)game->count;
    return true;
}

bool record_flush(RecordWriter *w, Error *err)
{
    if (!write_block(w, err))
        return false;
    if (fflush(w->file) != 0)
        return error_set(err, "cannot write the games: %s", strerror(errno));
    return true;
}

bool record_finish(RecordWriter *w, Error *err)
{
    if (!w)
        return true;
    bool ok = !w->file || record_flush(w, err);
    if (w->file && fclose(w->file) != 0 && ok)
        ok = error_set(err, "cannot write the games: %s", strerror(errno));
    free(w);
    return ok;
}

/* The mode decides whether a file that is there is an error. */
static RecordWriter *open_writer(const char *path, const char *mode, Error *err)
{
    RecordWriter *w = calloc(1, sizeof *w);
    if (!w) {
        error_set(err, "there is not enough memory to write '%s'", path);
        return NULL;
    }
    w->file = file_stream(path, mode);
    if (!w->file) {
        error_set(err, "cannot write '%s': %s", path, strerror(errno));
        free(w);
        return NULL;
    }
    return w;
}

static void abandon(RecordWriter *w)
{
    fclose(w->file);
    free(w);
}

/* Never overwrites a file of games. */
RecordWriter *record_create(const char *path, const RecordHeader *header, Error *err)
{
    RecordWriter *w = open_writer(path, "wbx", err);
    if (!w)
        return NULL;
    uint8_t bytes[HEADER_SIZE];
    encode_header(bytes, header);
    if (!write_bytes(w, bytes, sizeof bytes, err) || !record_flush(w, err)) {
        abandon(w);
        return NULL;
    }
    return w;
}

/* Reads the games of a file into *count and leaves those of the last block in the writer. The
 * offset at which writing goes on comes back in *at. False if something before the tail is damaged:
 * then the count would lie. */
static bool recount(RecordReader *r, RecordWriter *w, uint64_t *count, uint64_t *at)
{
    uint64_t gap_at = 0;
    *at = HEADER_SIZE;
    for (;;) {
        const bool more = next_block(r);
        if (r->totals.damaged && !gap_at)
            gap_at = more ? r->block_at : UINT64_MAX;
        if (!more)
            break;
        *count += w->game_count;
        *at = r->block_at;
        w->used = r->block_bytes;
        w->game_count = r->block_total;
        w->ply_count = 0;
        memcpy(w->block + BLOCK_HEADER, r->games, r->block_bytes);
    }
    Bytes games = {w->block + BLOCK_HEADER, w->block + BLOCK_HEADER + w->used, false};
    GameRecord game;
    for (uint32_t i = 0; i < w->game_count; i++) {
        if (!decode_game(&games, &game))
            return false;
        w->ply_count += (uint32_t)game.count;
    }
    *count += w->game_count;
    return gap_at == 0 || gap_at == UINT64_MAX;
}

static bool same_header(const RecordHeader *a, const RecordHeader *b)
{
    return a->seed == b->seed && a->soft_nodes == b->soft_nodes && a->hard_nodes == b->hard_nodes &&
           strcmp(a->maker, b->maker) == 0;
}

/* Goes through the whole file once and continues behind its last block; a half-written block at the
 * end is cut off. */
RecordWriter *record_resume(const char *path, const RecordHeader *header, uint64_t *games,
                            Error *err)
{
    *games = 0;
    if (!file_exists(path))
        return record_create(path, header, err);
    RecordReader *r = record_open(path, err);
    if (!r)
        return NULL;
    if (!same_header(&r->header, header)) {
        error_set(err, "'%s' was made with other settings (%s, %u nodes, seed %llu)", path,
                  r->header.maker, r->header.soft_nodes, (unsigned long long)r->header.seed);
        record_close(r);
        return NULL;
    }
    RecordWriter *w = open_writer(path, "r+b", err);
    uint64_t at = 0;
    if (w && !recount(r, w, games, &at)) {
        error_set(err, "'%s' is damaged before its end; merge what is left into a new file first",
                  path);
        abandon(w);
        w = NULL;
    }
    if (w && !file_cut(w->file, at)) {
        error_set(err, "cannot write '%s': %s", path, strerror(errno));
        abandon(w);
        w = NULL;
    }
    record_close(r);
    return w;
}
