// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/broker_clerk.h"

#include "base/clock.h"
#include "base/sha256.h"
#include "base/thread.h"
#include "front/http/think.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NOTES = 4096, /* results that wait to be kept; more are not */
    LOOK_MS = 2000,    /* how old the status may be */
    MOST_LISTED = 100,
    KEY_SIZE = 160,
};

/* A result to be kept. */
typedef struct Note {
    struct Note *next;
    char key[KEY_SIZE];
    int lines;
    char *json;
} Note;

struct Clerk {
    Store *store;
    Queue *own;     /* of the thread */
    Queue *asked;   /* of others, one at a time, */
    Mutex ask_lock; /* under this */
    Thread thread;
    Mutex lock; /* of all below */
    Cond wake;
    bool closing, restore;
    Note *first, **last;
    int notes;
    Buffer metrics; /* as of the last look */
    json_t *status;
};

/* Redis knows positions by a hash: keys of one length, and no text of a client in them. */
static void hash_key(const char *key, char out[33])
{
    uint8_t hash[SHA256_SIZE];
    Sha256 sha;
    sha256_begin(&sha);
    sha256_add(&sha, key, strlen(key));
    sha256_end(&sha, hash);
    for (int i = 0; i < 16; i++)
        snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

/* --- results of positions --- */

/* Writes the result down for the thread; a list that is full loses it, which costs a search at
 * most. */
void clerk_remember(Clerk *clerk, const char *key, int lines, const char *json)
{
    Note *note = key[0] ? calloc(1, sizeof *note) : NULL;
    if (!note)
        return;
    *note = (Note){.lines = lines, .json = strdup(json)};
    str_copy(note->key, sizeof note->key, str_from(key));
    mutex_lock(&clerk->lock);
    const bool room = note->json && clerk->notes < MOST_NOTES && !clerk->closing;
    if (room) {
        *clerk->last = note;
        clerk->last = &note->next;
        clerk->notes++;
        cond_signal(&clerk->wake);
    }
    mutex_unlock(&clerk->lock);
    if (!room) {
        free(note->json);
        free(note);
    }
}

/* The depth that all lines have; 0: they differ, some are missing, or it is not worth keeping. */
static int depth_of(json_t *json, int lines)
{
    json_t *list = json_object_get(json, "lines");
    const int depth = (int)json_integer_value(json_object_get(json, "depth"));
    if ((int)json_array_size(list) < lines || depth < THINK_MEMORY_DEPTH)
        return 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_integer_value(json_object_get(json_array_get(list, i), "depth")) != depth)
            return 0;
    return depth;
}

/* Into the store, which outlives Redis, and into Redis, which all front doors share. */
static void keep(Clerk *clerk, const Note *note)
{
    json_t *json = json_loads(note->json, 0, NULL);
    const int depth = depth_of(json, note->lines);
    if (depth > 0) {
        json_object_set_new(json, "cached", json_true());
        char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
        char name[33];
        Error err;
        hash_key(note->key, name);
        if (text) {
            store_remember(clerk->store, note->key, note->lines, depth, text);
            queue_remember(clerk->own, name, note->lines, depth, str_from(text), &err);
        }
        free(text);
    }
    json_decref(json);
}

/* Redis first: it knows what all front doors found. */
char *clerk_recall(Clerk *clerk, const char *key, int lines)
{
    Buffer text = {0};
    Error err;
    char name[33], *found = NULL;
    hash_key(key, name);
    mutex_lock(&clerk->ask_lock);
    if (queue_recall(clerk->asked, name, lines, &text, &err) && text.len > 0)
        found = str_duplicate((Str){text.data, text.len});
    mutex_unlock(&clerk->ask_lock);
    buffer_free(&text);
    return found ? found : store_recall(clerk->store, key, lines);
}

/* Everything that the store knows, to a Redis that knows nothing. */
static void restore(Clerk *clerk)
{
    char key[KEY_SIZE] = "", name[33], *json;
    int lines = 0, depth = 0;
    Error err;
    while ((json = store_position_after(clerk->store, key, sizeof key, &lines, &depth))) {
        hash_key(key, name);
        const bool ok = queue_remember(clerk->own, name, lines, depth, str_from(json), &err);
        free(json);
        if (!ok)
            return; /* away again: the next meeting begins anew */
    }
}

void clerk_restore(Clerk *clerk)
{
    mutex_lock(&clerk->lock);
    clerk->restore = true;
    cond_signal(&clerk->wake);
    mutex_unlock(&clerk->lock);
}

/* --- how the queue does --- */

static const char *const class_names[JOB_CLASSES] = {"now", "soon", "bulk"};

typedef struct Look {
    Buffer metrics[3]; /* Prometheus wants all values of one name together: waiting, age, others */
    json_t *json, *totals, *workers, *lanes, *classes;
    int worker_count;
} Look;

static void put_class(Look *look, Str class, Buffer *out, const char *name, double value)
{
    int64_t number;
    if (!str_int(class, 0, JOB_CLASSES - 1, &number))
        return;
    json_object_set_new(json_array_get(look->classes, (size_t)number), name, json_real(value));
    if (out->len == 0)
        buffer_printf(out, "# TYPE samara_queue_%s gauge\n", name);
    buffer_printf(out, "samara_queue_%s{class=\"%s\"} %g\n", name, class_names[number], value);
}

/* One value of queue_status() as JSON and for Prometheus. */
static void on_value(void *user, const char *name, const char *value)
{
    Look *look = user;
    int64_t number = 0;
    Str rest = str_from(name);
    const Str first = str_token(&rest);
    rest = str_trim(rest);
    const bool is_number = str_int(str_from(value), INT64_MIN, INT64_MAX, &number);
    if (str_is(first, "waiting") && rest.len > 0) {
        put_class(look, rest, &look->metrics[0], "waiting", (double)number);
    } else if (str_is(first, "age_ms")) {
        put_class(look, rest, &look->metrics[1], "oldest_seconds", (double)number / 1000);
    } else if (str_is(first, "worker")) {
        json_array_append_new(look->workers, json_string(value));
        look->worker_count++;
    } else if (str_is(first, "lane")) {
        json_object_set_new(look->lanes, rest.ptr, json_integer(number));
    } else if (str_is(first, "total") && is_number) {
        json_object_set_new(look->totals, rest.ptr, json_integer(number));
        const char *kind = str_is(rest, "bytes") ? "gauge" : "counter";
        buffer_printf(&look->metrics[2],
                      "# TYPE samara_queue_%s_total %s\nsamara_queue_%s_total %lld\n", rest.ptr,
                      kind, rest.ptr, (long long)number);
    } else if (is_number) {
        json_object_set_new(look->json, name, json_integer(number));
        buffer_printf(&look->metrics[2], "# TYPE samara_queue_%s gauge\nsamara_queue_%s %lld\n",
                      name, name, (long long)number);
    }
}

static Look look_begin(void)
{
    Look look = {.json = json_object(),
                 .totals = json_object(),
                 .workers = json_array(),
                 .lanes = json_object(),
                 .classes = json_array()};
    for (int i = 0; i < JOB_CLASSES; i++)
        json_array_append_new(look.classes, json_pack("{s:s}", "class", class_names[i]));
    return look;
}

/* Replaces the last look by a new one; where the broker is away, by that. */
static void look_again(Clerk *clerk)
{
    Look look = look_begin();
    Error err = {0};
    Buffer text = {0};
    const bool here = queue_status(clerk->own, on_value, &look, &err);
    json_object_set_new(look.json, "status", json_string(here ? "ok" : "away"));
    if (!here)
        json_object_set_new(look.json, "message", json_string(err.text));
    json_object_set_new(look.json, "classes", look.classes);
    json_object_set_new(look.json, "workers", look.workers);
    json_object_set_new(look.json, "lanes", look.lanes);
    json_object_set_new(look.json, "totals", look.totals);
    buffer_printf(&text,
                  "# HELP samara_queue_up Whether the broker can be reached.\n"
                  "# TYPE samara_queue_up gauge\nsamara_queue_up %d\n"
                  "# TYPE samara_queue_workers gauge\nsamara_queue_workers %d\n",
                  here, look.worker_count);
    for (int i = 0; i < 3; i++) {
        buffer_append(&text, look.metrics[i].data, look.metrics[i].len);
        buffer_free(&look.metrics[i]);
    }
    mutex_lock(&clerk->lock);
    json_t *old = clerk->status;
    buffer_free(&clerk->metrics);
    clerk->metrics = text;
    clerk->status = look.json;
    mutex_unlock(&clerk->lock);
    json_decref(old);
}

void clerk_metrics(Clerk *clerk, Buffer *out)
{
    mutex_lock(&clerk->lock);
    buffer_append(out, clerk->metrics.data, clerk->metrics.len);
    mutex_unlock(&clerk->lock);
}

static void put_dead(void *user, const JobLine *line)
{
    json_array_append_new(user, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "id", line->id, "kind",
                                          line->kind, "owner", line->owner, "tries", line->tries,
                                          "worker", line->worker, "reason", line->reason));
}

/* The last look, and the dead letters as they are now. */
void clerk_status(Clerk *clerk, Reply *reply)
{
    json_t *dead = json_array();
    Error err;
    mutex_lock(&clerk->ask_lock);
    queue_list(clerk->asked, JOB_DEAD, MOST_LISTED, put_dead, dead, &err);
    mutex_unlock(&clerk->ask_lock);
    mutex_lock(&clerk->lock);
    json_t *json = json_deep_copy(clerk->status);
    mutex_unlock(&clerk->lock);
    json_object_set_new(json, "dead", dead);
    reply_json(reply, 200, json);
}

/* {"action": "retry"} or "drop", of one dead letter or, without an id, of all. */
void clerk_act(Clerk *clerk, const Params *params, Reply *reply)
{
    const char *id = params->job ? params->job : "", *action = params->action ? params->action : "";
    const bool retry = strcmp(action, "retry") == 0;
    int64_t count = 0;
    Error err = {0};
    if (!retry && strcmp(action, "drop") != 0) {
        reply_error(reply, 400, "out_of_range", "action", 0,
                    "action must be \"retry\" or \"drop\".");
        return;
    }
    mutex_lock(&clerk->ask_lock);
    const bool ok = retry ? queue_retry(clerk->asked, id, &count, &err)
                          : queue_drop(clerk->asked, id, &count, &err);
    mutex_unlock(&clerk->ask_lock);
    if (ok)
        reply_json(reply, 200, json_pack("{s:s, s:I}", "status", "ok", "count", (json_int_t)count));
    else
        reply_error(reply, 503, "queue_away", NULL, 0, "%s.", err.text);
}

/* --- life --- */

static Note *take_note(Clerk *clerk)
{
    Note *note = clerk->first;
    if (note) {
        clerk->first = note->next;
        if (!clerk->first)
            clerk->last = &clerk->first;
        clerk->notes--;
    }
    return note;
}

static void note_free(Note *note)
{
    free(note->json);
    free(note);
}

/* Notes first, then a look every two seconds. */
static void *work(void *arg)
{
    Clerk *clerk = arg;
    int64_t look = 0;
    mutex_lock(&clerk->lock);
    while (!clerk->closing) {
        Note *note = take_note(clerk);
        const bool wiped = clerk->restore;
        const int64_t now = clock_ms();
        clerk->restore = false;
        if (!note && !wiped && now < look) {
            cond_wait_for(&clerk->wake, &clerk->lock, look - now);
            continue;
        }
        mutex_unlock(&clerk->lock);
        if (wiped)
            restore(clerk);
        if (note) {
            keep(clerk, note);
            note_free(note);
        }
        if (clock_ms() >= look) {
            look_again(clerk);
            look = clock_ms() + LOOK_MS;
        }
        mutex_lock(&clerk->lock);
    }
    mutex_unlock(&clerk->lock);
    return NULL;
}

/* The thread has ended, or never began. */
static void clerk_free(Clerk *clerk)
{
    for (Note *note; (note = take_note(clerk));)
        note_free(note);
    queue_close(clerk->own);
    queue_close(clerk->asked);
    buffer_free(&clerk->metrics);
    json_decref(clerk->status);
    cond_destroy(&clerk->wake);
    mutex_destroy(&clerk->lock);
    mutex_destroy(&clerk->ask_lock);
    free(clerk);
}

/* One connection for the thread, one for those who ask. */
Clerk *clerk_start(Queue *queue, Store *store, Error *err)
{
    Clerk *clerk = calloc(1, sizeof *clerk);
    if (!clerk) {
        error_set(err, "not enough memory");
        return NULL;
    }
    mutex_init(&clerk->lock);
    mutex_init(&clerk->ask_lock);
    cond_init(&clerk->wake);
    clerk->store = store;
    clerk->last = &clerk->first;
    clerk->status = json_object();
    clerk->own = queue_clone(queue, err);
    clerk->asked = clerk->own ? queue_clone(queue, err) : NULL;
    if (clerk->asked && thread_start(&clerk->thread, work, clerk))
        return clerk;
    if (clerk->asked)
        error_set(err, "the system has no thread left");
    clerk_free(clerk);
    return NULL;
}

void clerk_stop(Clerk *clerk)
{
    if (!clerk)
        return;
    mutex_lock(&clerk->lock);
    clerk->closing = true;
    cond_signal(&clerk->wake);
    mutex_unlock(&clerk->lock);
    thread_join(clerk->thread);
    clerk_free(clerk);
}
