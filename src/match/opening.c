// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/opening.h"
#include "base/file.h"
#include "base/rng.h"
#include "chess/epd.h"
#include "chess/pgn.h"
#include "match/journal.h"
#include <stdlib.h>
#include <string.h>

/* EPD books may have millions of lines: those are kept as text and read again when played. PGN
 * openings are kept as moves, all in one array. */
typedef struct Entry {
    size_t line, len; /* EPD: slice of text */
    size_t moves;     /* PGN: index of the first move */
    int move_count;
    size_t start; /* PGN: index into starts */
} Entry;

struct Openings {
    OpeningConfig config;
    Buffer text;
    Entry *entries;
    uint32_t *order;
    size_t count, capacity;
    Move *moves;
    size_t move_count, move_capacity;
    Position *starts;
    size_t start_count, start_capacity;
    bool chess960;
};

/* At least doubles, so that adding moves one by one stays linear. */
static bool grow(void **block, size_t *capacity, size_t needed, size_t size, Error *err)
{
    if (needed <= *capacity)
        return true;
    const size_t wanted = needed > *capacity * 2 ? needed + 64 : *capacity * 2;
    void *grown = realloc(*block, wanted * size);
    if (!grown)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    *block = grown;
    *capacity = wanted;
    return true;
}

static Entry *add_entry(Openings *o, Error *err)
{
    if (!grow((void **)&o->entries, &o->capacity, o->count + 1, sizeof *o->entries, err))
        return NULL;
    o->entries[o->count] = (Entry){0};
    return &o->entries[o->count++];
}

/* The third field has a letter other than KQkq: Shredder-FEN. */
static bool has_shredder_letters(Str line)
{
    str_token(&line);
    str_token(&line);
    const Str castling = str_token(&line);
    for (size_t i = 0; i < castling.len; i++)
        if (!strchr("KQkq-", castling.ptr[i]))
            return true;
    return false;
}

static bool is_comment(Str line)
{
    line = str_trim(line);
    return !line.len || line.ptr[0] == '#';
}

static bool parse_line(const Openings *o, Str line, Position *start, Error *err)
{
    Epd epd;
    if (!epd_parse(&epd, line, o->chess960 ? FEN_960 : FEN_STANDARD, err, NULL))
        return false;
    *start = epd.pos;
    return true;
}

/* Every line is parsed once to find errors now; positions are parsed again when they are needed,
 * which saves memory. One line with Shredder letters makes the whole file Chess960. */
static bool load_epd(Openings *o, Error *err)
{
    if (!read_file(o->config.path, &o->text, err))
        return false;
    Str rest = {buffer_text(&o->text), o->text.len};
    while (rest.len && !o->chess960) {
        const Str line = str_line(&rest);
        o->chess960 = !is_comment(line) && has_shredder_letters(line);
    }
    rest = (Str){buffer_text(&o->text), o->text.len};
    for (unsigned long number = 1; rest.len; number++) {
        const Str line = str_line(&rest);
        Position ignored;
        Error why;
        if (is_comment(line))
            continue;
        if (!parse_line(o, line, &ignored, &why))
            return error_set(err, "%s:%lu: %s", o->config.path, number, why.text);
        Entry *entry = add_entry(o, err);
        if (!entry)
            return false;
        entry->line = (size_t)(line.ptr - buffer_text(&o->text));
        entry->len = line.len;
    }
    return true;
}

/* Start position and moves go into shared arrays; an opening is a slice of them. */
static bool add_game(Openings *o, const PgnGame *game, Error *err)
{
    Entry *entry = add_entry(o, err);
    if (!entry ||
        !grow((void **)&o->starts, &o->start_capacity, o->start_count + 1, sizeof *o->starts, err))
        return false;
    entry->start = o->start_count;
    entry->moves = o->move_count;
    o->starts[o->start_count++] = game->start;
    o->chess960 = o->chess960 || game->start.chess960;

    const int limit = o->config.plies;
    for (int node = game->nodes[0].first_child; node >= 0; node = game->nodes[node].first_child) {
        const Move move = game->nodes[node].move;
        if (move == MOVE_NULL || (limit && entry->move_count >= limit))
            break;
        if (!grow((void **)&o->moves, &o->move_capacity, o->move_count + 1, sizeof *o->moves, err))
            return false;
        o->moves[o->move_count++] = move;
        entry->move_count++;
    }
    return true;
}

/* A broken game is an error here: an opening that silently ends early would spoil the match. */
static bool load_pgn(Openings *o, Error *err)
{
    PgnReader *reader = pgn_open_file(o->config.path, err);
    if (!reader)
        return false;
    bool ok = true;
    const PgnGame *game;
    while (ok && (game = pgn_next(reader)))
        ok = game->broken ? error_set(err, "%s: game at line %llu: %s", o->config.path,
                                      (unsigned long long)game->line, game->problem.text)
                          : add_game(o, game, err);
    ok = ok && !pgn_failed(reader, err);
    pgn_close(reader);
    for (size_t i = 0; i < o->start_count && o->chess960; i++)
        o->starts[i].chess960 = true;
    return ok;
}

/* A shuffle by seed: the order is the same on every machine and when a match is resumed. */
static bool arrange(Openings *o, Error *err)
{
    o->order = malloc(o->count * sizeof *o->order);
    if (!o->order || o->count > UINT32_MAX)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    for (size_t i = 0; i < o->count; i++)
        o->order[i] = (uint32_t)i;
    Rng rng;
    rng_seed(&rng, o->config.seed);
    for (size_t i = o->count; o->config.shuffle && i > 1; i--) {
        const size_t j = (size_t)rng_below(&rng, i);
        const uint32_t moved = o->order[j];
        o->order[j] = o->order[i - 1];
        o->order[i - 1] = moved;
    }
    return true;
}

static bool is_pgn(const OpeningConfig *config)
{
    const size_t len = strlen(config->path);
    if (config->format != OPENING_BY_NAME)
        return config->format == OPENING_PGN;
    return len >= 4 && str_is_nocase((Str){config->path + len - 4, 4}, ".pgn");
}

/* A pipe or device may never end, and cannot be read again when a match goes on. */
static bool is_a_file(const char *path, Error *err)
{
    File file;
    if (!file_open(&file, path, err))
        return false;
    file_close(&file);
    return true;
}

/* Without a file there is one opening, the start position. */
Openings *openings_load(const OpeningConfig *config, Error *err)
{
    Openings *o = calloc(1, sizeof *o);
    if (!o) {
        error_code(err, "NO_MEMORY", 0, "out of memory");
        return NULL;
    }
    o->config = *config;
    o->chess960 = config->chess960;
    bool ok = true;
    if (config->path) {
        ok = is_a_file(config->path, err) && (is_pgn(config) ? load_pgn(o, err) : load_epd(o, err));
        if (ok && !o->count)
            ok = error_set(err, "there is no opening in '%s'", config->path);
        ok = ok && arrange(o, err);
    }
    if (!ok) {
        openings_free(o);
        return NULL;
    }
    return o;
}

void openings_free(Openings *o)
{
    if (!o)
        return;
    buffer_free(&o->text);
    free(o->entries);
    free(o->order);
    free(o->moves);
    free(o->starts);
    free(o);
}

uint64_t openings_count(const Openings *o) { return o->count ? o->count : 1; }

bool openings_chess960(const Openings *o) { return o->chess960; }

/* Wraps around: a match may have more games than there are openings. */
Opening openings_get(const Openings *o, uint64_t index)
{
    Opening opening = {0};
    if (!o->count) {
        pos_start(&opening.start);
        opening.start.chess960 = o->chess960;
        return opening;
    }
    const Entry *entry = &o->entries[o->order[(index + o->config.first) % o->count]];
    if (o->starts) {
        opening.start = o->starts[entry->start];
        opening.moves = o->moves + entry->moves;
        opening.count = entry->move_count;
    } else {
        const Str line = {buffer_text(&o->text) + entry->line, entry->len};
        parse_line(o, line, &opening.start, NULL); /* was read once already */
    }
    return opening;
}
