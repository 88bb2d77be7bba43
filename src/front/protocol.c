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
static void talk(Console *console, Samara *engine)
{
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        console_printf(console, "Samara %s, a chess engine. Type help, or quit.", samara_version());
    if (uci_run(console, engine) == PARTING_QUIT)
        return;
    Event *opening = console_next(console);
    const Protocol protocol = protocol_of(event_line(opening));
    console_unread(console, opening);
    if (protocol == PROTOCOL_XBOARD) {
        signal(SIGINT, SIG_IGN); /* the client may send it to get attention, which it has */
        xboard_run(console, engine);
    } else {
        platform_run(console, engine);
    }
}

int protocol_main(void)
{
    SamaraError err;
    Error why;
    signal(SIGPIPE, SIG_IGN);
    Samara *engine = samara_new(&err);
    if (!engine) {
        fprintf(stderr, "samara: %s\n", err.text);
        return EXIT_FAILURE;
    }
    Console *console = console_open(STDIN_FILENO, STDOUT_FILENO, &why);
    thread_prompt();
    if (console)
        talk(console, engine);
    else
        fprintf(stderr, "samara: %s\n", why.text);
    samara_free(engine);
    if (console)
        console_close(console);
    return console ? EXIT_SUCCESS : EXIT_FAILURE;
}
