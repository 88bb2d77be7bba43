// SPDX-License-Identifier: GPL-3.0-or-later
/* uci.c -- the state of a UCI conversation, and which lines wait.
 *
 *   UCI_IDLE --go--> UCI_SEARCH --(limit, stop)--> on_done() prints bestmove, signals --> UCI_IDLE
 *
 * Lines arrive at any time. Those that may be answered during a search are; the others are deferred
 * and run, in order, when the search has ended. Which end is waited for and which is brought about:
 * see hurry(). */
#include "front/uci.h"

#include "base/clock.h"
#include "front/recognise.h"
#include "front/uci_impl.h"
#include <stdlib.h>
#include <string.h>

enum { DEFERRED_MAX = 64 << 20 }; /* bytes that may wait for the end of a search */

bool uci_option_is_on(const Uci *u, const char *name)
{
    char value[8];
    return samara_get_option(u->engine, name, value, sizeof value) && strcmp(value, "true") == 0;
}

static void answer_nothing(Uci *u)
{
    console_put(u->console, STR("bestmove (none)"));
    u->work = UCI_IDLE;
}

/* With `debug on`: what this search works with. */
static void say_settings(Uci *u)
{
    static const char *const names[] = {"Threads", "Hash", "Evaluation", "Move Overhead"};
    char value[4][16];
    for (int i = 0; i < 4; i++)
        if (!samara_get_option(u->engine, names[i], value[i], sizeof value[i]))
            value[i][0] = '\0';
    console_printf(u->console,
                   "info string debug: threads %s, hash %s MB, evaluation %s, overhead %s ms",
                   value[0], value[1], value[2], value[3]);
}

/* The options and the words behind `go` make one request. */
static void make_request(Uci *u, SamaraRequest *request)
{
    samara_request(u->engine, request);
    const int64_t overhead = request->limits.overhead_ms;
    request->position = u->position;
    request->limits = u->go.limits;
    request->limits.overhead_ms =
        overhead + lag_begin(&u->lag, u->position, &u->go.limits, clock_ms());
    request->moves = u->go.moves;
    request->move_count = u->go.move_count;
}

static UciUntil until_of(const GoRequest *go)
{
    if (go->limits.ponder && !go->limits.infinite)
        return UNTIL_PONDERHIT;
    return go->endless ? UNTIL_STOP : UNTIL_LIMIT;
}

/* Answers at once where there is nothing to search; an endless search of nothing owes its answer
 * until stop, because clients expect none before. */
void uci_begin_search(Uci *u)
{
    const SamaraEvents events = uci_events(u);
    SamaraRequest request;
    SamaraError err;
    u->show_wdl = uci_option_is_on(u, "UCI_ShowWDL");
    if (u->debug)
        say_settings(u);
    u->until = until_of(&u->go);
    u->work = u->position_bad ? UCI_REFUSED : UCI_SEARCH;
    make_request(u, &request);
    if (u->work == UCI_SEARCH && !samara_go(u->engine, &request, &events, &err)) {
        uci_say_error(u, &err);
        u->work = UCI_REFUSED;
    }
    if (u->work == UCI_REFUSED && u->until == UNTIL_LIMIT)
        answer_nothing(u);
}

/* The search will now finish, so a later `wait` may block on it. */
void uci_stop(Uci *u)
{
    u->until = UNTIL_LIMIT;
    switch (u->work) {
    case UCI_IDLE:
        break;
    case UCI_SEARCH:
        samara_stop(u->engine);
        break;
    case UCI_JOB:
        relaxed_store(&u->job_stop, true);
        break;
    case UCI_REFUSED:
        answer_nothing(u);
        break;
    }
}

/* The expected move was played: the search goes on with the clock running. */
void uci_ponderhit(Uci *u)
{
    if (u->work == UCI_IDLE || u->until != UNTIL_PONDERHIT)
        return;
    u->until = UNTIL_LIMIT;
    if (u->work == UCI_REFUSED)
        answer_nothing(u);
    else
        samara_ponderhit(u->engine);
}

/* --- lines --- */

/* The first word that is a command; what stands before it is skipped, as the protocol wants. */
static const Command *find_command(Str *line)
{
    const Command *command = NULL;
    for (Str word; !command && (word = str_token(line)).len > 0;)
        command = command_find(uci_commands, word);
    return command;
}

/* A byte-order mark is no part of the first word. */
static Str without_mark(Str line)
{
    return str_starts(line, "\xef\xbb\xbf") ? (Str){line.ptr + 3, line.len - 3} : line;
}

/* Plies, nodes or a mate to find and no clock, or a job: the next lines wait for its end. */
static bool may_finish(const Uci *u) { return u->work == UCI_JOB || u->go.patient || u->waiting; }

/* Somebody waits for the end of the search. One that was given plies, nodes or a mate to find is
 * left to finish, so that scripts work; any other, on a clock that is no longer watched or without
 * any end, is stopped. */
static void hurry(Uci *u)
{
    if (u->loop.deferred.bytes > DEFERRED_MAX || !may_finish(u))
        uci_stop(u);
}

static bool must_wait(const Uci *u, const Command *command)
{
    const unsigned needed = u->waiting ? ALWAYS : ANY_TIME;
    return u->work != UCI_IDLE && (command->when & needed) != needed;
}

/* Runs, defers or unreads one line. Commands that repeat (stop, ponderhit, wait) act on what runs
 * now, and again, in their order, on a go that still waits before them. */
static LineFate on_line(void *user, Str text)
{
    Uci *u = user;
    Str line = without_mark(text);
    if (u->loop.talk == TALK_QUIT)
        return LINE_DONE; /* what waited behind a `quit` */
    if (u->loop.talk == TALK_OPENING && protocol_of(line) != PROTOCOL_UCI)
        return LINE_UNREAD;
    const Command *command = find_command(&line);
    if (!command)
        return LINE_DONE;
    if (u->loop.talk == TALK_OPENING)
        u->loop.talk = TALK_ON;
    if (must_wait(u, command)) {
        hurry(u);
        if (u->work != UCI_IDLE)
            return LINE_DEFERRED;
    }
    const bool again = (command->when & REPEATS) && u->loop.deferred.first;
    command->run(u, line);
    return again ? LINE_DEFERRED : LINE_DONE;
}

/* The search is over but for its last words: what waited for it runs now, until one of these lines
 * searches again. */
static void on_search_ended(void *user)
{
    Uci *u = user;
    if (u->work == UCI_JOB)
        thread_join(u->job);
    else
        samara_wait(u->engine);
    u->work = UCI_IDLE;
    u->waiting = false;
    loop_run_deferred(&u->loop);
}

static bool still_waits(void *user)
{
    const Uci *u = user;
    return u->waiting;
}

static void on_lost(void *user, EventKind kind)
{
    if (kind == CONSOLE_TOO_LONG)
        uci_say(user, "refused: LINE_LENGTH the line is too long and was skipped");
    else if (kind == CONSOLE_NO_MEMORY)
        uci_say(user, "refused: NO_MEMORY a line was lost");
    else
        uci_say(user, "the log cannot be written; it ends here");
}

/* Ends what still runs. A bench is asked to stop only between two positions, which may take long:
 * the process leaves a job behind. */
static void leave(Uci *u)
{
    uci_stop(u);
    loop_free_deferred(&u->loop);
    if (u->work == UCI_SEARCH)
        samara_wait(u->engine);
    if (u->work == UCI_JOB) {
        console_flush(u->console);
        _Exit(EXIT_SUCCESS);
    }
}

/* The state is on the heap: events of the search point to it. */
Uci *uci_open(Console *console, Samara *engine, SamaraPosition *position)
{
    static const LoopHooks hooks = {on_line, on_search_ended, still_waits, on_lost};
    Uci *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    loop_init(&u->loop, console, &hooks, u);
    u->console = console;
    u->engine = engine;
    u->position = position;
    return u;
}

CommandLoop *uci_loop(Uci *u) { return &u->loop; }

Parting uci_close(Uci *u)
{
    const Parting parting =
        u->loop.talk == TALK_OTHER_PROTOCOL ? PARTING_OTHER_PROTOCOL : PARTING_QUIT;
    leave(u);
    free(u);
    return parting;
}

Parting uci_run(Console *console, Samara *engine, SamaraPosition *position)
{
    Uci *u = uci_open(console, engine, position);
    if (!u)
        return PARTING_QUIT;
    loop_run(&u->loop);
    return uci_close(u);
}
