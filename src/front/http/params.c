// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/params.h"

#include <stdlib.h>
#include <string.h>

typedef enum FieldType {
    TYPE_TEXT,
    TYPE_NUMBER,
    TYPE_FLAG,
    TYPE_WORDS,
    TYPE_METHOD,
    TYPE_CLOCK,
    TYPE_ANALYSE,
    TYPE_POSITIONS,
    TYPE_OBJECT
} FieldType;

typedef struct FieldSpec {
    const char *name;
    Field bit;
    FieldType type;
    size_t offset;    /* where it goes in Params */
    int64_t min, max; /* of a number; max: bytes of a text, most words of a list */
} FieldSpec;

enum { MOST_TIME = -1 }; /* max: what the server allows */

#define FIELD(name, bit, type, member, min, max)                                                   \
    {                                                                                              \
        name, bit, type, offsetof(Params, member), min, max                                        \
    }
static const FieldSpec specs[] = {
    FIELD("fen", FIELD_FEN, TYPE_TEXT, fen, 1, 4096),
    FIELD("moves", FIELD_MOVES, TYPE_WORDS, moves, 0, PARAMS_MAX_WORDS),
    FIELD("chess960", FIELD_CHESS960, TYPE_FLAG, chess960, 0, 0),
    FIELD("depth", FIELD_DEPTH, TYPE_NUMBER, depth, 1, PARAMS_MAX_DEPTH),
    FIELD("nodes", FIELD_NODES, TYPE_NUMBER, nodes, 1, 1000000000000),
    FIELD("movetime", FIELD_MOVETIME, TYPE_NUMBER, movetime, 1, MOST_TIME),
    FIELD("mate", FIELD_MATE, TYPE_NUMBER, mate, 1, 30),
    FIELD("clock", FIELD_CLOCK, TYPE_CLOCK, wtime, 0, 86400000),
    FIELD("multipv", FIELD_MULTIPV, TYPE_NUMBER, multipv, 1, PARAMS_MAX_MULTIPV),
    FIELD("searchmoves", FIELD_SEARCHMOVES, TYPE_WORDS, search_moves, 1, 512),
    FIELD("elo", FIELD_ELO, TYPE_NUMBER, elo, 1, 10000),
    FIELD("method", FIELD_METHOD, TYPE_METHOD, random, 0, 0),
    FIELD("session", FIELD_SESSION, TYPE_TEXT, session, 1, 64),
    FIELD("pgn", FIELD_PGN, TYPE_TEXT, pgn, 1, 4 << 20),
    FIELD("analyse", FIELD_ANALYSE, TYPE_ANALYSE, depth, 0, 0),
    FIELD("report", FIELD_ANALYSE, TYPE_ANALYSE, depth, 0, 0), /* the same; its better name */
    FIELD("limit", FIELD_LIMIT, TYPE_NUMBER, limit, 1, 1000),
    FIELD("orientation", FIELD_ORIENTATION, TYPE_TEXT, orientation, 5, 5),
    FIELD("size", FIELD_SIZE, TYPE_NUMBER, size, 64, 4096),
    FIELD("positions", FIELD_POSITIONS, TYPE_POSITIONS, positions, 1, PARAMS_MAX_POSITIONS),
    FIELD("threads", FIELD_THREADS, TYPE_NUMBER, threads, 1, 1024),
    FIELD("hash", FIELD_HASH, TYPE_NUMBER, hash_mb, 1, 1 << 20),
    FIELD("move", FIELD_MOVE, TYPE_TEXT, move, 2, 12),
    FIELD("language", FIELD_LANGUAGE, TYPE_TEXT, language, 2, 8),
    FIELD("level", FIELD_LEVEL, TYPE_TEXT, level, 1, 16),
    FIELD("card", FIELD_CARD, TYPE_OBJECT, card, 0, 0),
    FIELD("title", FIELD_TITLE, TYPE_TEXT, title, 0, 200),
    FIELD("kind", FIELD_KIND, TYPE_TEXT, kind, 1, 16),
    FIELD("action", FIELD_ACTION, TYPE_TEXT, action, 1, 16),
    FIELD("job", FIELD_JOB, TYPE_TEXT, job, 1, 40),
    FIELD("offset", FIELD_OFFSET, TYPE_NUMBER, offset, 0, 1000000000),
};
enum { SPEC_COUNT = sizeof specs / sizeof *specs };

typedef struct Reading {
    Params *params;
    unsigned allowed;
    int64_t max_time_ms;
    Reply *reply;
} Reading;

static bool read_object(Reading *r, json_t *object, unsigned allowed);

static const FieldSpec *find_field(const char *name, unsigned allowed)
{
    for (int i = 0; i < SPEC_COUNT; i++)
        if ((specs[i].bit & allowed) && strcmp(specs[i].name, name) == 0)
            return &specs[i];
    return NULL;
}

static bool wrong_type(Reading *r, const char *field, const char *wanted)
{
    reply_error(r->reply, 400, "wrong_type", field, 0, "%s must be %s.", field, wanted);
    return false;
}

static bool read_number(Reading *r, const char *name, json_t *value, int64_t min, int64_t max,
                        int64_t *out)
{
    if (!json_is_integer(value))
        return wrong_type(r, name, "a whole number");
    if (max == MOST_TIME)
        max = r->max_time_ms;
    *out = json_integer_value(value);
    if (*out >= min && *out <= max)
        return true;
    reply_error(r->reply, 400, "out_of_range", name, 0, "%s must be between %lld and %lld.", name,
                (long long)min, (long long)max);
    return false;
}

static bool read_text(Reading *r, const FieldSpec *spec, json_t *value, const char **out)
{
    if (!json_is_string(value))
        return wrong_type(r, spec->name, "a text");
    const size_t len = json_string_length(value);
    if (len < (size_t)spec->min || len > (size_t)spec->max) {
        reply_error(r->reply, 400, "out_of_range", spec->name, 0,
                    "%s must have %lld to %lld bytes.", spec->name, (long long)spec->min,
                    (long long)spec->max);
        return false;
    }
    *out = json_string_value(value);
    if (spec->bit == FIELD_PGN)
        r->params->pgn_len = len;
    return true;
}

static bool read_words(Reading *r, const FieldSpec *spec, json_t *value, Words *out)
{
    if (!json_is_array(value))
        return wrong_type(r, spec->name, "a list of moves");
    const size_t count = json_array_size(value);
    if (count < (size_t)spec->min || count > (size_t)spec->max) {
        reply_error(r->reply, 400, "out_of_range", spec->name, 0,
                    "%s must have %lld to %lld moves.", spec->name, (long long)spec->min,
                    (long long)spec->max);
        return false;
    }
    out->words = calloc(count + 1, sizeof *out->words);
    if (!out->words) {
        reply_error(r->reply, 500, "no_memory", NULL, 0, "The server is out of memory.");
        return false;
    }
    for (out->count = 0; out->count < count; out->count++) {
        json_t *word = json_array_get(value, out->count);
        if (!json_is_string(word) || json_string_length(word) > 16)
            return wrong_type(r, spec->name, "a list of moves");
        out->words[out->count] = json_string_value(word);
    }
    return true;
}

static bool read_method(Reading *r, json_t *value)
{
    const char *word = json_string_value(value);
    r->params->random = word && strcmp(word, "random") == 0;
    if (r->params->random || (word && strcmp(word, "best") == 0))
        return true;
    reply_error(r->reply, 400, "out_of_range", "method", 0,
                "method must be \"best\" or \"random\".");
    return false;
}

static bool read_clock(Reading *r, json_t *value)
{
    if (!json_is_object(value))
        return wrong_type(r, "clock", "an object");
    Params *p = r->params;
    const struct {
        const char *name;
        int64_t *out, max;
    } parts[] = {{"wtime", &p->wtime, 86400000},
                 {"btime", &p->btime, 86400000},
                 {"winc", &p->winc, 600000},
                 {"binc", &p->binc, 600000},
                 {"movestogo", &p->movestogo, 1000}};
    const char *name;
    json_t *number;
    json_object_foreach(value, name, number)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof parts / sizeof *parts && !known; i++)
            if (strcmp(parts[i].name, name) == 0) {
                known = true;
                if (!read_number(r, parts[i].name, number, 0, parts[i].max, parts[i].out))
                    return false;
            }
        if (!known) {
            reply_error(r->reply, 400, "unknown_field", name, 0,
                        "clock has no field of this name.");
            return false;
        }
    }
    return true;
}

static bool read_field(Reading *r, const FieldSpec *spec, json_t *value)
{
    void *out = (char *)r->params + spec->offset;
    switch (spec->type) {
    case TYPE_TEXT:
        return read_text(r, spec, value, out);
    case TYPE_NUMBER:
        return read_number(r, spec->name, value, spec->min, spec->max, out);
    case TYPE_WORDS:
        return read_words(r, spec, value, out);
    case TYPE_METHOD:
        return read_method(r, value);
    case TYPE_CLOCK:
        return read_clock(r, value);
    case TYPE_ANALYSE:
        return json_is_object(value)
                   ? read_object(r, value,
                                 FIELD_DEPTH | FIELD_NODES | FIELD_MOVETIME | FIELDS_SPEECH)
                   : wrong_type(r, spec->name, "an object");
    case TYPE_POSITIONS:
        *(json_t **)out = value;
        if (!json_is_array(value))
            return wrong_type(r, spec->name, "a list of positions");
        if (json_array_size(value) >= (size_t)spec->min &&
            json_array_size(value) <= (size_t)spec->max)
            return true;
        reply_error(r->reply, 400, "out_of_range", spec->name, 0,
                    "%s must have %lld to %lld entries.", spec->name, (long long)spec->min,
                    (long long)spec->max);
        return false;
    case TYPE_OBJECT:
        *(json_t **)out = value;
        return json_is_object(value) || wrong_type(r, spec->name, "an object");
    case TYPE_FLAG:
        *(bool *)out = json_is_true(value);
        return json_is_boolean(value) || wrong_type(r, spec->name, "true or false");
    }
    return false;
}

static bool read_object(Reading *r, json_t *object, unsigned allowed)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        const FieldSpec *spec = find_field(name, allowed);
        if (!spec) {
            reply_error(r->reply, 400, "unknown_field", strlen(name) < 64 ? name : NULL, 0,
                        "There is no field of this name here.");
            return false;
        }
        if (!read_field(r, spec, value))
            return false;
        r->params->given |= spec->bit;
    }
    return true;
}

/* Control characters belong into no FEN, and into no log. */
static bool check_fen(Reading *r)
{
    for (const char *c = r->params->fen; c && *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            reply_error(r->reply, 400, "bad_fen", "fen", (int)(c - r->params->fen) + 1,
                        "A FEN has no control characters.");
            return false;
        }
    if (r->params->fen && strcmp(r->params->fen, "startpos") == 0)
        r->params->fen = NULL;
    return true;
}

static bool read_all(Params *params, unsigned allowed, json_t *json, int64_t max_time_ms,
                     Reply *reply)
{
    params->json = json;
    Reading r = {params, allowed, max_time_ms, reply};
    if (read_object(&r, json, allowed) && check_fen(&r))
        return true;
    params_free(params);
    return false;
}

bool params_from_body(Params *params, unsigned allowed, Str body, int64_t max_time_ms, Reply *reply)
{
    *params = (Params){0};
    json_error_t why;
    const char *zero = body.len > 0 ? memchr(body.ptr, 0, body.len) : NULL;
    if (zero) { /* the library passes over one behind a number */
        reply_error(reply, 400, "bad_json", NULL, (int)(zero - body.ptr) + 1,
                    "This is not JSON: it has a byte of value zero.");
        return false;
    }
    json_t *json = json_loadb(body.ptr ? body.ptr : "", body.len, JSON_REJECT_DUPLICATES, &why);
    if (!json) {
        reply_error(reply, 400, "bad_json", NULL, why.position, "This is not JSON: %s.", why.text);
        return false;
    }
    if (!json_is_object(json)) {
        json_decref(json);
        reply_error(reply, 400, "bad_json", NULL, 0, "The body must be a JSON object.");
        return false;
    }
    return read_all(params, allowed, json, max_time_ms, reply);
}

/* "e2e4,e7e5" or with blanks between. */
static json_t *split_words(const char *text)
{
    json_t *list = json_array();
    while (*text) {
        const size_t len = strcspn(text, ", ");
        if (len > 0)
            json_array_append_new(list, json_stringn(text, len));
        text += len + (text[len] != '\0');
    }
    return list;
}

/* What the text of a query means for this field; NULL if it cannot mean anything. */
static json_t *typed(const FieldSpec *spec, const char *text)
{
    int64_t number;
    const Str s = str_from(text);
    switch (spec->type) {
    case TYPE_NUMBER:
        return str_int(s, INT64_MIN, INT64_MAX, &number) ? json_integer(number) : NULL;
    case TYPE_FLAG:
        if (str_is(s, "true") || str_is(s, "1"))
            return json_true();
        return str_is(s, "false") || str_is(s, "0") ? json_false() : NULL;
    case TYPE_WORDS:
        return split_words(text);
    case TYPE_TEXT:
    case TYPE_METHOD:
        return json_string(text);
    case TYPE_CLOCK:
    case TYPE_ANALYSE:
    case TYPE_POSITIONS:
    case TYPE_OBJECT:
        break;
    }
    return NULL;
}

bool params_from_query(Params *params, unsigned allowed, json_t *query, int64_t max_time_ms,
                       Reply *reply)
{
    *params = (Params){0};
    json_t *json = json_object();
    const char *name;
    json_t *value;
    json_object_foreach(query, name, value)
    {
        const FieldSpec *spec = find_field(name, allowed);
        json_t *meant = spec ? typed(spec, json_string_value(value)) : json_null();
        if (!meant) {
            reply_error(reply, 400, "wrong_type", name, 0, "%s cannot be read.", name);
            json_decref(json);
            json_decref(query);
            return false;
        }
        json_object_set_new(json, name, meant);
    }
    json_decref(query);
    return read_all(params, allowed, json, max_time_ms, reply);
}

bool params_from_object(Params *params, unsigned allowed, json_t *json, int64_t max_time_ms,
                        Reply *reply)
{
    *params = (Params){0};
    return read_all(params, allowed, json, max_time_ms, reply);
}

void params_free(Params *params)
{
    free(params->moves.words);
    free(params->search_moves.words);
    json_decref(params->json);
    *params = (Params){0};
}
