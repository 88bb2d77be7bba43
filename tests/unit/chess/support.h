// SPDX-License-Identifier: GPL-3.0-or-later
/* support.h -- what the chess tests share: files of test data line by line, positions by FEN, and a
 * walk over positions near those of the perft suites. */
#ifndef SAMARA_TESTS_CHESS_SUPPORT_H
#define SAMARA_TESTS_CHESS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/epd.h"
#include "chess/movegen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file, to be freed by the caller; NULL if there is none. */
static inline char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t used = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    for (size_t n; (n = fread(text + used, 1, capacity - used - 1, file)) > 0;) {
        used += n;
        if (used == capacity - 1)
            text = realloc(text, capacity *= 2);
    }
    fclose(file);
    text[used] = '\0';
    *len = used;
    return text;
}

/* Lines of a file of test data, without comments. */
typedef struct Lines {
    char *text;
    Str rest;
} Lines;

static inline bool lines_open(Lines *lines, const char *path)
{
    size_t len = 0;
    lines->text = read_file(path, &len);
    lines->rest = (Str){lines->text, len};
    return lines->text != NULL;
}

static inline bool lines_next(Lines *lines, Str *line)
{
    while (lines->rest.len > 0) {
        *line = str_line(&lines->rest);
        if (line->len > 0 && line->ptr[0] != '#')
            return true;
    }
    free(lines->text);
    lines->text = NULL;
    return false;
}

/* Cuts off everything up to the next tab. */
static inline Str next_column(Str *line)
{
    const char *tab = line->len ? memchr(line->ptr, '\t', line->len) : NULL;
    const size_t n = tab ? (size_t)(tab - line->ptr) : line->len;
    const Str column = {line->ptr, n};
    const size_t used = tab ? n + 1 : n;
    *line = (Str){line->ptr + used, line->len - used};
    return column;
}

static inline const char *to_text(Str s, char *out, size_t size)
{
    str_copy(out, size, s);
    return out;
}

static inline Position position(const char *fen, FenMode mode)
{
    Position p;
    Error err = {0};
    if (!fen_parse(&p, str_from(fen), mode, &err, NULL))
        fail_msg("%s: %s", fen, err.text);
    return p;
}

static inline void assert_consistent(const Position *p)
{
    if (!pos_is_consistent(p)) {
        char fen[FEN_SIZE];
        fen_write(p, fen);
        fail_msg("inconsistent: %s", fen);
    }
}

/* --- the suites that come with the project --- */

typedef struct SuiteFile {
    const char *path;
    FenMode mode;
} SuiteFile;

static const SuiteFile own_suites[] = {
    {SAMARA_TEST_DATA_DIR "/perft/perft_random_standard.epd", FEN_STANDARD},
    {SAMARA_TEST_DATA_DIR "/perft/perft_edge_standard.epd", FEN_STANDARD},
    {SAMARA_TEST_DATA_DIR "/perft/perft_unreachable.epd", FEN_STANDARD},
    {SAMARA_TEST_DATA_DIR "/perft/perft_random_960.epd", FEN_960},
    {SAMARA_TEST_DATA_DIR "/perft/perft_edge_960.epd", FEN_960},
};
enum { OWN_SUITES = sizeof own_suites / sizeof own_suites[0] };

typedef void (*Visit)(Position *p, void *user);

static inline void visit_tree(Position *p, int depth, Visit visit, void *user)
{
    visit(p, user);
    if (depth == 0)
        return;
    MoveList list;
    gen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        pos_make(p, list.moves[i], &undo, NULL);
        visit_tree(p, depth - 1, visit, user);
        pos_unmake(p, list.moves[i], &undo);
    }
}

/* Every position of the own suites, and all that are up to `depth` plies away. Returns the number
 * of suite positions. */
static inline int visit_suites(int depth, Visit visit, void *user)
{
    int positions = 0;
    for (int i = 0; i < OWN_SUITES; i++) {
        Lines lines;
        assert_true(lines_open(&lines, own_suites[i].path));
        for (Str line; lines_next(&lines, &line); positions++) {
            Epd epd;
            Error err = {0};
            if (!epd_parse(&epd, line, own_suites[i].mode, &err, NULL))
                fail_msg("%.*s: %s", (int)line.len, line.ptr, err.text);
            visit_tree(&epd.pos, depth, visit, user);
        }
    }
    return positions;
}

#endif
