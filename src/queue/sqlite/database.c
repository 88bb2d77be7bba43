// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/sqlite/database.h"

#include "queue/queue.h"
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, kind TEXT, needs TEXT, owner TEXT,"
    " class INT, live INT, payload BLOB, state TEXT, vt INT, made INT, tries INT DEFAULT 0,"
    " epoch INT DEFAULT 0, worker TEXT, expires INT, part BLOB, result BLOB, reason TEXT,"
    " ended INT);"
    "CREATE INDEX IF NOT EXISTS jobs_in_turn ON jobs (state, class, vt);"
    "CREATE TABLE IF NOT EXISTS fronts (id TEXT, front TEXT, until INT, PRIMARY KEY (id, front));"
    "CREATE TABLE IF NOT EXISTS owners (class INT, owner TEXT, vt INT, PRIMARY KEY (class, owner));"
    "CREATE TABLE IF NOT EXISTS clocks (class INTEGER PRIMARY KEY, vt INT);"
    "CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, front TEXT, id TEXT, event INT,"
    " text BLOB);"
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INT);"
    "CREATE TABLE IF NOT EXISTS positions (name TEXT, lines INT, depth INT, text BLOB, used INT,"
    " PRIMARY KEY (name, lines));"
    "CREATE TABLE IF NOT EXISTS workers (name TEXT PRIMARY KEY, seen INT, what TEXT);"
    "CREATE TABLE IF NOT EXISTS born (name TEXT);"
    "COMMIT;";

int64_t database_now_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool fail(Database *d, Error *err)
{
    return error_code(err, QUEUE_AWAY, 0, "the queue's database: %s", sqlite3_errmsg(d->db));
}

/* Other processes may work on the same file: who is locked out waits a little. */
Database *database_open(const char *path, Error *err)
{
    Database *d = calloc(1, sizeof *d);
    if (!d) {
        error_set(err, "not enough memory");
        return NULL;
    }
    mutex_init(&d->lock);
    d->users = 1;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    bool ok = sqlite3_open_v2(path, &d->db, flags, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_busy_timeout(d->db, 1500);
    if (ok && sqlite3_exec(d->db, schema, NULL, NULL, NULL) == SQLITE_OK)
        return d;
    fail(d, err);
    database_leave(d);
    return NULL;
}

Database *database_share(Database *d)
{
    mutex_lock(&d->lock);
    d->users++;
    mutex_unlock(&d->lock);
    return d;
}

void database_leave(Database *d)
{
    mutex_lock(&d->lock);
    const bool last = --d->users == 0;
    mutex_unlock(&d->lock);
    if (!last)
        return;
    sqlite3_close(d->db);
    mutex_destroy(&d->lock);
    free(d);
}

bool database_begin(Database *d, Error *err)
{
    mutex_lock(&d->lock);
    d->failed = false;
    if (sqlite3_exec(d->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK)
        return true;
    fail(d, err);
    mutex_unlock(&d->lock);
    return false;
}

bool database_end(Database *d, Error *err)
{
    const bool ok = !d->failed && sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) {
        fail(d, err);
        sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
    }
    mutex_unlock(&d->lock);
    return ok;
}

/* Binds the values in the order of their letters. */
static sqlite3_stmt *prepare(Database *d, const char *sql, const char *types, va_list values)
{
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(d->db, sql, -1, &query, NULL) != SQLITE_OK)
        d->failed = true;
    for (int i = 1; *types; types++, i++) {
        if (*types == 'i') {
            sqlite3_bind_int64(query, i, va_arg(values, int64_t));
        } else if (*types == 't') {
            sqlite3_bind_text(query, i, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
        } else {
            const Str bytes = va_arg(values, Str);
            sqlite3_bind_blob64(query, i, bytes.ptr ? bytes.ptr : "", bytes.len, SQLITE_TRANSIENT);
        }
    }
    return query;
}

sqlite3_stmt *database_prepare(Database *d, const char *sql, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *query = prepare(d, sql, types, values);
    va_end(values);
    return query;
}

bool database_row(Database *d, sqlite3_stmt *query)
{
    const int code = query ? sqlite3_step(query) : SQLITE_ERROR;
    if (code == SQLITE_ROW)
        return true;
    d->failed |= code != SQLITE_DONE;
    sqlite3_finalize(query);
    return false;
}

int database_run(Database *d, const char *sql, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *query = prepare(d, sql, types, values);
    va_end(values);
    while (database_row(d, query))
        ;
    return sqlite3_changes(d->db);
}

/* The first column of the first row, or what is meant if there is none. */
int64_t database_ask(Database *d, int64_t otherwise, const char *sql, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *query = prepare(d, sql, types, values);
    va_end(values);
    if (!database_row(d, query))
        return otherwise;
    const int64_t number =
        sqlite3_column_type(query, 0) == SQLITE_NULL ? otherwise : sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return number;
}

Str database_column(sqlite3_stmt *query, int column)
{
    const char *bytes = sqlite3_column_blob(query, column);
    return (Str){bytes ? bytes : "", (size_t)sqlite3_column_bytes(query, column)};
}
