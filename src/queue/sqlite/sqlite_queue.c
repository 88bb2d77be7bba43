// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/sqlite/sqlite_queue.h"

#include "base/clock.h"
#include "base/rng.h"
#include "queue/sqlite/database.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_MS = 20, WORKER_SILENT_MS = 15000, MOST_EVENTS = 10000 };

typedef struct SqliteQueue {
    Queue queue; /* first: what others see */
    Database *d;
} SqliteQueue;

static const QueueOps sqlite_ops;

static Database *base_of(Queue *q) { return ((SqliteQueue *)q)->d; }

/* A handle for a database that was opened or shared for it. */
static Queue *wrap(Database *d, const QueueRules *rules, Error *err)
{
    SqliteQueue *s = d ? calloc(1, sizeof *s) : NULL;
    if (s) {
        *s = (SqliteQueue){{&sqlite_ops, *rules}, d};
        return &s->queue;
    }
    if (d) {
        database_leave(d);
        error_set(err, "not enough memory");
    }
    return NULL;
}

Queue *sqlite_queue_open(const char *path, const QueueRules *rules, Error *err)
{
    return wrap(database_open(path, err), rules, err);
}

static Queue *sqlite_clone(Queue *q, Error *err)
{
    return wrap(database_share(base_of(q)), &q->rules, err);
}

static void sqlite_close(Queue *q)
{
    database_leave(base_of(q));
    free(q);
}

/* --- what several functions do; inside a transaction --- */

static void count(Database *d, const char *name, int64_t n)
{
    database_run(d,
                 "INSERT INTO counters VALUES (?1, ?2)"
                 " ON CONFLICT DO UPDATE SET value = value + excluded.value",
                 "ti", name, n);
}

/* An event for every front door that waits for the job. Events that nobody fetches are dropped. */
static void tell(Database *d, const char *id, QueueEvent event, Str text)
{
    database_run(d,
                 "INSERT INTO events (front, id, event, text)"
                 " SELECT front, id, ?2, ?3 FROM fronts WHERE id = ?1",
                 "tib", id, (int64_t)event, text);
    database_run(d, "DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?1", "i",
                 (int64_t)MOST_EVENTS);
}

static bool wanted(Database *d, const char *id, int64_t now)
{
    return database_ask(d, 0, "SELECT 1 FROM fronts WHERE id = ?1 AND until > ?2", "ti", id, now) !=
           0;
}

static void remove_job(Database *d, const char *id)
{
    database_run(d, "DELETE FROM jobs WHERE id = ?1", "t", id);
    database_run(d, "DELETE FROM fronts WHERE id = ?1", "t", id);
}

/* A live job whose front doors are gone. */
static bool lapsed(Database *d, const char *id, int64_t now)
{
    if (!database_ask(d, 0, "SELECT live FROM jobs WHERE id = ?1", "t", id) || wanted(d, id, now))
        return false;
    remove_job(d, id);
    count(d, "lapsed", 1);
    return true;
}

/* An attempt failed: back into the queue, or out of it after so many. */
static void failed(Database *d, const char *id, const char *reason, int attempts, int64_t now)
{
    database_run(d,
                 "UPDATE jobs SET tries = tries + 1, reason = ?2, worker = NULL, ended = ?4,"
                 " state = CASE WHEN tries + 1 >= ?3 THEN 'dead' ELSE 'ready' END WHERE id = ?1",
                 "ttii", id, reason, (int64_t)attempts, now);
    if (database_ask(d, 0, "SELECT state = 'dead' FROM jobs WHERE id = ?1", "t", id)) {
        tell(d, id, EVENT_DEAD, str_from(reason));
        database_run(d, "DELETE FROM fronts WHERE id = ?1", "t", id);
        count(d, "dead", 1);
    } else {
        count(d, "retried", 1);
    }
}

static void read_text(sqlite3_stmt *query, int column, Buffer *out)
{
    const Str text = database_column(query, column);
    buffer_clear(out);
    buffer_append(out, text.ptr, text.len);
}

/* State and the text that belongs to it: result, reason, or newest part. */
static JobState look_at(Database *d, const char *id, Buffer *text)
{
    JobState state = JOB_GONE;
    sqlite3_stmt *query =
        database_prepare(d,
                         "SELECT state, CASE state WHEN 'done' THEN result WHEN 'dead' THEN"
                         " reason ELSE part END FROM jobs WHERE id = ?1",
                         "t", id);
    buffer_clear(text);
    if (database_row(d, query)) {
        job_state_named(database_column(query, 0), &state);
        read_text(query, 1, text);
        sqlite3_finalize(query);
    }
    return state;
}

/* --- front doors --- */

static void want(Database *d, const char *id, const char *front, int64_t until)
{
    if (front[0])
        database_run(d, "INSERT OR REPLACE INTO fronts VALUES (?1, ?2, ?3)", "tti", id, front,
                     until);
}

static int64_t unfinished(Database *d, const char *owner)
{
    return database_ask(
        d, 0, "SELECT count(*) FROM jobs WHERE state IN ('ready', 'leased') AND owner = ?1", "t",
        owner);
}

/* Start-time fair queueing, as in enqueue.lua. */
static void insert_job(Database *d, const Job *job, int64_t now)
{
    const int64_t class = job->priority, cost = job->cost_ms > 0 ? job->cost_ms : 1;
    const int64_t own =
        unfinished(d, job->owner) == 0
            ? 0
            : database_ask(d, 0, "SELECT vt FROM owners WHERE class = ?1 AND owner = ?2", "it",
                           class, job->owner);
    const int64_t clock = database_ask(d, 0, "SELECT vt FROM clocks WHERE class = ?1", "i", class);
    const int64_t vt = own > clock ? own : clock;
    database_run(d, "INSERT OR REPLACE INTO owners VALUES (?1, ?2, ?3)", "iti", class, job->owner,
                 vt + cost);
    database_run(d,
                 "INSERT INTO jobs (id, kind, needs, owner, class, live, payload, state, vt, made)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'ready', ?8, ?9)",
                 "ttttiibii", job->id, job->kind, job->needs, job->owner, class, (int64_t)job->live,
                 job->payload, vt, now);
    count(d, "enqueued", 1);
}

/* Joins a job that is there already, refuses one too many, or adds it. */
static void enqueue_one(Queue *q, const char *front, const Job *job, JobNews *news)
{
    Database *d = base_of(q);
    const int64_t now = database_now_ms();
    news->state = look_at(d, job->id, &news->text);
    if (news->state == JOB_DONE || news->state == JOB_DEAD)
        return;
    if (news->state == JOB_GONE) {
        const int64_t waiting =
            database_ask(d, 0, "SELECT count(*) FROM jobs WHERE state = 'ready'", "");
        news->state = waiting >= q->rules.most_waiting                       ? JOB_FULL
                      : unfinished(d, job->owner) >= q->rules.most_per_owner ? JOB_OWNER_FULL
                                                                             : JOB_GONE;
        if (news->state != JOB_GONE) {
            count(d, "refused", 1);
            return;
        }
        insert_job(d, job, now);
        news->state = JOB_READY;
    }
    buffer_clear(&news->text);
    want(d, job->id, front, now + q->rules.interest_ms);
}

static bool sqlite_enqueue(Queue *q, const char *front, const Job *jobs, size_t job_count,
                           JobNews *news, Error *err)
{
    if (!database_begin(base_of(q), err))
        return false;
    for (size_t i = 0; i < job_count; i++)
        enqueue_one(q, front, &jobs[i], &news[i]);
    return database_end(base_of(q), err);
}

/* A database has a name from its first touch on. */
static void name_memory(Database *d, char born[33])
{
    Rng rng;
    char name[33];
    rng_seed(&rng, (uint64_t)clock_us());
    snprintf(name, sizeof name, "%016llx%016llx", (unsigned long long)rng_next(&rng),
             (unsigned long long)rng_next(&rng));
    database_run(d, "INSERT INTO born SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM born)", "t", name);
    sqlite3_stmt *query = database_prepare(d, "SELECT name FROM born", "");
    if (database_row(d, query)) {
        str_copy(born, 33, database_column(query, 0));
        sqlite3_finalize(query);
    }
}

/* All of them in one transaction. */
static bool sqlite_touch(Queue *q, const char *front, const char *const *ids, size_t id_count,
                         char born[33], JobNews *news, Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    const int64_t until = database_now_ms() + q->rules.interest_ms;
    name_memory(d, born);
    for (size_t i = 0; i < id_count; i++) {
        news[i].state = look_at(d, ids[i], &news[i].text);
        if (news[i].state == JOB_READY || news[i].state == JOB_LEASED)
            want(d, ids[i], front, until);
    }
    return database_end(d, err);
}

/* A live job that nobody else waits for ends. */
static bool sqlite_leave(Queue *q, const char *front, const char *const *ids, size_t id_count,
                         Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    const int64_t now = database_now_ms();
    for (size_t i = 0; i < id_count; i++) {
        database_run(d, "DELETE FROM fronts WHERE id = ?1 AND front = ?2", "tt", ids[i], front);
        if (database_ask(d, 0,
                         "SELECT live FROM jobs WHERE id = ?1 AND state IN ('ready', 'leased')",
                         "t", ids[i]) &&
            !wanted(d, ids[i], now)) {
            remove_job(d, ids[i]);
            count(d, "cancelled", 1);
        }
    }
    return database_end(d, err);
}

/* One event of this front door; false: there is none. Handed over without the lock. */
static bool fetch_event(Queue *q, const char *front, char id[JOB_ID_SIZE], QueueEvent *event,
                        Buffer *text, Error *err, bool *away)
{
    Database *d = base_of(q);
    bool found = false;
    *away = !database_begin(d, err);
    if (*away)
        return false;
    sqlite3_stmt *query = database_prepare(
        d, "SELECT id, event, text, seq FROM events WHERE front = ?1 ORDER BY seq LIMIT 1", "t",
        front);
    if (database_row(d, query)) {
        str_copy(id, JOB_ID_SIZE, database_column(query, 0));
        *event = (QueueEvent)sqlite3_column_int(query, 1);
        read_text(query, 2, text);
        const int64_t seq = sqlite3_column_int64(query, 3);
        sqlite3_finalize(query);
        database_run(d, "DELETE FROM events WHERE seq = ?1", "i", seq);
        found = true;
    }
    *away = !database_end(d, err);
    return found && !*away;
}

/* Other processes cannot wake this one, so it looks often. */
static bool sqlite_watch(Queue *q, const char *front, int wait_ms, QueueListener listener,
                         void *user, Error *err)
{
    const int64_t end = clock_ms() + wait_ms;
    char id[JOB_ID_SIZE];
    QueueEvent event;
    Buffer text = {0};
    bool away = false, any = false;
    do {
        while (fetch_event(q, front, id, &event, &text, err, &away)) {
            listener(user, id, event, (Str){buffer_text(&text), text.len});
            any = true;
        }
        if (!any && !away)
            clock_sleep_ms(POLL_MS);
    } while (!any && !away && clock_ms() < end);
    buffer_free(&text);
    return !away;
}

/* The deeper result stays; what is old or too much goes. */
static bool sqlite_remember(Queue *q, const char *position, int lines, int depth, Str text,
                            Error *err)
{
    Database *d = base_of(q);
    const int64_t now = database_now_ms();
    if (!database_begin(d, err))
        return false;
    database_run(d,
                 "INSERT INTO positions VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET"
                 " depth = excluded.depth, text = excluded.text, used = excluded.used"
                 " WHERE excluded.depth >= depth",
                 "tiibi", position, (int64_t)lines, (int64_t)depth, text, now);
    database_run(d, "DELETE FROM positions WHERE used < ?1", "i",
                 now - (int64_t)q->rules.remember_s * 1000);
    database_run(d,
                 "DELETE FROM positions WHERE name IN (SELECT name FROM positions GROUP BY name"
                 " ORDER BY max(used) DESC LIMIT -1 OFFSET ?1)",
                 "i", q->rules.most_positions);
    return database_end(d, err);
}

/* The deepest result with enough lines. */
static bool sqlite_recall(Queue *q, const char *position, int lines, Buffer *text, Error *err)
{
    Database *d = base_of(q);
    buffer_clear(text);
    if (!database_begin(d, err))
        return false;
    sqlite3_stmt *query =
        database_prepare(d,
                         "SELECT text FROM positions WHERE name = ?1 AND lines >= ?2"
                         " ORDER BY depth DESC LIMIT 1",
                         "ti", position, (int64_t)lines);
    if (database_row(d, query)) {
        read_text(query, 0, text);
        sqlite3_finalize(query);
        database_run(d, "UPDATE positions SET used = ?2 WHERE name = ?1", "ti", position,
                     database_now_ms());
    }
    return database_end(d, err);
}

/* --- workers --- */

/* The job that the condition names; the lease stays as it is if there is none. */
static void read_lease(Database *d, const char *where, const char *name, Lease *lease)
{
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT id, epoch, kind, payload, tries, live FROM jobs WHERE %s",
             where);
    sqlite3_stmt *query = database_prepare(d, sql, "t", name);
    if (!database_row(d, query))
        return;
    str_copy(lease->id, sizeof lease->id, database_column(query, 0));
    lease->epoch = sqlite3_column_int64(query, 1);
    str_copy(lease->kind, sizeof lease->kind, database_column(query, 2));
    read_text(query, 3, &lease->payload);
    lease->tries = sqlite3_column_int(query, 4);
    lease->live = sqlite3_column_int(query, 5) != 0;
    sqlite3_finalize(query);
}

/* The first job of the worker's lanes, in turn. "" if there is none. */
static void next_job(Database *d, const char *lanes, char id[JOB_ID_SIZE])
{
    id[0] = '\0';
    sqlite3_stmt *query = database_prepare(
        d,
        "SELECT id FROM jobs WHERE state = 'ready' AND"
        " instr(?1, char(10) || kind || '|' || needs || char(10)) ORDER BY class, vt, id LIMIT 1",
        "t", lanes);
    if (database_row(d, query)) {
        str_copy(id, JOB_ID_SIZE, database_column(query, 0));
        sqlite3_finalize(query);
    }
}

/* What vanished workers left behind comes back first. */
static void return_expired(Queue *q, int64_t now)
{
    Database *d = base_of(q);
    for (int i = 0; i < 16; i++) {
        char id[JOB_ID_SIZE];
        sqlite3_stmt *query = database_prepare(
            d, "SELECT id FROM jobs WHERE state = 'leased' AND expires <= ?1 LIMIT 1", "i", now);
        if (!database_row(d, query))
            return;
        str_copy(id, sizeof id, database_column(query, 0));
        sqlite3_finalize(query);
        failed(d, id, "its worker vanished", q->rules.attempts, now);
    }
}

/* The class's clock moves on to the job that begins. */
static void hand_out(Queue *q, const Taker *taker, const char *id, int64_t now)
{
    Database *d = base_of(q);
    database_run(d,
                 "UPDATE jobs SET state = 'leased', epoch = epoch + 1, worker = ?2, expires = ?3"
                 " WHERE id = ?1",
                 "tti", id, taker->name, now + q->rules.lease_ms);
    database_run(d,
                 "INSERT INTO clocks SELECT class, vt FROM jobs WHERE id = ?1"
                 " ON CONFLICT DO UPDATE SET vt = max(clocks.vt, excluded.vt)",
                 "t", id);
    count(d, "deliveries", 1);
}

/* One transaction: what vanished comes back, then the first in turn goes out. */
static bool ask_for_job(Queue *q, const Taker *taker, const char *lanes, Lease *lease, Error *err)
{
    Database *d = base_of(q);
    char id[JOB_ID_SIZE];
    if (!database_begin(d, err))
        return false;
    const int64_t now = database_now_ms();
    return_expired(q, now);
    read_lease(d, "state = 'leased' AND worker = ?1", taker->name, lease);
    while (!lease->id[0]) {
        next_job(d, lanes, id);
        if (!id[0])
            break;
        if (lapsed(d, id, now))
            continue;
        hand_out(q, taker, id, now);
        read_lease(d, "id = ?1", id, lease);
    }
    if (lease->id[0])
        database_run(d, "UPDATE jobs SET expires = ?2 WHERE id = ?1", "ti", lease->id,
                     now + q->rules.lease_ms);
    return database_end(d, err);
}

/* Looks again every few milliseconds while it waits. */
static bool sqlite_acquire(Queue *q, const Taker *taker, int wait_ms, Lease *lease, Error *err)
{
    const int64_t end = clock_ms() + wait_ms;
    Buffer lanes = {0};
    bool ok;
    taker_lines(taker, &lanes);
    lease->id[0] = '\0';
    while ((ok = ask_for_job(q, taker, buffer_text(&lanes), lease, err)) && !lease->id[0] &&
           clock_ms() < end)
        clock_sleep_ms(POLL_MS);
    if (!ok)
        lease->id[0] = '\0';
    buffer_free(&lanes);
    return ok;
}

static bool holds(Database *d, const Lease *lease)
{
    return database_ask(d, 0,
                        "SELECT 1 FROM jobs WHERE id = ?1 AND epoch = ?2 AND state = 'leased'",
                        "ti", lease->id, lease->epoch) != 0;
}

/* A live job whose front doors are gone is not held any longer. */
static bool sqlite_renew(Queue *q, const Lease *const *leases, size_t lease_count, bool *held,
                         Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    const int64_t now = database_now_ms();
    for (size_t i = 0; i < lease_count; i++) {
        held[i] = holds(d, leases[i]) && !lapsed(d, leases[i]->id, now);
        if (held[i])
            database_run(d, "UPDATE jobs SET expires = ?2 WHERE id = ?1", "ti", leases[i]->id,
                         now + q->rules.lease_ms);
    }
    return database_end(d, err);
}

static bool sqlite_tell(Queue *q, const Lease *lease, Str text, Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    if (holds(d, lease)) {
        database_run(d, "UPDATE jobs SET part = ?2 WHERE id = ?1", "tb", lease->id, text);
        tell(d, lease->id, EVENT_PART, text);
    }
    return database_end(d, err);
}

/* Finished jobs beyond their time or their ceiling go, oldest first. */
static void forget_old(Queue *q, int64_t now)
{
    Database *d = base_of(q);
    database_run(d, "DELETE FROM jobs WHERE state = 'done' AND ended < ?1", "i",
                 now - (int64_t)q->rules.keep_s * 1000);
    for (int i = 0; i < 8; i++)
        if (database_ask(d, 0, "SELECT sum(length(result)) FROM jobs WHERE state = 'done'", "") >
            q->rules.kept_bytes)
            database_run(d,
                         "DELETE FROM jobs WHERE id = (SELECT id FROM jobs WHERE state = 'done'"
                         " ORDER BY ended LIMIT 1)",
                         "");
}

/* Whether the job is there, unfinished, and in a lane of the worker; a job that is not there is in
 * nobody's way. */
static bool serves(Database *d, const Taker *taker, const char *id, bool *open,
                   char needs[QUEUE_LANE_SIZE])
{
    Buffer lanes = {0};
    bool in_lane = true;
    taker_lines(taker, &lanes);
    sqlite3_stmt *query = database_prepare(
        d,
        "SELECT needs, instr(?2, char(10) || kind || '|' || needs || char(10)) FROM jobs"
        " WHERE id = ?1 AND state <> 'done'",
        "tt", id, buffer_text(&lanes));
    *open = database_row(d, query);
    if (*open) {
        str_copy(needs, QUEUE_LANE_SIZE, database_column(query, 0));
        in_lane = sqlite3_column_int(query, 1) > 0;
        sqlite3_finalize(query);
    }
    buffer_free(&lanes);
    return in_lane;
}

/* The first result counts, of the engine that was asked for. */
static bool sqlite_finish(Queue *q, const Taker *taker, const Lease *lease, const Outcome *outcome,
                          bool *counts, Error *err)
{
    Database *d = base_of(q);
    char needs[QUEUE_LANE_SIZE] = "";
    if (!database_begin(d, err))
        return false;
    const int64_t now = database_now_ms();
    const bool other = !serves(d, taker, lease->id, counts, needs);
    if (*counts && !other) {
        database_run(d,
                     "UPDATE jobs SET state = 'done', result = ?2, worker = ?3, ended = ?4,"
                     " payload = NULL, part = NULL WHERE id = ?1",
                     "tbti", lease->id, outcome->result, taker->name, now);
        tell(d, lease->id, EVENT_DONE, outcome->result);
        database_run(d, "DELETE FROM fronts WHERE id = ?1", "t", lease->id);
        count(d, "positions", outcome->positions);
        count(d, "nodes", outcome->nodes);
        forget_old(q, now);
    }
    if (!other)
        count(d, *counts ? "done" : "late", 1);
    return database_end(d, err) &&
           (!other || error_code(err, QUEUE_ENGINE, 0, "the job needs %s", needs));
}

/* An attempt is counted only if it failed. */
static bool sqlite_give_back(Queue *q, const Lease *lease, bool has_failed, const char *reason,
                             Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    if (holds(d, lease) && has_failed) {
        failed(d, lease->id, reason, q->rules.attempts, database_now_ms());
    } else if (holds(d, lease)) {
        database_run(d, "UPDATE jobs SET state = 'ready', worker = NULL WHERE id = ?1", "t",
                     lease->id);
        count(d, "returned", 1);
    }
    return database_end(d, err);
}

static bool sqlite_hello(Queue *q, const char *worker, const char *what, Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    database_run(d, "INSERT OR REPLACE INTO workers VALUES (?1, ?2, ?3)", "tit", worker,
                 database_now_ms(), what);
    return database_end(d, err);
}

/* --- operators --- */

/* Pairs of two columns. */
static void put_rows(Database *d, sqlite3_stmt *query, QueuePut put, void *user)
{
    while (database_row(d, query))
        put(user, (const char *)sqlite3_column_text(query, 0),
            (const char *)sqlite3_column_text(query, 1));
}

/* The same names as status.lua has. */
static bool sqlite_status(Queue *q, QueuePut put, void *user, Error *err)
{
    static const char sums[] =
        "SELECT 'leased', count(*) FROM jobs WHERE state = 'leased' UNION ALL"
        " SELECT 'dead_letters', count(*) FROM jobs WHERE state = 'dead' UNION ALL"
        " SELECT 'kept', count(*) FROM jobs WHERE state = 'done' UNION ALL"
        " SELECT 'known', count(DISTINCT name) FROM positions UNION ALL"
        " SELECT 'owners', count(DISTINCT owner) FROM jobs WHERE state IN ('ready', 'leased')"
        " UNION ALL SELECT 'worker', name || ' ' || what FROM workers UNION ALL"
        " SELECT 'lane ' || kind || '|' || needs, count(*) FROM jobs WHERE state = 'ready'"
        " GROUP BY kind, needs UNION ALL SELECT 'total ' || name, value FROM counters";
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    const int64_t now = database_now_ms();
    database_run(d, "DELETE FROM workers WHERE seen < ?1", "i", now - WORKER_SILENT_MS);
    for (int64_t class = 0; class < JOB_CLASSES; class ++)
        put_rows(
            d,
            database_prepare(d,
                             "SELECT 'waiting ' || ?1, count(*) FROM jobs WHERE state = 'ready'"
                             " AND class = ?1 UNION ALL SELECT 'age_ms ' || ?1,"
                             " coalesce(?2 - min(made), 0) FROM jobs WHERE state = 'ready' AND"
                             " class = ?1",
                             "ii", class, now),
            put, user);
    put_rows(d, database_prepare(d, sums, ""), put, user);
    return database_end(d, err);
}

/* Nine columns for each job. */
static bool sqlite_list(Queue *q, JobState state, int most, QueuePutJob put, void *user, Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    sqlite3_stmt *query = database_prepare(
        d,
        "SELECT id, kind, state, owner, class, tries, ?1 - made, coalesce(worker, ''),"
        " coalesce(reason, '') FROM jobs WHERE state = ?2 ORDER BY class, made LIMIT ?3",
        "iti", database_now_ms(), job_state_name(state), (int64_t)most);
    while (database_row(d, query)) {
        const char *f[9];
        for (int i = 0; i < 9; i++)
            f[i] = (const char *)sqlite3_column_text(query, i);
        put(user, &(JobLine){f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]});
    }
    return database_end(d, err);
}

static bool sqlite_retry(Queue *q, const char *id, int64_t *done, Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    *done = database_run(d,
                         "UPDATE jobs SET state = 'ready', tries = 0, live = 0"
                         " WHERE state = 'dead' AND ?1 IN ('', id)",
                         "t", id);
    return database_end(d, err);
}

/* Whoever waits for the job hears that it is gone. */
static bool sqlite_drop(Queue *q, const char *id, int64_t *done, Error *err)
{
    Database *d = base_of(q);
    if (!database_begin(d, err))
        return false;
    if (id[0])
        tell(d, id, EVENT_DEAD, STR("it was dropped by hand"));
    *done = database_run(d,
                         "DELETE FROM jobs WHERE (?1 = '' AND state = 'dead')"
                         " OR (id = ?1 AND state <> 'done')",
                         "t", id);
    return database_end(d, err);
}

static const QueueOps sqlite_ops = {
    .clone = sqlite_clone,
    .close = sqlite_close,
    .enqueue = sqlite_enqueue,
    .touch = sqlite_touch,
    .leave = sqlite_leave,
    .watch = sqlite_watch,
    .acquire = sqlite_acquire,
    .renew = sqlite_renew,
    .tell = sqlite_tell,
    .finish = sqlite_finish,
    .give_back = sqlite_give_back,
    .hello = sqlite_hello,
    .status = sqlite_status,
    .list = sqlite_list,
    .retry = sqlite_retry,
    .drop = sqlite_drop,
    .remember = sqlite_remember,
    .recall = sqlite_recall,
};
