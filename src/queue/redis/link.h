// SPDX-License-Identifier: GPL-3.0-or-later
/* link.h -- one connection to Redis that comes back by itself, and calls of our scripts on it. */
#ifndef SAMARA_QUEUE_REDIS_LINK_H
#define SAMARA_QUEUE_REDIS_LINK_H

#include "base/rng.h"
#include "queue/address.h"
#include "queue/redis/scripts.h"
#include <hiredis/hiredis.h>

typedef struct RedisLink {
    BrokerAddress address;
    redisContext *context; /* NULL: not connected */
    Rng rng;
    int64_t again_ms; /* not before then; clock_ms() */
    int backoff_ms;
    bool subscribed;
    char why[160]; /* it is away */
    char sha[SCRIPT_COUNT][41];
} RedisLink;

enum { CALL_MAX_ARGS = 224 };

/* Words of one command, kept until it is sent. */
typedef struct RedisCall {
    const char *words[CALL_MAX_ARGS];
    size_t lengths[CALL_MAX_ARGS];
    char numbers[CALL_MAX_ARGS][24];
    int count;
} RedisCall;

void call_begin(RedisCall *call, const RedisLink *link, Script script);
void call_bytes(RedisCall *call, Str bytes);
void call_text(RedisCall *call, const char *text);
void call_int(RedisCall *call, int64_t number);

void link_init(RedisLink *link, const BrokerAddress *address);
void link_close(RedisLink *link);
/* Connects, if need be. False: away, with the reason. Attempts are spaced out, so it returns at
 * once most of the time. */
bool link_ready(RedisLink *link, Error *err);
/* Sends without waiting for the answer; link_receive() takes them in order. */
void link_send(RedisLink *link, const RedisCall *call);
/* NULL: away; or the script failed, which closes the link unless the code is QUEUE_ENGINE. */
redisReply *link_receive(RedisLink *link, int timeout_ms, Error *err);
/* Both, once. */
redisReply *link_call(RedisLink *link, const RedisCall *call, Error *err);
/* A plain command; words ends with NULL. */
redisReply *link_command(RedisLink *link, const char *const *words, int timeout_ms, Error *err);
bool link_lost(RedisLink *link, Error *err); /* closes; always false */

Str reply_str(const redisReply *reply); /* "" if it is no text */

#endif
