// SPDX-License-Identifier: GPL-3.0-or-later
#include "wasm/answer.h"

#include "base/json.h"

void answer_error(Buffer *out, const char *code, const char *message)
{
    JsonWriter w = {.out = out};
    jw_object(&w, NULL);
    jw_object(&w, "error");
    jw_text(&w, "code", code);
    jw_text(&w, "message", message);
    jw_end_object(&w);
    jw_end_object(&w);
}
