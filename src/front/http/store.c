// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/store.h"

#include "base/thread.h"
#include "front/http/store_schema.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROW_BYTES = 256,         /* of a game, besides its texts */
    REPORT_PLY_BYTES = 2048, /* kept free for a report that is not written yet */
    STEP_BYTES = 40,         /* of one move in the index of positions */
    PAGE_BYTES = 4096,
    MOST_CARDS = 20000, /* puzzles; a kilobyte or two each */
    PURGE_ROWS = 16,
    TOUCH_SECONDS = 3600, /* a position's last use is known to the hour */
};

struct Store {
    sqlite3 *db;
    Mutex lock; /* one statement at a time */
    StoreLimits limits;
    AtomicU64 bytes; /* for those who cannot wait for the lock */
};

/* --- statements; the caller has the lock --- */

static bool is_full(sqlite3 *db)
{
    return sqlite3_errcode(db) == SQLITE_FULL ||
           (sqlite3_errcode(db) == SQLITE_IOERR && sqlite3_system_errno(db) == ENOSPC);
}

static bool fail(Store *store, Error *err, const char *what)
{
    return error_code(err, is_full(store->db) ? STORE_CODE_FULL : "STORE", 0, "%s: %s", what,
                      sqlite3_errmsg(store->db));
}

/* A statement that cannot be prepared is NULL, and every step on it fails. */
static sqlite3_stmt *prepare(Store *store, const char *sql)
{
    sqlite3_stmt *query = NULL;
    sqlite3_prepare_v2(store->db, sql, -1, &query, NULL);
    return query;
}

/* Binds at most two numbers. */
static sqlite3_stmt *prepare_with(Store *store, const char *sql, int64_t a, int64_t b)
{
    sqlite3_stmt *query = prepare(store, sql);
    sqlite3_bind_int64(query, 1, a);
    sqlite3_bind_int64(query, 2, b);
    return query;
}

/* The first number of the answer; 0: there is none. */
static int64_t ask(Store *store, const char *sql, int64_t a, int64_t b)
{
    sqlite3_stmt *query = prepare_with(store, sql, a, b);
    const int64_t number = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int64(query, 0) : 0;
    sqlite3_finalize(query);
    return number;
}

/* How many rows it changed; -1: it failed. */
static int change(Store *store, const char *sql, int64_t a, int64_t b)
{
    sqlite3_stmt *query = prepare_with(store, sql, a, b);
    const bool ok = sqlite3_step(query) == SQLITE_DONE;
    const int count = sqlite3_changes(store->db);
    return sqlite3_finalize(query) == SQLITE_OK && ok ? count : -1;
}

/* After every change of rows. */
static void count_bytes(Store *store)
{
    relaxed_store(&store->bytes, (uint64_t)ask(store, "SELECT sum(bytes) FROM usage", 0, 0));
}

static void bind_text(sqlite3_stmt *query, int index, const char *text)
{
    sqlite3_bind_text(query, index, text, -1, SQLITE_STATIC);
}

static int64_t length(const char *text) { return text ? (int64_t)strlen(text) : 0; }

/* Gives the log's place on the disk back: what it holds goes into the file itself, which has room
 * for it. After that small changes may succeed on a disk that is full. */
static void make_room(Store *store)
{
    sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

/* --- the ceiling --- */

static int64_t positions_limit(const Store *store) { return store->limits.bytes / 4; }
static int64_t games_limit(const Store *store) { return store->limits.bytes / 4 * 3; }

/* Deletes games that are too old, some at a time: the oldest have the smallest numbers. */
static void drop_old_games(Store *store)
{
    static const char sql[] =
        "DELETE FROM games WHERE created < strftime('%Y-%m-%dT%H:%M:%SZ', 'now', -?1 || ' days')"
        " AND id IN (SELECT id FROM games ORDER BY id LIMIT ?2)";
    if (store->limits.keep_days > 0)
        while (change(store, sql, store->limits.keep_days, PURGE_ROWS) > 0)
            ;
}

static void drop_unused_positions(Store *store)
{
    static const char sql[] = "DELETE FROM positions WHERE (key, lines) IN"
                              " (SELECT key, lines FROM positions ORDER BY used LIMIT ?1)";
    while (ask(store, "SELECT bytes FROM usage WHERE kind = 1", 0, 0) > positions_limit(store) &&
           change(store, sql, PURGE_ROWS, 0) > 0)
        ;
}

/* Makes room for `bytes` of a client that has `own`, at the cost of whoever has most. False: nobody
 * has more than this one would. */
static bool push_out_games(Store *store, int64_t own, int64_t bytes)
{
    while (ask(store, "SELECT sum(bytes) FROM usage WHERE kind = 0", 0, 0) + bytes >
           games_limit(store)) {
        const int64_t most = ask(store, "SELECT max(bytes) FROM usage WHERE kind = 0", 0, 0);
        if (most <= own + bytes ||
            change(store,
                   "DELETE FROM games WHERE id = (SELECT min(id) FROM games WHERE owner ="
                   " (SELECT owner FROM usage WHERE kind = 0 AND bytes = ?1))",
                   most, 0) <= 0)
            return false;
    }
    return true;
}

static bool find_room(Store *store, int64_t owner, int64_t bytes, Error *err)
{
    drop_old_games(store);
    const int64_t own =
        ask(store, "SELECT bytes FROM usage WHERE kind = 0 AND owner = ?1", owner, 0);
    if (own + bytes > store->limits.per_client)
        return error_code(err, STORE_CODE_SHARE, 0,
                          "your games would take %lld kB of the %lld kB that are yours here; "
                          "delete some",
                          (long long)((own + bytes) / 1024),
                          (long long)(store->limits.per_client / 1024));
    return push_out_games(store, own, bytes) ||
           error_code(err, STORE_CODE_FULL, 0, "the store is full; delete some games");
}

/* --- life --- */

static bool configure(Store *store, Error *err)
{
    char pragmas[160];
    sqlite3_snprintf(sizeof pragmas, pragmas,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                     "PRAGMA journal_size_limit = %d; PRAGMA max_page_count = %lld;",
                     4 << 20, (long long)store->limits.bytes / 4 * 5 / PAGE_BYTES + 64);
    sqlite3_busy_timeout(store->db, 2000);
    return sqlite3_exec(store->db, pragmas, NULL, NULL, NULL) == SQLITE_OK ||
           fail(store, err, "the database refuses");
}

Store *store_open(const char *path, StoreLimits limits, Error *err)
{
    Store *store = calloc(1, sizeof *store);
    if (!store) {
        error_code(err, "NO_MEMORY", 0, "not enough memory for the database");
        return NULL;
    }
    mutex_init(&store->lock);
    store->limits = limits;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    bool ok = sqlite3_open_v2(path, &store->db, flags, NULL) == SQLITE_OK || fail(store, err, path);
    ok = ok && configure(store, err) && store_schema_upgrade(store->db, err);
    if (!ok) {
        store_close(store);
        return NULL;
    }
    drop_old_games(store);
    drop_unused_positions(store);
    count_bytes(store);
    return store;
}

void store_close(Store *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    mutex_destroy(&store->lock);
    free(store);
}

/* --- games --- */

static int64_t insert_game(Store *store, const StoredGame *game, int64_t bytes, Error *err)
{
    sqlite3_stmt *query = prepare(
        store, "INSERT INTO games (white, black, result, plies, state, pgn, limits, owner, bytes)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_text(query, 1, game->white);
    bind_text(query, 2, game->black);
    bind_text(query, 3, game->result);
    sqlite3_bind_int(query, 4, game->plies);
    sqlite3_bind_int(query, 5, (int)game->state);
    bind_text(query, 6, game->pgn);
    bind_text(query, 7, game->limits);
    sqlite3_bind_int64(query, 8, (int64_t)game->owner);
    sqlite3_bind_int64(query, 9, bytes);
    const bool ok =
        sqlite3_step(query) == SQLITE_DONE || fail(store, err, "the game cannot be stored");
    sqlite3_finalize(query);
    return ok ? sqlite3_last_insert_rowid(store->db) : 0;
}

/* Room is found and the game inserted in one transaction; a report that is due counts already. */
int64_t store_add(Store *store, const StoredGame *game, Error *err)
{
    const int64_t later = game->state == GAME_QUEUED ? (int64_t)game->plies * REPORT_PLY_BYTES : 0;
    const int64_t bytes = ROW_BYTES + length(game->pgn) + later;
    int64_t id = 0;
    mutex_lock(&store->lock);
    if (change(store, "BEGIN IMMEDIATE", 0, 0) < 0) {
        fail(store, err, "the game cannot be stored");
    } else {
        if (find_room(store, (int64_t)game->owner, bytes, err))
            id = insert_game(store, game, bytes, err);
        if (id != 0 && change(store, "COMMIT", 0, 0) < 0) {
            fail(store, err, "the game cannot be stored");
            id = 0;
        }
        if (id == 0)
            change(store, "ROLLBACK", 0, 0);
        count_bytes(store);
    }
    mutex_unlock(&store->lock);
    return id;
}

static char *column_copy(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? strdup(text) : NULL;
}

/* The columns of HEAD, in its order. */
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

/* The whole row; the caller frees its texts. */
StoreAnswer store_get(Store *store, int64_t id, StoredGame *out, Error *err)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query = prepare_with(
        store, "SELECT " HEAD ", pgn, limits, report, annotated FROM games WHERE id = ?", id, 0);
    const int code = sqlite3_step(query);
    if (code == SQLITE_ROW) {
        read_head(query, out);
        out->pgn = column_copy(query, 8);
        out->limits = column_copy(query, 9);
        out->report = column_copy(query, 10);
        out->annotated = column_copy(query, 11);
    } else if (code != SQLITE_DONE) {
        fail(store, err, "the game cannot be read");
    }
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return code == SQLITE_ROW ? STORE_FOUND : code == SQLITE_DONE ? STORE_ABSENT : STORE_FAILED;
}

/* The end of a report, with what it weighs on disk. */
bool store_finish(Store *store, int64_t id, GameState state, const char *report,
                  const char *annotated, const char *message, Error *err)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare(store, "UPDATE games SET state = ?, report = ?, annotated = ?, message = ?,"
                       " bytes = ? + length(CAST(pgn AS BLOB)) WHERE id = ?");
    sqlite3_bind_int(query, 1, (int)state);
    bind_text(query, 2, report);
    bind_text(query, 3, annotated);
    bind_text(query, 4, message);
    sqlite3_bind_int64(query, 5, ROW_BYTES + length(report) + length(annotated));
    sqlite3_bind_int64(query, 6, id);
    const bool ok =
        sqlite3_step(query) == SQLITE_DONE || fail(store, err, "the report cannot be stored");
    sqlite3_finalize(query);
    if (!ok)
        make_room(store);
    count_bytes(store);
    mutex_unlock(&store->lock);
    return ok;
}

/* On a full disk even deleting needs room for its journal: some is made, then tried once more. */
StoreAnswer store_delete(Store *store, int64_t id, Error *err)
{
    static const char sql[] = "DELETE FROM games WHERE id = ?";
    mutex_lock(&store->lock);
    int count = change(store, sql, id, 0);
    if (count < 0 && is_full(store->db)) {
        make_room(store);
        count = change(store, sql, id, 0);
    }
    if (count < 0)
        fail(store, err, "the game cannot be deleted");
    count_bytes(store);
    mutex_unlock(&store->lock);
    return count > 0 ? STORE_FOUND : count == 0 ? STORE_ABSENT : STORE_FAILED;
}

/* The games that a query finds, in its order; ends the query. With the lock. */
static size_t read_heads(sqlite3_stmt *query, StoredGame *out, size_t max)
{
    size_t count = 0;
    while (count < max && sqlite3_step(query) == SQLITE_ROW)
        read_head(query, &out[count++]);
    sqlite3_finalize(query);
    return count;
}

size_t store_list(Store *store, size_t offset, StoredGame *out, size_t max)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare_with(store, "SELECT " HEAD " FROM games ORDER BY id DESC LIMIT ? OFFSET ?",
                     (int64_t)max, (int64_t)offset);
    const size_t count = read_heads(query, out, max);
    mutex_unlock(&store->lock);
    return count;
}

static int64_t one_number(Store *store, const char *sql)
{
    mutex_lock(&store->lock);
    const int64_t number = ask(store, sql, 0, 0);
    mutex_unlock(&store->lock);
    return number;
}

int64_t store_next_queued(Store *store)
{
    _Static_assert(GAME_QUEUED == 1, "the statement names it");
    return one_number(store, "SELECT id FROM games WHERE state = 1 ORDER BY id LIMIT 1");
}

int64_t store_queued_after(Store *store, int64_t id)
{
    mutex_lock(&store->lock);
    const int64_t next =
        ask(store, "SELECT id FROM games WHERE state = 1 AND id > ?1 ORDER BY id LIMIT 1", id, 0);
    mutex_unlock(&store->lock);
    return next;
}

int64_t store_count(Store *store) { return one_number(store, "SELECT count(*) FROM games"); }
int64_t store_bytes(Store *store) { return (int64_t)relaxed_load(&store->bytes); }

/* --- positions --- */

/* The deepest analysis with enough lines; one that is used is kept longer. */
char *store_recall(Store *store, const char *key, int lines)
{
    mutex_lock(&store->lock);
    const int64_t now = (int64_t)time(NULL);
    sqlite3_stmt *query =
        prepare(store, "SELECT json, lines, used FROM positions WHERE key = ? AND lines >= ?"
                       " ORDER BY depth DESC LIMIT 1");
    bind_text(query, 1, key);
    sqlite3_bind_int(query, 2, lines);
    char *json = sqlite3_step(query) == SQLITE_ROW ? column_copy(query, 0) : NULL;
    const int found = sqlite3_column_int(query, 1);
    const bool touch = json && sqlite3_column_int64(query, 2) + TOUCH_SECONDS < now;
    sqlite3_finalize(query);
    if (touch) {
        query = prepare_with(store, "UPDATE positions SET used = ?1 WHERE lines = ?2 AND key = ?3",
                             now, found);
        bind_text(query, 3, key);
        sqlite3_step(query); /* only a convenience, as below */
        sqlite3_finalize(query);
    }
    mutex_unlock(&store->lock);
    return json;
}

/* Never replaces a deeper analysis. */
void store_remember(Store *store, const char *key, int lines, int depth, const char *json)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare(store, "INSERT INTO positions (key, lines, depth, json, used)"
                       " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
                       " SET depth = excluded.depth, json = excluded.json, used = excluded.used"
                       " WHERE excluded.depth >= depth");
    bind_text(query, 1, key);
    sqlite3_bind_int(query, 2, lines);
    sqlite3_bind_int(query, 3, depth);
    bind_text(query, 4, json);
    sqlite3_bind_int64(query, 5, (int64_t)time(NULL));
    const bool ok = sqlite3_step(query) == SQLITE_DONE; /* a failure costs only a convenience */
    sqlite3_finalize(query);
    if (ok)
        drop_unused_positions(store);
    count_bytes(store);
    mutex_unlock(&store->lock);
}

char *store_position_after(Store *store, char *key, size_t key_size, int *lines, int *depth)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare(store, "SELECT key, lines, depth, json FROM positions WHERE (key, lines) > (?1, ?2)"
                       " ORDER BY key, lines LIMIT 1");
    bind_text(query, 1, key);
    sqlite3_bind_int(query, 2, *lines);
    char *json = sqlite3_step(query) == SQLITE_ROW ? column_copy(query, 3) : NULL;
    char *next = json ? column_copy(query, 0) : NULL;
    if (next) {
        str_copy(key, key_size, str_from(next));
        *lines = sqlite3_column_int(query, 1);
        *depth = sqlite3_column_int(query, 2);
    }
    free(next);
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return json;
}

/* --- which moves were played in a position --- */

/* The oldest game whose positions the explorer does not know yet. */
int64_t store_next_unindexed(Store *store, char **pgn)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare(store, "SELECT id, pgn FROM games WHERE indexed = 0 ORDER BY id LIMIT 1");
    int64_t id = 0;
    if (sqlite3_step(query) == SQLITE_ROW && (*pgn = column_copy(query, 1)))
        id = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return id;
}

/* A move that a game plays twice from one position counts once. */
static bool insert_steps(Store *store, int64_t id, const StoredStep *steps, size_t count)
{
    sqlite3_stmt *query =
        prepare(store, "INSERT OR IGNORE INTO steps (key, uci, game) VALUES (?, ?, ?)");
    bool ok = query != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        sqlite3_bind_int64(query, 1, steps[i].key);
        bind_text(query, 2, steps[i].uci);
        sqlite3_bind_int64(query, 3, id);
        ok = sqlite3_step(query) == SQLITE_DONE && sqlite3_reset(query) == SQLITE_OK;
    }
    sqlite3_finalize(query);
    return ok;
}

/* All steps of a game and the mark that they are known, or nothing. A game that was deleted in the
 * meantime gets none: nobody would take them away again. */
bool store_index(Store *store, int64_t id, const StoredStep *steps, size_t count)
{
    static const char sql[] = "UPDATE games SET indexed = 1, bytes = bytes + ?2 WHERE id = ?1";
    mutex_lock(&store->lock);
    bool ok = sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    if (ok) {
        const int found = change(store, sql, id, (int64_t)count * STEP_BYTES);
        ok = found == 0 || (found > 0 && insert_steps(store, id, steps, count));
        ok = ok && sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
        if (!ok)
            sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
        count_bytes(store);
    }
    mutex_unlock(&store->lock);
    return ok;
}

/* Each move that was played here, with its results, the most frequent first. */
size_t store_played(Store *store, int64_t key, PlayedMove *out, size_t max)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query = prepare_with(
        store,
        "SELECT uci, count(*), sum(result = '1-0'), sum(result = '1/2-1/2'), sum(result = '0-1')"
        " FROM steps JOIN games ON id = game WHERE key = ? GROUP BY uci ORDER BY 2 DESC, 1 LIMIT ?",
        key, (int64_t)max);
    size_t count = 0;
    while (count < max && sqlite3_step(query) == SQLITE_ROW) {
        PlayedMove *move = &out[count++];
        *move = (PlayedMove){.games = sqlite3_column_int64(query, 1),
                             .white = sqlite3_column_int64(query, 2),
                             .draws = sqlite3_column_int64(query, 3),
                             .black = sqlite3_column_int64(query, 4)};
        str_copy(move->uci, sizeof move->uci,
                 str_from((const char *)sqlite3_column_text(query, 0)));
    }
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return count;
}

/* Games that had this position, the newest first. */
size_t store_reached(Store *store, int64_t key, StoredGame *out, size_t max)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare_with(store,
                     "SELECT " HEAD " FROM games WHERE id IN (SELECT game FROM steps WHERE key = ?)"
                     " ORDER BY id DESC LIMIT ?",
                     key, (int64_t)max);
    const size_t count = read_heads(query, out, max);
    mutex_unlock(&store->lock);
    return count;
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

/* --- puzzles --- */

static void read_card(sqlite3_stmt *query, StoredCard *out)
{
    *out = (StoredCard){
        .id = sqlite3_column_int64(query, 0),
        .created = column_copy(query, 1),
        .title = column_copy(query, 2),
        .puzzle = column_copy(query, 3),
        .card = column_copy(query, 4),
        .pgn = column_copy(query, 5),
        .epd = column_copy(query, 6),
    };
}

#define CARD "id, created, title, puzzle, card, pgn, epd"

/* The row with this key, if there is one. With the lock. */
static int64_t find_card(Store *store, const char *key)
{
    sqlite3_stmt *query = prepare(store, "SELECT id FROM cards WHERE key = ?");
    bind_text(query, 1, key);
    const int64_t id = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int64(query, 0) : 0;
    sqlite3_finalize(query);
    return id;
}

int64_t store_card_find(Store *store, const char *key)
{
    mutex_lock(&store->lock);
    const int64_t id = find_card(store, key);
    mutex_unlock(&store->lock);
    return id;
}

int64_t store_card_add(Store *store, const char *key, const StoredCard *card, Error *err)
{
    mutex_lock(&store->lock);
    int64_t id = find_card(store, key);
    if (id == 0 && ask(store, "SELECT count(*) FROM cards", 0, 0) >= MOST_CARDS) {
        error_code(err, STORE_CODE_FULL, 0, "there are too many puzzles; delete some");
    } else if (id == 0) {
        sqlite3_stmt *query = prepare(store, "INSERT INTO cards (key, title, puzzle, pgn, epd)"
                                             " VALUES (?, ?, ?, ?, ?)");
        bind_text(query, 1, key);
        bind_text(query, 2, card->title);
        bind_text(query, 3, card->puzzle);
        bind_text(query, 4, card->pgn);
        bind_text(query, 5, card->epd);
        if (sqlite3_step(query) == SQLITE_DONE)
            id = sqlite3_last_insert_rowid(store->db);
        else
            fail(store, err, "the puzzle cannot be stored");
        sqlite3_finalize(query);
    }
    mutex_unlock(&store->lock);
    return id;
}

StoreAnswer store_card_get(Store *store, int64_t id, StoredCard *out, Error *err)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query = prepare_with(store, "SELECT " CARD " FROM cards WHERE id = ?", id, 0);
    const int code = sqlite3_step(query);
    if (code == SQLITE_ROW)
        read_card(query, out);
    else if (code != SQLITE_DONE)
        fail(store, err, "the puzzle cannot be read");
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return code == SQLITE_ROW ? STORE_FOUND : code == SQLITE_DONE ? STORE_ABSENT : STORE_FAILED;
}

size_t store_cards(Store *store, size_t offset, StoredCard *out, size_t max)
{
    size_t count = 0;
    mutex_lock(&store->lock);
    sqlite3_stmt *query =
        prepare_with(store, "SELECT " CARD " FROM cards ORDER BY id LIMIT ?1 OFFSET ?2",
                     (int64_t)max, (int64_t)offset);
    while (count < max && sqlite3_step(query) == SQLITE_ROW)
        read_card(query, &out[count++]);
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return count;
}

int64_t store_card_count(Store *store)
{
    mutex_lock(&store->lock);
    const int64_t count = ask(store, "SELECT count(*) FROM cards", 0, 0);
    mutex_unlock(&store->lock);
    return count;
}

StoreAnswer store_card_set(Store *store, int64_t id, const char *card, Error *err)
{
    mutex_lock(&store->lock);
    sqlite3_stmt *query = prepare(store, "UPDATE cards SET card = ?1 WHERE id = ?2");
    bind_text(query, 1, card);
    sqlite3_bind_int64(query, 2, id);
    const bool ok =
        sqlite3_step(query) == SQLITE_DONE || fail(store, err, "the puzzle cannot be stored");
    const int count = sqlite3_changes(store->db);
    sqlite3_finalize(query);
    mutex_unlock(&store->lock);
    return !ok ? STORE_FAILED : count > 0 ? STORE_FOUND : STORE_ABSENT;
}

StoreAnswer store_card_delete(Store *store, int64_t id, Error *err)
{
    mutex_lock(&store->lock);
    const int count = change(store, "DELETE FROM cards WHERE id = ?", id, 0);
    if (count < 0)
        fail(store, err, "the puzzle cannot be deleted");
    mutex_unlock(&store->lock);
    return count > 0 ? STORE_FOUND : count == 0 ? STORE_ABSENT : STORE_FAILED;
}

void stored_card_free(StoredCard *c)
{
    free(c->created);
    free(c->title);
    free(c->puzzle);
    free(c->card);
    free(c->pgn);
    free(c->epd);
}
