// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard_settings.c -- features, options and what else a client may set. */
#include "front/xboard_impl.h"

#include <stdio.h>
#include <string.h>

static void set_option(XBoard *x, const char *name, const char *value)
{
    SamaraError err;
    if (!samara_set_option(x->engine, name, value, &err))
        console_printf(x->console, "telluser %s", err.text);
}

static void set_number(XBoard *x, const char *option, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    set_option(x, option, text);
}

static void do_memory(void *user, Str rest)
{
    XBoard *x = user;
    int64_t mb;
    if (!str_next_int(&rest, 1, 1 << 22, &mb))
        return;
    xboard_abandon(x);
    set_number(x, "Hash",
               mb - mb / 8 > 0 ? mb - mb / 8 : 1); /* the rest is for threads and network */
    xboard_analyse_again(x);
}

static void do_cores(void *user, Str rest)
{
    XBoard *x = user;
    int64_t cores;
    if (!str_next_int(&rest, 1, 1024, &cores))
        return;
    xboard_abandon(x);
    set_number(x, "Threads", cores);
    xboard_analyse_again(x);
}

/* Only Syzygy tables; other kinds are ignored. */
static void do_egtpath(void *user, Str rest)
{
    XBoard *x = user;
    char path[4096];
    if (!str_is(str_token(&rest), "syzygy") || !str_copy(path, sizeof path, str_trim(rest)))
        return;
    SamaraError err;
    xboard_abandon(x);
    /* Clients announce paths that nobody set: an empty folder is no news for a person. */
    if (!samara_set_option(x->engine, "SyzygyPath", path, &err) || err.text[0])
        console_printf(x->console, "# %s", err.text);
    xboard_analyse_again(x);
}

/* Names are announced with underscores for blanks, because some clients split at blanks. */
static void wide_name(char *name)
{
    const SamaraOption *o;
    for (int i = 0; (o = samara_option(i)); i++) {
        size_t k = 0;
        while (name[k] && (name[k] == o->name[k] || (name[k] == '_' && o->name[k] == ' ')))
            k++;
        if (!name[k] && !o->name[k]) {
            memcpy(name, o->name, k);
            return;
        }
    }
}

/* `option NAME=VALUE`: one of ours (Resign), or one of the engine's table. */
static void do_option(void *user, Str rest)
{
    XBoard *x = user;
    char name[64], value[4096] = "";
    const char *equals = memchr(rest.ptr, '=', rest.len);
    const size_t name_len = equals ? (size_t)(equals - rest.ptr) : rest.len;
    const Str after = equals ? (Str){equals + 1, rest.len - name_len - 1} : STR("");
    if (!str_copy(name, sizeof name, str_trim((Str){rest.ptr, name_len})) ||
        !str_copy(value, sizeof value, str_trim(after))) {
        xboard_error(x, "bad parameters", rest);
        return;
    }
    if (strcmp(name, "Resign") == 0) {
        x->settings.resigns = strcmp(value, "1") == 0;
        return;
    }
    xboard_abandon(x);
    wide_name(name);
    set_option(x, name, value);
    Error why;
    if (strcmp(name, "Debug Log File") == 0 && !console_log(x->console, value, &why))
        console_printf(x->console, "telluser %s", why.text);
    xboard_analyse_again(x);
}

/* --- moves to leave out --- */

static void exclude_all(XBoard *x)
{
    SamaraMove moves[SAMARA_MAX_MOVES];
    x->excluded_count = samara_position_moves(x->position, moves, SAMARA_MAX_MOVES);
    for (size_t i = 0; i < x->excluded_count; i++)
        x->excluded[i] = moves[i].code;
}

/* The move that a word names, in either spelling of castling; 0 if there is none. */
static uint16_t read_code(const XBoard *x, Str word)
{
    char text[16];
    SamaraMove move;
    return str_copy(text, sizeof text, word) &&
                   samara_position_read_move(x->position, text, &move, NULL)
               ? move.code
               : 0;
}

static void drop_excluded(XBoard *x, uint16_t code)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->excluded_count; i++)
        if (x->excluded[i] != code)
            x->excluded[kept++] = x->excluded[i];
    x->excluded_count = kept;
}

/* The analysis begins again without this move. */
static void do_exclude(void *user, Str rest)
{
    XBoard *x = user;
    const Str word = str_token(&rest);
    xboard_abandon(x);
    const uint16_t code = read_code(x, word);
    if (str_is(word, "all"))
        exclude_all(x);
    else if (code && !xboard_is_excluded(x, code))
        x->excluded[x->excluded_count++] = code;
    xboard_analyse_again(x);
}

static void do_include(void *user, Str rest)
{
    XBoard *x = user;
    const Str word = str_token(&rest);
    xboard_abandon(x);
    if (str_is(word, "all"))
        x->excluded_count = 0;
    else
        drop_excluded(x, read_code(x, word));
    xboard_analyse_again(x);
}

/* A score that the person knows better: it goes into the hash table for this position. */
static void do_setscore(void *user, Str rest)
{
    XBoard *x = user;
    int64_t centipawns, depth;
    if (!str_next_int(&rest, -XBOARD_MATE_SCORE, XBOARD_MATE_SCORE, &centipawns) ||
        !str_next_int(&rest, 1, 200, &depth)) {
        xboard_error(x, "bad parameters", STR("setscore"));
        return;
    }
    xboard_abandon(x);
    samara_set_score(x->engine, x->position, (int)centipawns, (int)depth);
    xboard_analyse_again(x);
}

/* --- switches --- */

static void do_hard(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    x->settings.ponder = true;
}

static void do_easy(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    x->settings.ponder = false;
    if (x->work == WORK_PONDER)
        xboard_abandon(x);
}

static void do_post(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    relaxed_store(&x->settings.post, true);
}

static void do_nopost(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    relaxed_store(&x->settings.post, false);
}

/* --- features --- */

/* These have commands of their own. */
static bool has_command(const char *option)
{
    static const char *const names[] = {"Hash",         "Threads",         "Ponder",
                                        "SyzygyPath",   "UCI_Chess960",    "UCI_AnalyseMode",
                                        "UCI_Opponent", "UCI_EngineAbout", "UCI_ShowWDL"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

static void put_choices(Buffer *line, const SamaraOption *o)
{
    bool first = true;
    for (Str rest = str_from(o->choices); rest.len > 0; first = false) {
        const Str word = str_until(&rest, '|');
        buffer_printf(line, "%s%s%.*s", first ? "" : " /// ",
                      str_is(word, o->default_value) ? "*" : "", (int)word.len, word.ptr);
    }
}

/* One option of the engine's table, in the types that the protocol has. */
static void put_option(XBoard *x, const SamaraOption *o)
{
    Buffer line = {0};
    buffer_puts(&line, "feature option=\"");
    for (const char *c = o->name; *c; c++)
        buffer_putc(&line, *c == ' ' ? '_' : *c);
    switch (o->type) {
    case SAMARA_BUTTON:
        buffer_puts(&line, " -button");
        break;
    case SAMARA_CHECK:
        buffer_printf(&line, " -check %d", strcmp(o->default_value, "true") == 0);
        break;
    case SAMARA_SPIN:
        buffer_printf(&line, " -spin %s %lld %lld", o->default_value, (long long)o->min,
                      (long long)o->max);
        break;
    case SAMARA_COMBO:
        buffer_puts(&line, " -combo ");
        put_choices(&line, o);
        break;
    case SAMARA_STRING: /* all of those that remain are files */
        buffer_printf(&line, " -file %s", o->default_value);
        break;
    }
    buffer_putc(&line, '"');
    console_put(x->console, (Str){buffer_text(&line), line.len});
    buffer_free(&line);
}

/* Version 2 clients are told what the engine can do; version 1 has no such line. */
static void do_protover(void *user, Str rest)
{
    XBoard *x = user;
    int64_t version;
    if (!str_next_int(&rest, INT32_MIN, INT32_MAX, &version) || version < 2)
        return;
    console_printf(x->console,
                   "feature myname=\"Samara %s\" ping=1 setboard=1 playother=1 usermove=1 san=0 "
                   "time=1 draw=1 sigint=0 "
                   "sigterm=0 reuse=1 analyze=1 colors=0 ics=1 name=1 pause=1 nps=1 debug=1 "
                   "memory=1 smp=1 exclude=1 "
                   "setscore=1 egt=\"syzygy\" variants=\"normal,fischerandom\"",
                   samara_version());
    console_put(x->console, STR("feature option=\"Resign -check 1\""));
    const SamaraOption *o;
    for (int i = 0; (o = samara_option(i)); i++)
        if (!has_command(o->name))
            put_option(x, o);
    console_put(x->console, STR("feature done=1"));
}

const Command xboard_settings_commands[] = {
    {"protover", ANY_TIME, do_protover, NULL},
    {"hard", ANY_TIME, do_hard, NULL},
    {"easy", ANY_TIME, do_easy, NULL},
    {"post", ANY_TIME, do_post, NULL},
    {"nopost", ANY_TIME, do_nopost, NULL},
    {"memory", WHEN_IDLE, do_memory, NULL},
    {"cores", WHEN_IDLE, do_cores, NULL},
    {"egtpath", WHEN_IDLE, do_egtpath, NULL},
    {"option", WHEN_IDLE, do_option, NULL},
    {"exclude", WHEN_IDLE, do_exclude, NULL},
    {"include", WHEN_IDLE, do_include, NULL},
    {"setscore", WHEN_IDLE, do_setscore, NULL},
    {0},
};
