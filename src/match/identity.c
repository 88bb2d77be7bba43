// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/identity.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "match/option.h"
#include <stdio.h>
#include <string.h>

enum { NODES = 4000 };

/* An opening, a middlegame and an ending: enough that another network or another search gives
 * another score somewhere. */
static const char *const positions[] = {
    FEN_START,
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "8/5pk1/4p1p1/1r2P2p/5P1P/2R3P1/5K2/8 w - - 0 40",
};
enum { POSITIONS = sizeof positions / sizeof *positions };

void identity_free(EngineIdentity *identity) { buffer_free(&identity->options); }

/* --- options --- */

static bool find_option(Str lines, const char *name, OptionInfo *out)
{
    while (lines.len > 0) {
        *out = option_parse(str_line(&lines));
        if (out->name.len > 0 && str_is_nocase(out->name, name))
            return true;
    }
    return false;
}

/* A choice is a word or some: nothing that could be a path or end the line. */
static bool plain_words(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~' || strchr("/\\:<>|\"'`$;&", *text))
            return false;
    return true;
}

bool identity_takes_option(const EngineIdentity *identity, const EngineOption *option)
{
    const Str value = str_from(option->value);
    int64_t number;
    OptionInfo info;
    if (!find_option((Str){buffer_text(&identity->options), identity->options.len}, option->name,
                     &info))
        return false;
    if (str_is(info.type, "spin"))
        return info.has_min && info.has_max && str_int(value, info.min, info.max, &number);
    if (str_is(info.type, "check"))
        return str_is(value, "true") || str_is(value, "false");
    return str_is(info.type, "combo") && plain_words(option->value);
}

/* --- how it plays --- */

/* Move, score, depth and nodes of one search. */
static Fault look(Client *client, const char *fen, uint32_t *crc, Error *err)
{
    static const TimeControl limit = {.nodes = NODES, .margin = -1};
    Game game;
    Position start;
    Thought thought = {0};
    game_init(&game);
    if (!fen_parse(&start, str_from(fen), FEN_STANDARD, err, NULL))
        return FAULT_PROTOCOL;
    game_reset(&game, &start);
    const Turn turn = {.game = &game, .mover = start.turn, .limit = {&limit, &limit}};
    Fault fault = client_new_game(client, &start, err);
    if (!fault)
        fault = client_think(client, &turn, &thought, err);
    const int64_t facts[] = {(int64_t)thought.move, thought.resigns, thought.is_mate,
                             thought.score,         thought.depth,   thought.nodes};
    *crc = crc32c(*crc, facts, sizeof facts);
    game_free(&game);
    return fault;
}

static Fault look_at_all(Client *client, uint32_t *crc, Error *err)
{
    Fault fault = FAULT_NONE;
    *crc = 0;
    for (int i = 0; i < POSITIONS && !fault; i++)
        fault = look(client, positions[i], crc, err);
    return fault;
}

/* What the engine calls itself, as one line without the sign that divides lanes. */
static void write_title(const Client *client, char *out, size_t size)
{
    str_copy(out, size, str_trim(client_title(client)));
    for (char *c = out; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '|')
            *c = '?';
}

/* Handshake, options that stay here, and two looks. */
static Fault identify(Client *client, const EngineSpec *spec, bool travel, EngineIdentity *out,
                      Error *err)
{
    char title[48];
    uint32_t first = 0, second = 1;
    Fault fault = client_ready(client, false, err);
    if (fault)
        return fault;
    const Str options = client_options(client);
    buffer_append(&out->options, options.ptr, options.len);
    for (int i = 0; i < spec->option_count && !fault; i++)
        if (!travel || !identity_takes_option(out, &spec->options[i]))
            fault = client_set_option(client, spec->options[i].name, spec->options[i].value, err);
    if (!fault && spec->protocol == PROTOCOL_UCI) {
        fault = look_at_all(client, &first, err);
        fault = fault ? fault : look_at_all(client, &second, err);
    }
    write_title(client, title, sizeof title);
    if (first == second)
        snprintf(out->text, sizeof out->text, "%s %08x", title, first);
    else
        snprintf(out->text, sizeof out->text, "%s", title);
    return fault;
}

bool engine_identify(const EngineSpec *spec, bool travel, Guard *guard, const Interrupt *interrupt,
                     EngineIdentity *out, Error *err)
{
    EngineSpec plain = *spec; /* borrows everything */
    *out = (EngineIdentity){0};
    if (plain.protocol == PROTOCOL_UCI)
        plain.option_count = 0;
    Client *client = client_create(&plain, guard, interrupt);
    if (!client)
        return error_code(err, "NO_MEMORY", 0, "out of memory");
    const Fault fault = identify(client, spec, travel, out, err);
    client_destroy(client);
    return !fault && !out->options.failed;
}

bool identity_pair(const char *names[2], const char *identities[2], char out[PAIR_SIZE])
{
    const int a = strcmp(names[0], names[1]) > 0, b = !a;
    const int len = snprintf(out, PAIR_SIZE, "%s (%s) and %s (%s)", names[a], identities[a],
                             names[b], identities[b]);
    for (char *c = out; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '|')
            *c = '?';
    return len > 0 && len < PAIR_SIZE;
}
