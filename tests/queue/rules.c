// SPDX-License-Identifier: GPL-3.0-or-later
/* rules.c -- what every back end of the queue promises, told to one that is empty.
 *   queue_rules_test URL     leaves with 0 and the number of checks, or names the first that failed */
#include "base/clock.h"
#include "queue/client.h"
#include "queue/open.h"
#include "queue/worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks;
#define CHECK(what)                                                                                \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #what, err.text);              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static Error err;
static const QueueRules rules = {.most_waiting = 1000,
                                 .most_per_owner = 400,
                                 .attempts = 3,
                                 .lease_ms = 1000,
                                 .interest_ms = 2000,
                                 .keep_s = 60,
                                 .kept_bytes = 1 << 20,
                                 .remember_s = 60,
                                 .most_positions = 20};

static Job make(const char *payload, const char *owner, JobClass class)
{
    Job job = {.kind = "test",
               .needs = "E1",
               .owner = owner,
               .priority = class,
               .cost_ms = 10,
               .payload = str_from(payload)};
    job_name(&job);
    return job;
}

static JobState put(Queue *q, const char *front, const Job *job)
{
    JobNews news = {0};
    CHECK(queue_enqueue(q, front, job, 1, &news, &err));
    buffer_free(&news.text);
    return news.state;
}

static JobState look(Queue *q, const char *id, char *text, size_t size)
{
    JobNews news = {0};
    char born[33];
    CHECK(queue_touch(q, "front", &id, 1, born, &news, &err));
    if (text)
        str_copy(text, size, (Str){buffer_text(&news.text), news.text.len});
    buffer_free(&news.text);
    return news.state;
}

static Taker taker(const char *name, const char *engine)
{
    Taker t = {0};
    taker_add(&t, "test", engine);
    taker_add(&t, "test", "");
    str_copy(t.name, sizeof t.name, str_from(name));
    return t;
}

/* The payload of the next job, "" if there is none. */
static const char *take(Queue *q, const Taker *t, Lease *lease)
{
    CHECK(queue_acquire(q, t, 0, lease, &err));
    return lease->id[0] ? buffer_text(&lease->payload) : "";
}

static bool finish(Queue *q, const Taker *t, const Lease *lease, const char *text)
{
    bool counts = false;
    const Outcome outcome = {str_from(text), 1, 100};
    CHECK(queue_finish(q, t, lease, &outcome, &counts, &err));
    return counts;
}

/* Equal content, one job; the result is found again; the second result changes nothing. */
static void done_once(Queue *q)
{
    const Taker a = taker("a", "E1"), b = taker("b", "E1");
    const Job job = make("once", "o", JOB_NOW);
    Lease one = {0}, two = {0};
    char text[64];
    CHECK(put(q, "front", &job) == JOB_READY);
    CHECK(put(q, "front", &job) == JOB_READY);
    CHECK(strcmp(take(q, &a, &one), "once") == 0);
    CHECK(strcmp(take(q, &b, &two), "") == 0);
    CHECK(put(q, "front", &job) == JOB_LEASED);
    /* An answer that was lost on the way is given again, as the same lease. */
    CHECK(strcmp(take(q, &a, &two), "once") == 0 && two.epoch == one.epoch);
    CHECK(finish(q, &a, &one, "first"));
    CHECK(!finish(q, &b, &one, "second"));
    CHECK(look(q, job.id, text, sizeof text) == JOB_DONE && strcmp(text, "first") == 0);
    CHECK(put(q, "front", &job) == JOB_DONE);
    buffer_free(&one.payload);
    buffer_free(&two.payload);
}

/* A worker that vanishes loses the job; after three it is a dead letter with a reason; by hand it
 * lives again. */
static void vanished_workers(Queue *q)
{
    const Taker a = taker("a", "E1"), b = taker("b", "E1");
    const Job job = make("poison", "o", JOB_NOW);
    Lease lease = {0}, late = {0};
    const Lease *held_lease = &lease;
    char text[64];
    bool held;
    int64_t count;
    CHECK(put(q, "front", &job) == JOB_READY);
    CHECK(strcmp(take(q, &a, &lease), "poison") == 0);
    for (int i = 0; i < 4; i++) { /* longer than a lease: renewing keeps it */
        clock_sleep_ms(400);
        CHECK(queue_renew(q, &held_lease, 1, &held, &err) && held);
    }
    clock_sleep_ms(1300);
    CHECK(strcmp(take(q, &b, &late), "poison") == 0 && late.tries == 1);
    CHECK(queue_renew(q, &held_lease, 1, &held, &err) && !held);
    CHECK(queue_give_back(q, &late, false, "drained", &err)); /* no attempt of its own */
    CHECK(strcmp(take(q, &b, &late), "poison") == 0 && late.tries == 1);
    CHECK(queue_give_back(q, &late, true, "bad", &err));
    CHECK(strcmp(take(q, &b, &late), "poison") == 0 && late.tries == 2);
    CHECK(queue_give_back(q, &late, true, "bad again", &err));
    CHECK(strcmp(take(q, &b, &late), "") == 0);
    CHECK(look(q, job.id, text, sizeof text) == JOB_DEAD && strcmp(text, "bad again") == 0);
    CHECK(put(q, "front", &job) == JOB_DEAD);
    CHECK(queue_retry(q, "", &count, &err) && count == 1);
    CHECK(strcmp(take(q, &b, &late), "poison") == 0 && late.tries == 0);
    CHECK(queue_give_back(q, &late, false, "", &err));
    CHECK(queue_drop(q, job.id, &count, &err) && count == 1);
    CHECK(look(q, job.id, NULL, 0) == JOB_GONE);
    buffer_free(&lease.payload);
    buffer_free(&late.payload);
}

/* Higher classes first; an owner with many jobs does not delay another's single one. */
static void fair_shares(Queue *q)
{
    const Taker a = taker("a", "E1");
    Lease lease = {0};
    char name[32];
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "flood %d", i);
        const Job job = make(name, "flood", JOB_SOON);
        CHECK(put(q, "", &job) == JOB_READY);
    }
    for (int i = 0; i < 5; i++) {
        CHECK(strncmp(take(q, &a, &lease), "flood", 5) == 0);
        CHECK(finish(q, &a, &lease, ""));
    }
    const Job single = make("single", "other", JOB_SOON), now = make("now", "flood", JOB_NOW);
    CHECK(put(q, "", &single) == JOB_READY);
    CHECK(put(q, "", &now) == JOB_READY);
    CHECK(strcmp(take(q, &a, &lease), "now") == 0);
    CHECK(finish(q, &a, &lease, ""));
    int before = 0;
    while (strcmp(take(q, &a, &lease), "single") != 0) {
        CHECK(finish(q, &a, &lease, ""));
        before++;
    }
    CHECK(before <= 1);
    CHECK(finish(q, &a, &lease, ""));
    while (take(q, &a, &lease)[0])
        CHECK(finish(q, &a, &lease, ""));
    buffer_free(&lease.payload);
}

/* Whoever floods is refused, alone. */
static void bounded(Queue *q)
{
    char name[32];
    int64_t count;
    int ready = 0, refused = 0;
    for (int i = 0; i < 450; i++) {
        snprintf(name, sizeof name, "many %d", i);
        const Job job = make(name, "greedy", JOB_BULK);
        const JobState state = put(q, "", &job);
        ready += state == JOB_READY;
        refused += state == JOB_OWNER_FULL;
    }
    CHECK(ready == 400 && refused == 50);
    const Job other = make("modest", "other", JOB_BULK);
    CHECK(put(q, "", &other) == JOB_READY);
    for (int i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "many %d", i);
        const Job job = make(name, "greedy", JOB_BULK);
        CHECK(queue_drop(q, job.id, &count, &err) && count == 1);
    }
    CHECK(queue_drop(q, other.id, &count, &err) && count == 1);
}

/* A live job ends when its front door leaves or vanishes, and not while another one waits. */
static void unwanted(Queue *q)
{
    const Taker a = taker("a", "E1");
    Lease lease = {0};
    const Lease *list = &lease;
    bool held;
    Job job = make("live", "o", JOB_NOW), lapsing = make("lapsing", "o", JOB_NOW);
    const char *id = job.id;
    job.live = lapsing.live = true;
    CHECK(put(q, "front", &job) == JOB_READY);
    CHECK(put(q, "another", &job) == JOB_READY);
    CHECK(strcmp(take(q, &a, &lease), "live") == 0);
    CHECK(queue_leave(q, "another", &id, 1, &err));
    CHECK(queue_renew(q, &list, 1, &held, &err) && held);
    CHECK(queue_leave(q, "front", &id, 1, &err));
    CHECK(queue_renew(q, &list, 1, &held, &err) && !held);
    CHECK(look(q, job.id, NULL, 0) == JOB_GONE);
    CHECK(put(q, "front", &lapsing) == JOB_READY);
    clock_sleep_ms(2300);
    CHECK(strcmp(take(q, &a, &lease), "") == 0);
    CHECK(look(q, lapsing.id, NULL, 0) == JOB_GONE);
    buffer_free(&lease.payload);
}

/* What is older than its time is forgotten, at the latest when something newer comes. */
static void expiry(Queue *q)
{
    const Taker a = taker("a", "E1");
    Queue *brief = queue_clone(q, &err);
    Lease lease = {0};
    Buffer text = {0};
    JobNews news = {0};
    char born[33];
    brief->rules.keep_s = brief->rules.remember_s = 1;
    for (int i = 0; i < 2; i++) {
        const Job job = make(i ? "kept" : "old", "o", JOB_NOW);
        const Job old = make("old", "o", JOB_NOW);
        const char *const id = old.id;
        CHECK(put(brief, "front", &job) == JOB_READY);
        CHECK(strcmp(take(brief, &a, &lease), i ? "kept" : "old") == 0);
        CHECK(finish(brief, &a, &lease, "done"));
        CHECK(queue_remember(brief, i ? "bb" : "aa", 1, 10, STR("text"), &err));
        CHECK(queue_touch(brief, "front", &id, 1, born, &news, &err));
        CHECK(news.state == (i ? JOB_GONE : JOB_DONE));
        CHECK(queue_recall(brief, "aa", 1, &text, &err) && text.len == (i ? 0U : 4U));
        if (i == 0)
            clock_sleep_ms(1500);
    }
    CHECK(queue_recall(brief, "bb", 1, &text, &err) && text.len == 4);
    buffer_free(&lease.payload);
    buffer_free(&text);
    buffer_free(&news.text);
    queue_close(brief);
}

/* Another version or network is neither given the job nor believed. */
static void other_engine(Queue *q)
{
    const Taker a = taker("a", "E1"), old = taker("old", "E0");
    const Job job = make("for E1", "o", JOB_NOW);
    Lease lease = {0};
    bool counts;
    CHECK(put(q, "front", &job) == JOB_READY);
    CHECK(strcmp(take(q, &old, &lease), "") == 0);
    CHECK(strcmp(take(q, &a, &lease), "for E1") == 0);
    const Outcome outcome = {STR("forged"), 1, 1};
    CHECK(!queue_finish(q, &old, &lease, &outcome, &counts, &err) &&
          strcmp(err.code, QUEUE_ENGINE) == 0);
    CHECK(strstr(err.text, "E1") != NULL);
    CHECK(finish(q, &a, &lease, "right"));
    buffer_free(&lease.payload);
}

/* Results of positions: the deeper one stays, more lines serve for fewer, old ones make room. */
static void positions(Queue *q)
{
    Buffer text = {0};
    char name[32];
    CHECK(queue_remember(q, "aa", 1, 20, STR("deep"), &err));
    CHECK(queue_remember(q, "aa", 1, 10, STR("shallow"), &err));
    CHECK(queue_remember(q, "aa", 3, 12, STR("three"), &err));
    CHECK(queue_recall(q, "aa", 1, &text, &err) && strcmp(buffer_text(&text), "deep") == 0);
    CHECK(queue_recall(q, "aa", 2, &text, &err) && strcmp(buffer_text(&text), "three") == 0);
    CHECK(queue_recall(q, "aa", 4, &text, &err) && text.len == 0);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "%x", i);
        CHECK(queue_remember(q, name, 1, 20, STR("x"), &err));
        clock_sleep_ms(2);
    }
    CHECK(queue_recall(q, "0", 1, &text, &err) && text.len == 0);
    CHECK(queue_recall(q, "27", 1, &text, &err) && text.len == 1);
    buffer_free(&text);
}

/* --- a client and a worker around it --- */

typedef struct Heard {
    AtomicU64 parts, done, dead, away;
    char text[64];
} Heard;

static void on_ticket(void *user, TicketEvent event, Str text)
{
    Heard *h = user;
    str_copy(h->text, sizeof h->text, text);
    relaxed_add(event == TICKET_PART   ? &h->parts
                : event == TICKET_DONE ? &h->done
                : event == TICKET_DEAD ? &h->dead
                                       : &h->away,
                1);
}

static void *no_tools(void *user, Error *e)
{
    (void)e;
    return user;
}
static void no_close(void *tools) { (void)tools; }

static AtomicFlag was_stopped;

/* "slow": until it is unwanted; "bad": fails; others answer themselves, after a part. */
static bool echo(void *tools, Work *w, WorkResult *result, Error *e)
{
    const Str payload = work_payload(w);
    (void)tools;
    if (str_is(payload, "bad"))
        return error_set(e, "cannot be done");
    work_tell(w, STR("part"));
    for (int i = 0; i < (str_is(payload, "slow") ? 500 : 15); i++) {
        clock_sleep_ms(20);
        if (!work_wanted(w)) {
            atomic_store(&was_stopped, true);
            return false;
        }
    }
    buffer_append(&result->text, payload.ptr, payload.len);
    result->positions = 1;
    return true;
}

typedef struct Hands {
    WorkerConfig config;
    WorkerTotals totals;
} Hands;

static void *run_worker(void *arg)
{
    Hands *h = arg;
    Error e;
    if (!worker_run(&h->config, &h->totals, &e))
        fprintf(stderr, "%s\n", e.text);
    return NULL;
}

static bool wait_for(const AtomicU64 *value, uint64_t wanted, int ms)
{
    for (; ms > 0 && relaxed_load(value) < wanted; ms -= 10)
        clock_sleep_ms(10);
    return relaxed_load(value) == wanted;
}

/* Parts and results reach the client; cancelling reaches the worker within a second; what cannot be
 * done ends as a dead letter; a worker that drains gives its job back. */
static void together(Queue *q)
{
    static const WorkKind kinds[] = {
        {.kind = "test", .user = &checks, .open = no_tools, .close = no_close, .run = echo}};
    AtomicFlag drain = false;
    Hands hands = {.config = {.queue = q,
                              .engine = "E1",
                              .kinds = kinds,
                              .kind_count = 1,
                              .threads = 2,
                              .drain = &drain}};
    Thread thread;
    Heard good = {0}, bad = {0}, slow = {0}, stays = {0};
    QueueClient *client = queue_client_start(q, NULL, NULL, &err);
    CHECK(client && thread_start(&thread, run_worker, &hands));
    const Job job = make("good", "o", JOB_NOW), poison = make("bad", "o", JOB_NOW);
    Job live = make("slow", "o", JOB_NOW);
    live.live = true;
    CHECK(queue_client_submit(client, &job, false, on_ticket, &good, &err) != 0);
    CHECK(queue_client_submit(client, &poison, false, on_ticket, &bad, &err) != 0);
    CHECK(wait_for(&good.done, 1, 5000) && strcmp(good.text, "good") == 0);
    CHECK(relaxed_load(&good.parts) >= 1);
    CHECK(wait_for(&bad.dead, 1, 5000) && strcmp(bad.text, "cannot be done") == 0);
    const uint64_t ticket = queue_client_submit(client, &live, false, on_ticket, &slow, &err);
    CHECK(ticket != 0 && wait_for(&slow.parts, 1, 5000));
    queue_client_leave(client, ticket);
    const int64_t start = clock_ms();
    while (!atomic_load(&was_stopped) && clock_ms() - start < 3000)
        clock_sleep_ms(10);
    CHECK(atomic_load(&was_stopped) && clock_ms() - start < 1000);
    Job last = make("slow", "o", JOB_NOW);
    CHECK(queue_client_submit(client, &last, false, on_ticket, &stays, &err) != 0);
    CHECK(wait_for(&stays.parts, 1, 5000));
    atomic_store(&drain, true);
    thread_join(thread);
    CHECK(hands.totals.returned >= 1 && hands.totals.done == 1);
    CHECK(look(q, last.id, NULL, 0) == JOB_READY);
    queue_client_stop(client);
    int64_t count;
    CHECK(queue_drop(q, last.id, &count, &err) && queue_drop(q, "", &count, &err) && count == 1);
}

static void count_lines(void *user, const char *name, const char *value)
{
    int64_t number = 0;
    if (strcmp(name, "leased") == 0 || strcmp(name, "dead_letters") == 0 ||
        strncmp(name, "waiting ", 8) == 0) {
        str_int(str_from(value), 0, INT64_MAX, &number);
        *(int64_t *)user += number;
    }
}

int main(int argc, char **argv)
{
    const BrokerWords words = {.url = argc > 1 ? argv[1] : "memory:"};
    Queue *q = queue_open(&words, &rules, &err);
    CHECK(q != NULL);
    done_once(q);
    vanished_workers(q);
    fair_shares(q);
    bounded(q);
    unwanted(q);
    other_engine(q);
    expiry(q);
    positions(q);
    together(q);
    int64_t left = 0;
    CHECK(queue_status(q, count_lines, &left, &err));
    CHECK(left == 0);
    queue_close(q);
    printf("%d checks, 0 failed\n", checks);
    return 0;
}
