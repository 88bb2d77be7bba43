// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/work.h"

#include "base/app.h"
#include "base/clock.h"
#include "front/cli_words.h"
#include "front/http/analyse_job.h"
#include "front/review_job.h"
#include "queue/open.h"
#include <stdio.h>
#include <string.h>

typedef struct Setup {
    BrokerWords broker;
    QueueRules rules;
    const char *kinds, *network;
    int threads, drain_ms, count;
    WorkKind found[WORKER_MAX_KINDS];
    AtomicFlag drain;
    WorkerConfig config;
    const WorkMore *more;
    char engine[QUEUE_NAME_SIZE];
} Setup;

/* Standard error is the log: a service manager keeps it. */
static void say(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "samara work: %s\n", text);
}

/* Keeps the kinds that --kinds names; false: it names one that there is not. */
static bool choose_kinds(Setup *setup, Error *err)
{
    WorkKind chosen[WORKER_MAX_KINDS] = {0};
    int count = 0;
    for (Str rest = str_from(setup->kinds); rest.len > 0;) {
        const Str name = str_trim(str_until(&rest, ','));
        int i = 0;
        while (i < setup->count && !str_is(name, setup->found[i].kind))
            i++;
        if (i == setup->count)
            return error_set(err, "there is no kind '%.*s'", (int)name.len, name.ptr);
        if (count < WORKER_MAX_KINDS)
            chosen[count++] = setup->found[i];
    }
    memcpy(setup->found, chosen, (size_t)count * sizeof *chosen);
    setup->count = count;
    return count > 0 || error_set(err, "--kinds names nothing");
}

/* Lists what this program can do and keeps what --kinds names. */
static bool prepare(Setup *setup, Error *err)
{
    setup->found[setup->count++] = analyse_work(setup->network);
    if (!setup->network) /* reports are the same everywhere: with the network that is built in */
        setup->found[setup->count++] = review_work;
    const int added =
        setup->more->kinds(setup->more->user, setup->network, setup->found + setup->count, err);
    if (added < 0)
        return false;
    setup->count += added;
    return (!setup->kinds || choose_kinds(setup, err)) &&
           engine_identity(setup->network, setup->engine, err);
}

/* Which jobs wait for an engine that this one is not: said by name, since nobody else would. */
typedef struct Strangers {
    const Setup *setup;
    int told;
} Strangers;

/* Whether this worker is, or has, what the jobs need. */
static bool serves(const Setup *setup, const WorkKind *kind, Str needs)
{
    if (!kind->needs)
        return needs.len == 0 || str_is(needs, setup->engine);
    for (int i = 0; kind->needs[i]; i++)
        if (str_is(needs, kind->needs[i]))
            return true;
    return false;
}

/* One lane of the status: who waits there, and for which engine. */
static void on_value(void *user, const char *name, const char *value)
{
    Strangers *s = user;
    Str rest = str_from(name);
    if (!str_is(str_token(&rest), "lane"))
        return;
    rest = str_trim(rest);
    const Str kind = str_until(&rest, '|');
    for (int i = 0; i < s->setup->count; i++) {
        const WorkKind *own = &s->setup->found[i];
        if (str_is(kind, own->kind) && !serves(s->setup, own, rest) && s->told++ < 8)
            fprintf(stderr,
                    "samara work: %s jobs of kind %.*s need '%.*s'; this is '%s' and does not "
                    "take them\n",
                    value, (int)kind.len, kind.ptr, (int)rest.len, rest.ptr,
                    own->needs ? own->needs[0] : s->setup->engine);
    }
}

/* Says who this is, and what a person should know about the broker. */
static void greet(Setup *setup, Queue *queue)
{
    char advice[160];
    Error err;
    Strangers strangers = {setup, 0};
    fprintf(stderr, "samara work: %s, %d threads:", setup->engine, setup->threads);
    for (int i = 0; i < setup->count; i++)
        fprintf(stderr, " %s", setup->found[i].kind);
    fprintf(stderr, "\n");
    if (!queue_advice(queue, advice, sizeof advice, &err))
        say(NULL, err.text);
    else if (advice[0])
        say(NULL, advice);
    queue_status(queue, on_value, &strangers, &err);
}

/* Works until it is interrupted, then tells its totals. */
static int run(void *user)
{
    Setup *setup = user;
    WorkerTotals totals = {0};
    Error err;
    if (!worker_run(&setup->config, &totals, &err))
        return cli_fail("work", err.text);
    fprintf(stderr, "samara work: %llu done, %llu late, %llu failed, %llu given back\n",
            (unsigned long long)totals.done, (unsigned long long)totals.late,
            (unsigned long long)totals.failed, (unsigned long long)totals.returned);
    return EXIT_OK;
}

/* SIGTERM, Ctrl-C: no new job; what runs may end, for a while. */
static void interrupted(void *user)
{
    Setup *setup = user;
    atomic_store(&setup->drain, true);
}

/* The one list of what `samara work` understands. */
static bool read_words(int argc, char **argv, Setup *setup, int *code)
{
    const ArgSpec specs[] = {
        ARGS_NEEDED("broker", &setup->broker.url, "URL",
                    "where the jobs are: redis://host:port/db or unix:/path"),
        ARGS_TEXT("broker-password-file", &setup->broker.password_file, "FILE",
                  "the broker's password (or $SAMARA_BROKER_PASSWORD)"),
        ARGS_FLAG("broker-exposed", &setup->broker.exposed,
                  "the broker has no password and is not on this machine: that is meant"),
        ARGS_INT_USUAL("threads", &setup->threads, 1, WORKER_MAX_THREADS, "N", "jobs at a time",
                       "one per core"),
        ARGS_TEXT("kinds", &setup->kinds, "KIND,...",
                  "take only these: analyse, review, selfplay, match"),
        ARGS_CALL("engine", setup->more->user, setup->more->engine, "\"WORDS\"",
                  "an engine for games of samara-match -broker, in the words of its -engine: "
                  "\"name=new cmd=./samara option.EvalFile=new.nnue\"; give two or more"),
        ARGS_TEXT("net", &setup->network, "FILE",
                  "network file; jobs for another one are not taken"),
        ARGS_INT("lease", &setup->rules.lease_ms, 1000, 600000, "MS",
                 "a worker that is silent for so long has lost its job"),
        ARGS_INT("attempts", &setup->rules.attempts, 1, 100, "N",
                 "a job that failed so often is a dead letter"),
        ARGS_INT("drain", &setup->drain_ms, 0, 600000, "MS",
                 "when told to end: how long a job may still take before it is given back"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "work",
        .summary =
            "Takes jobs from a queue and does them: analyses and reports for front doors "
            "(samara serve --broker), games for samara-train and samara-match. Any number of "
            "workers may come and go; docs/SCALE.md has the whole picture.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words;
    return cli_read(&command, argc, argv, &words, code);
}

/* Wrong words end it; a broker that is away does not. */
int work_main(int argc, char **argv, const WorkMore *more)
{
    Setup setup = {
        .rules = queue_rules, .threads = thread_cpu_count(), .drain_ms = 5000, .more = more};
    Error err = {0};
    int code;
    if (!read_words(argc, argv, &setup, &code))
        return code;
    Queue *queue = queue_open(&setup.broker, &setup.rules, &err);
    if (!queue || !prepare(&setup, &err)) {
        queue_close(queue);
        cli_fail("work", err.text);
        return EXIT_USAGE;
    }
    app_survive_broken_pipes();
    greet(&setup, queue);
    setup.config = (WorkerConfig){.queue = queue,
                                  .engine = setup.engine,
                                  .kinds = setup.found,
                                  .kind_count = setup.count,
                                  .threads = setup.threads,
                                  .drain_ms = setup.drain_ms,
                                  .drain = &setup.drain,
                                  .say = say};
    code = app_run(run, interrupted, &setup, EXIT_FAILED);
    queue_close(queue);
    return code;
}
