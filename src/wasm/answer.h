// SPDX-License-Identifier: GPL-3.0-or-later
/* answer.h -- a refusal as JSON, in the shape of the HTTP interface (docs/HTTP.md). */
#ifndef SAMARA_WASM_ANSWER_H
#define SAMARA_WASM_ANSWER_H

#include "base/text.h"

void answer_error(Buffer *out, const char *code, const char *message);

#endif
