// SPDX-License-Identifier: GPL-3.0-or-later
/* json.h -- writing JSON into a buffer: commas, quotes and escapes come by themselves. `key` names
 * a member of an object; it is NULL for the elements of an array and for the outermost value. */
#ifndef SAMARA_BASE_JSON_H
#define SAMARA_BASE_JSON_H

#include "base/text.h"

typedef struct JsonWriter {
    Buffer *out;
    bool comma;  /* something stands before, in the same object or array */
    bool spaced; /* a blank behind commas and colons */
    bool line;   /* the next value, or the next end, begins a line */
} JsonWriter;

void jw_object(JsonWriter *w, const char *key);
void jw_end_object(JsonWriter *w);
void jw_array(JsonWriter *w, const char *key);
void jw_end_array(JsonWriter *w);
void jw_text(JsonWriter *w, const char *key, const char *text); /* UTF-8; NULL: null */
void jw_int(JsonWriter *w, const char *key, int64_t value);
void jw_uint(JsonWriter *w, const char *key, uint64_t value);
/* With a printf format for one double, such as "%.6g"; infinity, which JSON has not, becomes null. */
void jw_number(JsonWriter *w, const char *key, const char *format, double value);
void jw_real(JsonWriter *w, const char *key, double value, int decimals); /* rounded */
void jw_bool(JsonWriter *w, const char *key, bool value);
void jw_null(JsonWriter *w, const char *key);

#endif
