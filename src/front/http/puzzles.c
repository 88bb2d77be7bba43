// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/puzzles.h"

#include "front/http/think.h"
#include "review/puzzle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1000000, DEFAULT_LIST = 200, CARD_BYTES = 2048, PAGE_OF_CARDS = 200 };

static int64_t id_of(const Request *r)
{
    int64_t id;
    return str_int(str_from(r->id), 1, INT64_MAX, &id) ? id : 0;
}

static void reply_trouble(Reply *reply, StoreAnswer answer, const Error *err)
{
    const bool full = strcmp(err->code, STORE_CODE_FULL) == 0;
    if (answer == STORE_ABSENT)
        reply_error(reply, 404, "not_found", "id", 0, "There is no puzzle with this number.");
    else
        reply_error(reply, full ? 507 : 500, full ? "store_full" : "store_failed", NULL, 0, "%s.",
                    err->text);
}

/* A row as clients see it: the puzzle's own fields, and what surrounds them. */
static json_t *card_json(const StoredCard *c)
{
    char id[24];
    json_t *json = json_loads(c->puzzle ? c->puzzle : "{}", 0, NULL);
    json_t *card = c->card ? json_loads(c->card, 0, NULL) : NULL;
    snprintf(id, sizeof id, "%lld", (long long)c->id);
    json_object_set_new(json, "status", json_string("ok"));
    json_object_set_new(json, "id", json_string(id));
    json_object_set_new(json, "created", json_string(c->created ? c->created : ""));
    json_object_set_new(json, "title", json_string(c->title ? c->title : ""));
    if (card)
        json_object_set_new(json, "card", card);
    return json;
}

static void reply_card(Request *r, int status, int64_t id)
{
    StoredCard card;
    Error err = {0};
    const StoreAnswer answer = store_card_get(r->app->store, id, &card, &err);
    if (answer != STORE_FOUND) {
        reply_trouble(&r->reply, answer, &err);
        return;
    }
    reply_json(&r->reply, status, card_json(&card));
    stored_card_free(&card);
}

/* --- making --- */

static bool goes_on(void *user)
{
    const Request *r = user;
    return !task_should_end(&r->task);
}

/* The same position asks the same question, whoever reached it. */
static void key_of(const SamaraPosition *position, char out[SAMARA_FEN_SIZE])
{
    samara_position_fen(position, out);
    int blanks = 0;
    for (char *c = out; *c; c++)
        if (*c == ' ' && ++blanks == 4)
            *c = '\0';
}

static int64_t keep(Request *r, const char *key, const Puzzle *puzzle, Error *err)
{
    const char *title = r->params.title ? r->params.title : "";
    char untitled[] = "";
    Buffer name = {0}, json = {0}, pgn = {0}, epd = {0};
    JsonWriter w = {.out = &json};
    jw_object(&w, NULL);
    puzzle_json(&w, puzzle);
    jw_end_object(&w);
    buffer_puts(&name, title);
    puzzle_pgn(puzzle, title, &pgn);
    puzzle_epd(puzzle, title, &epd);
    const StoredCard card = {.title = name.len > 0 ? name.data : untitled,
                             .puzzle = json.data,
                             .pgn = pgn.data,
                             .epd = epd.data};
    const bool whole = !name.failed && !json.failed && !pgn.failed && !epd.failed;
    if (!whole)
        error_code(err, "NO_MEMORY", 0, "not enough memory");
    const int64_t id = whole ? store_card_add(r->app->store, key, &card, err) : 0;
    buffer_free(&name);
    buffer_free(&json);
    buffer_free(&pgn);
    buffer_free(&epd);
    return id;
}

/* Judges the move and, if it was a mistake, makes the puzzle and stores it. */
static void make(Request *r, const SamaraPosition *position, const SamaraMove *move,
                 const char *key)
{
    const ReviewEvents events = {.user = r, .goes_on = goes_on};
    const ReviewEffort effort = {.limits.nodes = (uint64_t)r->params.nodes};
    const bool punish = r->params.kind && strcmp(r->params.kind, "punish") == 0;
    const Verdict before = {.known = true, .loss = 100};
    Study study;
    Puzzle puzzle;
    Error err = {0};
    Verdict *verdict = malloc(sizeof *verdict);
    const bool judged = study_open(&study, &effort, &events) && verdict &&
                        verdict_of_move(&study, position, move, verdict);
    if (judged && !puzzle_is_due(verdict)) {
        reply_error(&r->reply, 422, "no_mistake", "move", 0,
                    "This move loses too little to make a puzzle of it.");
    } else if (judged && puzzle_make(&study, position, verdict, punish ? &before : NULL, &puzzle)) {
        const int64_t id = keep(r, key, &puzzle, &err);
        if (id != 0)
            reply_card(r, 201, id);
        else
            reply_trouble(&r->reply, STORE_FAILED, &err);
    } else {
        reply_error(&r->reply, 503, "search_failed", NULL, 0, "%s.",
                    study.err.text[0] ? study.err.text : "the search was cut short");
    }
    study_close(&study);
    free(verdict);
}

void puzzles_post(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const Params *p = &r->params;
    char key[SAMARA_FEN_SIZE];
    SamaraMove move;
    SamaraError err = {0};
    if (!p->move) {
        reply_error(&r->reply, 400, "missing_field", "move", 0, "move is required.");
    } else if (p->nodes > MOST_NODES) {
        reply_error(&r->reply, 400, "out_of_range", "nodes", 0, "nodes must be at most %d.",
                    (int)MOST_NODES);
    } else if (!think_prepare(slot, p, &r->reply)) {
        /* the answer says why */
    } else if (!samara_position_read_move(slot->position, p->move, &move, &err)) {
        reply_error(&r->reply, 422, "illegal_move", "move", 0, "%s.", err.text);
    } else {
        key_of(slot->position, key);
        const int64_t known = store_card_find(r->app->store, key);
        if (known != 0)
            reply_card(r, 200, known);
        else
            make(r, slot->position, &move, key);
    }
    request_done(r);
}

/* --- reading and changing --- */

void puzzles_list(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    const size_t max = r->params.limit > 0 ? (size_t)r->params.limit : DEFAULT_LIST;
    StoredCard *cards = calloc(max, sizeof *cards);
    const size_t count =
        cards ? store_cards(r->app->store, (size_t)r->params.offset, cards, max) : 0;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, card_json(&cards[i]));
        stored_card_free(&cards[i]);
    }
    free(cards);
    reply_json(&r->reply, 200,
               json_pack("{s:s, s:I, s:o}", "status", "ok", "total",
                         (json_int_t)store_card_count(r->app->store), "puzzles", list));
    request_done(r);
}

void puzzles_get(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    reply_card(r, 200, id_of(r));
    request_done(r);
}

/* The trainer's memory of a puzzle: any small object, which comes back as it was. */
void puzzles_learn(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    char *text = r->params.card ? json_dumps(r->params.card, JSON_COMPACT) : NULL;
    Error err = {0};
    if (!text) {
        reply_error(&r->reply, 400, "missing_field", "card", 0, "card is required.");
    } else if (strlen(text) > CARD_BYTES) {
        reply_error(&r->reply, 400, "out_of_range", "card", 0, "card may have %d bytes.",
                    (int)CARD_BYTES);
    } else {
        const StoreAnswer answer = store_card_set(r->app->store, id_of(r), text, &err);
        if (answer == STORE_FOUND)
            reply_card(r, 200, id_of(r));
        else
            reply_trouble(&r->reply, answer, &err);
    }
    free(text);
    request_done(r);
}

void puzzles_delete(Task *task, Slot *slot)
{
    (void)slot;
    Request *r = (Request *)task;
    Error err = {0};
    const StoreAnswer answer = store_card_delete(r->app->store, id_of(r), &err);
    if (answer == STORE_FOUND)
        reply_json(&r->reply, 200, json_pack("{s:s, s:b}", "status", "ok", "deleted", 1));
    else
        reply_trouble(&r->reply, answer, &err);
    request_done(r);
}

/* --- export --- */

/* All puzzles, as files that other programs read. */
static void export_all(Request *r, bool pgn)
{
    StoredCard *cards = calloc(PAGE_OF_CARDS, sizeof *cards);
    Buffer text = {0};
    size_t count = 0;
    for (size_t offset = 0; cards; offset += count) {
        count = store_cards(r->app->store, offset, cards, PAGE_OF_CARDS);
        for (size_t i = 0; i < count; i++) {
            const char *part = pgn ? cards[i].pgn : cards[i].epd;
            buffer_puts(&text, part ? part : "");
            stored_card_free(&cards[i]);
        }
        if (count < PAGE_OF_CARDS)
            break;
    }
    if (!cards || text.failed)
        reply_error(&r->reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
    else
        reply_text(&r->reply, 200,
                   pgn ? "application/x-chess-pgn; charset=utf-8" : "text/plain; charset=utf-8",
                   buffer_text(&text));
    buffer_free(&text);
    free(cards);
    request_done(r);
}

void puzzles_pgn(Task *task, Slot *slot)
{
    (void)slot;
    export_all((Request *)task, true);
}

void puzzles_epd(Task *task, Slot *slot)
{
    (void)slot;
    export_all((Request *)task, false);
}
