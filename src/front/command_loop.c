// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/command_loop.h"

void loop_init(CommandLoop *loop, Console *console, const LoopHooks *hooks, void *user)
{
    *loop = (CommandLoop){.console = console, .hooks = hooks, .user = user};
    loop->deferred_end = &loop->deferred;
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
        *loop->deferred_end = event;
        loop->deferred_end = &event->next;
        loop->deferred_bytes += event->len;
        break;
    case LINE_UNREAD:
        console_unread(loop->console, event);
        loop->talk = TALK_OTHER_PROTOCOL;
        break;
    }
}

/* The whole list is taken off first: a line that is deferred again joins a new list, behind those
 * that were deferred again before it, so the order is kept. */
void loop_run_deferred(CommandLoop *loop)
{
    Event *list = loop->deferred;
    loop->deferred = NULL;
    loop->deferred_end = &loop->deferred;
    loop->deferred_bytes = 0;
    while (list) {
        Event *event = list;
        list = event->next;
        event->next = NULL;
        handle_line(loop, event);
    }
}

void loop_free_deferred(CommandLoop *loop)
{
    while (loop->deferred) {
        Event *event = loop->deferred;
        loop->deferred = event->next;
        event_free(event);
    }
    loop->deferred_end = &loop->deferred;
}

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
