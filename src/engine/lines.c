// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lines.h"

#include <stdlib.h>
#include <string.h>

void found_line_set(FoundLine *line, const SearchInfo *info)
{
    line->info = *info;
    line->info.pv = NULL;
    line->length = info->pv_length < MAX_PLY ? info->pv_length : MAX_PLY;
    if (line->length > 0)
        memcpy(line->moves, info->pv, (size_t)line->length * sizeof *line->moves);
}

/* Two lists in one block: the iteration that runs, and the last complete one. */
bool lines_reset(Lines *lines, int room)
{
    if (room > lines->capacity) {
        FoundLine *block = realloc(lines->running, 2 * (size_t)room * sizeof *block);
        if (!block) {
            lines->room = 0;
            return false;
        }
        lines->running = block;
        lines->capacity = room;
    }
    lines->before = lines->running + lines->capacity;
    lines->room = room;
    lines->running_count = lines->before_count = 0;
    return true;
}

void lines_free(Lines *lines)
{
    free(lines->running);
    *lines = (Lines){0};
}

static bool same_start(const FoundLine *a, const FoundLine *b)
{
    return a->length > 0 && b->length > 0 && a->moves[0] == b->moves[0];
}

static bool is_running(const Lines *lines, const FoundLine *line)
{
    for (int i = 0; i < lines->running_count; i++)
        if (same_start(&lines->running[i], line))
            return true;
    return false;
}

/* A new list begins: the running one goes before those that are older, without those it repeats. */
static void turn_page(Lines *lines)
{
    int kept = 0;
    for (int i = 0; i < lines->before_count; i++)
        if (!is_running(lines, &lines->before[i]) && lines->running_count + kept < lines->room)
            lines->before[kept++] = lines->before[i];
    const size_t count = (size_t)lines->running_count;
    if (kept > 0)
        memmove(lines->before + count, lines->before, (size_t)kept * sizeof *lines->before);
    if (count > 0)
        memcpy(lines->before, lines->running, count * sizeof *lines->before);
    lines->before_count = lines->running_count + kept;
    lines->running_count = 0;
}

/* Keeps the list in order while lines of an iteration come in one by one, some without exact
 * scores. */
void lines_add(Lines *lines, const FoundLine *line)
{
    const int index = line->info.multipv - 1;
    if (index >= lines->room)
        return;
    if (index == 0)
        turn_page(lines);
    if (index > lines->running_count)
        return; /* the line before it has no exact score yet */
    for (int i = 0; i < index; i++)
        if (same_start(&lines->running[i], line))
            return; /* of a newer list, whose first lines have no exact scores */
    lines->running[index] = *line;
    lines->running_count = index + 1; /* what came behind it belonged to an older list */
}

int lines_list(const Lines *lines, const FoundLine **out)
{
    int count = 0;
    for (int i = 0; i < lines->running_count; i++)
        out[count++] = &lines->running[i];
    for (int i = 0; i < lines->before_count && count < lines->room; i++)
        if (!is_running(lines, &lines->before[i]))
            out[count++] = &lines->before[i];
    return count;
}
