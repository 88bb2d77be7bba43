// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/command_loop.h"

#include "base/thread.h"

void loop_init(CommandLoop *loop, Console *console, const LoopHooks *hooks, void *user)
{
    *loop = (CommandLoop){.console = console, .hooks = hooks, .user = user};
    event_queue_init(&loop->deferred);
}

const Command *command_find(const Command *list, Str name)
{
    for (; list->name; list++)
        if (str_is(name, list->name))
            return list;
    return NULL;
}

/* Hands one line to the protocol and does with it what the protocol decides: free it, keep it for
 * the end of the search, or leave it to another protocol. */
static void handle_line(CommandLoop *loop, Event *event)
{
    switch (loop->hooks->line(loop->user, event_line(event))) {
    case LINE_DONE:
        event_free(event);
        break;
    case LINE_DEFERRED:
        event_queue_add(&loop->deferred, event);
        break;
    case LINE_UNREAD:
        console_unread(loop->console, event);
        loop->talk = TALK_OTHER_PROTOCOL;
        break;
    }
}

/* Without threads a search runs inside the line that begins it, and what comes behind that line must be
 * heard meanwhile: a `stop` above all. So the lines are read again, before all newer ones. */
static void read_again(CommandLoop *loop)
{
    Event *reversed = NULL;
    for (Event *event; (event = event_queue_take(&loop->deferred));) {
        event->next = reversed;
        reversed = event;
    }
    while (reversed) {
        Event *event = reversed;
        reversed = event->next;
        console_unread(loop->console, event);
    }
}

/* The whole list is taken off first: a line that is deferred again joins a new list, behind those
 * that were deferred again before it, so the order is kept. */
void loop_run_deferred(CommandLoop *loop)
{
    if (!thread_exists()) {
        read_again(loop);
        return;
    }
    EventQueue waited = loop->deferred;
    event_queue_init(&loop->deferred);
    for (Event *event; (event = event_queue_take(&waited));)
        handle_line(loop, event);
}

void loop_free_deferred(CommandLoop *loop) { event_queue_free(&loop->deferred); }

/* A client that closes its end leaves at once, unless it asked to wait for a search: then the loop
 * goes on until nothing is waited for. */
static void input_ended(CommandLoop *loop)
{
    loop->talk = loop->hooks->still_waits(loop->user) ? TALK_LAST_SEARCH : TALK_QUIT;
}

/* Signals come before lines (see console.c), so lines that waited run before newer ones. */
void loop_handle(CommandLoop *loop, Event *event)
{
    switch (event->kind) {
    case CONSOLE_LINE:
        handle_line(loop, event);
        break;
    case CONSOLE_SIGNAL:
        loop->hooks->search_ended(loop->user);
        if (loop->talk == TALK_LAST_SEARCH)
            input_ended(loop);
        break;
    case CONSOLE_END:
        input_ended(loop);
        break;
    case CONSOLE_TOO_LONG:
    case CONSOLE_NO_MEMORY:
    case CONSOLE_LOG_LOST:
        loop->hooks->lost(loop->user, event->kind);
        break;
    }
}

bool loop_goes_on(const CommandLoop *loop)
{
    return loop->talk != TALK_QUIT && loop->talk != TALK_OTHER_PROTOCOL;
}

void loop_run(CommandLoop *loop)
{
    while (loop_goes_on(loop))
        loop_handle(loop, console_next(loop->console));
}
