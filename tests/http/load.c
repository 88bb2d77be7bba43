// SPDX-License-Identifier: GPL-3.0-or-later
/* load.c -- what serving costs: the same searches asked of a server over many connections, and done
 * by engines in this process, one run for both. Prints one line of JSON; test_load.py starts the
 * server and reads it.
 *
 * usage: http_load PORT REQUESTS CONNECTIONS DEPTH ENGINES SERVER_PID
 *
 * The engine's own rate: ENGINES threads with an engine each share the positions; each sets the
 * position, searches it and does nothing else. Machines have moods, so the server, the engines and
 * one engine alone take turns in small portions of the positions. */
#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/thread.h"
#include "samara.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct Load {
    int port, requests, connections, depth, engines;
    long server_pid;
    char (*fens)[SAMARA_FEN_SIZE];
} Load;

/* Sums over all portions. */
typedef struct Cost {
    int64_t wall_us, cpu_us;
} Cost;

enum { PORTION = 2500, MOST_ENGINES = 64 };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* --- positions: games of quick moves, with a slip now and then, so that no two are alike --- */

static SamaraMove quick_move(Samara *engine, const SamaraPosition *position, Rng *rng, int ply)
{
    SamaraMove moves[SAMARA_MAX_MOVES];
    SamaraResult result;
    const SamaraRequest request = {.position = position, .limits.depth = 1};
    const size_t count = samara_position_moves(position, moves, SAMARA_MAX_MOVES);
    if (ply >= 6 && rng_below(rng, 4) > 0 && samara_search(engine, &request, NULL, &result, NULL))
        return result.best;
    return moves[rng_below(rng, count)];
}

static void make_positions(Load *load)
{
    enum { STEP = 3, LONGEST = 120 };
    Rng rng;
    rng_seed(&rng, 64);
    Samara *engine = samara_new(NULL, NULL);
    SamaraPosition *position = samara_position_new();
    load->fens = calloc((size_t)load->requests, sizeof *load->fens);
    if (!engine || !position || !load->fens)
        fail("positions");
    for (int made = 0, ply = 0; made < load->requests; ply++) {
        if (ply == LONGEST || samara_position_state(position) != SAMARA_PLAYING) {
            samara_position_set(position, NULL, false, NULL, 0, NULL);
            ply = 0;
        }
        if (ply >= 6 && ply % STEP == 0)
            samara_position_fen(position, load->fens[made++]);
        const SamaraMove move = quick_move(engine, position, &rng, ply);
        samara_position_play(position, &move, NULL);
    }
    samara_free(engine);
    samara_position_free(position);
    for (int i = load->requests - 1; i > 0; i--) { /* neighbours in a game would help each other */
        char fen[SAMARA_FEN_SIZE];
        const int k = (int)rng_below(&rng, (uint64_t)i + 1);
        memcpy(fen, load->fens[i], sizeof fen);
        memcpy(load->fens[i], load->fens[k], sizeof fen);
        memcpy(load->fens[k], fen, sizeof fen);
    }
}

/* --- the engine's own rate --- */

typedef struct Own {
    const Load *load;
    Samara *engine;
    SamaraPosition *position;
    AtomicU64 *next;
    uint64_t end;
    Thread thread;
} Own;

static void *search_own(void *arg)
{
    Own *own = arg;
    const Load *load = own->load;
    const SamaraRequest request = {.position = own->position, .limits.depth = load->depth};
    for (uint64_t i; (i = relaxed_add(own->next, 1)) < own->end;) {
        SamaraResult result;
        samara_position_set(own->position, load->fens[i], false, NULL, 0, NULL);
        samara_search(own->engine, &request, NULL, &result, NULL);
    }
    return NULL;
}

static void open_own(Own *own, const Load *load, int engines)
{
    for (int i = 0; i < engines; i++) {
        own[i] = (Own){
            .load = load, .engine = samara_new(NULL, NULL), .position = samara_position_new()};
        if (!own[i].engine || !own[i].position)
            fail("engine");
    }
}

static void run_own(Own *own, int engines, int from, int to, Cost *cost)
{
    AtomicU64 next = (uint64_t)from;
    const int64_t start = clock_us(), cpu = clock_cpu_us();
    for (int i = 0; i < engines; i++) {
        own[i].next = &next;
        own[i].end = (uint64_t)to;
        if (!thread_start(&own[i].thread, search_own, &own[i]))
            fail("thread");
    }
    for (int i = 0; i < engines; i++)
        thread_join(own[i].thread);
    cost->wall_us += clock_us() - start;
    cost->cpu_us += clock_cpu_us() - cpu;
}

static void close_own(Own *own, int engines)
{
    for (int i = 0; i < engines; i++) {
        samara_free(own[i].engine);
        samara_position_free(own[i].position);
    }
}

/* --- the server's --- */

typedef struct Client {
    int fd;
    int64_t sent_us;
    size_t got;
    char answer[4096];
} Client;

typedef struct Served {
    int epoll, sent, done, errors;
    Client *clients;
    int32_t *took_us;
    Cost cost, client_cost;
} Served;

static int64_t server_cpu_us(long pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    const size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[len] = '\0';
    const char *name_end = strrchr(text, ')');
    Str rest = str_from(name_end ? name_end + 1 : "");
    for (int i = 0; i < 11; i++)
        str_token(&rest);
    int64_t user = 0, system = 0;
    str_next_int(&rest, 0, INT64_MAX, &user);
    str_next_int(&rest, 0, INT64_MAX, &system);
    return (user + system) * 1000000 / sysconf(_SC_CLK_TCK);
}

static void ask(const Load *load, Served *served, Client *client)
{
    char body[256], text[512];
    const int body_len = snprintf(body, sizeof body, "{\"fen\": \"%s\", \"depth\": %d}",
                                  load->fens[served->sent], load->depth);
    const int len = snprintf(text, sizeof text,
                             "POST /move HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                             "application/json\r\nContent-Length: %d\r\n\r\n%s",
                             body_len, body);
    served->sent++;
    client->got = 0;
    client->sent_us = clock_us();
    if (write(client->fd, text, (size_t)len) != len)
        fail("write");
}

/* Whether the answer is complete; *good, whether it is a move. */
static bool is_whole(const Client *client, bool *good)
{
    static const char length_name[] = "Content-Length:";
    const char *end = strstr(client->answer, "\r\n\r\n");
    const char *length = strstr(client->answer, length_name);
    if (!end)
        return false;
    const size_t head = (size_t)(end - client->answer) + 4;
    const size_t body = length ? strtoul(length + sizeof length_name - 1, NULL, 10) : 0;
    *good = str_starts(str_from(client->answer), "HTTP/1.1 200 ") && body > 0 &&
            strstr(end, "\"status\":\"ok\"");
    return client->got >= head + body;
}

/* True: the answer is there, and the client is free. */
static bool hear(Served *served, Client *client)
{
    const ssize_t len =
        read(client->fd, client->answer + client->got, sizeof client->answer - 1 - client->got);
    if (len <= 0)
        fail("the server hung up");
    client->got += (size_t)len;
    client->answer[client->got] = '\0';
    bool good = false;
    if (!is_whole(client, &good))
        return false;
    served->took_us[served->done++] = (int32_t)(clock_us() - client->sent_us);
    served->errors += !good;
    return true;
}

static void open_clients(const Load *load, Served *served)
{
    served->epoll = epoll_create1(0);
    served->clients = calloc((size_t)load->connections, sizeof *served->clients);
    served->took_us = calloc((size_t)load->requests, sizeof *served->took_us);
    if (served->epoll < 0 || !served->clients || !served->took_us)
        fail("clients");
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)load->port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int i = 0; i < load->connections; i++) {
        Client *client = &served->clients[i];
        const int one = 1;
        client->fd = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (connect(client->fd, (const struct sockaddr *)&place, sizeof place) != 0)
            fail("connect");
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
        epoll_ctl(served->epoll, EPOLL_CTL_ADD, client->fd, &event);
    }
}

static void close_clients(const Load *load, Served *served)
{
    for (int i = 0; i < load->connections; i++)
        close(served->clients[i].fd);
    close(served->epoll);
    free(served->clients);
    free(served->took_us);
}

static void run_clients(const Load *load, Served *served, int to)
{
    const int64_t cpu = server_cpu_us(load->server_pid), own = clock_cpu_us(), start = clock_us();
    for (int i = 0; i < load->connections && served->sent < to; i++)
        ask(load, served, &served->clients[i]);
    while (served->done < to) {
        struct epoll_event events[64];
        const int count = epoll_wait(served->epoll, events, 64, -1);
        for (int i = 0; i < count; i++)
            if (hear(served, events[i].data.ptr) && served->sent < to)
                ask(load, served, events[i].data.ptr);
    }
    served->cost.wall_us += clock_us() - start;
    served->client_cost.cpu_us += clock_cpu_us() - own;
    served->cost.cpu_us += server_cpu_us(load->server_pid) - cpu;
}

/* --- both --- */

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static double rate(const Load *load, const Cost *cost)
{
    return load->requests * 1e6 / (double)cost->wall_us;
}

static double each(const Load *load, const Cost *cost)
{
    return (double)cost->cpu_us / load->requests;
}

static void print(const Load *load, const Served *served, const Cost *own, const Cost *alone)
{
    printf("{\"requests\": %d, \"errors\": %d, \"rate\": %.1f, \"p50_ms\": %.2f, \"p99_ms\": %.2f, "
           "\"server_cpu_us\": %.1f, \"client_cpu_us\": %.1f, \"own_rate\": %.1f, "
           "\"own_cpu_us\": %.1f, \"one_engine_rate\": %.1f}\n",
           served->done, served->errors, rate(load, &served->cost),
           served->took_us[served->done / 2] / 1e3, served->took_us[served->done * 99 / 100] / 1e3,
           each(load, &served->cost), each(load, &served->client_cost), rate(load, own),
           each(load, own), rate(load, alone));
}

static void measure(const Load *load)
{
    Own own[MOST_ENGINES], alone[1];
    Cost own_cost = {0}, alone_cost = {0};
    Served served = {0};
    open_own(own, load, load->engines);
    open_own(alone, load, 1);
    open_clients(load, &served);
    for (int from = 0; from < load->requests; from += PORTION) {
        const int to = from + PORTION < load->requests ? from + PORTION : load->requests;
        run_own(own, load->engines, from, to, &own_cost);
        run_clients(load, &served, to);
        run_own(alone, 1, from, to, &alone_cost);
    }
    qsort(served.took_us, (size_t)served.done, sizeof *served.took_us, compare);
    print(load, &served, &own_cost, &alone_cost);
    close_clients(load, &served);
    close_own(alone, 1);
    close_own(own, load->engines);
}

int main(int argc, char **argv)
{
    int64_t given[6];
    for (int i = 0; i < 6; i++)
        if (argc != 7 || !str_int(str_from(argv[i + 1]), 1, 1 << 30, &given[i])) {
            fputs("usage: http_load PORT REQUESTS CONNECTIONS DEPTH ENGINES SERVER_PID\n", stderr);
            return 2;
        }
    Load load = {.port = (int)given[0],
                 .requests = (int)given[1],
                 .connections = (int)given[2],
                 .depth = (int)given[3],
                 .engines = given[4] < MOST_ENGINES ? (int)given[4] : MOST_ENGINES,
                 .server_pid = (long)given[5]};
    /* Reads answers in bundles instead of taking the processor from the server for each. */
    const struct sched_param none = {0};
    sched_setscheduler(0, SCHED_BATCH, &none);
    make_positions(&load);
    measure(&load);
    free(load.fens);
    return 0;
}
