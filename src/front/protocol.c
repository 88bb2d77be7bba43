// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/protocol.h"

#include "base/thread.h"
#include "front/console.h"
#include "front/platform.h"
#include "front/recognise.h"
#include "front/uci.h"
#include "front/xboard.h"
#include "samara.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* UCI until a line of another protocol opens the conversation. */
static void talk(Console *console, Samara *engine, SamaraPosition *position)
{
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        console_printf(console, "Samara %s, a chess engine. Type help, or quit.", samara_version());
    if (uci_run(console, engine, position) == PARTING_QUIT)
        return;
    Event *opening = console_next(console);
    const Protocol protocol = protocol_of(event_line(opening));
    console_unread(console, opening);
    if (protocol == PROTOCOL_XBOARD) {
        signal(SIGINT, SIG_IGN); /* the client may send it to get attention, which it has */
        xboard_run(console, engine, position);
    } else {
        platform_run(console, engine, position);
    }
}

/* Engine and console live as long as the conversation. The engine is freed first: it may still
 * write to the console. */
int protocol_main(void)
{
    SamaraError err = {.text = "not enough memory for a game"};
    Error why;
    signal(SIGPIPE, SIG_IGN);
    SamaraPosition *position = samara_position_new();
    Samara *engine = position ? samara_new(NULL, &err) : NULL;
    if (!engine) {
        fprintf(stderr, "samara: %s\n", err.text);
        samara_position_free(position);
        return EXIT_FAILURE;
    }
    Console *console = console_open(STDIN_FILENO, STDOUT_FILENO, &why);
    thread_prompt();
    if (console)
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
