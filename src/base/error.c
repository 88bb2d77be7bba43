// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef error_set
#undef error_code

/* The sentence may quote hostile input: what is not printable ASCII becomes '?'. It is built aside
 * because an argument may be the old text of the same error (to put "line 7: " before it). */
static void set_text(Error *err, const char *format, va_list args)
{
    char text[ERROR_TEXT_SIZE];
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';

    for (char *c = text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    memcpy(err->text, text, sizeof text);
}

/* An error for people only: no code, no column. */
bool error_set(Error *err, const char *format, ...)
{
    if (!err)
        return false;

    va_list args;
    va_start(args, format);
    set_text(err, format, args);
    va_end(args);
    err->code[0] = '\0';
    err->column = 0;
    return false;
}

/* An error for programs too: they go by the code, and show the column of the input at fault. */
bool error_code(Error *err, const char *code, int column, const char *format, ...)
{
    if (!err)
        return false;

    va_list args;
    va_start(args, format);
    set_text(err, format, args);
    va_end(args);
    snprintf(err->code, sizeof err->code, "%s", code);
    err->column = column;
    return false;
}
