// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_queue.c -- `samara queue`: what waits, runs and failed, for those who run the machines. */
#include "front/cli_commands.h"

#include "base/json.h"
#include "front/cli_words.h"
#include "queue/open.h"
#include <stdio.h>
#include <string.h>

typedef struct QueueWords {
    BrokerWords broker;
    const char *state;
    int limit;
    bool json;
} QueueWords;

static const char *const class_names[JOB_CLASSES] = {"now", "soon", "bulk"};

/* "waiting 0" -> "waiting now" */
static void print_value(void *user, const char *name, const char *value)
{
    const size_t len = strlen(name);
    (void)user;
    const bool by_class = strncmp(name, "waiting ", 8) == 0 || strncmp(name, "age_ms ", 7) == 0;
    const int class = by_class ? name[len - 1] - '0' : -1;
    if (class >= 0 && class < JOB_CLASSES)
        printf("%.*s%-*s %s\n", (int)len - 1, name, (int)(28 - len), class_names[class], value);
    else
        printf("%-28s %s\n", name, value);
}

/* One pair: numbers as numbers. */
static void put_json(void *user, const char *name, const char *value)
{
    JsonWriter *w = user;
    int64_t number;
    jw_array(w, NULL);
    jw_text(w, NULL, name);
    if (str_int(str_from(value), INT64_MIN, INT64_MAX, &number))
        jw_int(w, NULL, number);
    else
        jw_text(w, NULL, value);
    jw_end_array(w);
}

/* For people a table, for programs a list of pairs. */
static bool show_status(Queue *queue, const QueueWords *w, Error *err)
{
    Buffer text = {0};
    JsonWriter json = {.out = &text};
    if (!w->json)
        return queue_status(queue, print_value, NULL, err);
    jw_array(&json, NULL); /* of pairs: a name may occur several times */
    const bool ok = queue_status(queue, put_json, &json, err);
    jw_end_array(&json);
    if (ok)
        puts(buffer_text(&text));
    buffer_free(&text);
    return ok;
}

/* One job on one line; the reason of a failure comes last. */
static void print_job(void *user, const JobLine *line)
{
    const char *class = line->priority[0] >= '0' && line->priority[0] < '0' + JOB_CLASSES
                            ? class_names[line->priority[0] - '0']
                            : line->priority;
    int64_t age = 0;
    ++*(int *)user;
    str_int(str_from(line->age_ms), 0, INT64_MAX, &age);
    printf("%s  %-8s %-6s %-4s tries %s  %6.1f s  owner %s  %s%s%s\n", line->id, line->kind,
           line->state, class, line->tries, (double)age / 1000, line->owner, line->worker,
           line->reason[0] ? "  " : "", line->reason);
}

/* Of one job, or of all dead letters. */
static bool act(Queue *queue, const char *verb, const char *id, Error *err)
{
    int64_t count = 0;
    const char *which = id && strcmp(id, "all") != 0 ? id : "";
    if (!id)
        return error_set(err, "%s needs the id of a job, or all: of the dead letters", verb);
    const bool retry = strcmp(verb, "retry") == 0;
    if (!(retry ? queue_retry : queue_drop)(queue, which, &count, err))
        return false;
    if (count == 0 && which[0])
        return error_set(err, "there is no %s '%.60s'", retry ? "dead letter" : "job to drop", id);
    printf("%lld %s\n", (long long)count, retry ? "sent again" : "dropped");
    return true;
}

/* The verb decides; all of them ask the broker once. */
static bool run(Queue *queue, const QueueWords *w, const char *verb, const char *id, Error *err)
{
    JobState state;
    int count = 0;
    const bool with_id = strcmp(verb, "retry") == 0 || strcmp(verb, "drop") == 0;
    if (id && !with_id)
        return error_set(err, "%.40s takes no further word, such as '%.60s'", verb, id);
    if (strcmp(verb, "status") == 0)
        return show_status(queue, w, err);
    if (with_id)
        return act(queue, verb, id, err);
    if (strcmp(verb, "list") != 0)
        return error_set(err, "there is status, list, retry and drop, and no '%.40s'", verb);
    const bool ok = job_state_named(str_from(w->state), &state) &&
                    queue_list(queue, state, w->limit, print_job, &count, err);
    if (ok && count == 0)
        fprintf(stderr, "no job is %s\n", w->state);
    return ok;
}

/* Words, broker, one question, one answer. */
int queue_main(int argc, char **argv)
{
    QueueWords w = {.state = "dead", .limit = 50};
    const ArgSpec specs[] = {
        ARGS_NEEDED("broker", &w.broker.url, "URL", "redis://host:port/db or unix:/path"),
        ARGS_TEXT("broker-password-file", &w.broker.password_file, "FILE",
                  "the broker's password (or $SAMARA_BROKER_PASSWORD)"),
        ARGS_FLAG("broker-exposed", &w.broker.exposed,
                  "the broker has no password and is not on this machine: that is meant"),
        ARGS_CHOICE("state", &w.state, "ready|leased|done|dead", "which jobs list shows"),
        ARGS_INT("limit", &w.limit, 1, 10000, "N", "how many of them"),
        ARGS_FLAG("json", &w.json, "status as a list of pairs, for programs"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "queue",
        .operands = "status|list|retry|drop [ID|all]",
        .least = 1,
        .most = 2,
        .summary = "Looks after a queue of jobs: status tells depth, age, leases, workers and "
                   "counters; list shows jobs; retry sends dead letters again; drop forgets a job.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    Error err = {0};
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    Queue *queue = queue_open(&w.broker, NULL, &err);
    const bool ok = queue && run(queue, &w, argv[1], words > 1 ? argv[2] : NULL, &err);
    queue_close(queue);
    return ok ? EXIT_OK : cli_fail("queue", err.text);
}
