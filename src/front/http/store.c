// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/store.h"

#include "base/thread.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct Store {
    sqlite3 *db;
    Mutex lock; /* one statement at a time */
};

/* Step n brings the file from version n to n + 1. Never change one that was released; add another.
 */
static const char *const migrations[] = {
    "CREATE TABLE games ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    "  white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, plies INTEGER NOT NULL,"
    "  state INTEGER NOT NULL, pgn TEXT NOT NULL, limits TEXT, report TEXT, annotated TEXT, "
    "message TEXT"
    ") STRICT;"
    "CREATE INDEX games_by_state ON games (state, id);",
    "CREATE TABLE positions ("
    "  key TEXT NOT NULL, lines INTEGER NOT NULL, depth INTEGER NOT NULL, json TEXT NOT NULL,"
    "  PRIMARY KEY (key, lines)"
    ") STRICT, WITHOUT ROWID;",
};
enum { VERSION = sizeof migrations / sizeof *migrations };

static bool fail(Store *store, Error *err, const char *what)
{
    return error_code(err, "STORE", 0, "%s: %s", what, sqlite3_errmsg(store->db));
}

static bool execute(Store *store, const char *sql, Error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail(store, err, "the database refuses");
}

static int user_version(Store *store)
{
    sqlite3_stmt *query = NULL;
    int version = -1;
    if (sqlite3_prepare_v2(store->db, "PRAGMA user_version", -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        version = sqlite3_column_int(query, 0);
    sqlite3_finalize(query);
    return version;
}

static bool migrate(Store *store, Error *err)
{
    int version = user_version(store);
    if (version < 0)
        return fail(store, err, "this is no database of ours");
    if (version > VERSION)
        return error_code(err, "STORE", 0,
                          "the database was written by a newer version (%d, not %d)", version,
                          VERSION);
    for (; version < VERSION; version++) {
        char done[64];
        sqlite3_snprintf(sizeof done, done, "PRAGMA user_version = %d; COMMIT", version + 1);
        if (!execute(store, "BEGIN IMMEDIATE", err))
            return false;
        if (!execute(store, migrations[version], err) || !execute(store, done, err)) {
            sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
            return false;
        }
    }
    return true;
}

Store *store_open(const char *path, Error *err)
{
    Store *store = calloc(1, sizeof *store);
    if (!store) {
        error_code(err, "NO_MEMORY", 0, "not enough memory for the database");
        return NULL;
    }
    mutex_init(&store->lock);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    bool ok = sqlite3_open_v2(path, &store->db, flags, NULL) == SQLITE_OK || fail(store, err, path);
    if (ok) {
        sqlite3_busy_timeout(store->db, 2000);
        ok = execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", err) &&
             migrate(store, err);
    }
    if (ok)
        return store;
    store_close(store);
    return NULL;
}

void store_close(Store *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    mutex_destroy(&store->lock);
    free(store);
}

/* Locks, prepares; a statement that cannot be prepared is NULL and every step on it fails. */
static sqlite3_stmt *begin(Store *store, const char *sql)
{
    sqlite3_stmt *query = NULL;
    mutex_lock(&store->lock);
    sqlite3_prepare_v2(store->db, sql, -1, &query, NULL);
    return query;
}

static void end(Store *store, sqlite3_stmt *query)
{
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
}

static void bind_text(sqlite3_stmt *query, int index, const char *text)
{
    sqlite3_bind_text(query, index, text, -1, SQLITE_STATIC);
}

int64_t store_add(Store *store, const StoredGame *game, Error *err)
{
    sqlite3_stmt *query =
        begin(store, "INSERT INTO games (white, black, result, plies, state, pgn, limits)"
                     " VALUES (?, ?, ?, ?, ?, ?, ?)");
    bind_text(query, 1, game->white);
    bind_text(query, 2, game->black);
    bind_text(query, 3, game->result);
    sqlite3_bind_int(query, 4, game->plies);
    sqlite3_bind_int(query, 5, (int)game->state);
    bind_text(query, 6, game->pgn);
    bind_text(query, 7, game->limits);
    int64_t id = 0;
    if (sqlite3_step(query) == SQLITE_DONE)
        id = sqlite3_last_insert_rowid(store->db);
    else
        fail(store, err, "the game cannot be stored");
    end(store, query);
    return id;
}

static char *column_copy(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? strdup(text) : NULL;
}

static void read_head(sqlite3_stmt *query, StoredGame *out)
{
    *out = (StoredGame){
        .id = sqlite3_column_int64(query, 0),
        .created = column_copy(query, 1),
        .white = column_copy(query, 2),
        .black = column_copy(query, 3),
        .result = column_copy(query, 4),
        .plies = sqlite3_column_int(query, 5),
        .state = (GameState)sqlite3_column_int(query, 6),
        .message = column_copy(query, 7),
    };
}

#define HEAD "id, created, white, black, result, plies, state, message"

bool store_get(Store *store, int64_t id, StoredGame *out)
{
    sqlite3_stmt *query =
        begin(store, "SELECT " HEAD ", pgn, limits, report, annotated FROM games WHERE id = ?");
    sqlite3_bind_int64(query, 1, id);
    const bool found = sqlite3_step(query) == SQLITE_ROW;
    if (found) {
        read_head(query, out);
        out->pgn = column_copy(query, 8);
        out->limits = column_copy(query, 9);
        out->report = column_copy(query, 10);
        out->annotated = column_copy(query, 11);
    }
    end(store, query);
    return found;
}

bool store_finish(Store *store, int64_t id, GameState state, const char *report,
                  const char *annotated, const char *message, Error *err)
{
    sqlite3_stmt *query = begin(
        store, "UPDATE games SET state = ?, report = ?, annotated = ?, message = ? WHERE id = ?");
    sqlite3_bind_int(query, 1, (int)state);
    bind_text(query, 2, report);
    bind_text(query, 3, annotated);
    bind_text(query, 4, message);
    sqlite3_bind_int64(query, 5, id);
    const bool ok =
        sqlite3_step(query) == SQLITE_DONE || fail(store, err, "the report cannot be stored");
    end(store, query);
    return ok;
}

bool store_delete(Store *store, int64_t id)
{
    sqlite3_stmt *query = begin(store, "DELETE FROM games WHERE id = ?");
    sqlite3_bind_int64(query, 1, id);
    const bool deleted = sqlite3_step(query) == SQLITE_DONE && sqlite3_changes(store->db) > 0;
    end(store, query);
    return deleted;
}

size_t store_list(Store *store, size_t offset, StoredGame *out, size_t max)
{
    sqlite3_stmt *query =
        begin(store, "SELECT " HEAD " FROM games ORDER BY id DESC LIMIT ? OFFSET ?");
    sqlite3_bind_int64(query, 1, (int64_t)max);
    sqlite3_bind_int64(query, 2, (int64_t)offset);
    size_t count = 0;
    while (count < max && sqlite3_step(query) == SQLITE_ROW)
        read_head(query, &out[count++]);
    end(store, query);
    return count;
}

static int64_t one_number(Store *store, const char *sql)
{
    sqlite3_stmt *query = begin(store, sql);
    const int64_t number = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int64(query, 0) : 0;
    end(store, query);
    return number;
}

int64_t store_next_queued(Store *store)
{
    _Static_assert(GAME_QUEUED == 1, "the statement names it");
    return one_number(store, "SELECT id FROM games WHERE state = 1 ORDER BY id LIMIT 1");
}

int64_t store_count(Store *store) { return one_number(store, "SELECT count(*) FROM games"); }

char *store_recall(Store *store, const char *key, int lines)
{
    sqlite3_stmt *query = begin(
        store, "SELECT json FROM positions WHERE key = ? AND lines >= ? ORDER BY lines LIMIT 1");
    bind_text(query, 1, key);
    sqlite3_bind_int(query, 2, lines);
    char *json = sqlite3_step(query) == SQLITE_ROW ? column_copy(query, 0) : NULL;
    end(store, query);
    return json;
}

void store_remember(Store *store, const char *key, int lines, int depth, const char *json)
{
    sqlite3_stmt *query =
        begin(store, "INSERT INTO positions (key, lines, depth, json) VALUES (?, ?, ?, ?)"
                     " ON CONFLICT DO UPDATE SET depth = excluded.depth, json = excluded.json"
                     " WHERE excluded.depth >= depth");
    bind_text(query, 1, key);
    sqlite3_bind_int(query, 2, lines);
    sqlite3_bind_int(query, 3, depth);
    bind_text(query, 4, json);
    sqlite3_step(query); /* only a convenience: a failure costs nothing */
    end(store, query);
}

void stored_game_free(StoredGame *game)
{
    char *texts[] = {game->created, game->white,  game->black,     game->result, game->pgn,
                     game->limits,  game->report, game->annotated, game->message};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *game = (StoredGame){0};
}

const char *game_state_name(GameState state)
{
    static const char *const names[] = {"saved", "queued", "done", "failed"};
    return (unsigned)state < sizeof names / sizeof *names ? names[state] : "unknown";
}
