// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/settings.h"

#include <stdlib.h>
#include <string.h>

static bool no_memory(Error *err) { return error_code(err, "NO_MEMORY", 0, "out of memory"); }

static bool refuse(Error *err, const char *what, Str word)
{
    return error_set(err, "%s '%.*s'", what, word.len > 100 ? 100 : (int)word.len, word.ptr);
}

/* Given in units of which one is `unit` microseconds. */
static bool parse_time(Str value, double unit, int64_t *out)
{
    double amount;
    if (!str_double(value, &amount) || amount < 0 || amount * unit > 1e15)
        return false;
    *out = (int64_t)(amount * unit + 0.5);
    return true;
}

/* Node and other counts may be written 2000, 25k, 1M. */
static bool parse_count(Str value, int64_t *out)
{
    int64_t factor = 1;
    if (value.len && (value.ptr[value.len - 1] == 'k' || value.ptr[value.len - 1] == 'K'))
        factor = 1000;
    if (value.len && (value.ptr[value.len - 1] == 'm' || value.ptr[value.len - 1] == 'M'))
        factor = 1000 * 1000;
    value.len -= factor > 1;
    if (!str_int(value, 1, INT64_MAX / factor, out))
        return false;
    *out *= factor;
    return true;
}

static bool parse_total(Str value, uint64_t *out)
{
    int64_t number;
    if (!parse_count(value, &number) || number > INT32_MAX)
        return false;
    *out = (uint64_t)number;
    return true;
}

/* --- engines --- */

/* Words with blanks may be quoted. */
bool engine_split_arguments(EngineSpec *spec, Str text)
{
    size_t i = 0;
    while (i < text.len) {
        const char blank = ' ', quote = '"';
        while (i < text.len && text.ptr[i] == blank)
            i++;
        if (i == text.len)
            break;
        const char stop = text.ptr[i] == quote ? quote : blank;
        const size_t begin = i += stop == quote;
        while (i < text.len && text.ptr[i] != stop)
            i++;
        if (!engine_add_argument(spec, (Str){text.ptr + begin, i - begin}))
            return false;
        i += i < text.len;
    }
    return true;
}

/* The command comes first in argv, wherever it stood among the settings. */
bool engine_set_command(EngineSpec *spec, Str value)
{
    if (spec->argc)
        return engine_set(&spec->argv[0], value);
    return engine_add_argument(spec, value);
}

static bool need_command_place(EngineSpec *spec)
{
    return spec->argc || engine_add_argument(spec, STR(""));
}

static bool take_argument(void *target, Str value, Error *err)
{
    return (need_command_place(target) && engine_add_argument(target, value)) || no_memory(err);
}

static bool take_arguments(void *target, Str value, Error *err)
{
    return (need_command_place(target) && engine_split_arguments(target, value)) || no_memory(err);
}

static bool take_command(void *target, Str value, Error *err)
{
    return engine_set_command(target, value) || no_memory(err);
}

static bool take_copy(void *target, Str value, Error *err)
{
    return engine_set(target, value) || no_memory(err);
}

static bool take_init(void *target, Str value, Error *err)
{
    return engine_add_init(target, value) || no_memory(err);
}

/* "Hash=64" of option.Hash=64. */
static bool take_option(void *target, Str value, Error *err)
{
    const char *equals = memchr(value.ptr, '=', value.len);
    const size_t len = equals ? (size_t)(equals - value.ptr) : value.len;
    const Str text = equals ? (Str){equals + 1, value.len - len - 1} : STR("");
    return engine_add_option(target, (Str){value.ptr, len}, text) || no_memory(err);
}

static bool take_protocol(void *target, Str value, Error *err)
{
    *(Protocol *)target = str_is(value, "uci") ? PROTOCOL_UCI : PROTOCOL_XBOARD;
    return str_is(value, "uci") || str_is(value, "xboard") || str_is(value, "cecp") ||
           refuse(err, "it is uci or xboard, not", value);
}

static bool take_clock(void *target, Str value, Error *err)
{
    return time_control_parse(target, value, err);
}

static bool take_seconds(void *target, Str value, Error *err)
{
    int64_t time;
    if (!parse_time(value, 1e6, &time) || time == 0)
        return refuse(err, "seconds are needed, not", value);
    *(int64_t *)target = time;
    return true;
}

static bool take_milliseconds(void *target, Str value, Error *err)
{
    return parse_time(value, 1e3, target) || refuse(err, "milliseconds are needed, not", value);
}

static bool take_count(void *target, Str value, Error *err)
{
    return parse_count(value, target) ||
           refuse(err, "a number such as 2000 or 25k is needed, not", value);
}

/* What may follow -engine and -each. */
void engine_settings(EngineSpec *e, ArgSpec *out)
{
    TimeControl *tc = &e->tc;
    const ArgSpec list[ENGINE_SETTINGS] = {
        ARGS_CALL("cmd", e, take_command, "PROGRAM", "looked up in PATH unless it has a slash"),
        ARGS_CALL("name", &e->name, take_copy, "NAME",
                  "name in tables and PGN (default: the program's name)"),
        ARGS_CALL("arg", e, take_argument, "WORD", "one argument of the program"),
        ARGS_CALL("args", e, take_arguments, "\"WORDS\"", "several arguments"),
        ARGS_CALL("proto", &e->protocol, take_protocol, "uci|xboard", "protocol (default uci)"),
        ARGS_CALL("option.", e, take_option, "NAME=VALUE", "an option of the engine"),
        ARGS_CALL("tc", tc, take_clock, "[MOVES/]TIME[+INC]",
                  "clock in seconds, or minutes:seconds; inf: none"),
        ARGS_CALL("st", &tc->move_time, take_seconds, "SECONDS", "time for each move"),
        ARGS_CALL("nodes", &tc->nodes, take_count, "N", "nodes for each move, such as 25k"),
        ARGS_LONG("depth", &tc->depth, 1, 1000, "N", "depth for each move"),
        ARGS_CALL("timemargin", &tc->margin, take_milliseconds, "MS",
                  "tolerance before a loss on time (default 0; 20 with st)"),
        ARGS_CALL("hang", &tc->patience, take_seconds, "SECONDS",
                  "silence that counts as a hang (default 10; 120 without a clock)"),
        ARGS_CALL("dir", &e->directory, take_copy, "FOLDER", "folder to run it in"),
        ARGS_CALL("stderr", &e->stderr_path, take_copy, "FILE",
                  "where its error messages go (default: thrown away)"),
        ARGS_CALL("init", e, take_init, "LINE", "line sent after the handshake"),
        ARGS_CALL("initstr", e, take_init, "LINE", NULL),
        ARGS_FLAG("ponder", &e->ponder,
                  "thinks in the opponent's time, too: a game then needs two cores"),
        ARGS_FLAG("restart", &e->restart, "restart=on: a fresh process for every game"),
        ARGS_INT("linegap", &e->line_gap_ms, 0, 1000, "MS",
                 "pause between lines sent to an XBoard engine: GNU Chess needs 2"),
    };
    memcpy(out, list, sizeof list);
}

bool settings_engine(EngineSpec *e, const char *where, Str word, Error *err)
{
    ArgSpec list[ENGINE_SETTINGS];
    engine_settings(e, list);
    return args_setting(list, ENGINE_SETTINGS, where, word, err);
}

/* --- the other sections --- */

static bool take_format(void *target, Str value, Error *err)
{
    *(OpeningFormat *)target = str_is(value, "pgn") ? OPENING_PGN : OPENING_EPD;
    return str_is(value, "epd") || str_is(value, "pgn") ||
           refuse(err, "it is epd or pgn, not", value);
}

static bool take_order(void *target, Str value, Error *err)
{
    *(bool *)target = str_is(value, "random");
    return str_is(value, "random") || str_is(value, "sequential") ||
           refuse(err, "it is random or sequential, not", value);
}

static bool take_start(void *target, Str value, Error *err)
{
    int64_t number;
    if (!str_int(value, 1, INT64_MAX, &number))
        return refuse(err, "it counts from 1; there is no", value);
    *(uint64_t *)target = (uint64_t)number - 1;
    return true;
}

bool take_seed(void *target, Str value, Error *err)
{
    int64_t number;
    if (!str_int(value, 0, INT64_MAX, &number))
        return refuse(err, "a seed is a whole number, not", value);
    *(uint64_t *)target = (uint64_t)number;
    return true;
}

static bool take_nothing(void *target, Str value, Error *err)
{
    (void)target;
    (void)value;
    (void)err;
    return true;
}

/* The settings behind -openings, each with its range and its line of help. */
void opening_settings(OpeningConfig *c, ArgSpec *out)
{
    const ArgSpec list[OPENING_SETTINGS] = {
        ARGS_TEXT("file", &c->path, "FILE", "EPD or PGN file of openings"),
        ARGS_CALL("format", &c->format, take_format, "epd|pgn",
                  "of the file (default: by its name)"),
        ARGS_CALL("order", &c->shuffle, take_order, "random|sequential",
                  "order of the openings (default sequential)"),
        ARGS_CALL("seed", &c->seed, take_seed, "N", "the same as -seed"),
        ARGS_INT("plies", &c->plies, 0, INT32_MAX, "N", "half-moves to take of each game; 0: all"),
        ARGS_CALL("start", &c->first, take_start, "N", "number of the first opening"),
        ARGS_CALL("policy", c, take_nothing, "WORD", NULL), /* of cutechess; ours is fixed */
    };
    memcpy(out, list, sizeof list);
}

bool settings_openings(OpeningConfig *c, Str word, Error *err)
{
    ArgSpec list[OPENING_SETTINGS];
    opening_settings(c, list);
    return args_setting(list, OPENING_SETTINGS, "-openings", word, err);
}

static bool take_model(void *target, Str value, Error *err)
{
    *(SprtModel *)target = str_is(value, "logistic") ? SPRT_LOGISTIC : SPRT_NORMALISED;
    return str_is(value, "logistic") || str_is(value, "normalized") ||
           str_is(value, "normalised") || refuse(err, "it is normalized or logistic, not", value);
}

/* The settings behind -sprt. */
void sprt_settings(Sprt *t, ArgSpec *out)
{
    const ArgSpec list[SPRT_SETTINGS] = {
        ARGS_REAL("elo0", &t->elo0, -1000, 1000, "X", "strength that counts as no gain"),
        ARGS_REAL("elo1", &t->elo1, -1000, 1000, "X", "strength that counts as a gain"),
        ARGS_REAL("alpha", &t->alpha, 0.000001, 0.499, "X", "risk of accepting no gain"),
        ARGS_REAL("beta", &t->beta, 0.000001, 0.499, "X", "risk of refusing a gain"),
        ARGS_CALL("model", &t->model, take_model, "normalized|logistic",
                  "unit of elo0 and elo1 (default normalized)"),
    };
    memcpy(out, list, sizeof list);
}

bool settings_sprt(Sprt *t, Str word, Error *err)
{
    ArgSpec list[SPRT_SETTINGS];
    sprt_settings(t, list);
    return args_setting(list, SPRT_SETTINGS, "-sprt", word, err);
}

void draw_settings(Adjudication *a, ArgSpec *out)
{
    const ArgSpec list[DRAW_SETTINGS] = {
        ARGS_INT("movenumber", &a->draw_from, 0, INT32_MAX, "N", "from this move on"),
        ARGS_INT("movecount", &a->draw_moves, 1, INT32_MAX, "N", "for so many moves"),
        ARGS_INT("score", &a->draw_score, 0, INT32_MAX, "N", "within so many centipawns"),
    };
    memcpy(out, list, sizeof list);
}

bool settings_draw(Adjudication *a, Str word, Error *err)
{
    ArgSpec list[DRAW_SETTINGS];
    draw_settings(a, list);
    return args_setting(list, DRAW_SETTINGS, "-draw", word, err);
}

void resign_settings(Adjudication *a, ArgSpec *out)
{
    const ArgSpec list[RESIGN_SETTINGS] = {
        ARGS_INT("movecount", &a->resign_moves, 1, INT32_MAX, "N", "for so many moves"),
        ARGS_INT("score", &a->resign_score, 1, INT32_MAX, "N", "so many centipawns behind"),
        ARGS_FLAG("twosided", &a->resign_two_sided, "twosided=true: the winner must agree"),
    };
    memcpy(out, list, sizeof list);
}

bool settings_resign(Adjudication *a, Str word, Error *err)
{
    ArgSpec list[RESIGN_SETTINGS];
    resign_settings(a, list);
    return args_setting(list, RESIGN_SETTINGS, "-resign", word, err);
}

/* --- options of one word --- */

bool take_total(void *target, Str word, Error *err)
{
    return parse_total(word, target) ||
           refuse(err, "a number such as 100 or 2k is needed, not", word);
}

bool take_tournament(void *target, Str word, Error *err)
{
    const bool gauntlet = str_is(word, "gauntlet");
    *(TournamentForm *)target = gauntlet ? GAUNTLET : ROUND_ROBIN;
    return gauntlet || str_is(word, "round-robin") || str_is(word, "roundrobin") ||
           refuse(err, "it is round-robin or gauntlet, not", word);
}

bool take_variant(void *target, Str word, Error *err)
{
    bool *chess960 = target;
    *chess960 = str_is(word, "fischerandom") || str_is(word, "chess960");
    return *chess960 || str_is(word, "standard") ||
           refuse(err, "it is standard or fischerandom, not", word);
}

bool take_repeat(void *target, Str word, Error *err)
{
    *(bool *)target = true;
    return str_is(word, "2") || refuse(err, "an opening is played twice, not", word);
}
