// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/engine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000 * 1000 };

/* Splits at the first `mark`: the part before it is returned, *rest keeps the part behind. */
static bool split_at(Str *rest, char mark, Str *before)
{
    const char *at = rest->len ? memchr(rest->ptr, mark, rest->len) : NULL;
    if (!at)
        return false;
    *before = (Str){rest->ptr, (size_t)(at - rest->ptr)};
    *rest = (Str){at + 1, rest->len - before->len - 1};
    return true;
}

static bool parse_seconds(Str text, int64_t *out)
{
    double minutes = 0, seconds;
    Str head;
    if (split_at(&text, ':', &head) && !str_double(head, &minutes))
        return false;
    if (!str_double(text, &seconds) || seconds < 0 || minutes < 0 || minutes > 1e6 || seconds > 1e8)
        return false;
    *out = llround((minutes * 60 + seconds) * SECOND);
    return true;
}

/* "moves/base+increment" in seconds; *tc changes only if all of it can be read. */
bool time_control_parse(TimeControl *tc, Str text, Error *err)
{
    TimeControl parsed = *tc;
    Str rest = text, part;
    parsed.moves = parsed.base = parsed.increment = 0;
    if (str_is(text, "inf") || str_is(text, "infinite")) {
        *tc = parsed;
        return true;
    }
    bool ok = !split_at(&rest, '/', &part) || str_int(part, 0, 1000, &parsed.moves);
    Str base = rest;
    if (split_at(&rest, '+', &part)) {
        base = part;
        ok = ok && parse_seconds(rest, &parsed.increment);
    }
    ok = ok && parse_seconds(base, &parsed.base) && parsed.base + parsed.increment > 0;
    if (!ok)
        return error_set(err, "'%.*s' is no time control (moves/seconds+increment)", (int)text.len,
                         text.ptr);
    *tc = parsed;
    return true;
}

bool time_control_given(const TimeControl *tc)
{
    return tc->base || tc->increment || tc->move_time || tc->depth || tc->nodes;
}

/* The form that time_control_parse() reads, as the PGN tag wants it. */
void time_control_write(const TimeControl *tc, Buffer *out)
{
    if (!tc->base && !tc->increment) {
        buffer_puts(out, "-");
        return;
    }
    if (tc->moves)
        buffer_printf(out, "%lld/", (long long)tc->moves);
    buffer_printf(out, "%g", (double)tc->base / SECOND);
    if (tc->increment)
        buffer_printf(out, "+%g", (double)tc->increment / SECOND);
}

/* All limits of an engine in one short text, for reports. */
void limit_write(const TimeControl *tc, Buffer *out)
{
    const size_t begin = out->len;
    if (tc->base || tc->increment)
        time_control_write(tc, out);
    if (tc->move_time)
        buffer_printf(out, " st=%g", (double)tc->move_time / SECOND);
    if (tc->depth)
        buffer_printf(out, " depth=%lld", (long long)tc->depth);
    if (tc->nodes)
        buffer_printf(out, " nodes=%lld", (long long)tc->nodes);
    if (out->len > begin && out->data[begin] == ' ') { /* a blank is only wanted between two */
        memmove(out->data + begin, out->data + begin + 1, out->len - begin);
        out->len--;
    }
}

static char *copy_of(Str text)
{
    char *copy = malloc(text.len + 1);
    if (copy) {
        memcpy(copy, text.ptr, text.len);
        copy[text.len] = 0;
    }
    return copy;
}

bool engine_set(char **field, Str value)
{
    char *copy = copy_of(value);
    if (!copy)
        return false;
    free(*field);
    *field = copy;
    return true;
}

/* Appends to a NULL-terminated list. */
static bool list_add(char ***list, int *count, Str text)
{
    char *copy = copy_of(text);
    char **grown = realloc(*list, sizeof(char *) * ((size_t)*count + 2));
    if (grown)
        *list = grown;
    if (!copy || !grown) {
        free(copy);
        return false;
    }
    grown[(*count)++] = copy;
    grown[*count] = NULL;
    return true;
}

bool engine_add_argument(EngineSpec *spec, Str argument)
{
    return list_add(&spec->argv, &spec->argc, argument);
}

bool engine_add_init(EngineSpec *spec, Str line)
{
    return list_add(&spec->init, &spec->init_count, line);
}

/* The last value of a name counts. */
bool engine_add_option(EngineSpec *spec, Str name, Str value)
{
    for (int i = 0; i < spec->option_count; i++)
        if (str_is_nocase(name, spec->options[i].name))
            return engine_set(&spec->options[i].value, value);

    EngineOption *grown = realloc(spec->options, sizeof *grown * ((size_t)spec->option_count + 1));
    if (!grown)
        return false;
    spec->options = grown;
    EngineOption *added = &grown[spec->option_count];
    *added = (EngineOption){copy_of(name), copy_of(value)};
    if (!added->name || !added->value) {
        free(added->name);
        free(added->value);
        return false;
    }
    spec->option_count++;
    return true;
}

static void list_free(char **list, int count)
{
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

/* The specification may be used again: it is empty then. */
void engine_free(EngineSpec *spec)
{
    free(spec->name);
    free(spec->directory);
    free(spec->stderr_path);
    list_free(spec->argv, spec->argc);
    list_free(spec->init, spec->init_count);
    for (int i = 0; i < spec->option_count; i++) {
        free(spec->options[i].name);
        free(spec->options[i].value);
    }
    free(spec->options);
    *spec = (EngineSpec){0};
}

/* Arguments, start commands and options; what was copied before a failure is freed by the caller.
 * */
static bool copy_lists(EngineSpec *out, const EngineSpec *spec)
{
    for (int i = 0; i < spec->argc; i++)
        if (!engine_add_argument(out, str_from(spec->argv[i])))
            return false;
    for (int i = 0; i < spec->init_count; i++)
        if (!engine_add_init(out, str_from(spec->init[i])))
            return false;
    for (int i = 0; i < spec->option_count; i++)
        if (!engine_add_option(out, str_from(spec->options[i].name),
                               str_from(spec->options[i].value)))
            return false;
    return true;
}

/* A deep copy that shares nothing, for the two players of a tuning game. */
bool engine_copy(EngineSpec *out, const EngineSpec *spec)
{
    *out = (EngineSpec){.protocol = spec->protocol,
                        .restart = spec->restart,
                        .ponder = spec->ponder,
                        .line_gap_ms = spec->line_gap_ms,
                        .tc = spec->tc};
    const bool ok =
        (!spec->name || engine_set(&out->name, str_from(spec->name))) &&
        (!spec->directory || engine_set(&out->directory, str_from(spec->directory))) &&
        (!spec->stderr_path || engine_set(&out->stderr_path, str_from(spec->stderr_path))) &&
        copy_lists(out, spec);
    if (!ok)
        engine_free(out);
    return ok;
}

/* Everything that changes how the engine plays: the fingerprint of a match is made of it. */
void engine_describe(const EngineSpec *spec, Buffer *out)
{
    const TimeControl *tc = &spec->tc;
    buffer_printf(out, "%s:", spec->name);
    for (int i = 0; i < spec->argc; i++)
        buffer_printf(out, "%s ", spec->argv[i]);
    for (int i = 0; i < spec->option_count; i++)
        buffer_printf(out, "%s=%s ", spec->options[i].name, spec->options[i].value);
    for (int i = 0; i < spec->init_count; i++)
        buffer_printf(out, "%s;", spec->init[i]);
    buffer_printf(out, "%s%lld/%lld+%lld %lld %lld %lld|", spec->ponder ? "ponder " : "",
                  (long long)tc->moves, (long long)tc->base, (long long)tc->increment,
                  (long long)tc->move_time, (long long)tc->depth, (long long)tc->nodes);
}

static const struct {
    const char *name, *label;
} fault_names[FAULT_COUNT] = {
    [FAULT_NONE] = {"none", "none"},
    [FAULT_CRASH] = {"crash", "crash"},
    [FAULT_HANG] = {"hang", "hang"},
    [FAULT_TIME] = {"time loss", "time"},
    [FAULT_ILLEGAL] = {"illegal move", "illegal"},
    [FAULT_PROTOCOL] = {"protocol fault", "protocol"},
    [FAULT_PV_ILLEGAL] = {"illegal move in a variation", "pv_illegal"},
    [FAULT_PV_PAST_END] = {"variation past the end of the game", "pv_past_end"},
    [FAULT_PV_MATE] = {"mate score without its mate", "pv_mate"},
    [FAULT_PV_BESTMOVE] = {"move played is not the one of its variation", "pv_bestmove"},
    [FAULT_INFO] = {"malformed info line", "info"},
    [FAULT_QUIT] = {"did not quit", "quit"},
};

const char *fault_name(Fault fault)
{
    return fault < FAULT_COUNT ? fault_names[fault].name : "interrupted";
}

const char *fault_label(Fault fault)
{
    return fault < FAULT_COUNT ? fault_names[fault].label : "interrupted";
}
