// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/explorer.h"

#include "base/clock.h"
#include "front/http/think.h"
#include <stdlib.h>
#include <string.h>

enum {
    INDEXED_PLIES = 60,    /* of each game: what follows is no opening */
    INDEX_BUDGET_MS = 300, /* of one request for games that are new */
    MOST_MOVES = 64,       /* in an answer */
    MOST_GAMES = 8,
};

/* --- games become steps --- */

/* Which moves were played where, over the first plies of a game. */
static size_t steps_of(const SamaraGame *game, SamaraPosition *position, StoredStep *steps)
{
    const SamaraMove *moves = samara_game_moves(game);
    size_t count = samara_game_length(game);
    if (count > INDEXED_PLIES)
        count = INDEXED_PLIES;
    if (!samara_game_position(game, 0, position, NULL))
        return 0;
    for (size_t i = 0; i < count; i++) {
        steps[i].key = (int64_t)samara_position_key(position);
        memcpy(steps[i].uci, moves[i].uci, sizeof steps[i].uci);
        if (!samara_position_play(position, &moves[i], NULL))
            return i;
    }
    return count;
}

/* Takes in games that came since the last question, within a budget. False: there are more. */
static bool index_new_games(Store *store, SamaraPosition *position)
{
    const int64_t end = clock_ms() + INDEX_BUDGET_MS;
    char *pgn = NULL;
    for (int64_t id; (id = store_next_unindexed(store, &pgn)) != 0; pgn = NULL) {
        StoredStep steps[INDEXED_PLIES];
        SamaraGame *game = samara_game_read(pgn, strlen(pgn), NULL, NULL);
        const size_t count = game ? steps_of(game, position, steps) : 0;
        const bool stored = store_index(store, id, steps, count);
        samara_game_free(game);
        free(pgn);
        if (!stored || clock_ms() >= end)
            return false;
    }
    return true;
}

/* --- a position's moves --- */

static json_t *counts_json(const PlayedMove *m)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "games", (json_int_t)m->games, "white",
                     (json_int_t)m->white, "draws", (json_int_t)m->draws, "black",
                     (json_int_t)m->black);
}

/* Moves of the stored games; *all is their sum. A move that is not legal belongs to another
 * position with the same key, or to another spelling of castling, and is left out. */
static json_t *played_json(Store *store, const SamaraPosition *position, PlayedMove *all)
{
    PlayedMove played[MOST_MOVES];
    json_t *list = json_array();
    const size_t count =
        store_played(store, (int64_t)samara_position_key(position), played, MOST_MOVES);
    *all = (PlayedMove){0};
    for (size_t i = 0; i < count; i++) {
        SamaraMove move;
        const PlayedMove *m = &played[i];
        if (!samara_position_read_move(position, m->uci, &move, NULL))
            continue;
        json_t *json = counts_json(m);
        json_object_set_new(json, "uci", json_string(move.uci));
        json_object_set_new(json, "san", json_string(move.san));
        json_array_append_new(list, json);
        all->games += m->games;
        all->white += m->white;
        all->draws += m->draws;
        all->black += m->black;
    }
    return list;
}

/* The weights of a book mean nothing alone, so each move has its share too. */
static json_t *book_json(const Slot *slot)
{
    SamaraBookMove moves[SAMARA_MAX_MOVES];
    json_t *list = json_array();
    const size_t count = samara_book_moves(slot->engine, slot->position, moves, SAMARA_MAX_MOVES);
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += moves[i].weight;
    for (size_t i = 0; i < count && i < MOST_MOVES; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:f}", "uci", moves[i].move.uci,
                                              "san", moves[i].move.san, "weight", moves[i].weight,
                                              "share", total > 0 ? moves[i].weight / total : 0.0));
    return list;
}

/* The newest games of the library that had this position. */
static json_t *reached_json(Store *store, const SamaraPosition *position)
{
    StoredGame games[MOST_GAMES];
    json_t *list = json_array();
    const size_t count =
        store_reached(store, (int64_t)samara_position_key(position), games, MOST_GAMES);
    for (size_t i = 0; i < count; i++) {
        char id[24];
        snprintf(id, sizeof id, "%lld", (long long)games[i].id);
        json_array_append_new(list, json_pack("{s:s, s:s?, s:s?, s:s?, s:s?}", "id", id, "created",
                                              games[i].created, "white", games[i].white, "black",
                                              games[i].black, "result", games[i].result));
        stored_game_free(&games[i]);
    }
    return list;
}

/* What was played here in the library, and what the book says. Games that came since the last time
 * are indexed first. */
void explorer_moves(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    Store *store = r->app->store;
    const bool complete = index_new_games(store, slot->position);
    if (think_prepare(slot, &r->params, &r->reply)) {
        char fen[SAMARA_FEN_SIZE];
        PlayedMove all;
        samara_position_fen(slot->position, fen);
        json_t *moves = played_json(store, slot->position, &all);
        json_t *json = counts_json(&all);
        json_object_set_new(json, "status", json_string("ok"));
        json_object_set_new(json, "fen", json_string(fen));
        json_object_set_new(json, "complete", json_boolean(complete));
        json_object_set_new(json, "moves", moves);
        json_object_set_new(json, "book", book_json(slot));
        json_object_set_new(json, "recent", reached_json(store, slot->position));
        reply_json(&r->reply, 200, json);
    }
    request_done(r);
}

/* --- endgame tables --- */

static const char *verdict_name(int verdict)
{
    static const char *const names[] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};
    return names[verdict + 2];
}

/* What the endgame tables say of each move; an answer in words where they cannot. */
void explorer_tables(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    SamaraTableMove moves[SAMARA_MAX_MOVES];
    const int men = samara_table_men(slot->engine);
    size_t count;
    json_t *over;
    if (men == 0)
        reply_error(&r->reply, 422, "no_tables", NULL, 0,
                    "This server has no endgame tables; see samara serve --syzygy.");
    else if (!think_prepare(slot, &r->params, &r->reply)) {
        /* the answer says why */
    } else if (samara_position_moves(slot->position, NULL, 0) == 0) {
        over = think_finished(slot->position);
        reply_json(&r->reply, 200, over);
    } else if ((count = samara_table_moves(slot->engine, slot->position, moves,
                                           SAMARA_MAX_MOVES)) == 0) {
        reply_error(&r->reply, 422, "not_in_tables", "fen", 0,
                    "The tables of this server, of up to %d men and without castling rights, do "
                    "not know this position.",
                    men);
    } else {
        char fen[SAMARA_FEN_SIZE];
        json_t *list = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:i}", "uci", moves[i].move.uci, "san",
                                            moves[i].move.san, "verdict",
                                            verdict_name(moves[i].verdict), "dtz", moves[i].dtz));
        samara_position_fen(slot->position, fen);
        reply_json(&r->reply, 200,
                   json_pack("{s:s, s:s, s:s, s:i, s:i, s:o}", "status", "ok", "fen", fen,
                             "verdict", verdict_name(moves[0].verdict), "dtz", moves[0].dtz, "men",
                             men, "moves", list));
    }
    request_done(r);
}
