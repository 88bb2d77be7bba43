// SPDX-License-Identifier: GPL-3.0-or-later
/* json.h -- writing JSON into a buffer: commas, quotes and escapes come by themselves. `key` names
 * a member of an object; it is NULL for the elements of an array and for the outermost value. */
#ifndef SAMARA_BASE_JSON_H
#define SAMARA_BASE_JSON_H

#include "base/text.h"

typedef struct JsonWriter {
    Buffer *out;
    bool comma; /* something stands before, in the same object or array */
} JsonWriter;

void jw_object(JsonWriter *w, const char *key);
void jw_end_object(JsonWriter *w);
void jw_array(JsonWriter *w, const char *key);
void jw_end_array(JsonWriter *w);
void jw_text(JsonWriter *w, const char *key, const char *text); /* UTF-8; NULL: null */
void jw_int(JsonWriter *w, const char *key, int64_t value);
void jw_real(JsonWriter *w, const char *key, double value, int decimals); /* rounded */
void jw_bool(JsonWriter *w, const char *key, bool value);
void jw_null(JsonWriter *w, const char *key);

#endif
