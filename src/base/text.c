// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- slices --- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

/* Cuts the first n bytes off. An empty slice may have no pointer, and C does not allow NULL + 0. */
static Str take(Str *rest, size_t n)
{
    const Str head = {rest->ptr, n};
    if (n > 0)
        rest->ptr += n;
    rest->len -= n;
    return head;
}

Str str_from(const char *text)
{
    if (!text)
        text = "";
    return (Str){text, strlen(text)};
}

bool str_equal(Str a, Str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool str_is(Str s, const char *word) { return str_equal(s, str_from(word)); }

bool str_is_nocase(Str s, const char *word)
{
    const Str w = str_from(word);
    if (s.len != w.len)
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (to_lower(s.ptr[i]) != to_lower(w.ptr[i]))
            return false;
    return true;
}

bool str_starts(Str s, const char *prefix)
{
    const Str p = str_from(prefix);
    return s.len >= p.len && str_equal((Str){s.ptr, p.len}, p);
}

static void skip_blanks(Str *s)
{
    size_t n = 0;
    while (n < s->len && is_blank(s->ptr[n]))
        n++;
    take(s, n);
}

Str str_trim(Str s)
{
    skip_blanks(&s);
    while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

Str str_token(Str *rest)
{
    skip_blanks(rest);
    size_t n = 0;
    while (n < rest->len && !is_blank(rest->ptr[n]))
        n++;
    return take(rest, n);
}

Str str_until(Str *rest, char end)
{
    const char *at = rest->len > 0 ? memchr(rest->ptr, end, rest->len) : NULL;
    if (!at)
        return take(rest, rest->len);
    const Str part = take(rest, (size_t)(at - rest->ptr));
    take(rest, 1);
    return part;
}

Str str_line(Str *rest) { return str_until(rest, '\n'); }

static bool take_minus(Str *s)
{
    if (s->len == 0 || (s->ptr[0] != '-' && s->ptr[0] != '+'))
        return false;
    return take(s, 1).ptr[0] == '-';
}

/* Reads digits into an unsigned number first, so that the most negative value needs no special case
 * and nothing overflows. */
bool str_int(Str s, int64_t min, int64_t max, int64_t *out)
{
    const bool negative = take_minus(&s);
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    if (s.len == 0)
        return false;

    uint64_t value = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_digit(s.ptr[i]))
            return false;
        const uint64_t digit = (uint64_t)(s.ptr[i] - '0');
        if (value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    const int64_t result = negative ? (int64_t)-value : (int64_t)value;
    if (result < min || result > max)
        return false;
    *out = result;
    return true;
}

/* The first 18 digits that count are exact in an integer, and one division by a power of ten rounds
 * them; digits beyond only move the point. */
/* Cuts "e-4" off the end of a number; false if what follows the letter is no exponent. */
static bool take_exponent(Str *s, int *exponent)
{
    enum { LARGEST = 99 };
    *exponent = 0;
    for (size_t i = 0; i < s->len; i++) {
        if ((s->ptr[i] | 32) != 'e')
            continue;
        int64_t value;
        const Str rest = {s->ptr + i + 1, s->len - i - 1};
        s->len = i;
        *exponent = str_int(rest, -LARGEST, LARGEST, &value) ? (int)value : LARGEST + 1;
        return *exponent <= LARGEST;
    }
    return true;
}

/* The digits of a number, times ten to the given power. */
static bool read_decimal(Str s, int exponent, double *out)
{
    enum { EXACT_DIGITS = 18, MOST_DIGITS = 300 };
    const bool negative = take_minus(&s);
    uint64_t digits = 0;
    int kept = 0, seen = 0;
    bool point = false;

    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(s.ptr[i]) || ++seen > MOST_DIGITS)
            return false;
        const bool keep = kept < EXACT_DIGITS;
        if (keep) {
            digits = digits * 10 + (uint64_t)(s.ptr[i] - '0');
            kept += digits > 0;
        }
        exponent += !keep - point;
    }
    if (seen == 0)
        return false;

    long double scale = 1;
    for (int i = abs(exponent); i > 0; i--)
        scale *= 10;
    const long double value = exponent < 0 ? digits / scale : digits * scale;
    *out = (double)(negative ? -value : value);
    return true;
}

bool str_double(Str s, double *out) { return read_decimal(s, 0, out); }

bool str_scientific(Str s, double *out)
{
    int exponent;
    return take_exponent(&s, &exponent) && read_decimal(s, exponent, out);
}

bool str_next_int(Str *rest, int64_t min, int64_t max, int64_t *out)
{
    return str_int(str_token(rest), min, max, out);
}

bool str_copy(char *out, size_t size, Str s)
{
    if (size == 0)
        return false;
    const size_t n = s.len < size ? s.len : size - 1;
    if (n > 0)
        memcpy(out, s.ptr, n);
    out[n] = '\0';
    return n == s.len;
}

char *str_duplicate(Str s)
{
    char *text = malloc(s.len + 1);
    if (text)
        str_copy(text, s.len + 1, s);
    return text;
}

/* --- buffers --- */

void buffer_free(Buffer *b)
{
    free(b->data);
    *b = (Buffer){0};
}

void buffer_clear(Buffer *b)
{
    b->len = 0;
    b->failed = false;
    if (b->data)
        b->data[0] = '\0';
}

/* Doubles the capacity, so that appending byte by byte stays linear. */
bool buffer_reserve(Buffer *b, size_t extra)
{
    enum { SMALLEST = 64 };
    if (b->failed)
        return false;
    if (extra < b->capacity - b->len) /* strictly: the NUL needs a byte, too */
        return true;

    b->failed = true; /* until proven otherwise */
    if (extra > SIZE_MAX / 2 - b->len - 1)
        return false;
    const size_t needed = b->len + extra + 1;
    size_t capacity = b->capacity ? b->capacity : SMALLEST;
    while (capacity < needed)
        capacity *= 2;

    char *data = realloc(b->data, capacity);
    if (!data)
        return false;
    if (!b->data)
        data[0] = '\0';
    b->data = data;
    b->capacity = capacity;
    b->failed = false;
    return true;
}

void buffer_append(Buffer *b, const void *bytes, size_t len)
{
    if (len == 0 || !buffer_reserve(b, len))
        return;
    memcpy(b->data + b->len, bytes, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void buffer_puts(Buffer *b, const char *text) { buffer_append(b, text, strlen(text)); }
void buffer_putc(Buffer *b, char c) { buffer_append(b, &c, 1); }

void buffer_put_quoted(Buffer *b, const char *text)
{
    buffer_putc(b, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buffer_putc(b, '\\');
        buffer_putc(b, *text);
    }
    buffer_putc(b, '"');
}

/* Measures first and prints then: no line is too long. */
void buffer_printf(Buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0)
        b->failed = true;
    if (len <= 0 || !buffer_reserve(b, (size_t)len))
        return;

    va_start(args, format);
    vsnprintf(b->data + b->len, (size_t)len + 1, format, args);
    va_end(args);
    b->len += (size_t)len;
}

const char *buffer_text(const Buffer *b) { return b->data ? b->data : ""; }
