// SPDX-License-Identifier: GPL-3.0-or-later
/* command_loop.h -- the loop that UCI and XBoard share: one thread, one event at a time.
 *
 *   console --> event --> line hook --> LINE_DONE      the line is freed
 *                                       LINE_DEFERRED  kept, in order, until the search has ended
 *                                       LINE_UNREAD    another protocol; the loop ends
 *
 * A search that ends sends a console signal. The protocol's search_ended hook then calls
 * loop_run_deferred(), which gives the kept lines to the line hook again. */
#ifndef SAMARA_FRONT_COMMAND_LOOP_H
#define SAMARA_FRONT_COMMAND_LOOP_H

#include "front/console.h"

/* Where the conversation stands. */
typedef enum Talk {
    TALK_OPENING,        /* no line of this protocol was understood yet */
    TALK_ON,             /* the client speaks this protocol */
    TALK_LAST_SEARCH,    /* the input has ended; a search that is waited for has not */
    TALK_OTHER_PROTOCOL, /* the first line belongs to another protocol and was unread */
    TALK_QUIT,
} Talk;

typedef enum LineFate { LINE_DONE, LINE_DEFERRED, LINE_UNREAD } LineFate;

/* When a command may run, and whether it acts twice: at once, and again, in its order, behind the
 * lines that wait. */
enum {
    WHEN_IDLE = 0, /* it is deferred until the search has ended */
    ANY_TIME = 1,  /* during a search too */
    ALWAYS = 3,    /* even while the client waits for the end of a search */
    REPEATS = 4,
};

typedef struct Command {
    const char *name;
    unsigned when;
    void (*run)(void *user, Str rest); /* `rest` is what follows the command's name */
    const char *help;                  /* for a person; NULL if the protocol has no help */
} Command;

typedef struct LoopHooks {
    LineFate (*line)(void *user, Str line);
    void (*search_ended)(void *user); /* a search or job sent its signal */
    bool (*still_waits)(void *user);  /* at the end of input: must a running search finish first? */
    void (*lost)(void *user, EventKind kind); /* a line or the log was lost: tell the client */
} LoopHooks;

typedef struct CommandLoop {
    Console *console;
    const LoopHooks *hooks;
    void *user;
    Talk talk;
    EventQueue deferred;
} CommandLoop;

void loop_init(CommandLoop *loop, Console *console, const LoopHooks *hooks, void *user);
/* Until the talk is TALK_QUIT or TALK_OTHER_PROTOCOL. Lines that still wait stay: free them. */
void loop_run(CommandLoop *loop);
/* The same event by event, for a host that has a loop of its own. */
bool loop_goes_on(const CommandLoop *loop);
void loop_handle(CommandLoop *loop, Event *event);
void loop_free_deferred(CommandLoop *loop);
/* Gives the lines that waited to the line hook, in order. One of them may begin a search again; the
 * hook then defers the rest anew. */
void loop_run_deferred(CommandLoop *loop);

/* The command of that name in a list that ends with a NULL name; NULL if there is none. */
const Command *command_find(const Command *list, Str name);

#endif
