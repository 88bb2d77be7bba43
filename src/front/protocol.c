// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/protocol.h"

#include "base/app.h"
#include "base/thread.h"
#include "front/console.h"
#include "front/platform.h"
#include "front/recognise.h"
#include "front/uci.h"
#include "front/xboard.h"
#include "samara.h"
#include <stdio.h>
#include <stdlib.h>

enum { OVERHEAD_MS = 10 };

/* UCI until a line of another protocol opens the conversation. */
static void talk(Console *console, Samara *engine, SamaraPosition *position)
{
    if (app_is_terminal(0) && app_is_terminal(1))
        console_printf(console, "Samara %s, a chess engine. Type help, or quit.", samara_version());
    if (uci_run(console, engine, position) == PARTING_QUIT)
        return;
    Event *opening = console_next(console);
    const Protocol protocol = protocol_of(event_line(opening));
    console_unread(console, opening);
    if (protocol == PROTOCOL_XBOARD) {
        app_on_interrupt(NULL); /* the client may send it to get attention, which it has */
        xboard_run(console, engine, position);
    } else {
        const SamaraLimits limits = {.movetime_ms = PLATFORM_THINK_MS, .overhead_ms = OVERHEAD_MS};
        platform_run(console, engine, position, &limits);
    }
}

/* Opens what a conversation needs and holds it; `platform` NULL: in the client's language. The engine
 * is freed first: it may still write to the console. */
static int serve(const SamaraLimits *platform)
{
    SamaraError err = {.text = "not enough memory for a game"};
    Error why;
    app_survive_broken_pipes();
    SamaraPosition *position = samara_position_new();
    Samara *engine = position ? samara_new(NULL, &err) : NULL;
    if (!engine) {
        fprintf(stderr, "samara: %s\n", err.text);
        samara_position_free(position);
        return EXIT_FAILURE;
    }
    Console *console = console_open(0, 1, &why);
    thread_prompt();
    if (console && platform)
        platform_run(console, engine, position, platform);
    else if (console)
        talk(console, engine, position);
    const bool failed = !console || console_failed(console, &why);
    if (failed)
        fprintf(stderr, "samara: %s\n", why.text);
    samara_free(engine);
    samara_position_free(position);
    if (console)
        console_close(console);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int protocol_main(void) { return serve(NULL); }

int protocol_platform(const SamaraLimits *limits)
{
    SamaraLimits own = *limits;
    own.overhead_ms = OVERHEAD_MS;
    return serve(&own);
}
