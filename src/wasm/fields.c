// SPDX-License-Identifier: GPL-3.0-or-later
#include "wasm/fields.h"

#include "base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(SamaraError *err, const char *code, const char *name, const char *why)
{
    *err = (SamaraError){0};
    snprintf(err->code, sizeof err->code, "%s", code);
    snprintf(err->text, sizeof err->text, "%.40s %s", name, why);
    return false;
}

/* Cuts "e2e4,e7e5" at its commas, in place. */
static bool cut(char *value, const char ***words, size_t *count)
{
    size_t room = 1;
    for (const char *c = value; *c; c++)
        room += *c == ',';
    free(*words);
    *count = 0;
    *words = calloc(room, sizeof **words);
    if (!*words)
        return false;
    for (char *at = value; *at;) {
        (*words)[(*count)++] = at;
        at += strcspn(at, ",");
        if (*at)
            *at++ = '\0';
    }
    return true;
}

typedef struct Number {
    const char *name;
    size_t offset;
    int64_t min, max;
} Number;

#define NUMBER(name, min, max)                                                                     \
    {                                                                                              \
#name, offsetof(Fields, name), min, max                                                    \
    }

/* Bounds as the HTTP interface has them; the engine refuses what it cannot do. */
static const Number numbers[] = {
    NUMBER(multipv, 1, SAMARA_MAX_LINES),
    NUMBER(depth, 1, 1000),
    NUMBER(nodes, 1, INT64_MAX),
    NUMBER(movetime, 1, INT64_C(1) << 40),
    NUMBER(mate, 1, 1000),
    NUMBER(elo, 0, 10000),
    NUMBER(seed, INT64_MIN, INT64_MAX),
    NUMBER(threads, 1, 1024),
    NUMBER(hash, 1, 1 << 20),
    NUMBER(jobs, 1, 64),
    NUMBER(wtime, -(INT64_C(1) << 40), INT64_C(1) << 40),
    NUMBER(btime, -(INT64_C(1) << 40), INT64_C(1) << 40),
    NUMBER(winc, 0, INT64_C(1) << 40),
    NUMBER(binc, 0, INT64_C(1) << 40),
    NUMBER(movestogo, 0, 1000),
};

static bool read_number(Fields *f, const char *name, const char *value, SamaraError *err)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const Number *n = &numbers[i];
        if (strcmp(name, n->name) != 0)
            continue;
        if (!str_int(str_from(value), n->min, n->max, (int64_t *)((char *)f + n->offset)))
            return refuse(err, "out_of_range", name, "is not a number in its range");
        f->has_clock |= strcmp(name, "wtime") == 0 || strcmp(name, "btime") == 0;
        return true;
    }
    return refuse(err, "bad_field", name, "is no field of a call");
}

static bool read_field(Fields *f, const char *name, char *value, SamaraError *err)
{
    const struct {
        const char *name;
        const char **to;
    } texts[] = {
        {"fen", &f->fen}, {"move", &f->move}, {"language", &f->language}, {"level", &f->level}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].to = value;
            return true;
        }
    if (strcmp(name, "chess960") == 0) {
        f->chess960 = strcmp(value, "true") == 0;
        return true;
    }
    if (strcmp(name, "moves") == 0)
        return cut(value, &f->moves, &f->move_count) || refuse(err, "no_memory", name, "is long");
    if (strcmp(name, "searchmoves") == 0)
        return cut(value, &f->search_moves, &f->search_move_count) ||
               refuse(err, "no_memory", name, "is long");
    return read_number(f, name, value, err);
}

bool fields_read(Fields *f, const char *text, SamaraError *err)
{
    *f = (Fields){.text = str_duplicate(str_from(text))};
    if (!f->text)
        return refuse(err, "no_memory", "a call", "is too long");
    for (char *at = f->text; *at;) {
        char *const line = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = '\0';
        char *value = line + strcspn(line, " ");
        if (*value)
            *value++ = '\0';
        if (*line && !read_field(f, line, value, err))
            return false;
    }
    return true;
}

void fields_free(Fields *f)
{
    free(f->moves);
    free(f->search_moves);
    free(f->text);
    *f = (Fields){0};
}
