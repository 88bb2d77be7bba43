// SPDX-License-Identifier: GPL-3.0-or-later
/* database.h -- one SQLite database for all handles of a process, and statements with their values. */
#ifndef SAMARA_QUEUE_SQLITE_DATABASE_H
#define SAMARA_QUEUE_SQLITE_DATABASE_H

#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"
#include <sqlite3.h>

typedef struct Database {
    sqlite3 *db;
    Mutex lock;
    int users;   /* under the lock */
    bool failed; /* a statement of the transaction did not succeed */
} Database;

Database *database_open(const char *path, Error *err); /* one user */
Database *database_share(Database *d);
void database_leave(Database *d); /* the last one closes it */

/* A transaction holds the lock. database_end(): false if anything in it failed; nothing of it is
 * there then. */
bool database_begin(Database *d, Error *err);
bool database_end(Database *d, Error *err);

/* types: one letter for each value: i int64_t, t const char *, b Str. A statement that cannot be
 * prepared counts as failed. */
sqlite3_stmt *database_prepare(Database *d, const char *sql, const char *types, ...);
bool database_row(Database *d, sqlite3_stmt *query); /* the next row; false at the end: finalized */
int database_run(Database *d, const char *sql, const char *types, ...); /* rows changed */
int64_t database_ask(Database *d, int64_t otherwise, const char *sql, const char *types, ...);

int64_t database_now_ms(void);
Str database_column(sqlite3_stmt *query, int column);

#endif
