// SPDX-License-Identifier: GPL-3.0-or-later
/* xboard.c -- the command table and the questions of a protocol in which the engine knows whose turn
 * it is. Lines that want an idle engine while it thinks on its own move wait for that move. */
#include "front/xboard.h"

#include "front/xboard_impl.h"
#include <stdlib.h>

enum {
    HINT_NODES = 20000,
    REFUSE_ABOVE = -30, /* centipawns: a draw offered early is welcome only below */
};

void xboard_error(XBoard *x, const char *why, Str line)
{
    char shown[64];
    size_t n = 0;
    for (; n < line.len && n < sizeof shown - 1; n++)
        shown[n] = (char)(line.ptr[n] < ' ' || line.ptr[n] > '~' ? '?' : line.ptr[n]);
    shown[n] = '\0';
    console_printf(x->console, "Error (%s): %s", why, shown);
}

/* --- questions --- */

static void do_ping(void *user, Str rest)
{
    XBoard *x = user;
    const Str number = str_token(&rest);
    int64_t n;
    if (str_int(number, INT64_MIN, INT64_MAX, &n))
        console_printf(x->console, "pong %lld", (long long)n);
    else
        xboard_error(x, "bad parameters", STR("ping"));
}

/* `.`: how far the analysis is, from what the search told last. */
static void do_status(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    if (x->work != WORK_ANALYSE)
        return;
    const int total = (int)samara_position_moves(x->position, NULL, 0);
    mutex_lock(&x->lock);
    const Progress p = x->progress;
    mutex_unlock(&x->lock);
    console_printf(x->console, "stat01: %lld %llu %d %d %d %s", (long long)(p.time_ms / 10),
                   (unsigned long long)p.nodes, p.depth, p.number > 0 ? total - p.number : total,
                   total, p.move);
}

/* What we would play in the opponent's place: our own guess, the book, or a short look. */
static void do_hint(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    SamaraBookMove book;
    SamaraResult result = {0};
    SamaraRequest request;
    if (x->guess[0]) {
        console_printf(x->console, "Hint: %s", x->guess);
        return;
    }
    if (x->work != WORK_NONE || x->bad_position)
        return;
    samara_request(x->engine, &request);
    request.position = x->position;
    request.limits.nodes = HINT_NODES;
    if (samara_book_moves(x->engine, x->position, &book, 1) > 0)
        result.best = book.move;
    else
        samara_search(x->engine, &request, NULL, &result, NULL);
    if (result.best.code)
        console_printf(x->console, "Hint: %s", xboard_move_text(x, &result.best));
}

/* The book moves here, each with its share of the weights. */
static void do_bk(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    SamaraBookMove moves[SAMARA_MAX_MOVES];
    const size_t count =
        x->bad_position ? 0 : samara_book_moves(x->engine, x->position, moves, SAMARA_MAX_MOVES);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += moves[i].weight;
    for (size_t i = 0; i < count; i++)
        console_printf(x->console, "\t%-7s %5.1f%%", xboard_move_text(x, &moves[i].move),
                       sum > 0 ? 100 * moves[i].weight / sum : 0);
    if (count == 0)
        console_put(x->console, STR("\tno book move"));
    console_put(x->console, STR(""));
}

static void do_draw(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    const int limit = x->trend.moves_made >= XBOARD_DRAW_AFTER ? 0 : REFUSE_ABOVE;
    if (x->mode == MODE_PLAY && x->trend.has_score && x->trend.last_score <= limit)
        console_put(x->console, STR("offer draw"));
}

static void do_quit(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    x->loop.talk = TALK_QUIT;
}

static void do_nothing(void *user, Str rest)
{
    (void)user;
    (void)rest;
}

static void do_xboard(void *user, Str rest)
{
    XBoard *x = user;
    (void)rest;
    console_put(x->console, STR(""));
}

/* --- lines --- */

static const Command own_commands[] = {
    {"xboard", ANY_TIME, do_xboard, NULL},
    {"accepted", ANY_TIME, do_nothing, NULL},
    {"rejected", ANY_TIME, do_nothing, NULL},
    {"quit", ANY_TIME, do_quit, NULL},
    {"random", ANY_TIME, do_nothing, NULL},
    {"ping", WHEN_IDLE, do_ping, NULL},
    {"draw", ANY_TIME, do_draw, NULL},
    {"hint", ANY_TIME, do_hint, NULL},
    {"bk", ANY_TIME, do_bk, NULL},
    {"name", ANY_TIME, do_nothing, NULL},
    {"rating", ANY_TIME, do_nothing, NULL},
    {"ics", ANY_TIME, do_nothing, NULL},
    {"computer", ANY_TIME, do_nothing, NULL},
    {".", ANY_TIME, do_status, NULL},
    {"fritz", ANY_TIME, do_nothing, NULL},
    {"reset", ANY_TIME, do_nothing, NULL},
    {"ponder", ANY_TIME, do_nothing, NULL},
    {"castle", ANY_TIME, do_nothing, NULL},
    {"ep", ANY_TIME, do_nothing, NULL},
    {"lift", ANY_TIME, do_nothing, NULL},
    {"put", ANY_TIME, do_nothing, NULL},
    {"hover", ANY_TIME, do_nothing, NULL},
    {0},
};

static const Command *find_command(Str word)
{
    const Command *command = command_find(own_commands, word);
    command = command ? command : command_find(xboard_game_commands, word);
    return command ? command : command_find(xboard_settings_commands, word);
}

static bool looks_like_move(Str word)
{
    return (word.len == 4 || word.len == 5) && word.ptr[0] >= 'a' && word.ptr[0] <= 'h' &&
           word.ptr[1] >= '1' && word.ptr[1] <= '8' && word.ptr[2] >= 'a' && word.ptr[2] <= 'h';
}

/* Runs or defers one line. A client that does not know `usermove` sends a bare move. */
static LineFate on_line(void *user, Str line)
{
    XBoard *x = user;
    Str rest = line;
    const Str word = str_token(&rest);
    const Command *command = find_command(word);
    if (x->editing)
        xboard_edit_line(x, line);
    else if (command && !(command->when & ANY_TIME) && x->work == WORK_THINK)
        return LINE_DEFERRED;
    else if (command)
        command->run(x, rest);
    else if (looks_like_move(word) || str_starts(word, "O-O"))
        xboard_usermove(x, line);
    else if (word.len > 0)
        xboard_error(x, "unknown command", line);
    return LINE_DONE;
}

static void on_search_ended(void *user) { xboard_search_ended(user); }

static bool still_waits(void *user)
{
    (void)user;
    return false; /* the protocol has no `wait`: the end of input is the end */
}

static void on_lost(void *user, EventKind kind)
{
    xboard_error(user,
                 kind == CONSOLE_TOO_LONG    ? "line too long"
                 : kind == CONSOLE_NO_MEMORY ? "no memory"
                                             : "the log cannot be written",
                 STR(""));
}

/* The engine plays Black until the client says otherwise, as the protocol has it. */
void xboard_run(Console *console, Samara *engine, SamaraPosition *position)
{
    static const LoopHooks hooks = {on_line, on_search_ended, still_waits, on_lost};
    XBoard *x = calloc(1, sizeof *x);
    if (!x)
        return;
    loop_init(&x->loop, console, &hooks, x);
    x->console = console;
    x->engine = engine;
    x->position = position;
    x->mode = MODE_PLAY;
    x->settings.resigns = true;
    mutex_init(&x->lock);
    xclock_reset(&x->clock);
    loop_run(&x->loop);
    xboard_abandon(x);
    loop_free_deferred(&x->loop);
    mutex_destroy(&x->lock);
    free(x);
}
