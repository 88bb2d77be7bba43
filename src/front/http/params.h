// SPDX-License-Identifier: GPL-3.0-or-later
/* params.h -- what a request asks for, read from a JSON body or from a query by one table of
 * fields. */
#ifndef SAMARA_FRONT_HTTP_PARAMS_H
#define SAMARA_FRONT_HTTP_PARAMS_H

#include "front/http/reply.h"
#include "samara.h"

/* Bits of the fields, for what a route allows and what was given. */
typedef enum Field {
    FIELD_FEN = 1 << 0,
    FIELD_MOVES = 1 << 1,
    FIELD_CHESS960 = 1 << 2,
    FIELD_DEPTH = 1 << 3,
    FIELD_NODES = 1 << 4,
    FIELD_MOVETIME = 1 << 5,
    FIELD_MATE = 1 << 6,
    FIELD_CLOCK = 1 << 7,
    FIELD_MULTIPV = 1 << 8,
    FIELD_SEARCHMOVES = 1 << 9,
    FIELD_ELO = 1 << 10,
    FIELD_METHOD = 1 << 11,
    FIELD_SESSION = 1 << 12,
    FIELD_PGN = 1 << 13,
    FIELD_ANALYSE = 1 << 14,
    FIELD_LIMIT = 1 << 15,
    FIELD_OFFSET = 1 << 16,
    FIELD_THREADS = 1 << 17,
    FIELD_HASH = 1 << 18,
    FIELD_ORIENTATION = 1 << 19,
    FIELD_SIZE = 1 << 20,
    FIELD_POSITIONS = 1 << 21,
    FIELD_MOVE = 1 << 22,
    FIELD_LANGUAGE = 1 << 23,
    FIELD_LEVEL = 1 << 24,
    FIELD_CARD = 1 << 25,
    FIELD_TITLE = 1 << 26,
    FIELD_KIND = 1 << 27,
    FIELD_ACTION = 1 << 28,
    FIELD_JOB = 1 << 29,
    FIELDS_UNREAD =
        1 << 30, /* the query is not looked at: pages, which others link to as they like */
    FIELDS_SPEECH = FIELD_LANGUAGE | FIELD_LEVEL,
    FIELDS_POSITION = FIELD_FEN | FIELD_MOVES | FIELD_CHESS960,
    FIELDS_LIMITS = FIELD_DEPTH | FIELD_NODES | FIELD_MOVETIME | FIELD_MATE,
    FIELDS_SEARCH =
        FIELDS_POSITION | FIELDS_LIMITS | FIELD_MULTIPV | FIELD_SEARCHMOVES | FIELD_SESSION,
} Field;

enum {
    PARAMS_MAX_DEPTH = 60,
    PARAMS_MAX_MULTIPV = 64,
    PARAMS_MAX_WORDS = 20000,
    PARAMS_MAX_POSITIONS = 256
};

typedef struct Words {
    const char **words; /* the strings belong to Params.json */
    size_t count;
} Words;

typedef struct Params {
    json_t *json; /* owns all text */
    unsigned given;
    const char *fen; /* NULL: the start position */
    Words moves, search_moves;
    bool chess960, random;
    int64_t depth, nodes, movetime, mate, multipv, elo;
    int64_t wtime, btime, winc, binc, movestogo;
    const char *session, *pgn;
    const char *move, *language, *level, *title, *kind;
    const char *action, *job; /* of an administrator */
    size_t pgn_len;
    int64_t limit, offset, size;
    const char *orientation;
    json_t *positions;        /* a list; belongs to json */
    json_t *card;             /* an object; belongs to json */
    int64_t threads, hash_mb; /* of a live analysis; 0: as the server likes */
} Params;

/* Both leave an error in *reply and return false if something is wrong; then *params is empty. */
bool params_from_body(Params *params, unsigned allowed, Str body, int64_t max_time_ms,
                      Reply *reply);
/* json: an object of strings, as it came in the query; taken over. */
bool params_from_query(Params *params, unsigned allowed, json_t *query, int64_t max_time_ms,
                       Reply *reply);
/* json: an object; taken over. */
bool params_from_object(Params *params, unsigned allowed, json_t *json, int64_t max_time_ms,
                        Reply *reply);
void params_free(Params *params);

#endif
