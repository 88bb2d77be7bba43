// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/book_build.h"

#include "base/file.h"
#include "chess/pgn.h"
#include "probe/book.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 12, RECORD_SIZE = 16, WEIGHT_MAX = 0xffff };

/* One move in one position. */
typedef struct Entry {
    Key key;
    uint32_t games, points; /* games 0: a free slot */
    uint16_t code;          /* the move as the file has it */
} Entry;

/* Open addressing, at most half full. */
typedef struct Tally {
    Entry *slots;
    size_t capacity, count;
} Tally;

static uint16_t encode_move(Move m)
{
    const int promotion = move_kind(m) == PROMOTION ? move_promotion(m) : 0;
    return (uint16_t)(move_to(m) | move_from(m) << 6 | promotion << 12);
}

static Entry *slot_of(const Tally *t, Key key, uint16_t code)
{
    size_t i = (key ^ code * 0x9E3779B97F4A7C15ULL) & (t->capacity - 1);
    while (t->slots[i].games > 0 && (t->slots[i].key != key || t->slots[i].code != code))
        i = (i + 1) & (t->capacity - 1);
    return &t->slots[i];
}

/* At half full the table doubles, so that probing stays short. */
static bool grow(Tally *t)
{
    Tally bigger = {.capacity = t->capacity ? t->capacity * 2 : FIRST_CAPACITY, .count = t->count};
    bigger.slots = calloc(bigger.capacity, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i].games > 0)
            *slot_of(&bigger, t->slots[i].key, t->slots[i].code) = t->slots[i];
    free(t->slots);
    *t = bigger;
    return true;
}

/* One slot per position and move; a win counts two points, a draw one. */
static bool tally_move(Tally *t, Key key, uint16_t code, uint32_t points)
{
    if (t->count * 2 >= t->capacity && !grow(t))
        return false;
    Entry *entry = slot_of(t, key, code);
    if (entry->games == 0) {
        *entry = (Entry){.key = key, .code = code};
        t->count++;
    }
    entry->games++;
    entry->points += points;
    return true;
}

/* Twice the points of White; -1 without a result. */
static int white_points(const PgnGame *game)
{
    if (strcmp(game->result, "1-0") == 0)
        return 2;
    if (strcmp(game->result, "0-1") == 0)
        return 0;
    return strcmp(game->result, "1/2-1/2") == 0 ? 1 : -1;
}

static bool is_wanted(const PgnGame *game, int color, const char *player)
{
    const char *name = pgn_tag(game, color == WHITE ? "White" : "Black");
    return !player || (name && strcmp(name, player) == 0);
}

/* Each move counts for the side that made it, up to max_plies. */
static bool tally_game(Tally *t, const PgnGame *game, int white, const BookPlan *plan)
{
    const bool wanted[2] = {is_wanted(game, WHITE, plan->player),
                            is_wanted(game, BLACK, plan->player)};
    Position pos = game->start;
    Square ep = pos.st.ep;
    int node = game->nodes[0].first_child;
    for (int ply = 0; ply < plan->max_plies && node >= 0;
         ply++, node = game->nodes[node].first_child) {
        const Move m = game->nodes[node].move;
        if (m == MOVE_NULL)
            break;
        const int points = pos.turn == WHITE ? white : 2 - white;
        if (wanted[pos.turn] &&
            !tally_move(t, book_key(&pos, ep), encode_move(m), (uint32_t)points))
            return false;
        Undo undo;
        pos_make(&pos, m, &undo, NULL);
        ep = book_ep(&pos, m);
    }
    return true;
}

/* Games without a result, or that cannot be read, are skipped and counted. */
static bool tally_file(Tally *t, const char *path, const BookPlan *plan, BookStats *stats,
                       Error *err)
{
    PgnReader *reader = pgn_open_file(path, err);
    if (!reader)
        return false;
    bool ok = true;
    for (const PgnGame *game; ok && (game = pgn_next(reader));) {
        const int white = white_points(game);
        if (white < 0)
            stats->skipped++;
        else
            ok = tally_game(t, game, white, plan);
        stats->games++;
    }
    if (!ok)
        error_code(err, "NO_MEMORY", 0, "not enough memory for the book");
    ok = ok && !pgn_failed(reader, err);
    pgn_close(reader);
    return ok;
}

/* By key, then the better move first. */
static int compare(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->points != y->points)
        return x->points > y->points ? -1 : 1;
    return (int)x->code - (int)y->code;
}

/* Keeps what is played often and scored anything, sorted; returns how many. */
static size_t select_entries(Tally *t, int min_games)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i].games >= (uint32_t)min_games && t->slots[i].points > 0)
            t->slots[kept++] = t->slots[i];
    if (kept > 0)
        qsort(t->slots, kept, sizeof *t->slots, compare);
    return kept;
}

static void put_big_endian(unsigned char *out, uint64_t value, int count)
{
    for (int i = count - 1; i >= 0; i--, value >>= 8)
        out[i] = (unsigned char)value;
}

/* The entries as a Polyglot file has them: big-endian, best move of a position first. */
static void put_entries(Buffer *out, const Entry *entries, size_t count, BookStats *stats)
{
    uint32_t best = 0;
    for (size_t i = 0; i < count; i++) {
        const bool first = i == 0 || entries[i].key != entries[i - 1].key;
        if (first) {
            best = entries[i].points;
            stats->positions++;
        }
        uint64_t weight = entries[i].points;
        if (best > WEIGHT_MAX)
            weight = weight * WEIGHT_MAX / best;
        unsigned char record[RECORD_SIZE] = {0};
        put_big_endian(record, entries[i].key, 8);
        put_big_endian(record + 8, entries[i].code, 2);
        put_big_endian(record + 10, weight, 2);
        buffer_append(out, record, sizeof record);
        stats->moves++;
    }
}

/* Into a file beside, renamed at the end: a book that is there is replaced whole or not at all. */
static bool write_book(const char *path, const Entry *entries, size_t count, BookStats *stats,
                       Error *err)
{
    Buffer bytes = {0};
    Error why = {.text = "not enough memory"};
    put_entries(&bytes, entries, count, stats);
    const bool ok = !bytes.failed && file_save(path, bytes.data, bytes.len, &why);
    buffer_free(&bytes);
    return ok || error_code(err, "BOOK_FILE", 0, "the book: %s", why.text);
}

/* Reads all games before anything is written. */
bool book_build(const char *pgn_path, const char *book_path, const BookPlan *plan, BookStats *stats,
                Error *err)
{
    Tally tally = {0};
    *stats = (BookStats){0};
    bool ok = tally_file(&tally, pgn_path, plan, stats, err);
    if (ok) {
        const size_t count = select_entries(&tally, plan->min_games);
        ok = count > 0
                 ? write_book(book_path, tally.slots, count, stats, err)
                 : error_code(err, "BOOK_EMPTY", 0, "'%.128s' has no game with a result", pgn_path);
    }
    free(tally.slots);
    return ok;
}
