// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <math.h>
#include <stdio.h>

/* Quotes, backslashes and control characters are escaped; all else is UTF-8 and stays. */
static void put_quoted(Buffer *out, const char *text)
{
    buffer_putc(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            buffer_printf(out, "\\%c", *c);
        else if (*c < ' ')
            buffer_printf(out, "\\u%04x", *c);
        else
            buffer_putc(out, (char)*c);
    }
    buffer_putc(out, '"');
}

static void new_line(JsonWriter *w)
{
    if (w->line)
        buffer_putc(w->out, '\n');
    w->line = false;
}

/* What stands before every value: a comma, a line end and the key, where they belong. */
static void begin(JsonWriter *w, const char *key)
{
    if (w->comma)
        buffer_puts(w->out, w->spaced && !w->line ? ", " : ",");
    new_line(w);
    w->comma = true;
    if (key) {
        put_quoted(w->out, key);
        buffer_puts(w->out, w->spaced ? ": " : ":");
    }
}

static void open_bracket(JsonWriter *w, const char *key, char bracket)
{
    begin(w, key);
    buffer_putc(w->out, bracket);
    w->comma = false;
}

static void close_bracket(JsonWriter *w, char bracket)
{
    new_line(w);
    buffer_putc(w->out, bracket);
    w->comma = true;
}

void jw_object(JsonWriter *w, const char *key) { open_bracket(w, key, '{'); }

void jw_end_object(JsonWriter *w) { close_bracket(w, '}'); }

void jw_array(JsonWriter *w, const char *key) { open_bracket(w, key, '['); }

void jw_end_array(JsonWriter *w) { close_bracket(w, ']'); }

void jw_text(JsonWriter *w, const char *key, const char *text)
{
    begin(w, key);
    if (text)
        put_quoted(w->out, text);
    else
        buffer_puts(w->out, "null");
}

void jw_int(JsonWriter *w, const char *key, int64_t value)
{
    begin(w, key);
    buffer_printf(w->out, "%lld", (long long)value);
}

void jw_uint(JsonWriter *w, const char *key, uint64_t value)
{
    begin(w, key);
    buffer_printf(w->out, "%llu", (unsigned long long)value);
}

void jw_number(JsonWriter *w, const char *key, const char *format, double value)
{
    char text[64] = "null";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    begin(w, key);
    buffer_puts(w->out, text);
}

void jw_real(JsonWriter *w, const char *key, double value, int decimals)
{
    begin(w, key);
    buffer_printf(w->out, "%.*f", decimals, value);
}

void jw_bool(JsonWriter *w, const char *key, bool value)
{
    begin(w, key);
    buffer_puts(w->out, value ? "true" : "false");
}

void jw_null(JsonWriter *w, const char *key)
{
    begin(w, key);
    buffer_puts(w->out, "null");
}
