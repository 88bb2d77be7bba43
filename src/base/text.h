// SPDX-License-Identifier: GPL-3.0-or-later
/* text.h -- slices and tokens: text is read where it lies, with lengths, and never needs a NUL.
 * A growing buffer for writing. Numbers are read with a range; anything else is refused. */
#ifndef SAMARA_BASE_TEXT_H
#define SAMARA_BASE_TEXT_H

#include "base/compiler.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Str {
    const char *ptr;
    size_t len;
} Str;

#define STR(literal) ((Str){"" literal, sizeof(literal) - 1})

Str str_from(const char *text); /* of a NUL-terminated string; NULL gives the empty slice */
bool str_is(Str s, const char *word);
bool str_is_nocase(Str s, const char *word); /* ASCII only */
bool str_equal(Str a, Str b);
bool str_starts(Str s, const char *prefix);
Str str_trim(Str s);                /* blanks, tabs, CR and LF off both ends */
Str str_token(Str *rest);           /* next blank-separated token, empty at the end; advances */
Str str_line(Str *rest);            /* up to the next LF (excluded); advances past it */
Str str_until(Str *rest, char end); /* the same for another end */

/* The whole slice is the number, or it is refused and *out stays as it was. */
bool str_int(Str s, int64_t min, int64_t max, int64_t *out); /* optional sign, in range */
bool str_double(Str s, double *out);     /* plain decimal, '.' whatever the locale */
bool str_scientific(Str s, double *out); /* "4e-4" too */
bool str_next_int(Str *rest, int64_t min, int64_t max, int64_t *out); /* str_token + str_int */

/* Copies at most size - 1 bytes and always terminates; returns whether everything fitted. */
bool str_copy(char *out, size_t size, Str s);
char *str_duplicate(Str s); /* terminated, for free(); NULL if memory is short */

/* A growing byte buffer, always NUL-terminated. A failed allocation sets `failed`, keeps what is
 * there and makes later appends do nothing, so one check at the end is enough. */
typedef struct Buffer {
    char *data; /* NULL until the first append */
    size_t len, capacity;
    bool failed;
} Buffer;

void buffer_free(Buffer *b);  /* back to the empty buffer */
void buffer_clear(Buffer *b); /* empty and not failed; keeps the memory */
bool buffer_reserve(Buffer *b, size_t extra);
void buffer_append(Buffer *b, const void *bytes, size_t len);
void buffer_puts(Buffer *b, const char *text);
void buffer_putc(Buffer *b, char c);
/* "text", with a backslash before quotes and backslashes. */
void buffer_put_quoted(Buffer *b, const char *text);
void buffer_printf(Buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
const char *buffer_text(const Buffer *b); /* "" when empty */

#endif
