// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/store_schema.h"

#include <stddef.h>

/* What a row takes besides its texts; about what SQLite needs for it and its indexes. */
#define GAME_ROW "256"
#define POSITION_ROW "128"
#define BYTES(text) "coalesce(length(CAST(" text " AS BLOB)), 0)"
#define GAME_BYTES GAME_ROW " + " BYTES("pgn") " + " BYTES("report") " + " BYTES("annotated")
#define POSITION_BYTES POSITION_ROW " + " BYTES("key") " + " BYTES("json")
#define NEW_POSITION_BYTES POSITION_ROW " + " BYTES("new.key") " + " BYTES("new.json")
#define POSITION_GROWTH BYTES("new.json") " - " BYTES("old.json")
#define OLD_POSITION_BYTES POSITION_ROW " + " BYTES("old.key") " + " BYTES("old.json")

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

    /* Who stored a game (0: nobody knows), what it takes, when a position was last asked for; and
     * the sums, kept by triggers: kind 0 the games of each owner, kind 1 all positions. */
    "ALTER TABLE games ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE games ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;"
    "UPDATE games SET bytes = " GAME_BYTES ";"
    "CREATE INDEX games_by_owner ON games (owner, id);"
    "ALTER TABLE positions ADD COLUMN used INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX positions_by_use ON positions (used);"
    "CREATE TABLE usage ("
    "  kind INTEGER NOT NULL, owner INTEGER NOT NULL, bytes INTEGER NOT NULL,"
    "  PRIMARY KEY (kind, owner)"
    ") STRICT, WITHOUT ROWID;"
    "INSERT INTO usage SELECT 0, owner, sum(bytes) FROM games GROUP BY owner;"
    "INSERT INTO usage SELECT 1, 0, coalesce(sum(" POSITION_BYTES "), 0) FROM positions;"
    "CREATE TRIGGER games_added AFTER INSERT ON games BEGIN"
    "  INSERT INTO usage VALUES (0, new.owner, new.bytes)"
    "    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;"
    "END;"
    "CREATE TRIGGER games_changed AFTER UPDATE OF bytes ON games BEGIN"
    "  UPDATE usage SET bytes = bytes + new.bytes - old.bytes"
    "    WHERE kind = 0 AND owner = new.owner;"
    "END;"
    "CREATE TRIGGER games_deleted AFTER DELETE ON games BEGIN"
    "  UPDATE usage SET bytes = bytes - old.bytes WHERE kind = 0 AND owner = old.owner;"
    "  DELETE FROM usage WHERE kind = 0 AND owner = old.owner AND bytes <= 0;"
    "END;"
    "CREATE TRIGGER positions_added AFTER INSERT ON positions BEGIN"
    "  UPDATE usage SET bytes = bytes + " NEW_POSITION_BYTES " WHERE kind = 1;"
    "END;"
    "CREATE TRIGGER positions_changed AFTER UPDATE OF json ON positions BEGIN"
    "  UPDATE usage SET bytes = bytes + " POSITION_GROWTH " WHERE kind = 1;"
    "END;"
    "CREATE TRIGGER positions_deleted AFTER DELETE ON positions BEGIN"
    "  UPDATE usage SET bytes = bytes - (" OLD_POSITION_BYTES ") WHERE kind = 1;"
    "END;",
    /* Which move was played where, over the first plies of each game that is indexed. */
    "CREATE TABLE steps ("
    "  key INTEGER NOT NULL, uci TEXT NOT NULL, game INTEGER NOT NULL,"
    "  PRIMARY KEY (key, uci, game)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX steps_by_game ON steps (game);"
    "ALTER TABLE games ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX games_not_indexed ON games (id) WHERE indexed = 0;"
    "CREATE TRIGGER games_leave AFTER DELETE ON games BEGIN"
    "  DELETE FROM steps WHERE game = old.id;"
    "END;",
    /* Puzzles, and what a trainer remembers about each. */
    "CREATE TABLE cards ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    "  key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, puzzle TEXT NOT NULL, card TEXT,"
    "  pgn TEXT NOT NULL, epd TEXT NOT NULL"
    ") STRICT;",
};
enum { VERSION = sizeof migrations / sizeof *migrations };

static bool fail(sqlite3 *db, Error *err, const char *what)
{
    return error_code(err, "STORE", 0, "%s: %s", what, sqlite3_errmsg(db));
}

static bool execute(sqlite3 *db, const char *sql, Error *err)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail(db, err, "the database refuses");
}

static int user_version(sqlite3 *db)
{
    sqlite3_stmt *query = NULL;
    int version = -1;
    if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        version = sqlite3_column_int(query, 0);
    sqlite3_finalize(query);
    return version;
}

/* One step, as a whole or not at all. Another process may have made it meanwhile. */
static bool step(sqlite3 *db, int *version, Error *err)
{
    char done[64];
    sqlite3_snprintf(sizeof done, done, "PRAGMA user_version = %d; COMMIT", *version + 1);
    if (!execute(db, "BEGIN IMMEDIATE", err))
        return false;
    const int now = user_version(db);
    /* The caller sees to it that there is a step. NOLINTNEXTLINE(clang-analyzer-core.*) */
    if (now == *version && execute(db, migrations[now], err) && execute(db, done, err)) {
        (*version)++;
        return true;
    }
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    if (now <= *version)
        return false;
    *version = now;
    return true;
}

/* Step by step from whatever version is there; a newer one is left alone. */
bool store_schema_upgrade(sqlite3 *db, Error *err)
{
    int version = user_version(db);
    if (version < 0)
        return fail(db, err, "this is no database of ours");
    while (version < VERSION)
        if (!step(db, &version, err))
            return false;
    return version == VERSION ||
           error_code(err, "STORE", 0, "the database was written by a newer version (%d, not %d)",
                      version, VERSION);
}
