// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/platform.h"

#include <string.h>

enum { THINK_MS = 1000 };

static void report(Console *c, bool ok, const SamaraError *err)
{
    if (!ok)
        console_printf(c, "refused: %s", err->text);
}

static void play(Console *c, Samara *engine)
{
    SamaraResult result;
    SamaraError err;
    const bool ok =
        samara_search(engine, &(SamaraLimits){.movetime_ms = THINK_MS}, NULL, &result, &err);
    report(c, ok, &err);
    if (!ok)
        return;
    if (!result.best[0]) {
        console_printf(c, "game over: %s", samara_state_name(samara_state(engine)));
        return;
    }
    samara_play(engine, result.best, &err);
    console_printf(c, "MOVE:%s", result.best);
}

/* What follows `tag` in the line, NUL-terminated; NULL if it does not begin so or is too long. */
static const char *behind(Str line, const char *tag, char *out, size_t size)
{
    if (!str_starts(line, tag))
        return NULL;
    const size_t skip = strlen(tag);
    return str_copy(out, size, str_trim((Str){line.ptr + skip, line.len - skip})) ? out : NULL;
}

static void handle_line(Console *c, Samara *engine, Str line)
{
    char text[256];
    const char *value;
    SamaraError err;
    if ((value = behind(line, "BOARD:", text, sizeof text))) {
        report(c, samara_set_position(engine, value, NULL, 0, &err), &err);
    } else if (behind(line, "RESET:", text, sizeof text)) {
        samara_new_game(engine);
        report(c, samara_set_position(engine, NULL, NULL, 0, &err), &err);
    } else if ((value = behind(line, "MOVE:", text, sizeof text))) {
        report(c, samara_play(engine, value, &err), &err);
    } else if (behind(line, "PLAY:", text, sizeof text)) {
        play(c, engine);
    } else if (line.len > 0) {
        console_put(c, STR("ignored: this protocol knows BOARD:, RESET:, MOVE: and PLAY:"));
    }
}

void platform_run(Console *console, Samara *engine)
{
    for (;;) {
        Event *event = console_next(console);
        if (event->kind == CONSOLE_END)
            return;
        if (event->kind == CONSOLE_LINE) {
            if (str_is(event_line(event), "quit")) {
                event_free(event);
                return;
            }
            handle_line(console, engine, event_line(event));
        }
        event_free(event);
    }
}
