// SPDX-License-Identifier: GPL-3.0-or-later
/* load.c -- how much the queue costs and how it grows, with workers that sleep instead of searching.
 *   queue_load URL overhead   four clients, 1,000 jobs a second, workers that answer at once
 *   queue_load URL growth     1, 2, 4, 8, 16 workers whose jobs last 50 ms
 *   queue_load URL fair       one owner has 10,000 jobs waiting; another one asks for one
 * Each prints what it measured and fails where the bound of docs/SCALE.md is broken. */
#include "base/clock.h"
#include "queue/client.h"
#include "queue/open.h"
#include "queue/worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 4, RATE = 1000, SECONDS = 10, JOB_MS = 50 };

static Queue *queue;
static int sleep_ms;

/* --- workers --- */

static void *no_tools(void *user, Error *err)
{
    (void)err;
    return user;
}
static void no_close(void *tools) { (void)tools; }

static bool nap(void *tools, Work *work, WorkResult *result, Error *err)
{
    (void)tools;
    (void)work;
    (void)err;
    if (sleep_ms > 0)
        clock_sleep_ms(sleep_ms);
    buffer_puts(&result->text, "done");
    return true;
}

typedef struct Crew {
    Thread thread;
    WorkerConfig config;
    WorkKind kind;
    AtomicFlag drain;
} Crew;

static void *run_crew(void *arg)
{
    Crew *crew = arg;
    Error err;
    if (!worker_run(&crew->config, NULL, &err))
        fprintf(stderr, "%s\n", err.text);
    return NULL;
}

static void crew_start(Crew *crew, int threads)
{
    *crew = (Crew){
        .kind = {
            .kind = "nap", .user = &sleep_ms, .open = no_tools, .close = no_close, .run = nap}};
    crew->config = (WorkerConfig){.queue = queue,
                                  .engine = "E",
                                  .kinds = &crew->kind,
                                  .kind_count = 1,
                                  .threads = threads,
                                  .drain_ms = 1000,
                                  .drain = &crew->drain};
    thread_start(&crew->thread, run_crew, crew);
}

static void crew_stop(Crew *crew)
{
    atomic_store(&crew->drain, true);
    thread_join(crew->thread);
}

/* --- jobs --- */

typedef struct Asked {
    int64_t start_us, took_us;
    AtomicU64 *done;
} Asked;

static void on_ticket(void *user, TicketEvent event, Str text)
{
    Asked *asked = user;
    (void)text;
    if (event == TICKET_PART)
        return;
    asked->took_us = event == TICKET_DONE ? clock_us() - asked->start_us : INT64_MAX / 2;
    relaxed_add(asked->done, 1);
}

static void submit(QueueClient *client, const char *owner, const char *name, int number,
                   Asked *asked)
{
    char payload[64];
    Error err;
    snprintf(payload, sizeof payload, "%s %d", name, number);
    Job job = {.kind = "nap",
               .needs = "",
               .owner = owner,
               .priority = JOB_SOON,
               .cost_ms = JOB_MS,
               .payload = str_from(payload)};
    job_name(&job);
    asked->start_us = clock_us();
    if (queue_client_submit(client, &job, true, on_ticket, asked, &err) == 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

static void wait_for(const AtomicU64 *done, uint64_t count)
{
    while (relaxed_load(done) < count)
        clock_sleep_ms(1);
}

/* --- overhead --- */

typedef struct Source {
    Thread thread;
    int number;
    Asked *asked;
    AtomicU64 done;
} Source;

static void *feed(void *arg)
{
    Source *s = arg;
    Error err;
    char owner[16], name[32];
    const int count = RATE / CLIENTS * SECONDS;
    QueueClient *client = queue_client_start(queue, NULL, NULL, &err);
    snprintf(owner, sizeof owner, "owner %d", s->number);
    snprintf(name, sizeof name, "%s %lld", owner, (long long)clock_us());
    while (!queue_client_ready(client, NULL))
        clock_sleep_ms(5);
    const int64_t start = clock_us();
    for (int i = 0; i < count; i++) {
        const int64_t due = start + (int64_t)i * 1000000 * CLIENTS / RATE;
        while (clock_us() < due)
            clock_sleep_ms(1);
        s->asked[i].done = &s->done;
        submit(client, owner, name, i, &s->asked[i]);
    }
    wait_for(&s->done, (uint64_t)count);
    queue_client_stop(client);
    return NULL;
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = ((const Asked *)a)->took_us, y = ((const Asked *)b)->took_us;
    return (x > y) - (x < y);
}

static bool overhead(void)
{
    const int each = RATE / CLIENTS * SECONDS, count = each * CLIENTS;
    Asked *asked = calloc((size_t)count, sizeof *asked);
    Source sources[CLIENTS] = {0};
    Crew crew;
    crew_start(&crew, 4);
    clock_sleep_ms(1000); /* all are connected */
    const int64_t start = clock_us(), cpu = clock_cpu_us();
    for (int i = 0; i < CLIENTS; i++) {
        sources[i].number = i;
        sources[i].asked = asked + i * each;
        thread_start(&sources[i].thread, feed, &sources[i]);
    }
    for (int i = 0; i < CLIENTS; i++)
        thread_join(sources[i].thread);
    const double seconds = (double)(clock_us() - start) / 1e6;
    const double own = (double)(clock_cpu_us() - cpu) / count;
    crew_stop(&crew);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)asked[i].took_us;
    qsort(asked, (size_t)count, sizeof *asked, by_time);
    const double mean = sum / count / 1000;
    printf("overhead: %d jobs at %.0f a second from %d clients, there and back: mean %.2f ms, "
           "median %.2f, p99 "
           "%.2f, most %.2f; CPU of clients and workers %.0f us a job\n",
           count, count / seconds, CLIENTS, mean, (double)asked[count / 2].took_us / 1000,
           (double)asked[count / 100 * 99].took_us / 1000, (double)asked[count - 1].took_us / 1000,
           own);
    free(asked);
    return mean < 2;
}

/* --- growth --- */

static double throughput(QueueClient *client, int workers, int64_t run)
{
    enum { EACH = 60 };
    const int count = EACH * workers;
    Asked *asked = calloc((size_t)count, sizeof *asked);
    AtomicU64 done = 0;
    Crew crew;
    char name[48];
    snprintf(name, sizeof name, "growth %d %lld", workers, (long long)run);
    crew_start(&crew, workers);
    clock_sleep_ms(300); /* all are connected */
    const int64_t start = clock_us();
    for (int i = 0; i < count; i++) {
        asked[i].done = &done;
        submit(client, "o", name, i, &asked[i]);
    }
    wait_for(&done, (uint64_t)count);
    const double rate = count / ((double)(clock_us() - start) / 1e6);
    crew_stop(&crew);
    free(asked);
    return rate;
}

static bool growth(void)
{
    Error err;
    QueueClient *client = queue_client_start(queue, NULL, NULL, &err);
    double one = 0;
    bool ok = true;
    sleep_ms = JOB_MS;
    for (int workers = 1; workers <= 16; workers *= 2) {
        const double rate = throughput(client, workers, clock_us());
        one = workers == 1 ? rate : one;
        printf("growth: %2d workers %6.1f jobs a second, %5.1f %% of linear\n", workers, rate,
               100 * rate / (one * workers));
        ok &= rate >= 0.95 * one * workers;
    }
    queue_client_stop(client);
    return ok;
}

/* --- fairness --- */

static void add_waiting(void *user, const char *name, const char *value)
{
    int64_t number = 0;
    if (strncmp(name, "waiting ", 8) == 0 && str_int(str_from(value), 0, INT64_MAX, &number))
        *(int64_t *)user += number;
}

static int64_t waiting(void)
{
    Error err;
    int64_t sum = 0;
    queue_status(queue, add_waiting, &sum, &err);
    return sum;
}

static bool fair(void)
{
    enum { FLOOD = 10000 };
    Error err;
    QueueClient *client = queue_client_start(queue, NULL, NULL, &err);
    Asked *flood = calloc(FLOOD, sizeof *flood), one = {0};
    AtomicU64 ignored = 0, done = 0;
    Crew crew;
    char name[48];
    double worst = 0;
    snprintf(name, sizeof name, "flood %lld", (long long)clock_us());
    sleep_ms = JOB_MS;
    for (int i = 0; i < FLOOD; i++) {
        flood[i].done = &ignored;
        submit(client, "flood", name, i, &flood[i]);
    }
    const int64_t sent = clock_ms();
    while (waiting() < FLOOD)
        clock_sleep_ms(50);
    printf("fair: %d jobs were enqueued by one client in %.1f s\n", FLOOD,
           (double)(clock_ms() - sent) / 1000);
    crew_start(&crew, 1);
    clock_sleep_ms(500);
    for (int i = 0; i < 10; i++) {
        clock_sleep_ms(130);
        one = (Asked){.done = &done};
        submit(client, "other", name, FLOOD + i, &one);
        wait_for(&done, (uint64_t)i + 1);
        const double delay = (double)one.took_us / 1000 - JOB_MS;
        worst = delay > worst ? delay : worst;
    }
    crew_stop(&crew);
    queue_client_stop(client);
    free(flood);
    printf("fair: behind %d jobs of another owner, one worker, jobs of %d ms: ten single jobs "
           "waited %.0f ms at most\n",
           FLOOD, JOB_MS, worst);
    return worst < 2 * JOB_MS;
}

int main(int argc, char **argv)
{
    Error err;
    const BrokerWords words = {.url = argc > 1 ? argv[1] : ""};
    const char *what = argc > 2 ? argv[2] : "";
    queue = queue_open(&words, NULL, &err);
    if (!queue) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    const bool ok = strcmp(what, "overhead") == 0 ? overhead()
                    : strcmp(what, "growth") == 0 ? growth()
                    : strcmp(what, "fair") == 0   ? fair()
                                                  : false;
    queue_close(queue);
    return ok ? 0 : 1;
}
