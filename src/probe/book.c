// SPDX-License-Identifier: GPL-3.0-or-later
/* book.c -- Polyglot books: 16-byte records, big-endian, sorted by key: u64 key, u16 move, u16
 * weight, u32 learn. */
#include "probe/book.h"

#include "base/compiler.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>

enum { RECORD_SIZE = 16, CASTLING_AT = 768, EP_AT = 772, TURN_AT = 780, RANDOM_COUNT = 781 };

static const uint64_t random64[RANDOM_COUNT] = {
#include "probe/book_random.def"
};

struct Book {
    File file;
    const char *bytes, *end; /* in memory instead of in a file */
};

typedef struct Record {
    uint64_t key;
    unsigned move, weight;
    uint32_t learn;
} Record;

/* --- keys --- */

Square book_ep(const Position *p, Move last)
{
    const Square from = move_from(last), to = move_to(last);
    const bool ran = last != MOVE_NONE && last != MOVE_NULL && move_kind(last) == NORMAL &&
                     (from ^ to) == 16 && piece_type(pos_piece_on(p, to)) == PAWN;
    return ran ? (from + to) / 2 : NO_SQUARE;
}

static uint64_t ep_key(const Position *p, Square ep)
{
    if (ep == NO_SQUARE)
        return 0;
    const Bitboard beside = attack_pawn[color_flip(p->turn)][ep] & pos_pieces(p, p->turn, PAWN);
    return beside ? random64[EP_AT + square_file(ep)] : 0;
}

/* The key of the Polyglot format, which differs from ours. */
Key book_key(const Position *p, Square ep)
{
    uint64_t key = ep_key(p, ep);
    for (Bitboard men = pos_occupied(p); men;) {
        const Square s = bb_pop(&men);
        const Piece piece = pos_piece_on(p, s);
        const int kind = piece_type(piece) * 2 + (piece_color(piece) == WHITE);
        key ^= random64[64 * kind + s];
    }
    for (int i = 0; i < 4; i++)
        if (p->st.castling & 1 << i)
            key ^= random64[CASTLING_AT + i];
    if (p->turn == WHITE)
        key ^= random64[TURN_AT];
    return key;
}

/* --- the file --- */

/* Nothing is read but the size: records are looked up in the file. */
Book *book_open(const char *path, Error *err)
{
    File file;
    Error why;
    if (!file_open(&file, path, &why)) {
        error_code(err, "BOOK_FILE", 0, "no book: %s", why.text);
        return NULL;
    }
    Book *book = NULL;
    if (file.size == 0 || file.size % RECORD_SIZE != 0)
        error_code(err, "BOOK_FORMAT", 0,
                   "'%.128s' is not a Polyglot book: its size is no multiple of %d", path,
                   RECORD_SIZE);
    else if (!(book = malloc(sizeof *book)))
        error_code(err, "NO_MEMORY", 0, "not enough memory for the book");
    else
        *book = (Book){.file = file};
    if (!book)
        file_close(&file);
    return book;
}

void book_close(Book *book)
{
    if (!book)
        return;
    file_close(&book->file);
    free(book);
}

#ifdef SAMARA_BOOK_FILE

EMBED_FILE(samara_book, SAMARA_BOOK_FILE);

const Book *book_embedded(void)
{
    static const Book embedded = {.bytes = samara_book, .end = samara_book_end};
    return &embedded;
}

#else

const Book *book_embedded(void) { return NULL; }

#endif

static uint64_t record_count(const Book *book)
{
    return (book->bytes ? (uint64_t)(book->end - book->bytes) : book->file.size) / RECORD_SIZE;
}

static uint64_t big_endian(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static bool read_record(const Book *book, uint64_t index, Record *out)
{
    unsigned char bytes[RECORD_SIZE];
    if (book->bytes)
        memcpy(bytes, book->bytes + index * RECORD_SIZE, sizeof bytes);
    else if (file_read(&book->file, index * RECORD_SIZE, bytes, sizeof bytes) != sizeof bytes)
        return false;
    *out = (Record){big_endian(bytes, 8), (unsigned)big_endian(bytes + 8, 2),
                    (unsigned)big_endian(bytes + 10, 2), (uint32_t)big_endian(bytes + 12, 4)};
    return true;
}

/* Index of the first record whose key is not below `key`. */
static uint64_t first_record(const Book *book, uint64_t key)
{
    uint64_t low = 0, high = record_count(book);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        Record record;
        if (!read_record(book, middle, &record))
            return record_count(book);
        if (record.key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- moves --- */

/* Bits: 0-2 to file, 3-5 to rank, 6-8 from file, 9-11 from rank, 12-14 promotion. Castling is king
 * takes rook, though some writers spell it king moves two squares. What is not legal here is
 * MOVE_NONE. */
static Move decode_move(const Position *p, const MoveList *legal, unsigned code)
{
    const Square to = (Square)(code & 63), from = (Square)(code >> 6 & 63);
    const int promotion = (int)(code >> 12 & 7); /* 0 none, 1 knight ... 4 queen */
    for (int i = 0; i < legal->count; i++) {
        const Move m = legal->moves[i];
        const int wanted = move_kind(m) == PROMOTION ? (int)move_promotion(m) : 0;
        if (move_from(m) == from && move_to(m) == to && wanted == promotion)
            return m;
    }
    const bool two_steps =
        piece_type(pos_piece_on(p, from)) == KING && (from ^ to) == 2 && promotion == 0;
    for (int i = 0; i < legal->count && two_steps; i++) {
        const Move m = legal->moves[i];
        if (move_kind(m) == CASTLING && move_from(m) == from && (move_to(m) > from) == (to > from))
            return m;
    }
    return MOVE_NONE;
}

/* Keeps the list sorted, best first; a move that comes twice counts once. */
static int insert(BookMove *list, int count, int max, BookMove entry)
{
    for (int i = 0; i < count; i++)
        if (list[i].move == entry.move)
            return count;
    int at = count < max ? count : max;
    while (at > 0 && list[at - 1].weight < entry.weight)
        at--;
    if (at == max)
        return count;
    const int last = count < max ? count : max - 1;
    memmove(list + at + 1, list + at, (size_t)(last - at) * sizeof *list);
    list[at] = entry;
    return last + 1;
}

/* Records of one position stand together; moves that are not legal here, from a collision or a
 * damaged file, are left out. */
int book_moves(const Book *book, const Position *p, Square ep, BookMove *out, int max)
{
    const Key key = book_key(p, ep);
    MoveList legal;
    gen_legal(p, &legal);
    int count = 0;
    Record record;
    for (uint64_t i = first_record(book, key);
         i < record_count(book) && read_record(book, i, &record) && record.key == key; i++) {
        const Move m = decode_move(p, &legal, record.move);
        if (m != MOVE_NONE)
            count = insert(out, count, max, (BookMove){m, (int)record.weight, record.learn});
    }
    return count;
}

/* The heaviest move, or one by lot with the weights as chances. */
Move book_pick(const Book *book, const Position *p, Square ep, bool best, Rng *rng)
{
    BookMove moves[MAX_MOVES];
    const int count = book_moves(book, p, ep, moves, MAX_MOVES);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += (uint64_t)moves[i].weight;
    if (sum == 0)
        return MOVE_NONE; /* weight 0 means: never play it */
    if (best)
        return moves[0].move;
    uint64_t lot = rng_below(rng, sum);
    int i = 0;
    while (lot >= (uint64_t)moves[i].weight)
        lot -= (uint64_t)moves[i++].weight;
    return moves[i].move;
}
