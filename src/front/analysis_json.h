// SPDX-License-Identifier: GPL-3.0-or-later
/* analysis_json.h -- a search as JSON, in the one shape that the HTTP interface and the WebAssembly module share
 * (docs/HTTP.md): scores are White's view. */
#ifndef SAMARA_FRONT_ANALYSIS_JSON_H
#define SAMARA_FRONT_ANALYSIS_JSON_H

#include "base/text.h"
#include "samara.h"

/* Of the whole search, as its latest line had them. */
typedef struct AnalysisCounts {
    uint64_t nodes, nps, tbhits;
    int64_t time_ms;
    int hashfull;
    bool capped; /* the server's own limit ended it */
} AnalysisCounts;

void analysis_count(AnalysisCounts *counts, const SamaraLine *line);

/* The lines known by now; `result` NULL: the search still runs. */
void analysis_json(Buffer *out, const SamaraPosition *position, const SamaraLine *lines, int count,
                   const AnalysisCounts *counts, const SamaraResult *result);
/* Of a position without a legal move, or drawn. False: the game goes on. */
bool game_over_json(Buffer *out, const SamaraPosition *position);

#endif
