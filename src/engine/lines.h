// SPDX-License-Identifier: GPL-3.0-or-later
/* lines.h -- the best lines that a search has found so far.
 *
 * A search reports its lines one by one, best first, and begins anew with each depth. A list holds
 * the lines of the running depth and, behind them, those moves of the depths before that the
 * running one has not reached: what a stopped search still knows. Only exact scores count. */
#ifndef SAMARA_ENGINE_LINES_H
#define SAMARA_ENGINE_LINES_H

#include "search/events.h"

/* One line as the search found it: a SearchInfo that owns its moves. */
typedef struct FoundLine {
    SearchInfo info; /* its pv points to nothing */
    Move moves[MAX_PLY];
    int length;
} FoundLine;

typedef struct Lines {
    FoundLine *running, *before; /* room for `room` each, one block */
    int room, capacity;
    int running_count, before_count;
} Lines;

void found_line_set(FoundLine *line, const SearchInfo *info);

bool lines_reset(Lines *lines, int room); /* empty; false: no memory, then room is 0 */
void lines_free(Lines *lines);
void lines_add(Lines *lines, const FoundLine *line); /* an exact line; info.multipv is its place */
/* All that is known, best first: at most `room`. Returns how many. */
int lines_list(const Lines *lines, const FoundLine **out);

#endif
