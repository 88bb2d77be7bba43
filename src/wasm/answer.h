// SPDX-License-Identifier: GPL-3.0-or-later
/* answer.h -- searches as JSON, in the shape of the HTTP interface (docs/HTTP.md): scores are White's
 * view. */
#ifndef SAMARA_WASM_ANSWER_H
#define SAMARA_WASM_ANSWER_H

#include "base/text.h"
#include "samara.h"

/* The lines known by now; `result` NULL: the search still runs. */
void answer_analysis(Buffer *out, const SamaraPosition *position, const SamaraLine *lines,
                     int count, const SamaraResult *result);
/* Of a position without a legal move, or drawn. False: the game goes on. */
bool answer_game_over(Buffer *out, const SamaraPosition *position);
void answer_error(Buffer *out, const char *code, const char *message);

#endif
