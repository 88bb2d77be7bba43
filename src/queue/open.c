// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/open.h"

#include "base/clock.h"
#include "base/process_name.h"
#include "base/rng.h"
#include "queue/address.h"
#ifdef SAMARA_REDIS
#include "queue/redis/redis_queue.h"
#endif
#ifdef SAMARA_SQLITE_QUEUE
#include "queue/sqlite/sqlite_queue.h"
#endif
#include <stdio.h>

#ifdef SAMARA_REDIS
static Queue *open_redis(const BrokerAddress *address, const QueueRules *rules, Error *err)
{
    return redis_queue_open(address, rules, err);
}

bool queue_advice(Queue *q, char *out, size_t size, Error *err)
{
    out[0] = '\0';
    return !redis_queue_is(q) || redis_queue_advice(q, out, size, err);
}
#else
static Queue *open_redis(const BrokerAddress *address, const QueueRules *rules, Error *err)
{
    (void)address;
    (void)rules;
    error_set(err, "this build cannot speak to Redis: hiredis was missing");
    return NULL;
}

bool queue_advice(Queue *q, char *out, size_t size, Error *err)
{
    (void)q;
    (void)size;
    (void)err;
    out[0] = '\0';
    return true;
}
#endif

#ifdef SAMARA_SQLITE_QUEUE
static Queue *open_embedded(const char *path, const QueueRules *rules, Error *err)
{
    return sqlite_queue_open(path, rules, err);
}
#else
static Queue *open_embedded(const char *path, const QueueRules *rules, Error *err)
{
    (void)path;
    (void)rules;
    error_set(err, "this build has no queue of its own: sqlite3 was missing");
    return NULL;
}
#endif

/* Refuses a broker that strangers could use, unless that is meant. */
Queue *queue_open(const BrokerWords *words, const QueueRules *rules, Error *err)
{
    BrokerAddress address;
    const Str url = str_from(words->url);
    rules = rules ? rules : &queue_rules;
    if (str_is(url, "memory:"))
        return open_embedded(":memory:", rules, err);
    if (str_starts(url, "sqlite:"))
        return open_embedded(words->url + 7, rules, err);
    if (!broker_address(&address, words->url, err) ||
        !broker_password(&address, words->password_file, err))
        return NULL;
    if (broker_exposed(&address) && !words->exposed) {
        error_set(err,
                  "whoever reaches %.80s could read and change the jobs; give a password, "
                  "or --broker-exposed if that is meant",
                  address.host);
        return NULL;
    }
    return open_redis(&address, rules, err);
}

void queue_make_name(char out[QUEUE_NAME_SIZE], const char *role)
{
    char host[48];
    Rng rng;
    process_host(host, sizeof host);
    rng_seed(&rng, (uint64_t)clock_us() ^ (uint64_t)process_number() << 40);
    snprintf(out, QUEUE_NAME_SIZE, "%s-%s-%d-%06llx", role, host, process_number(),
             (unsigned long long)(rng_next(&rng) & 0xffffff));
}
