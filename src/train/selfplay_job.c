// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/selfplay_job.h"

#include "base/rng.h"
#include "nnue/net.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 14, MOST_GAMES = 4096, CRC_SIZE = 4 };

/* --- what travels --- */

/* The rules as numbers, in the order of SelfplayRules. */
static void rules_numbers(const SelfplayRules *r, int64_t out[RULES])
{
    const int64_t numbers[RULES] = {(int64_t)r->seed,     r->soft_nodes,     r->hard_nodes,
                                    r->chess960_percent,  r->double_percent, r->random_plies,
                                    r->max_opening_score, r->win_score,      r->win_plies,
                                    r->draw_score,        r->draw_plies,     r->draw_from_ply,
                                    r->max_plies,         r->plain};
    memcpy(out, numbers, sizeof numbers);
}

void selfplay_job_write(const SelfplayJob *job, Buffer *payload)
{
    int64_t numbers[RULES];
    rules_numbers(&job->rules, numbers);
    buffer_printf(payload, "selfplay %llu %d %d", (unsigned long long)job->first, job->count,
                  job->hash_mb);
    for (int i = 0; i < RULES; i++)
        buffer_printf(payload, " %lld", (long long)numbers[i]);
}

/* Every number in a range that the player survives. */
static bool read_rules(Str *rest, SelfplayRules *r)
{
    static const int64_t most[RULES] = {INT64_MAX, 1000000000, 1000000000,       100,  100,
                                        60,        30000,      100000,           1000, 100000,
                                        1000,      10000,      RECORD_MAX_PLIES, 1};
    int64_t n[RULES];
    for (int i = 0; i < RULES; i++)
        if (!str_next_int(rest, i == 0 ? INT64_MIN : 0, most[i], &n[i]))
            return false;
    *r = (SelfplayRules){.seed = (uint64_t)n[0],
                         .soft_nodes = (uint32_t)n[1],
                         .hard_nodes = (uint32_t)n[2],
                         .chess960_percent = (int)n[3],
                         .double_percent = (int)n[4],
                         .random_plies = (int)n[5],
                         .max_opening_score = (int)n[6],
                         .win_score = (int)n[7],
                         .win_plies = (int)n[8],
                         .draw_score = (int)n[9],
                         .draw_plies = (int)n[10],
                         .draw_from_ply = (int)n[11],
                         .max_plies = (int)n[12],
                         .plain = n[13] != 0};
    return str_token(rest).len == 0;
}

/* A payload is text from a stranger: every number has its range. */
bool selfplay_job_read(Str payload, SelfplayJob *out)
{
    int64_t first, count, hash;
    if (!str_is(str_token(&payload), "selfplay") || !str_next_int(&payload, 0, INT64_MAX, &first) ||
        !str_next_int(&payload, 1, MOST_GAMES, &count) || !str_next_int(&payload, 1, 4096, &hash) ||
        !read_rules(&payload, &out->rules))
        return false;
    out->first = (uint64_t)first;
    out->count = (int)count;
    out->hash_mb = (int)hash;
    return true;
}

/* Of the question and the answer: games of another job do not pass for these. */
static uint32_t checksum(const SelfplayJob *job, Str games)
{
    Buffer payload = {0};
    selfplay_job_write(job, &payload);
    const uint32_t crc = crc32c(crc32c(0, payload.data, payload.len), games.ptr, games.len);
    buffer_free(&payload);
    return crc;
}

static void add_checksum(const SelfplayJob *job, Buffer *out)
{
    const uint32_t crc = checksum(job, (Str){buffer_text(out), out->len});
    for (int i = 0; i < CRC_SIZE; i++)
        buffer_putc(out, (char)(crc >> (8 * i)));
}

/* Checksum first, then every move is checked while it is read. */
bool selfplay_result_read(const SelfplayJob *job, Str result,
                          bool (*put)(void *user, uint64_t number, const GameRecord *game,
                                      Error *err),
                          void *user, Error *err)
{
    Str games = {result.ptr, result.len >= CRC_SIZE ? result.len - CRC_SIZE : 0};
    uint32_t crc = 0;
    for (int i = 0; i < CRC_SIZE && result.len >= CRC_SIZE; i++)
        crc |= (uint32_t)(uint8_t)result.ptr[games.len + (size_t)i] << (8 * i);
    GameRecord *game = malloc(sizeof *game);
    bool ok = game || error_set(err, "there is not enough memory for a game");
    if (ok && (result.len < CRC_SIZE || crc != checksum(job, games)))
        ok = error_set(err, "the games from %llu on arrived damaged",
                       (unsigned long long)job->first);
    for (int i = 0; ok && i < job->count; i++)
        ok = (record_unpack(&games, game) || error_set(err, "a game arrived damaged")) &&
             put(user, job->first + (uint64_t)i, game, err);
    free(game);
    return ok;
}

bool selfplay_engine(const char *network, char out[QUEUE_NAME_SIZE], Error *err)
{
    Net *loaded = network ? net_load(network, err) : NULL;
    if (network && !loaded)
        return false;
    const Net *net = loaded ? loaded : net_embedded();
    snprintf(out, QUEUE_NAME_SIZE, "Samara %s, %s", samara_version(),
             net ? net_name(net) : "classical");
    net_free(loaded);
    return true;
}

/* --- playing --- */

typedef struct Tools {
    const char *network;
    Player *player;
    int hash_mb; /* of the player */
    GameRecord game;
} Tools;

static void *open_tools(void *user, Error *err)
{
    Tools *tools = calloc(1, sizeof *tools);
    if (!tools)
        error_set(err, "there is not enough memory for a game");
    else
        tools->network = user;
    return tools;
}

static void close_tools(void *arg)
{
    Tools *tools = arg;
    player_free(tools->player);
    free(tools);
}

/* A player whose table has the size that the job names: it is part of the result. */
static bool seat_player(Tools *tools, int hash_mb, Error *err)
{
    if (tools->player && tools->hash_mb == hash_mb)
        return true;
    player_free(tools->player);
    tools->player = player_create(tools->network, hash_mb, err);
    tools->hash_mb = hash_mb;
    return tools->player != NULL;
}

/* Games one after the other, as they would be played here. */
static bool run_games(void *arg, Work *work, WorkResult *result, Error *err)
{
    Tools *tools = arg;
    SelfplayJob job;
    if (!selfplay_job_read(work_payload(work), &job))
        return error_set(err, "this is no job of self-play");
    bool ok = seat_player(tools, job.hash_mb, err);
    for (int i = 0; ok && i < job.count; i++) {
        ok = work_wanted(work) &&
             selfplay_game(tools->player, &job.rules, job.first + (uint64_t)i, &tools->game, err);
        if (ok) {
            record_pack(&tools->game, &result->text);
            result->positions += tools->game.count - tools->game.opening;
        }
    }
    if (ok)
        add_checksum(&job, &result->text);
    return ok;
}

WorkKind selfplay_work(const char *network)
{
    return (WorkKind){.kind = SELFPLAY_JOB_KIND,
                      .user = (void *)network,
                      .open = open_tools,
                      .close = close_tools,
                      .run = run_games};
}
