// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/platform.h"

#include <string.h>

/* After a refused board or move the platform and the engine no longer mean the same position: moves
 * are refused until a board or a reset puts that right. */
typedef struct Platform {
    Console *console;
    Samara *engine;
    SamaraPosition *position;
    const SamaraLimits *limits; /* of each search */
    bool astray;
} Platform;

static void report(Platform *p, bool ok, const SamaraError *err)
{
    if (!ok)
        console_printf(p->console, "refused: %s", err->text);
    p->astray = p->astray || !ok;
}

static void set_board(Platform *p, const char *fen)
{
    SamaraError err;
    p->astray = false;
    report(p, samara_position_set(p->position, fen, false, NULL, 0, &err), &err);
}

/* Always the same time per move: the platform has no clock. */
static void play(Platform *p)
{
    Console *c = p->console;
    SamaraResult result;
    SamaraError err;
    const SamaraRequest request = {.position = p->position, .limits = *p->limits};
    if (!samara_search(p->engine, &request, NULL, &result, &err)) {
        console_printf(c, "refused: %s", err.text);
        return;
    }
    if (!result.best.code) {
        console_printf(c, "game over: %s", samara_state_name(samara_position_state(p->position)));
        return;
    }
    samara_position_play(p->position, &result.best, &err);
    console_printf(c, "MOVE:%s", result.best.uci);
}

/* What follows `tag` in the line, NUL-terminated; NULL if it does not begin so or is too long. */
static const char *behind(Str line, const char *tag, char *out, size_t size)
{
    if (!str_starts(line, tag))
        return NULL;
    const size_t skip = strlen(tag);
    return str_copy(out, size, str_trim((Str){line.ptr + skip, line.len - skip})) ? out : NULL;
}

/* BOARD, RESET and MOVE change the position; PLAY asks for a move. */
static void handle_line(Platform *p, Str line)
{
    char text[256];
    const char *value;
    SamaraError err;
    if (str_starts(line, "BOARD:")) {
        value = behind(line, "BOARD:", text, sizeof text);
        set_board(p,
                  value ? value : "?"); /* too long for a position: as bad as any other rubbish */
    } else if (behind(line, "RESET:", text, sizeof text)) {
        samara_forget(p->engine);
        set_board(p, NULL);
    } else if (p->astray && (str_starts(line, "MOVE:") || str_starts(line, "PLAY:"))) {
        console_put(p->console, STR("refused: there is no valid position; send BOARD: or RESET:"));
    } else if ((value = behind(line, "MOVE:", text, sizeof text))) {
        report(p, samara_position_play_text(p->position, value, &err), &err);
    } else if (behind(line, "PLAY:", text, sizeof text)) {
        play(p);
    } else if (line.len > 0) {
        console_put(p->console,
                    STR("ignored: this protocol knows BOARD:, RESET:, MOVE: and PLAY:"));
    }
}

/* Searches run in this thread: the protocol has no command that could interrupt one. */
void platform_run(Console *console, Samara *engine, SamaraPosition *position,
                  const SamaraLimits *limits)
{
    Platform platform = {console, engine, position, limits, false};
    for (;;) {
        Event *event = console_next(console);
        if (event->kind == CONSOLE_END)
            return;
        if (event->kind == CONSOLE_LINE) {
            if (str_is(event_line(event), "quit")) {
                event_free(event);
                return;
            }
            handle_line(&platform, event_line(event));
        }
        event_free(event);
    }
}
