// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/uci_impl.h"

#include "base/clock.h"
#include <stdio.h>

void uci_say(Uci *u, const char *text) { console_printf(u->console, "info string %s", text); }

void uci_say_error(Uci *u, const SamaraError *err)
{
    console_printf(u->console, "info string refused: %s%s%s", err->code, err->code[0] ? " " : "",
                   err->text);
}

static void put_score(Buffer *out, const SamaraScore *score, bool show_wdl)
{
    static const char *const bounds[] = {"", " lowerbound", " upperbound"};
    buffer_printf(out, " score %s %d%s", score->is_mate ? "mate" : "cp", score->value,
                  bounds[score->bound]);
    if (show_wdl)
        buffer_printf(out, " wdl %d %d %d", score->win, score->draw, score->loss);
}

/* One principal variation. Droppable: a client that does not read loses lines, not the search. */
static void on_line(void *user, const SamaraLine *info)
{
    Uci *u = user;
    Buffer line = {0};
    buffer_printf(&line, "info depth %d seldepth %d multipv %d", info->depth, info->seldepth,
                  info->number);
    put_score(&line, &info->score, u->show_wdl);
    buffer_printf(&line, " nodes %llu nps %llu hashfull %d tbhits %llu time %lld",
                  (unsigned long long)info->nodes, (unsigned long long)info->nps, info->hashfull,
                  (unsigned long long)info->tbhits, (long long)info->time_ms);
    buffer_puts(&line, info->length > 0 ? " pv" : "");
    for (int i = 0; i < info->length; i++)
        buffer_printf(&line, " %s", info->moves[i].uci);
    if (!line.failed)
        console_put_droppable(u->console, (Str){line.data, line.len});
    buffer_free(&line);
}

static void on_current_move(void *user, int depth, const SamaraMove *move, int number)
{
    Uci *u = user;
    char line[64];
    snprintf(line, sizeof line, "info depth %d currmove %s currmovenumber %d", depth, move->uci,
             number);
    console_put_droppable(u->console, str_from(line));
}

static void on_message(void *user, const char *text) { uci_say(user, text); }

/* The signal goes first: what a client sends when it has read `bestmove` must find the search over,
 * else its ucinewgame would wait and be overtaken by its isready. */
static void on_done(void *user, const SamaraResult *result)
{
    Uci *u = user;
    lag_end(&u->lag, clock_ms());
    console_signal(u->console);
    if (result->ponder.code)
        console_printf(u->console, "bestmove %s ponder %s", result->best.uci, result->ponder.uci);
    else
        console_printf(u->console, "bestmove %s", result->best.code ? result->best.uci : "(none)");
}

SamaraEvents uci_events(Uci *u)
{
    return (SamaraEvents){u, on_line, on_current_move, on_message, on_done};
}

/* One line of the option list, printed from the engine's table. */
static void put_option(Uci *u, const SamaraOption *o)
{
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    Buffer line = {0};
    buffer_printf(&line, "option name %s type %s", o->name, types[o->type]);
    if (o->type != SAMARA_BUTTON)
        buffer_printf(&line, " default %s", o->default_value[0] ? o->default_value : "<empty>");
    if (o->type == SAMARA_SPIN)
        buffer_printf(&line, " min %lld max %lld", (long long)o->min, (long long)o->max);
    for (Str rest = str_from(o->choices); rest.len > 0;) {
        const Str choice = str_until(&rest, '|');
        buffer_printf(&line, " var %.*s", (int)choice.len, choice.ptr);
    }
    console_put(u->console, (Str){buffer_text(&line), line.len});
    buffer_free(&line);
}

void uci_introduce(Uci *u)
{
    console_printf(u->console, "id name Samara %s", samara_version());
    console_put(u->console, STR("id author the Samara developers"));
    const SamaraOption *option;
    for (int i = 0; (option = samara_option(i)); i++)
        put_option(u, option);
    console_put(u->console, STR("uciok"));
}
