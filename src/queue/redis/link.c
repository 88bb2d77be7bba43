// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/redis/link.h"

#include "base/clock.h"
#include "queue/queue.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum {
    CONNECT_MS = 500,
    ANSWER_MS = 800, /* with CONNECT_MS below the two seconds of queue.h */
    FIRST_BACKOFF_MS = 20,
    MOST_BACKOFF_MS = 500
};

/* --- words --- */

static void add(RedisCall *call, const char *text, size_t len)
{
    assert(call->count < CALL_MAX_ARGS);
    call->words[call->count] = text;
    call->lengths[call->count++] = len;
}

void call_bytes(RedisCall *call, Str bytes) { add(call, bytes.ptr ? bytes.ptr : "", bytes.len); }
void call_text(RedisCall *call, const char *text) { add(call, text, strlen(text)); }

void call_int(RedisCall *call, int64_t number)
{
    char *text = call->numbers[call->count];
    snprintf(text, sizeof call->numbers[0], "%lld", (long long)number);
    call_text(call, text);
}

void call_begin(RedisCall *call, const RedisLink *link, Script script)
{
    call->count = 0;
    call_text(call, "EVALSHA");
    call_text(call, link->sha[script]);
    call_text(call, "0");
}

Str reply_str(const redisReply *reply)
{
    const bool text =
        reply && (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS);
    return text ? (Str){reply->str, reply->len} : (Str){"", 0};
}

/* --- coming and going --- */

void link_init(RedisLink *link, const BrokerAddress *address)
{
    *link = (RedisLink){.address = *address, .backoff_ms = FIRST_BACKOFF_MS};
    rng_seed(&link->rng, (uint64_t)clock_us() ^ (uint64_t)(uintptr_t)link);
    snprintf(link->why, sizeof link->why, "not connected yet");
}

void link_close(RedisLink *link)
{
    if (link->context)
        redisFree(link->context);
    link->context = NULL;
    link->subscribed = false;
}

static bool away(const RedisLink *link, Error *err)
{
    return error_code(err, QUEUE_AWAY, 0, "the queue cannot be reached: %s", link->why);
}

/* Remembers why, and waits a little longer each time before the next attempt. */
bool link_lost(RedisLink *link, Error *err)
{
    const bool silent = link->context && link->context->err == REDIS_ERR_IO && errno == EAGAIN;
    if (silent)
        snprintf(link->why, sizeof link->why, "it does not answer");
    else if (link->context && link->context->err)
        snprintf(link->why, sizeof link->why, "%s", link->context->errstr);
    link_close(link);
    link->again_ms = clock_ms() + link->backoff_ms / 2 +
                     (int64_t)rng_below(&link->rng, (uint64_t)link->backoff_ms);
    link->backoff_ms =
        2 * link->backoff_ms < MOST_BACKOFF_MS ? 2 * link->backoff_ms : MOST_BACKOFF_MS;
    return away(link, err);
}

static struct timeval timeval_of(int ms)
{
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
}

/* An answer that is an error closes the link, except for a worker of another engine. */
static redisReply *check(RedisLink *link, redisReply *reply, Error *err)
{
    if (!reply) {
        link_lost(link, err);
        return NULL;
    }
    if (reply->type != REDIS_REPLY_ERROR)
        return reply;
    const bool engine = strncmp(reply->str, QUEUE_ENGINE " ", sizeof QUEUE_ENGINE) == 0;
    if (engine) {
        error_code(err, QUEUE_ENGINE, 0, "%.200s", reply->str + sizeof QUEUE_ENGINE);
    } else {
        snprintf(link->why, sizeof link->why, "%.150s", reply->str);
        link_lost(link, err);
    }
    freeReplyObject(reply);
    return NULL;
}

redisReply *link_command(RedisLink *link, const char *const *words, int timeout_ms, Error *err)
{
    RedisCall call = {.count = 0};
    while (*words)
        call_text(&call, *words++);
    link_send(link, &call);
    return link_receive(link, timeout_ms, err);
}

/* A command whose answer is only "OK". */
static bool simple(RedisLink *link, const char *const *words, Error *err)
{
    redisReply *reply = link_command(link, words, ANSWER_MS, err);
    if (reply)
        freeReplyObject(reply);
    return reply != NULL;
}

static bool log_in(RedisLink *link, Error *err)
{
    const BrokerAddress *a = &link->address;
    const char *const with_user[] = {"AUTH", a->user, a->password, NULL};
    const char *const plain[] = {"AUTH", a->password, NULL};
    char db[16];
    snprintf(db, sizeof db, "%d", a->db);
    const char *const select[] = {"SELECT", db, NULL};
    return (!a->password[0] || simple(link, a->user[0] ? with_user : plain, err)) &&
           (a->db == 0 || simple(link, select, err));
}

/* All scripts at once; Redis answers with the name that each is called by. */
static bool load_scripts(RedisLink *link, Error *err)
{
    for (int i = 0; i < SCRIPT_COUNT; i++) {
        RedisCall call = {.count = 0};
        call_text(&call, "SCRIPT");
        call_text(&call, "LOAD");
        call_text(&call, script_texts[i]);
        link_send(link, &call);
    }
    bool ok = true;
    for (int i = 0; ok && i < SCRIPT_COUNT; i++) {
        redisReply *reply = link_receive(link, ANSWER_MS, err);
        ok = reply && str_copy(link->sha[i], sizeof link->sha[i], reply_str(reply));
        if (reply)
            freeReplyObject(reply);
    }
    return ok;
}

/* Connects, logs in and loads the scripts; a lost connection means a Redis that may have forgotten
 * them. */
bool link_ready(RedisLink *link, Error *err)
{
    if (link->context)
        return true;
    if (clock_ms() < link->again_ms)
        return away(link, err);
    const struct timeval patience = timeval_of(CONNECT_MS);
    link->context = link->address.port == 0
                        ? redisConnectUnixWithTimeout(link->address.host, patience)
                        : redisConnectWithTimeout(link->address.host, link->address.port, patience);
    if (!link->context || link->context->err)
        return link_lost(link, err);
    if (!log_in(link, err) || !load_scripts(link, err))
        return false;
    link->backoff_ms = FIRST_BACKOFF_MS;
    return true;
}

/* --- talking --- */

void link_send(RedisLink *link, const RedisCall *call)
{
    redisAppendCommandArgv(link->context, call->count, (const char **)call->words, call->lengths);
}

/* The next answer, in the order of the questions. */
redisReply *link_receive(RedisLink *link, int timeout_ms, Error *err)
{
    void *reply = NULL;
    if (!link->context) { /* a reply before this one failed */
        away(link, err);
        return NULL;
    }
    redisSetTimeout(link->context, timeval_of(timeout_ms));
    if (redisGetReply(link->context, &reply) != REDIS_OK)
        reply = NULL;
    return check(link, reply, err);
}

redisReply *link_call(RedisLink *link, const RedisCall *call, Error *err)
{
    link_send(link, call);
    return link_receive(link, ANSWER_MS, err);
}
