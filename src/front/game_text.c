// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/game_text.h"

#include "base/clock.h"
#include "base/file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

enum { LINE_WIDTH = 79, MOVE_TEXT = 16 };

static void put_tag(Buffer *out, const char *name, const char *value)
{
    buffer_printf(out, "[%s ", name);
    buffer_put_quoted(out, value);
    buffer_puts(out, "]\n");
}

static void put_date(Buffer *out)
{
    char date[16];
    clock_date(date, sizeof date, "%Y.%m.%d");
    put_tag(out, "Date", date);
}

/* Words of the moves and the result, with lines broken where PGN wants them. */
static void put_words(Buffer *out, const char *text)
{
    Str rest = str_from(text);
    size_t column = 0;
    for (Str word; (word = str_token(&rest)).len > 0;) {
        const bool wraps = column > 0 && column + 1 + word.len > LINE_WIDTH;
        if (column > 0)
            buffer_putc(out, wraps ? '\n' : ' ');
        buffer_append(out, word.ptr, word.len);
        column = (column > 0 && !wraps ? column + 1 : 0) + word.len;
    }
    buffer_puts(out, "\n\n");
}

/* The moves with their numbers, and the result behind them. */
static bool put_moves(const SamaraPosition *start, const SamaraMove *moves, size_t count,
                      const char *result, Buffer *out)
{
    const size_t size = count * 2 * MOVE_TEXT + MOVE_TEXT;
    char *text = malloc(size);
    const bool ok = text && samara_position_line_text(start, moves, count, text, size);
    if (ok) {
        Buffer all = {0};
        buffer_printf(&all, "%s %s", text, result);
        put_words(out, buffer_text(&all));
        out->failed = out->failed || all.failed;
        buffer_free(&all);
    }
    free(text);
    return ok;
}

/* The seven tags that every game has, and those that tell where an unusual one began. */
static void put_tags(const SamaraPosition *position, const char *start, const char *players[2],
                     const char *result, Buffer *out)
{
    SamaraFields fields;
    samara_position_fields(position, &fields);
    put_tag(out, "Event", "Casual game");
    put_tag(out, "Site", "?");
    put_date(out);
    put_tag(out, "Round", "-");
    put_tag(out, "White", players[0]);
    put_tag(out, "Black", players[1]);
    put_tag(out, "Result", result);
    if (fields.chess960)
        put_tag(out, "Variant", "Chess960");
    if (strcmp(start, USUAL_START) != 0) {
        put_tag(out, "SetUp", "1");
        put_tag(out, "FEN", start);
    }
    buffer_putc(out, '\n');
}

/* Tags and moves from the start position of the game, which need not be that of chess. */
bool game_write(const SamaraPosition *position, const char *players[2], const char *result,
                Buffer *out, Error *err)
{
    char fen[SAMARA_FEN_SIZE];
    const size_t count = samara_position_history(position, NULL, 0);
    SamaraMove *moves = malloc((count + 1) * sizeof *moves);
    SamaraPosition *start = samara_position_copy(position);
    bool ok = moves && start;
    samara_position_start_fen(position, fen);
    put_tags(position, fen, players, result, out);
    if (ok) {
        samara_position_history(position, moves, count);
        while (samara_position_undo(start))
            ;
        ok = put_moves(start, moves, count, result, out);
    }
    free(moves);
    samara_position_free(start);
    return (ok && !out->failed) || error_set(err, "not enough memory for the game");
}

/* Appends to the file; a disk that is full is noticed when it is closed. */
bool game_save(const SamaraPosition *position, const char *players[2], const char *result,
               const char *path, Error *err)
{
    Buffer text = {0};
    FILE *file = NULL;
    bool ok = game_write(position, players, result, &text, err);
    if (ok)
        ok = (file = file_append(path, err)) != NULL;
    if (file) {
        ok = fwrite(text.data, 1, text.len, file) == text.len;
        ok = fclose(file) == 0 && ok;
        if (!ok)
            error_set(err, "cannot write '%s': %s", path, strerror(errno));
    }
    buffer_free(&text);
    return ok;
}
