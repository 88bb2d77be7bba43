// SPDX-License-Identifier: GPL-3.0-or-later
/* serve.c -- the command `samara serve`: its options, its start and its end. */
#include "front/http/http.h"

#include "base/clock.h"
#include "front/cli_words.h"
#include "front/http/broker.h"
#include "front/http/games.h"
#include "front/http/server.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOCAL_HASH_MB = 256,
    MOST_READERS = 16,
    QUICK_HASH_MB = 4,
    END_PATIENCE_MS = 2500,
    LARGE_BODIES = 16,
    STORE_MB = 1024,
    MEMORY_STORE_MB = 64,
};

typedef struct Setup {
    ServerConfig server;
    int workers, streams, queue;
    const char *db, *tables, *book;
    int store_mb, keep_days;
    bool no_store, no_token, loopback;
    BrokerWords broker;
    bool broker_local;
} Setup;

static bool complain(const char *text)
{
    fprintf(stderr, "samara serve: %s\n", text);
    return false;
}

/* "a,b,c" -> three names. */
static bool split_names(const char *text, Str *names, int *count)
{
    while (text && *text) {
        const size_t len = strcspn(text, ",");
        if (*count == GUARD_MAX_NAMES)
            return complain("too many names");
        if (len > 0)
            names[(*count)++] = (Str){text, len};
        text += len + (text[len] == ',');
    }
    return true;
}

/* An origin that can never be met would look as if nobody were allowed. */
static bool origins_make_sense(const Guard *guard)
{
    for (int i = 0; i < guard->origin_count; i++)
        if (!guard_is_origin(guard->origins[i]))
            return complain("--origin takes origins like https://example.org:8000, null, or *");
    return true;
}

static bool read_proxies(const char *trusted, const char *header, Proxies *proxies)
{
    Str names[GUARD_MAX_NAMES];
    int count = 0;
    if (!split_names(trusted, names, &count))
        return false;
    for (int i = 0; i < count; i++)
        if (i == CLIENT_MAX_PROXIES || !address_parse(names[i], &proxies->trusted[i]))
            return complain("--trusted-proxy takes numeric addresses, 16 at most");
    proxies->count = count;
    proxies->header = header ? header : "Forwarded";
    if (strcmp(proxies->header, "Forwarded") != 0 &&
        strcmp(proxies->header, "X-Forwarded-For") != 0)
        return complain("--proxy-header is Forwarded or X-Forwarded-For");
    return true;
}

/* From a file, so that it shows in no list of processes; or from the environment. One to a line. */
static bool read_tokens(const char *given, const char *file, char *out, size_t size, Guard *guard)
{
    const char *source = given ? given : getenv("SAMARA_TOKEN");
    if (file) {
        FILE *stream = fopen(file, "r");
        const size_t len = stream ? fread(out, 1, size - 1, stream) : 0;
        if (stream)
            fclose(stream);
        out[len] = '\0';
        if (len == 0)
            return complain("the token file cannot be read or is empty");
        source = out;
    }
    for (Str rest = str_from(source); rest.len > 0;) {
        const Str token = str_trim(str_line(&rest));
        if (token.len > 0 && token.len < 16)
            return complain("a token has at least 16 characters");
        if (token.len > 0 && guard->token_count == GUARD_MAX_TOKENS)
            return complain("too many tokens");
        if (token.len > 0)
            guard->tokens[guard->token_count++] = token;
    }
    return true;
}

/* $XDG_STATE_HOME/samara/samara.db, with its folders. */
static bool default_path(char *out, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char folder[900];
    if (state && state[0] == '/')
        snprintf(folder, sizeof folder, "%s", state);
    else if (home && home[0] == '/')
        snprintf(folder, sizeof folder, "%s/.local/state", home);
    else
        return false;
    snprintf(out, size, "%s/samara", folder);
    for (char *slash = out + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(out, 0700);
        *slash = '/';
    }
    if (mkdir(out, 0700) != 0 && errno != EEXIST)
        return false;
    const size_t len = strlen(out);
    snprintf(out + len, size - len, "/samara.db");
    return true;
}

static bool open_store(App *app, const Setup *setup)
{
    char path[1024] = ":memory:";
    app->stored = !setup->no_store;
    if (setup->db && !setup->no_store)
        snprintf(path, sizeof path, "%s", setup->db);
    else if (!setup->no_store && !default_path(path, sizeof path))
        return complain("there is no place for the database; give --db FILE or --no-store");
    const int megabytes = setup->store_mb > 0 ? setup->store_mb
                          : setup->no_store   ? MEMORY_STORE_MB
                                              : STORE_MB;
    StoreLimits limits = {.bytes = (int64_t)megabytes << 20, .keep_days = setup->keep_days};
    limits.per_client = limits.bytes / (setup->loopback ? 2 : 8);
    Error err;
    app->store = store_open(path, limits, &err);
    return app->store || complain(err.text);
}

/* Opens tables and book once: bad paths end the start, and the page learns what there is. */
static bool look_at_files(App *app, const Setup *setup)
{
    const SamaraConfig config = {.hash_mb = 1, .tables = setup->tables, .book = setup->book};
    SamaraError err = {0};
    if (!setup->tables && !setup->book)
        return true;
    Samara *engine = samara_new(&config, &err);
    if (!engine)
        return complain(err.text);
    if (err.text[0])
        complain(err.text); /* some tables are damaged; the others serve */
    app->table_men = samara_table_men(engine);
    app->has_book = setup->book != NULL;
    samara_free(engine);
    return true;
}

static bool start_queues(App *app, const Setup *setup)
{
    const SamaraConfig plain = {.hash_mb = app->hash_mb};
    const SamaraConfig with_tables = {.hash_mb = app->hash_mb, .tables = setup->tables};
    const SamaraConfig playing = {
        .hash_mb = app->hash_mb, .tables = setup->tables, .book = setup->book};
    const SamaraConfig knowing = {.hash_mb = 1, .tables = setup->tables, .book = setup->book};
    const WorkerQueueConfig queues[QUEUE_COUNT] = {
        [QUEUE_SHORT] = {.workers = 1, .capacity = setup->queue, .engine = knowing},
        [QUEUE_SEARCH] = {.workers = setup->workers,
                          .spare = (setup->workers + 1) / 2,
                          .capacity = setup->queue,
                          .engine = playing},
        [QUEUE_STREAM] = {.workers = setup->streams,
                          .capacity = setup->streams,
                          .engine = with_tables,
                          .shortens = true,
                          .background = true},
        [QUEUE_REPORT] = {.workers = 1,
                          .capacity = 1,
                          .engine = plain, /* a report is the same on every server */
                          .background = true},
    };
    SamaraError err = {0};
    for (int i = QUEUE_NONE + 1; i < QUEUE_COUNT; i++) {
        app->queue[i] = worker_queue_create(&queues[i], &err);
        if (!app->queue[i])
            return complain(err.text[0] ? err.text : "the system has no thread left");
    }
    app->quick = quick_create(setup->server.threads, QUICK_HASH_MB, &err);
    return app->quick || complain(err.text);
}

/* Lists and secrets as they were written, to be read when all words are known. */
typedef struct Written {
    const char *token, *token_file, *hosts, *origins, *trusted, *header;
} Written;

/* The one list of what `samara serve` understands. False: *code is what to leave with. */
static bool read_words(int argc, char **argv, App *app, Setup *setup, Written *w, int *code)
{
    ServerConfig *server = &setup->server;
    const ArgSpec specs[] = {
        ARGS_INT("port", &server->port, 0, 65535, "N", "port to listen on; 0: any free one"),
        ARGS_TEXT("listen", &server->address, "ADDRESS",
                  "address to listen on; others than this machine's own need a token"),
        ARGS_TEXT("token-file", &w->token_file, "FILE",
                  "clients must send this token: Authorization: Bearer ... (or $SAMARA_TOKEN)"),
        ARGS_TEXT("token", &w->token, "TEXT", "the same, on the command line"),
        ARGS_FLAG("no-token", &setup->no_token, "anybody who reaches the address may use it"),
        ARGS_TEXT("host", &w->hosts, "NAME,...",
                  "names under which the server may be called, behind a proxy for instance"),
        ARGS_TEXT("origin", &w->origins, "URL,...",
                  "origins of other pages that may use the API; *: all"),
        ARGS_TEXT("trusted-proxy", &w->trusted, "ADDRESS,...",
                  "proxies whose Forwarded header says who asks"),
        ARGS_TEXT("proxy-header", &w->header, "NAME",
                  "header that they write: Forwarded or X-Forwarded-For"),
        ARGS_TEXT("db", &setup->db, "FILE",
                  "where games and analyses are kept; else $XDG_STATE_HOME/samara/samara.db"),
        ARGS_FLAG("no-store", &setup->no_store, "keep nothing"),
        ARGS_INT_USUAL("store-size", &setup->store_mb, 1, 1 << 20, "MB",
                       "most that games and analyses may take", "1024, without a file 64"),
        ARGS_INT_USUAL("keep-days", &setup->keep_days, 1, 36500, "N", "delete games that are older",
                       "never"),
        ARGS_INT_USUAL("engines", &setup->workers, 1, 256, "N", "searches at a time",
                       "one per core"),
        ARGS_INT_USUAL("streams", &setup->streams, 1, 256, "N", "live analyses at a time",
                       "two per core"),
        ARGS_INT("hash", &app->hash_mb, 1, 65536, "MB", "transposition table of each engine"),
        ARGS_INT_USUAL("stream-threads", &app->most_threads, 1, 1024, "N",
                       "most threads of one live analysis", "one per core, 1 on a network"),
        ARGS_INT_USUAL("stream-hash", &app->most_hash_mb, 1, 65536, "MB",
                       "most memory of one live analysis", "256, on a network --hash"),
        ARGS_TEXT("syzygy", &setup->tables, "FOLDERS",
                  "endgame tables, for searches and for verdicts on moves"),
        ARGS_TEXT("book", &setup->book, "FILE",
                  "Polyglot opening book, for the explorer and for levels of play"),
        ARGS_INT("queue", &setup->queue, 1, 100000, "N", "searches that may wait"),
        ARGS_LONG("max-time", &app->max_time_ms, 10, 3600000, "MS", "longest search"),
        ARGS_LONG("max-stream", &app->max_stream_ms, 10, 86400000, "MS", "longest live analysis"),
        ARGS_TEXT("broker", &setup->broker.url, "URL",
                  "let workers on other machines search: redis://host:port/db or unix:/path, see "
                  "docs/SCALE.md"),
        ARGS_TEXT("broker-password-file", &setup->broker.password_file, "FILE",
                  "the broker's password (or $SAMARA_BROKER_PASSWORD)"),
        ARGS_FLAG("broker-exposed", &setup->broker.exposed,
                  "the broker has no password and is not on this machine: that is meant"),
        ARGS_FLAG("broker-local", &setup->broker_local,
                  "search with this server's own engines while the broker is away"),
        ARGS_INT("connections", &server->max_connections, 4, 100000, "N", "connections at a time"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "serve",
        .summary = "Serves the engine over HTTP, and the board page. docs/HTTP.md explains the "
                   "interface; GET /api/v1/openapi.json describes it for programs.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words;
    return cli_read(&command, argc, argv, &words, code);
}

static bool read_options(int argc, char **argv, App *app, Setup *setup, char *token,
                         size_t token_size, int *code)
{
    const int cores = thread_cpu_count();
    Written w = {0};
    *setup = (Setup){.server = {.address = "127.0.0.1",
                                .port = 8000,
                                .max_connections = 2000,
                                .threads = cores < MOST_READERS ? cores : MOST_READERS},
                     .workers = cores,
                     .streams = 2 * cores,
                     .queue = 512};
    app->hash_mb = 32;
    app->max_time_ms = 10000;
    app->max_stream_ms = 300000;
    if (!read_words(argc, argv, app, setup, &w, code))
        return false;
    *code = EXIT_USAGE;
    Guard *guard = &app->guard;
    const Str address = str_from(setup->server.address);
    const bool loopback = setup->loopback = guard_is_loopback(address);
    if (!loopback)
        guard->hosts[guard->host_count++] = address;
    if (app->most_threads == 0)
        app->most_threads = loopback ? cores : 1;
    if (app->most_hash_mb == 0)
        app->most_hash_mb = loopback && app->hash_mb < LOCAL_HASH_MB ? LOCAL_HASH_MB : app->hash_mb;
    /* On this machine a proxy may stand for many clients; others need no more than a few. */
    const int share = (setup->server.max_connections + 1) / 2;
    setup->server.max_per_client = loopback || share < 64 ? share : 64;
    if (!split_names(w.hosts, guard->hosts, &guard->host_count) ||
        !split_names(w.origins, guard->origins, &guard->origin_count) ||
        !origins_make_sense(guard) ||
        !read_tokens(w.token, w.token_file, token, token_size, guard) ||
        !read_proxies(w.trusted, w.header, &app->proxies))
        return false;
    if (!loopback && guard->token_count == 0 && !setup->no_token)
        return complain("everybody who reaches this address could use the engine; give "
                        "--token-file FILE, or --no-token "
                        "if that is meant");
    return true;
}

/* Afterwards the same signals end the process at once: a second Ctrl-C waits for nothing. */
static void wait_for_signal(const sigset_t *signals)
{
    int number;
    while (sigwait(signals, &number) != 0)
        ;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

/* Ends the process when an orderly end takes too long, whatever it waits for. The store survives
 * that: each of its transactions is whole or absent. */
typedef struct Watchdog {
    Mutex lock;
    Cond wake;
    Thread thread;
    bool started, done;
} Watchdog;

static void *watch_end(void *arg)
{
    Watchdog *dog = arg;
    bool in_time = true;
    mutex_lock(&dog->lock);
    while (!dog->done && in_time)
        in_time = cond_wait_for(&dog->wake, &dog->lock, END_PATIENCE_MS);
    if (!dog->done) {
        complain("something still runs; it is left behind");
        _exit(EXIT_FAILED);
    }
    mutex_unlock(&dog->lock);
    return NULL;
}

static void watchdog_start(Watchdog *dog)
{
    *dog = (Watchdog){0};
    mutex_init(&dog->lock);
    cond_init(&dog->wake);
    dog->started = thread_start(&dog->thread, watch_end, dog);
}

static void watchdog_end(Watchdog *dog)
{
    mutex_lock(&dog->lock);
    dog->done = true;
    cond_signal(&dog->wake);
    mutex_unlock(&dog->lock);
    if (dog->started)
        thread_join(dog->thread);
    cond_destroy(&dog->wake);
    mutex_destroy(&dog->lock);
}

/* What runs is stopped and answered; what waits is refused; unfinished reports stay queued in the
 * store. */
static void shut_down(App *app, Server *server)
{
    if (server)
        server_quiet(server);
    broker_quiet(app->broker);
    for (int i = QUEUE_NONE + 1; i < QUEUE_COUNT; i++)
        if (app->queue[i])
            worker_queue_close(app->queue[i]);
    games_quiet(app->games);
    if (server)
        clock_sleep_ms(50); /* the last answers leave */
    server_stop(server);
    games_destroy(app->games);
    broker_destroy(app->broker);
    for (int i = QUEUE_NONE + 1; i < QUEUE_COUNT; i++)
        worker_queue_destroy(app->queue[i]);
    quick_destroy(app->quick);
    store_close(app->store);
    quota_destroy(app->bodies);
}

/* Does not wait for the broker: requests hear whether it is there. */
static bool open_broker(App *app, const Setup *setup)
{
    Error err = {0};
    if (!setup->broker.url)
        return true;
    app->leave_broker = broker_leave;
    app->broker = broker_create(app, &setup->broker, setup->broker_local, &err);
    return app->broker || complain(err.text);
}

static bool run(App *app, const Setup *setup, const sigset_t *signals)
{
    Error err;
    app->bodies = quota_create(LARGE_BODIES, LARGE_BODIES / 4);
    if (!app->bodies || !look_at_files(app, setup) || !open_store(app, setup) ||
        !start_queues(app, setup) || !open_broker(app, setup)) {
        shut_down(app, NULL);
        return false;
    }
    app->games = games_create(app);
    Server *server = app->games ? server_start(app, &setup->server, &err) : NULL;
    if (!server) {
        complain(app->games ? err.text : "not enough memory");
        shut_down(app, NULL);
        return false;
    }
    const bool six = strchr(setup->server.address, ':') != NULL;
    printf("Samara is at http://%s%s%s:%d/\n", six ? "[" : "", setup->server.address,
           six ? "]" : "", server_port(server));
    fflush(stdout);
    wait_for_signal(signals);
    Watchdog dog;
    watchdog_start(&dog);
    shut_down(app, server);
    watchdog_end(&dog);
    return true;
}

int http_main(int argc, char **argv)
{
    char token[32 << 10];
    Setup setup;
    App *app = calloc(1, sizeof *app);
    if (!app)
        return EXIT_FAILED;
    app->metrics.start_ms = clock_ms();
    int code;
    if (!read_options(argc, argv, app, &setup, token, sizeof token, &code)) {
        free(app);
        return code;
    }
    /* Blocked before any thread exists, so that only wait_for_signal() sees them. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    const bool ok = run(app, &setup, &signals);
    free(app);
    return ok ? EXIT_OK : EXIT_FAILED;
}
