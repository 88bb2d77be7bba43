// SPDX-License-Identifier: GPL-3.0-or-later
/* journal.h -- an append-only list of lines from which interrupted work goes on.
 *
 * The first line names the work. A line counts only with its newline, so a torn end is cut off and
 * done again. */
#ifndef SAMARA_MATCH_JOURNAL_H
#define SAMARA_MATCH_JOURNAL_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>
#include <stdio.h>

typedef struct Journal {
    FILE *file; /* NULL: none is kept */
} Journal;

/* A line of an earlier run; false if it cannot be what it should be. */
typedef bool (*JournalReplay)(void *user, Str line);

/* path NULL: no journal, and all calls succeed. An existing one with the same title and fingerprint
 * is replayed, one of other work is refused. */
bool journal_open(Journal *journal, const char *path, const char *title, uint64_t fingerprint,
                  JournalReplay replay, void *user, Error *err);
bool journal_add(Journal *journal, Str line,
                 Error *err); /* with its newline; on disk when it returns */
bool journal_close(Journal *journal, Error *err);

/* Appends all of a file; one that does not exist is empty. */
bool read_file(const char *path, Buffer *out, Error *err);
bool shorten_file(const char *path, int64_t length,
                  Error *err); /* one that does not exist is short enough */

#endif
