// SPDX-License-Identifier: GPL-3.0-or-later
/* uci_commands.c -- the command table, and one function for each command. */
#include "front/uci_impl.h"

#include "front/board.h"
#include "front/uci_position.h"
#include <stdlib.h>
#include <string.h>

static void do_uci(void *user, Str rest)
{
    (void)rest;
    uci_introduce(user);
}

static void do_isready(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    console_put(u->console, STR("readyok"));
}

static void do_debug(void *user, Str rest)
{
    Uci *u = user;
    const Str word = str_token(&rest);
    if (str_is(word, "on"))
        u->debug = true;
    else if (str_is(word, "off"))
        u->debug = false;
}

/* What stands between `name` and `value` is the name, everything behind is the value, inner blanks
 * and all. */
static bool split_option(Str rest, Str *name, Str *value)
{
    if (!str_is(str_token(&rest), "name"))
        return false;
    *name = str_trim(rest);
    *value = STR("");
    for (Str ahead = rest, word; (word = str_token(&ahead)).len > 0;) {
        if (!str_is(word, "value"))
            continue;
        *name = str_trim((Str){rest.ptr, (size_t)(word.ptr - rest.ptr)});
        *value = str_trim(ahead);
        break;
    }
    return name->len > 0;
}

/* What the front end itself must do when one of the engine's options has changed. */
static void after_option(Uci *u, Str name, const char *value)
{
    Error err;
    int64_t threads = 0;
    if (str_is_nocase(name, "UCI_Chess960"))
        samara_position_speak_chess960(u->position, uci_option_is_on(u, "UCI_Chess960"));
    if (str_is_nocase(name, "Debug Log File") &&
        !console_log(u->console, strcmp(value, "<empty>") ? value : "", &err))
        console_printf(u->console, "info string refused: %s %s", err.code, err.text);
    if (str_is_nocase(name, "Evaluation") && str_is_nocase(str_from(value), "both"))
        uci_say(u, "Evaluation both is network now: the network needs no second evaluation");
    if (str_is_nocase(name, "Threads") && str_int(str_from(value), 1, INT32_MAX, &threads) &&
        threads > thread_cpu_count())
        console_printf(u->console,
                       "info string %s threads, but only %d can run at once: the others wait",
                       value, thread_cpu_count());
}

/* What the engine refuses is said in words and changes nothing. */
static void do_setoption(void *user, Str rest)
{
    Uci *u = user;
    Str name, value;
    if (!split_option(rest, &name, &value)) {
        uci_say(u, "refused: setoption needs a name");
        return;
    }
    char *name_text = str_duplicate(name), *value_text = str_duplicate(value);
    SamaraError err = {.text = "not enough memory"};
    if (!name_text || !value_text || !samara_set_option(u->engine, name_text, value_text, &err)) {
        uci_say_error(u, &err);
    } else {
        if (err.text[0])
            console_printf(u->console, "info string note: %s", err.text);
        after_option(u, name, value_text);
    }
    free(name_text);
    free(value_text);
}

static void do_ucinewgame(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    samara_forget(u->engine);
    lag_reset(&u->lag);
    samara_position_set(u->position, NULL, uci_option_is_on(u, "UCI_Chess960"), NULL, 0, NULL);
    u->position_bad = false;
}

/* A position that is refused leaves the old one in place but marks it: go then answers (none)
 * instead of a move in a position that the client does not mean. */
static void do_position(void *user, Str rest)
{
    Uci *u = user;
    PositionText text;
    Error why;
    SamaraError err = {0};
    if (!position_text_split(&text, rest, &why)) {
        console_printf(u->console, "info string refused: %s %s", why.code, why.text);
        u->position_bad = true;
    } else {
        u->position_bad =
            !samara_position_set(u->position, text.fen, uci_option_is_on(u, "UCI_Chess960"),
                                 text.moves, text.count, &err);
        if (u->position_bad)
            uci_say_error(u, &err);
        else if (err.text[0])
            console_printf(u->console, "info string note: %s", err.text);
    }
    position_text_free(&text);
}

/* Clients play whatever `bestmove` says, so they are told in words why there is none. */
static void say_why_there_is_no_move(Uci *u)
{
    const SamaraState state = samara_position_state(u->position);
    if (u->position_bad)
        uci_say(u, "there is no valid position to search");
    else if (state == SAMARA_CHECKMATE || state == SAMARA_STALEMATE)
        console_printf(u->console, "info string there is no legal move: %s",
                       samara_state_name(state));
}

/* Odd words are named and ignored; a search begins in any case, because the client waits for
 * bestmove. */
static void do_go(void *user, Str rest)
{
    Uci *u = user;
    Error complaint;
    go_parse(&u->go, rest, u->position, &complaint);
    if (complaint.text[0])
        console_printf(u->console, "info string ignored: %s", complaint.text);
    say_why_there_is_no_move(u);
    if (u->go.perft == 0)
        uci_begin_search(u);
    else if (!u->position_bad)
        uci_start_perft(u, u->go.perft);
}

static void do_stop(void *user, Str rest)
{
    (void)rest;
    uci_stop(user);
}

static void do_ponderhit(void *user, Str rest)
{
    (void)rest;
    uci_ponderhit(user);
}

static void do_quit(void *user, Str rest)
{
    (void)rest;
    ((Uci *)user)->loop.talk = TALK_QUIT;
}

/* Only for a search that ends by itself: nobody would bring the end of another about. */
static void do_wait(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    u->waiting = u->work != UCI_IDLE && u->until == UNTIL_LIMIT;
}

static void put_text(Uci *u, Buffer *text)
{
    if (text->failed)
        uci_say(u, "refused: NO_MEMORY not enough memory");
    else
        console_put(u->console, (Str){buffer_text(text), text->len});
    buffer_free(text);
}

static void do_display(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    Buffer text = {0};
    board_describe(u->position, &text);
    put_text(u, &text);
}

static void do_eval(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    Buffer text = {0};
    SamaraRequest request;
    samara_request(u->engine, &request);
    board_explain(u->engine, u->position, request.evaluation, false, &text);
    put_text(u, &text);
}

static void do_flip(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    SamaraFields fields;
    SamaraError err;
    samara_position_fields(u->position, &fields);
    board_flip(&fields);
    if (!samara_position_set_fields(u->position, &fields, &err))
        uci_say_error(u, &err);
}

static void do_perft(void *user, Str rest)
{
    Uci *u = user;
    int64_t depth;
    if (str_next_int(&rest, 1, 100, &depth))
        uci_start_perft(u, (int)depth);
    else
        uci_say(u, "refused: perft needs a depth from 1 to 100");
}

static void do_bench(void *user, Str rest)
{
    Uci *u = user;
    int64_t depth = 0;
    str_next_int(&rest, 1, 100, &depth);
    uci_start_bench(u, (int)depth);
}

static void do_compiler(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    console_printf(u->console, "Samara %s, %s", samara_version(), samara_build());
}

static void do_nothing(void *user, Str rest)
{
    (void)user;
    (void)rest;
}

static void do_help(void *user, Str rest);

const Command uci_commands[] = {
    {"uci", ANY_TIME, do_uci, "introduces the engine and its options"},
    {"isready", ALWAYS, do_isready, "answers readyok"},
    {"debug", ANY_TIME, do_debug, "on or off: say more"},
    {"register", ANY_TIME, do_nothing, "nothing to register: free software"},
    {"setoption", WHEN_IDLE, do_setoption, "setoption name N [value V]"},
    {"ucinewgame", WHEN_IDLE, do_ucinewgame, "forgets the last game"},
    {"position", WHEN_IDLE, do_position, "position startpos|fen F [moves M...]"},
    {"go", WHEN_IDLE, do_go,
     "searches: depth, nodes, mate, movetime, wtime, btime, winc, binc, movestogo, searchmoves, "
     "ponder, infinite; or "
     "perft N"},
    {"stop", ALWAYS | REPEATS, do_stop, "ends the search"},
    {"ponderhit", ALWAYS | REPEATS, do_ponderhit, "the expected move was played"},
    {"quit", ANY_TIME, do_quit, "leaves"},
    {"wait", ANY_TIME | REPEATS, do_wait, "lets the next lines wait for the end of the search"},
    {"d", WHEN_IDLE, do_display, "shows the board"},
    {"eval", WHEN_IDLE, do_eval, "explains the evaluation of the position"},
    {"flip", WHEN_IDLE, do_flip, "exchanges the colours"},
    {"perft", WHEN_IDLE, do_perft, "perft N: counts the move tree"},
    {"bench", WHEN_IDLE, do_bench, "bench [depth]: speed and signature of this build"},
    {"compiler", ANY_TIME, do_compiler, "shows how this program was built"},
    {"help", ANY_TIME, do_help, "this list"},
    {0},
};

static void do_help(void *user, Str rest)
{
    Uci *u = user;
    (void)rest;
    console_put(u->console,
                STR("Samara speaks UCI and XBoard on its standard input. UCI commands:"));
    for (const Command *c = uci_commands; c->name; c++)
        console_printf(u->console, "  %-11s %s", c->name, c->help);
}
