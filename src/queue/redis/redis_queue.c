// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/redis/redis_queue.h"

#include "base/clock.h"
#include "queue/redis/link.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIPELINE = 64, LISTEN_MS = 800 };

typedef struct RedisQueue {
    Queue queue; /* first: what others see */
    RedisLink link;
    char nonce[33]; /* names a Redis that has no name yet */
} RedisQueue;

static const QueueOps redis_ops;

static RedisQueue *self(Queue *q) { return (RedisQueue *)q; }

/* Element i of a list; NULL if there is none. */
static const redisReply *at(const redisReply *reply, size_t i)
{
    return reply && reply->type == REDIS_REPLY_ARRAY && i < reply->elements ? reply->element[i]
                                                                            : NULL;
}

static int64_t number_at(const redisReply *reply, size_t i)
{
    const redisReply *element = at(reply, i);
    return element && element->type == REDIS_REPLY_INTEGER ? element->integer : 0;
}

/* What a script said about one job: two elements from `i` on. */
static void read_news(const redisReply *reply, size_t i, JobNews *news)
{
    const Str text = reply_str(at(reply, i + 1));
    if (!job_state_named(reply_str(at(reply, i)), &news->state))
        news->state = JOB_GONE;
    buffer_clear(&news->text);
    buffer_append(&news->text, text.ptr, text.len);
}

/* --- calling --- */

/* Adds words by their types, as database_run() of the other back end has them: t text, i int64_t,
 * b bytes. */
static void put_words(RedisCall *call, const char *types, va_list words)
{
    for (; *types; types++)
        if (*types == 't')
            call_text(call, va_arg(words, const char *));
        else if (*types == 'i')
            call_int(call, va_arg(words, int64_t));
        else
            call_bytes(call, va_arg(words, Str));
}

/* A call of a script whose list of words goes on: call_text(), call_int(), link_call(). */
static bool begin(Queue *q, RedisCall *call, Error *err, Script script, const char *types, ...)
{
    RedisLink *link = &self(q)->link;
    if (!link_ready(link, err))
        return false;
    call_begin(call, link, script);
    va_list words;
    va_start(words, types);
    put_words(call, types, words);
    va_end(words);
    return true;
}

/* Sends the call; NULL: away. */
static redisReply *ask(Queue *q, const RedisCall *call, Error *err)
{
    return link_call(&self(q)->link, call, err);
}

/* The same for a script whose answer is a number; `out` may be NULL. */
static bool ask_number(Queue *q, const RedisCall *call, int64_t *out, Error *err)
{
    redisReply *reply = ask(q, call, err);
    if (!reply)
        return false;
    if (out)
        *out = reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
    freeReplyObject(reply);
    return true;
}

/* --- life --- */

/* Only memory: the first call connects. */
Queue *redis_queue_open(const BrokerAddress *address, const QueueRules *rules, Error *err)
{
    RedisQueue *r = calloc(1, sizeof *r);
    if (!r) {
        error_set(err, "not enough memory");
        return NULL;
    }
    r->queue = (Queue){&redis_ops, *rules};
    link_init(&r->link, address);
    snprintf(r->nonce, sizeof r->nonce, "%016llx%016llx",
             (unsigned long long)rng_next(&r->link.rng),
             (unsigned long long)rng_next(&r->link.rng));
    return &r->queue;
}

bool redis_queue_is(const Queue *q) { return q->ops == &redis_ops; }

static Queue *redis_clone(Queue *q, Error *err)
{
    return redis_queue_open(&self(q)->link.address, &q->rules, err);
}

static void redis_close(Queue *q)
{
    link_close(&self(q)->link);
    free(q);
}

/* One answer of CONFIG GET; false: this Redis does not tell. */
static bool config_is(RedisLink *link, const char *name, const char *value, bool *same, Error *err)
{
    const char *const words[] = {"CONFIG", "GET", name, NULL};
    redisReply *reply = link_ready(link, err) ? link_command(link, words, 1000, err) : NULL;
    *same = reply && str_is(reply_str(at(reply, 1)), value);
    if (reply)
        freeReplyObject(reply);
    return reply != NULL;
}

/* Asks for the two settings that jobs depend on. */
bool redis_queue_advice(Queue *q, char *out, size_t size, Error *err)
{
    bool kept, safe;
    out[0] = '\0';
    if (!config_is(&self(q)->link, "appendonly", "yes", &kept, err) ||
        !config_is(&self(q)->link, "maxmemory-policy", "noeviction", &safe, err))
        return false;
    if (!safe)
        snprintf(out, size, "this Redis may evict jobs; set maxmemory-policy noeviction");
    else if (!kept)
        snprintf(out, size, "this Redis keeps nothing over a restart; set appendonly yes");
    return true;
}

/* --- front doors --- */

/* One call of enqueue.lua, not yet answered. */
static bool send_job(Queue *q, const char *front, const Job *job, Error *err)
{
    const QueueRules *rules = &q->rules;
    RedisLink *link = &self(q)->link;
    RedisCall call;
    if (!begin(q, &call, err, SCRIPT_ENQUEUE, "ttttiiibtiii", job->id, job->kind, job->needs,
               job->owner, (int64_t)job->priority, job->cost_ms > 0 ? job->cost_ms : (int64_t)1,
               (int64_t)job->live, job->payload, front, (int64_t)rules->interest_ms,
               rules->most_waiting, rules->most_per_owner))
        return false;
    link_send(link, &call);
    return true;
}

/* In groups that are sent before the first answer is read: the way to Redis is paid once for each. */
static bool redis_enqueue(Queue *q, const char *front, const Job *jobs, size_t count, JobNews *news,
                          Error *err)
{
    RedisLink *link = &self(q)->link;
    for (size_t first = 0; first < count; first += PIPELINE) {
        const size_t end = first + PIPELINE < count ? first + PIPELINE : count;
        for (size_t i = first; i < end; i++)
            if (!send_job(q, front, &jobs[i], err))
                return false;
        for (size_t i = first; i < end; i++) {
            redisReply *reply = link_receive(link, LISTEN_MS, err);
            if (!reply)
                return false;
            read_news(reply, 0, &news[i]);
            freeReplyObject(reply);
        }
    }
    return true;
}

/* One call for all of them: a round trip a second, however many wait. */
static bool redis_touch(Queue *q, const char *front, const char *const *ids, size_t count,
                        char born[33], JobNews *news, Error *err)
{
    RedisCall call;
    if (!begin(q, &call, err, SCRIPT_TOUCH, "tit", front, (int64_t)q->rules.interest_ms,
               self(q)->nonce))
        return false;
    for (size_t i = 0; i < count; i++)
        call_text(&call, ids[i]);
    redisReply *reply = ask(q, &call, err);
    if (!reply)
        return false;
    str_copy(born, 33, reply_str(at(reply, 0)));
    for (size_t i = 0; i < count; i++)
        read_news(reply, 1 + 2 * i, &news[i]);
    freeReplyObject(reply);
    return true;
}

/* Several at once; what fails here lapses by itself. */
static bool redis_leave(Queue *q, const char *front, const char *const *ids, size_t count,
                        Error *err)
{
    RedisCall call;
    if (!begin(q, &call, err, SCRIPT_LEAVE, "t", front))
        return false;
    for (size_t i = 0; i < count; i++)
        call_text(&call, ids[i]);
    return ask_number(q, &call, NULL, err);
}

/* "id\nevent\ntext" */
static void hear(Str message, QueueListener listener, void *user)
{
    static const char *const names[] = {
        [EVENT_PART] = "part", [EVENT_DONE] = "done", [EVENT_DEAD] = "dead"};
    char id[JOB_ID_SIZE];
    Str rest = message;
    const bool known = str_copy(id, sizeof id, str_line(&rest));
    const Str event = str_line(&rest);
    for (int i = 0; known && i < 3; i++)
        if (str_is(event, names[i]))
            listener(user, id, (QueueEvent)i, rest);
}

/* One channel for each front door, whatever it waits for. */
static bool subscribe(RedisLink *link, const char *front, Error *err)
{
    char channel[QUEUE_NAME_SIZE + 32];
    snprintf(channel, sizeof channel, "{samara}:front:%s", front);
    const char *const words[] = {"SUBSCRIBE", channel, NULL};
    redisReply *reply = link_command(link, words, LISTEN_MS, err);
    if (!reply)
        return false;
    freeReplyObject(reply);
    link->subscribed = true;
    return true;
}

/* A timeout of the read is no failure here; hiredis marks the context, so the mark is taken off. */
static bool redis_watch(Queue *q, const char *front, int wait_ms, QueueListener listener,
                        void *user, Error *err)
{
    RedisLink *link = &self(q)->link;
    if (!link_ready(link, err) || (!link->subscribed && !subscribe(link, front, err)))
        return false;
    const struct timeval patience = {wait_ms / 1000, wait_ms % 1000 * 1000};
    redisSetTimeout(link->context, patience);
    void *reply = NULL;
    if (redisGetReply(link->context, &reply) != REDIS_OK) {
        const bool quiet =
            link->context->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
        if (!quiet)
            return link_lost(link, err);
        link->context->err = 0;
        link->context->errstr[0] = '\0';
        return true;
    }
    do {
        hear(reply_str(at(reply, 2)), listener, user);
        freeReplyObject(reply);
        reply = NULL;
    } while (redisGetReplyFromReader(link->context, &reply) == REDIS_OK && reply);
    return true;
}

/* The script compares depths. */
static bool redis_remember(Queue *q, const char *position, int lines, int depth, Str text,
                           Error *err)
{
    RedisCall call;
    return begin(q, &call, err, SCRIPT_REMEMBER, "tiibii", position, (int64_t)lines, (int64_t)depth,
                 text, (int64_t)q->rules.remember_s, q->rules.most_positions) &&
           ask_number(q, &call, NULL, err);
}

/* An empty text means that nothing is known. */
static bool redis_recall(Queue *q, const char *position, int lines, Buffer *text, Error *err)
{
    RedisCall call;
    redisReply *reply = begin(q, &call, err, SCRIPT_RECALL, "tii", position, (int64_t)lines,
                              (int64_t)q->rules.remember_s)
                            ? ask(q, &call, err)
                            : NULL;
    if (!reply)
        return false;
    const Str found = reply_str(reply);
    buffer_clear(text);
    buffer_append(text, found.ptr, found.len);
    freeReplyObject(reply);
    return true;
}

/* --- workers --- */

static void put_lanes(RedisCall *call, const Taker *taker)
{
    for (int i = 0; i < taker->lane_count; i++)
        call_text(call, taker->lanes[i]);
}

/* Names the lanes that this worker serves. */
static bool ask_for_job(Queue *q, const Taker *taker, Lease *lease, Error *err)
{
    RedisCall call;
    if (!begin(q, &call, err, SCRIPT_ACQUIRE, "tii", taker->name, (int64_t)q->rules.lease_ms,
               (int64_t)q->rules.attempts))
        return false;
    put_lanes(&call, taker);
    redisReply *reply = ask(q, &call, err);
    if (!reply)
        return false;
    const Str payload = reply_str(at(reply, 3));
    str_copy(lease->id, sizeof lease->id, reply_str(at(reply, 0)));
    str_copy(lease->kind, sizeof lease->kind, reply_str(at(reply, 2)));
    lease->epoch = number_at(reply, 1);
    lease->tries = (int)number_at(reply, 4);
    lease->live = number_at(reply, 5) != 0;
    buffer_clear(&lease->payload);
    buffer_append(&lease->payload, payload.ptr, payload.len);
    freeReplyObject(reply);
    return true;
}

/* Sleeps until a job comes into one of the lanes. */
static bool wait_for_bell(RedisQueue *r, const Taker *taker, int wait_ms, Error *err)
{
    char bells[QUEUE_MAX_LANES][QUEUE_LANE_SIZE + 16], seconds[24];
    const char *words[QUEUE_MAX_LANES + 3] = {"BLPOP"};
    int count = 1;
    for (int i = 0; i < taker->lane_count; i++) {
        snprintf(bells[i], sizeof bells[i], "{samara}:bell:%s", taker->lanes[i]);
        words[count++] = bells[i];
    }
    snprintf(seconds, sizeof seconds, "%.3f", wait_ms / 1000.0);
    words[count++] = seconds;
    words[count] = NULL;
    redisReply *reply = link_command(&r->link, words, wait_ms + LISTEN_MS, err);
    if (!reply)
        return false;
    freeReplyObject(reply);
    return true;
}

/* Asks, sleeps until the bell rings, and asks once more. */
static bool redis_acquire(Queue *q, const Taker *taker, int wait_ms, Lease *lease, Error *err)
{
    lease->id[0] = '\0';
    if (!ask_for_job(q, taker, lease, err))
        return false;
    if (lease->id[0] || wait_ms <= 0)
        return true;
    return wait_for_bell(self(q), taker, wait_ms, err) && ask_for_job(q, taker, lease, err);
}

/* All jobs of a worker in one call. */
static bool redis_renew(Queue *q, const Lease *const *leases, size_t count, bool *held, Error *err)
{
    RedisCall call;
    if (!begin(q, &call, err, SCRIPT_RENEW, "i", (int64_t)q->rules.lease_ms))
        return false;
    for (size_t i = 0; i < count; i++) {
        call_text(&call, leases[i]->id);
        call_int(&call, leases[i]->epoch);
    }
    redisReply *reply = ask(q, &call, err);
    if (!reply)
        return false;
    for (size_t i = 0; i < count; i++)
        held[i] = number_at(reply, i) == 1;
    freeReplyObject(reply);
    return true;
}

/* The script refuses it if the lease is lost. */
static bool redis_tell(Queue *q, const Lease *lease, Str text, Error *err)
{
    RedisCall call;
    return begin(q, &call, err, SCRIPT_TELL, "tib", lease->id, lease->epoch, text) &&
           ask_number(q, &call, NULL, err);
}

/* The script decides whether it counts; it may be sent again. */
static bool redis_finish(Queue *q, const Taker *taker, const Lease *lease, const Outcome *outcome,
                         bool *counts, Error *err)
{
    RedisCall call;
    int64_t answer;
    if (!begin(q, &call, err, SCRIPT_FINISH, "tbtiiii", lease->id, outcome->result, taker->name,
               outcome->positions, outcome->nodes, (int64_t)q->rules.keep_s, q->rules.kept_bytes))
        return false;
    put_lanes(&call, taker);
    if (!ask_number(q, &call, &answer, err))
        return false;
    *counts = answer == 1;
    return true;
}

/* An attempt is counted only if it failed. */
static bool redis_give_back(Queue *q, const Lease *lease, bool failed, const char *reason,
                            Error *err)
{
    RedisCall call;
    return begin(q, &call, err, SCRIPT_GIVE_BACK, "tiiit", lease->id, lease->epoch,
                 (int64_t)q->rules.attempts, (int64_t)failed, reason) &&
           ask_number(q, &call, NULL, err);
}

/* Written with the time of Redis; old ones are dropped by whoever looks. */
static bool redis_hello(Queue *q, const char *worker, const char *what, Error *err)
{
    RedisCall call;
    return begin(q, &call, err, SCRIPT_HELLO, "tt", worker, what) &&
           ask_number(q, &call, NULL, err);
}

/* --- operators --- */

/* Pairs, as the script has put them. */
static bool redis_status(Queue *q, QueuePut put, void *user, Error *err)
{
    RedisCall call;
    redisReply *reply = begin(q, &call, err, SCRIPT_STATUS, "") ? ask(q, &call, err) : NULL;
    if (!reply)
        return false;
    for (size_t i = 0; i + 1 < reply->elements; i += 2)
        put(user, reply_str(at(reply, i)).ptr, reply_str(at(reply, i + 1)).ptr);
    freeReplyObject(reply);
    return true;
}

/* Nine fields for each job. */
static bool redis_list(Queue *q, JobState state, int most, QueuePutJob put, void *user, Error *err)
{
    enum { FIELDS = 9 };
    RedisCall call;
    redisReply *reply =
        begin(q, &call, err, SCRIPT_LIST, "ti", job_state_name(state), (int64_t)most)
            ? ask(q, &call, err)
            : NULL;
    if (!reply)
        return false;
    for (size_t i = 0; i + FIELDS <= reply->elements; i += FIELDS) {
        const char *f[FIELDS];
        for (size_t k = 0; k < FIELDS; k++)
            f[k] = reply_str(at(reply, i + k)).ptr;
        put(user, &(JobLine){f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]});
    }
    freeReplyObject(reply);
    return true;
}

static bool redis_retry(Queue *q, const char *id, int64_t *count, Error *err)
{
    RedisCall call;
    return begin(q, &call, err, SCRIPT_RETRY, "t", id) && ask_number(q, &call, count, err);
}

static bool redis_drop(Queue *q, const char *id, int64_t *count, Error *err)
{
    RedisCall call;
    return begin(q, &call, err, SCRIPT_DROP, "t", id) && ask_number(q, &call, count, err);
}

static const QueueOps redis_ops = {
    .clone = redis_clone,
    .close = redis_close,
    .enqueue = redis_enqueue,
    .touch = redis_touch,
    .leave = redis_leave,
    .watch = redis_watch,
    .acquire = redis_acquire,
    .renew = redis_renew,
    .tell = redis_tell,
    .finish = redis_finish,
    .give_back = redis_give_back,
    .hello = redis_hello,
    .status = redis_status,
    .list = redis_list,
    .retry = redis_retry,
    .drop = redis_drop,
    .remember = redis_remember,
    .recall = redis_recall,
};
