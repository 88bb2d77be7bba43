// SPDX-License-Identifier: GPL-3.0-or-later
/* reply.h -- an answer in the making. Every error has one form:
 * {"status": "error", "error": {"code": ..., "message": ..., "field": ..., "column": ...}}. */
#ifndef SAMARA_FRONT_HTTP_REPLY_H
#define SAMARA_FRONT_HTTP_REPLY_H

#include "base/text.h"
#include <jansson.h>

typedef struct Reply {
    int status;       /* 0: not decided yet */
    const char *type; /* of the content; a constant */
    Buffer body;
    Str constant;      /* instead of a body: lives as long as the program */
    Buffer headers;    /* further ones, see reply_header() */
    int retry_after;   /* seconds, 0: no such header */
    char allow[40];    /* of a 405; "" for none */
    char location[64]; /* "" for none */
} Reply;

void reply_json(Reply *reply, int status,
                json_t *json); /* takes over the reference; NULL: out of memory */
void reply_text(Reply *reply, int status, const char *type, const char *text);
/* code: for programs. field: the name at fault, or NULL. column: 1-based place in the field, 0 for
 * none. */
void reply_error(Reply *reply, int status, const char *code, const char *field, int column,
                 const char *format, ...) PRINTF_LIKE(6, 7);
void reply_header(Reply *reply, const char *name, const char *value); /* after the text is set */
void reply_clear(Reply *reply);

#endif
