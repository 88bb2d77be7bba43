// SPDX-License-Identifier: GPL-3.0-or-later
/* report.h -- the state of a match as text for people and as JSON for programs. */
#ifndef SAMARA_MATCH_REPORT_H
#define SAMARA_MATCH_REPORT_H

#include "match/match.h"

void report_line(const MatchState *state, Buffer *out);  /* one line, no newline: for a terminal */
void report_table(const MatchState *state, Buffer *out); /* everything, several lines */
void report_json(const MatchState *state, Buffer *out);

#endif
