// SPDX-License-Identifier: GPL-3.0-or-later
/* target.h -- the target of a request: whose, where, and the query behind it. */
#ifndef SAMARA_FRONT_HTTP_TARGET_H
#define SAMARA_FRONT_HTTP_TARGET_H

#include "base/text.h"

typedef struct Target {
    Str authority; /* of "http://authority/path"; empty for "/path" */
    Str path;      /* begins with a slash; escapes as they stand */
    Str query;     /* behind the question mark */
} Target;

bool target_split(Str text, Target *out); /* false: neither form */
/* Resolves %41. False: half an escape, a NUL, or too long. */
bool target_decode(Str text, bool plus_is_blank, char *out, size_t size);
/* The next "name=value" of a query; false at its end. A missing value is empty. */
bool target_next(Str *query, Str *name, Str *value);

#endif
