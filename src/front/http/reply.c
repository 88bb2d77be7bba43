// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int dump_chunk(const char *text, size_t len, void *user)
{
    Buffer *out = user;
    buffer_append(out, text, len);
    return out->failed ? -1 : 0;
}

void reply_json(Reply *reply, int status, json_t *json)
{
    reply_clear(reply);
    reply->status = status;
    reply->type = "application/json";
    if (!json || json_dump_callback(json, dump_chunk, &reply->body,
                                    JSON_COMPACT | JSON_REAL_PRECISION(6)) != 0)
        reply_text(reply, 500, "application/json",
                   "{\"status\":\"error\",\"error\":{\"code\":\"no_memory\",\"message\":\"The "
                   "server is out of memory.\"}}");
    json_decref(json);
}

void reply_text(Reply *reply, int status, const char *type, const char *text)
{
    reply_clear(reply);
    reply->status = status;
    reply->type = type;
    buffer_puts(&reply->body, text);
}

void reply_error(Reply *reply, int status, const char *code, const char *field, int column,
                 const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (char *c = message; *c; c++) /* a cut character would spoil the JSON */
        if ((unsigned char)*c >= 0x80)
            *c = '?';

    json_t *error = json_pack("{s:s, s:s}", "code", code, "message", message);
    if (field)
        json_object_set_new(error, "field", json_string(field));
    if (column > 0)
        json_object_set_new(error, "column", json_integer(column));
    const int retry = status == 503 || status == 429 ? 1 : 0;
    reply_json(reply, status, json_pack("{s:s, s:o}", "status", "error", "error", error));
    reply->retry_after = retry;
}

void reply_header(Reply *reply, const char *name, const char *value)
{
    buffer_printf(&reply->headers, "%s: %s\r\n", name, value);
}

void reply_clear(Reply *reply)
{
    buffer_free(&reply->body);
    buffer_free(&reply->headers);
    memset(reply, 0, sizeof *reply);
}
