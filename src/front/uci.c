// SPDX-License-Identifier: GPL-3.0-or-later
/* uci.c -- one thread, one state, one event at a time.
 *
 *   idle --go--> searching --(limit, stop)--> done() prints bestmove, signals --> idle
 *
 * Lines arrive at any time. Those that may be answered during a search are; the others are put
 * aside and run, in order, when the search has ended. Which end is waited for and which is brought
 * about: see hurry(). */
#include "front/uci.h"

#include "base/clock.h"
#include "base/thread.h"
#include "front/board.h"
#include "front/lag.h"
#include "front/recognise.h"
#include "front/uci_go.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFERRED_MAX = 64 << 20 }; /* bytes that may wait for the end of a search */

typedef struct Uci {
    Console *console;
    Samara *engine;
    SamaraPosition *position;
    Lag lag;
    bool spoken; /* a UCI command was understood */
    bool debug;
    bool position_bad; /* the last position was refused: go answers (none) */
    bool quit;
    bool other_protocol;

    bool searching; /* a go (or job) whose end has not been seen yet */
    bool endless, patient, pondering;
    bool refused; /* this go has no search behind it: its bestmove (none) waits for stop */
    bool waiting; /* `wait`: everything but stop and isready waits for the end */
    bool ended;   /* the input is; leave when there is nothing to wait for */
    bool show_wdl;
    GoRequest go;

    bool job_running;
    Thread job;
    int job_depth;
    AtomicFlag job_stop;

    Event *deferred, **deferred_end;
    size_t deferred_bytes;
} Uci;

static void say(Uci *u, const char *text) { console_printf(u->console, "info string %s", text); }

static void say_error(Uci *u, const SamaraError *err)
{
    console_printf(u->console, "info string refused: %s%s%s", err->code, err->code[0] ? " " : "",
                   err->text);
}

/* --- what the search says --- */

static void put_score(Buffer *out, const SamaraScore *score, bool show_wdl)
{
    static const char *const bounds[] = {"", " lowerbound", " upperbound"};
    buffer_printf(out, " score %s %d%s", score->is_mate ? "mate" : "cp", score->value,
                  bounds[score->bound]);
    if (show_wdl)
        buffer_printf(out, " wdl %d %d %d", score->win, score->draw, score->loss);
}

static void on_line(void *user, const SamaraLine *info)
{
    Uci *u = user;
    Buffer line = {0};
    buffer_printf(&line, "info depth %d seldepth %d multipv %d", info->depth, info->seldepth,
                  info->number);
    put_score(&line, &info->score, u->show_wdl);
    buffer_printf(&line, " nodes %llu nps %llu hashfull %d tbhits %llu time %lld",
                  (unsigned long long)info->nodes, (unsigned long long)info->nps, info->hashfull,
                  (unsigned long long)info->tbhits, (long long)info->time_ms);
    buffer_puts(&line, info->length > 0 ? " pv" : "");
    for (int i = 0; i < info->length; i++)
        buffer_printf(&line, " %s", info->moves[i].uci);
    if (!line.failed)
        console_put_droppable(u->console, (Str){line.data, line.len});
    buffer_free(&line);
}

static void on_current_move(void *user, int depth, const SamaraMove *move, int number)
{
    Uci *u = user;
    char line[64];
    snprintf(line, sizeof line, "info depth %d currmove %s currmovenumber %d", depth, move->uci,
             number);
    console_put_droppable(u->console, str_from(line));
}

static void on_message(void *user, const char *text) { say(user, text); }

/* The signal goes first: what a client sends when it has read `bestmove` must find the search over,
 * else its ucinewgame would wait and be overtaken by its isready. */
static void on_done(void *user, const SamaraResult *result)
{
    Uci *u = user;
    lag_end(&u->lag, clock_ms());
    console_signal(u->console);
    if (result->ponder.code)
        console_printf(u->console, "bestmove %s ponder %s", result->best.uci, result->ponder.uci);
    else
        console_printf(u->console, "bestmove %s", result->best.code ? result->best.uci : "(none)");
}

/* --- jobs: work that is no search but takes as long --- */

static void put_divide(void *user, const SamaraMove *move, uint64_t count)
{
    Uci *u = user;
    console_printf(u->console, "%s: %llu", move->uci, (unsigned long long)count);
}

static bool job_goes_on(void *user)
{
    const Uci *u = user;
    return !relaxed_load(&u->job_stop);
}

static void say_job_error(Uci *u, const SamaraError *err)
{
    if (strcmp(err->code, "STOPPED") == 0)
        say(u, err->text);
    else
        say_error(u, err);
}

static void *perft_job(void *arg)
{
    Uci *u = arg;
    uint64_t total = 0;
    SamaraError err;
    const bool ok = samara_position_perft(u->position, u->job_depth, 1, 0, put_divide, job_goes_on,
                                          u, &total, &err);
    console_signal(u->console); /* before the last word, as in on_done() */
    if (ok)
        console_printf(u->console, "\nNodes searched: %llu\n", (unsigned long long)total);
    else
        say_job_error(u, &err);
    return NULL;
}

static bool bench_goes_on(void *user, int done, int total)
{
    Uci *u = user;
    char line[48];
    snprintf(line, sizeof line, "info string bench %d/%d", done, total);
    console_put_droppable(u->console, str_from(line));
    return job_goes_on(u);
}

static void *bench_job(void *arg)
{
    Uci *u = arg;
    SamaraBench bench;
    SamaraError err;
    const bool ok = samara_bench(u->job_depth, bench_goes_on, u, &bench, &err);
    console_signal(u->console);
    if (ok) {
        const int64_t ms = bench.time_ms > 0 ? bench.time_ms : 1;
        console_printf(u->console,
                       "Total time (ms): %lld\nNodes searched: %llu\nNodes/second: %llu",
                       (long long)ms, (unsigned long long)bench.nodes,
                       (unsigned long long)(bench.nodes * 1000 / (uint64_t)ms));
    } else {
        say_job_error(u, &err);
    }
    return NULL;
}

static void start_job(Uci *u, void *(*run)(void *), int depth)
{
    u->job_depth = depth;
    relaxed_store(&u->job_stop, false);
    u->job_running = u->searching = thread_start(&u->job, run, u);
    u->endless = u->pondering = u->refused = false;
    u->patient = true;
    if (!u->searching)
        say(u, "refused: NO_THREAD the system has no thread left");
}

/* --- commands --- */

static void put_option(Uci *u, const SamaraOption *o)
{
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    Buffer line = {0};
    buffer_printf(&line, "option name %s type %s", o->name, types[o->type]);
    if (o->type != SAMARA_BUTTON)
        buffer_printf(&line, " default %s", o->default_value[0] ? o->default_value : "<empty>");
    if (o->type == SAMARA_SPIN)
        buffer_printf(&line, " min %lld max %lld", (long long)o->min, (long long)o->max);
    for (Str rest = str_from(o->choices); rest.len > 0;) {
        const char *bar = memchr(rest.ptr, '|', rest.len);
        const size_t len = bar ? (size_t)(bar - rest.ptr) : rest.len;
        buffer_printf(&line, " var %.*s", (int)len, rest.ptr);
        rest.ptr += len + (bar ? 1 : 0);
        rest.len -= len + (bar ? 1 : 0);
    }
    console_put(u->console, (Str){buffer_text(&line), line.len});
    buffer_free(&line);
}

static void do_uci(Uci *u, Str rest)
{
    (void)rest;
    console_printf(u->console, "id name Samara %s", samara_version());
    console_put(u->console, STR("id author the Samara developers"));
    const SamaraOption *option;
    for (int i = 0; (option = samara_option(i)); i++)
        put_option(u, option);
    console_put(u->console, STR("uciok"));
}

static void do_isready(Uci *u, Str rest)
{
    (void)rest;
    console_put(u->console, STR("readyok"));
}

static void do_debug(Uci *u, Str rest)
{
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

/* NUL-terminated copies of both; NULL if memory is short. */
static char *copy_text(Str s)
{
    char *text = malloc(s.len + 1);
    if (text)
        str_copy(text, s.len + 1, s);
    return text;
}

static bool option_is_on(const Uci *u, const char *name)
{
    char value[8];
    return samara_get_option(u->engine, name, value, sizeof value) && strcmp(value, "true") == 0;
}

static void after_option(Uci *u, Str name, const char *value)
{
    Error err;
    if (str_is_nocase(name, "UCI_Chess960"))
        samara_position_speak_chess960(u->position, option_is_on(u, "UCI_Chess960"));
    if (str_is_nocase(name, "Debug Log File") &&
        !console_log(u->console, strcmp(value, "<empty>") ? value : "", &err))
        console_printf(u->console, "info string refused: %s %s", err.code, err.text);
    if (str_is_nocase(name, "Evaluation") && str_is_nocase(str_from(value), "both"))
        say(u, "Evaluation both is network now: the network needs no second evaluation");
    if (str_is_nocase(name, "Threads") && atoi(value) > thread_cpu_count())
        console_printf(u->console,
                       "info string %s threads, but only %d can run at once: the others wait",
                       value, thread_cpu_count());
}

static void do_setoption(Uci *u, Str rest)
{
    Str name, value;
    if (!split_option(rest, &name, &value)) {
        say(u, "refused: setoption needs a name");
        return;
    }
    char *name_text = copy_text(name), *value_text = copy_text(value);
    SamaraError err = {.text = "not enough memory"};
    if (!name_text || !value_text || !samara_set_option(u->engine, name_text, value_text, &err)) {
        say_error(u, &err);
    } else {
        if (err.text[0])
            console_printf(u->console, "info string note: %s", err.text);
        after_option(u, name, value_text);
    }
    free(name_text);
    free(value_text);
}

static void do_ucinewgame(Uci *u, Str rest)
{
    (void)rest;
    samara_forget(u->engine);
    lag_reset(&u->lag);
    samara_position_set(u->position, NULL, option_is_on(u, "UCI_Chess960"), NULL, 0, NULL);
    u->position_bad = false;
}

/* The rest of a position line: the FEN as one piece (NULL text: the start position) and the words
 * behind `moves`. */
typedef struct PositionText {
    char *copy; /* owns everything below */
    const char *fen;
    const char **moves;
    size_t count;
} PositionText;

static size_t count_tokens(Str rest)
{
    size_t count = 0;
    while (str_token(&rest).len > 0)
        count++;
    return count;
}

/* Terminates the words of `rest` (a part of copy) in place and lists them. */
static void list_moves(PositionText *t, Str rest)
{
    for (Str word = str_token(&rest); word.len > 0;) {
        const Str next = str_token(&rest);
        t->copy[(size_t)(word.ptr - t->copy) + word.len] = '\0';
        t->moves[t->count++] = word.ptr;
        word = next;
    }
}

static bool split_position(PositionText *t, Str line, Error *err)
{
    *t = (PositionText){.copy = copy_text(line)};
    t->moves = malloc((count_tokens(line) + 1) * sizeof *t->moves);
    if (!t->copy || !t->moves)
        return error_code(err, "NO_MEMORY", 0, "not enough memory for the position");
    Str rest = {t->copy, line.len};
    const Str kind = str_token(&rest);
    if (!str_is(kind, "startpos") && !str_is(kind, "fen"))
        return error_code(err, "POSITION_KIND", 0, "position needs startpos or fen");
    /* The FEN ends where the word `moves` stands, or with the line. */
    Str fen = str_trim(rest), moves = STR("");
    for (Str ahead = rest, word; (word = str_token(&ahead)).len > 0;) {
        if (!str_is(word, "moves"))
            continue;
        fen = str_trim((Str){rest.ptr, (size_t)(word.ptr - rest.ptr)});
        moves = ahead;
        break;
    }
    if (str_is(kind, "fen")) {
        if (fen.len == 0)
            return error_code(err, "FEN_EMPTY", 0, "the FEN is empty");
        if (memchr(fen.ptr, 0, fen.len))
            return error_code(err, "FEN_BYTE", 0, "the FEN contains a NUL byte");
        t->copy[(size_t)(fen.ptr - t->copy) + fen.len] = '\0';
        t->fen = fen.ptr;
    } else if (fen.len > 0) {
        return error_code(err, "POSITION_WORD", 0,
                          "startpos is followed by something that is not 'moves'");
    }
    list_moves(t, moves);
    return true;
}

static void do_position(Uci *u, Str rest)
{
    PositionText text;
    Error why;
    SamaraError err = {0};
    if (!split_position(&text, rest, &why)) {
        console_printf(u->console, "info string refused: %s %s", why.code, why.text);
        u->position_bad = true;
    } else {
        u->position_bad = !samara_position_set(
            u->position, text.fen, option_is_on(u, "UCI_Chess960"), text.moves, text.count, &err);
        if (u->position_bad)
            say_error(u, &err);
        else if (err.text[0])
            console_printf(u->console, "info string note: %s", err.text);
    }
    free(text.copy);
    free(text.moves);
}

static void answer_nothing(Uci *u)
{
    console_put(u->console, STR("bestmove (none)"));
    u->searching = u->refused = false;
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

/* Clients play whatever `bestmove` says, so they are told in words why there is none. */
static void say_why_there_is_no_move(Uci *u)
{
    const SamaraState state = samara_position_state(u->position);
    if (u->position_bad)
        say(u, "there is no valid position to search");
    else if (state == SAMARA_CHECKMATE || state == SAMARA_STALEMATE)
        console_printf(u->console, "info string there is no legal move: %s",
                       samara_state_name(state));
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

static void begin_search(Uci *u)
{
    const SamaraEvents events = {u, on_line, on_current_move, on_message, on_done};
    SamaraRequest request;
    SamaraError err;
    u->show_wdl = option_is_on(u, "UCI_ShowWDL");
    if (u->debug)
        say_settings(u);
    u->searching = true;
    u->endless = u->go.endless;
    u->patient = u->go.patient;
    u->pondering = u->go.limits.ponder && !u->go.limits.infinite;
    u->refused = u->position_bad;
    make_request(u, &request);
    if (!u->refused && !samara_go(u->engine, &request, &events, &err)) {
        say_error(u, &err);
        u->refused = true;
    }
    if (u->refused && !u->endless)
        answer_nothing(u);
}

static void do_go(Uci *u, Str rest)
{
    Error complaint;
    go_parse(&u->go, rest, u->position, &complaint);
    if (complaint.text[0])
        console_printf(u->console, "info string ignored: %s", complaint.text);
    say_why_there_is_no_move(u);
    if (u->go.perft == 0)
        begin_search(u);
    else if (!u->position_bad)
        start_job(u, perft_job, u->go.perft);
}

static void stop_search(Uci *u)
{
    if (!u->searching)
        return;
    u->endless = false; /* so a `wait` behind it is one for an end that comes */
    if (u->refused)
        answer_nothing(u);
    else if (u->job_running)
        relaxed_store(&u->job_stop, true);
    else
        samara_stop(u->engine);
}

static void do_stop(Uci *u, Str rest)
{
    (void)rest;
    stop_search(u);
}

static void do_ponderhit(Uci *u, Str rest)
{
    (void)rest;
    if (!u->searching || !u->pondering)
        return;
    u->pondering = u->endless = false;
    if (u->refused)
        answer_nothing(u);
    else
        samara_ponderhit(u->engine);
}

static void do_quit(Uci *u, Str rest)
{
    (void)rest;
    u->quit = true;
}

static void do_wait(Uci *u, Str rest)
{
    (void)rest;
    u->waiting = u->searching && !u->endless;
}

static void put_text(Uci *u, Buffer *text)
{
    if (text->failed)
        say(u, "refused: NO_MEMORY not enough memory");
    else
        console_put(u->console, (Str){buffer_text(text), text->len});
    buffer_free(text);
}

static void do_display(Uci *u, Str rest)
{
    (void)rest;
    Buffer text = {0};
    board_describe(u->position, &text);
    put_text(u, &text);
}

static void do_eval(Uci *u, Str rest)
{
    (void)rest;
    Buffer text = {0};
    SamaraRequest request;
    samara_request(u->engine, &request);
    board_explain(u->engine, u->position, request.evaluation, false, &text);
    put_text(u, &text);
}

static void do_flip(Uci *u, Str rest)
{
    (void)rest;
    SamaraFields fields;
    SamaraError err;
    samara_position_fields(u->position, &fields);
    board_flip(&fields);
    if (!samara_position_set_fields(u->position, &fields, &err))
        say_error(u, &err);
}

static void do_perft(Uci *u, Str rest)
{
    int64_t depth;
    if (str_next_int(&rest, 1, 100, &depth))
        start_job(u, perft_job, (int)depth);
    else
        say(u, "refused: perft needs a depth from 1 to 100");
}

static void do_bench(Uci *u, Str rest)
{
    int64_t depth = 0;
    str_next_int(&rest, 1, 100, &depth);
    start_job(u, bench_job, (int)depth);
}

static void do_compiler(Uci *u, Str rest)
{
    (void)rest;
    console_printf(u->console, "Samara %s, %s", samara_version(), samara_build());
}

static void do_nothing(Uci *u, Str rest)
{
    (void)u;
    (void)rest;
}

static void do_help(Uci *u, Str rest);

/* When a command may run: at any moment, or only while no search runs. */
typedef enum When { ANY_TIME, WHEN_IDLE } When;

typedef struct Command {
    const char *name;
    When when;
    void (*run)(Uci *u, Str rest);
    const char *help;
} Command;

static const Command commands[] = {
    {"uci", ANY_TIME, do_uci, "introduces the engine and its options"},
    {"isready", ANY_TIME, do_isready, "answers readyok"},
    {"debug", ANY_TIME, do_debug, "on or off: say more"},
    {"register", ANY_TIME, do_nothing, "nothing to register: free software"},
    {"setoption", WHEN_IDLE, do_setoption, "setoption name N [value V]"},
    {"ucinewgame", WHEN_IDLE, do_ucinewgame, "forgets the last game"},
    {"position", WHEN_IDLE, do_position, "position startpos|fen F [moves M...]"},
    {"go", WHEN_IDLE, do_go,
     "searches: depth, nodes, mate, movetime, wtime, btime, winc, binc, movestogo, searchmoves, "
     "ponder, infinite; or "
     "perft N"},
    {"stop", ANY_TIME, do_stop, "ends the search"},
    {"ponderhit", ANY_TIME, do_ponderhit, "the expected move was played"},
    {"quit", ANY_TIME, do_quit, "leaves"},
    {"wait", ANY_TIME, do_wait, "lets the next lines wait for the end of the search"},
    {"d", WHEN_IDLE, do_display, "shows the board"},
    {"eval", WHEN_IDLE, do_eval, "explains the evaluation of the position"},
    {"flip", WHEN_IDLE, do_flip, "exchanges the colours"},
    {"perft", WHEN_IDLE, do_perft, "perft N: counts the move tree"},
    {"bench", WHEN_IDLE, do_bench, "bench [depth]: speed and signature of this build"},
    {"compiler", ANY_TIME, do_compiler, "shows how this program was built"},
    {"help", ANY_TIME, do_help, "this list"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void do_help(Uci *u, Str rest)
{
    (void)rest;
    console_put(u->console,
                STR("Samara speaks UCI and XBoard on its standard input. UCI commands:"));
    for (int i = 0; i < COMMAND_COUNT; i++)
        console_printf(u->console, "  %-11s %s", commands[i].name, commands[i].help);
}

/* --- events --- */

/* The first word that is a command; what stands before it is skipped, as the protocol wants. */
static const Command *find_command(Str *line)
{
    for (Str word; (word = str_token(line)).len > 0;)
        for (int i = 0; i < COMMAND_COUNT; i++)
            if (str_is(word, commands[i].name))
                return &commands[i];
    return NULL;
}

/* A byte-order mark is no part of the first word. */
static Str without_mark(Str line)
{
    return str_starts(line, "\xef\xbb\xbf") ? (Str){line.ptr + 3, line.len - 3} : line;
}

/* Somebody waits for the end of the search. One that was given plies, nodes or a mate to find is
 * left to finish, so that scripts work; any other, on a clock that is no longer watched or without
 * any end, is stopped. */
static void hurry(Uci *u)
{
    if (u->deferred_bytes > DEFERRED_MAX || (!u->patient && !u->waiting))
        stop_search(u);
}

static void defer(Uci *u, Event *event)
{
    *u->deferred_end = event;
    u->deferred_end = &event->next;
    u->deferred_bytes += event->len;
}

static bool must_wait(const Uci *u, const Command *command)
{
    if (!u->searching)
        return false;
    const bool always =
        command->run == do_stop || command->run == do_isready || command->run == do_ponderhit;
    return command->when == WHEN_IDLE || (u->waiting && !always);
}

/* These act on what runs now, and again, in their order, on a go that still waits before them. */
static bool also_wait(const Uci *u, const Command *command)
{
    return u->deferred &&
           (command->run == do_stop || command->run == do_ponderhit || command->run == do_wait);
}

static void handle_line(Uci *u, Event *event)
{
    Str line = without_mark(event_line(event));
    if (!u->spoken && protocol_of(line) != PROTOCOL_UCI) {
        u->other_protocol = true;
        console_unread(u->console, event);
        return;
    }
    const Command *command = find_command(&line);
    if (!command) {
        event_free(event);
        return;
    }
    u->spoken = true;
    if (must_wait(u, command)) {
        hurry(u);
        if (u->searching) {
            defer(u, event);
            return;
        }
    }
    const bool again = also_wait(u, command);
    command->run(u, line);
    if (again)
        defer(u, event);
    else
        event_free(event);
}

/* The search is over but for its last words: what waited for it runs then, until one of these lines
 * searches again. */
static void handle_signal(Uci *u)
{
    if (u->job_running)
        thread_join(u->job);
    else
        samara_wait(u->engine);
    u->job_running = u->searching = u->waiting = false;
    Event *list = u->deferred;
    u->deferred = NULL;
    u->deferred_end = &u->deferred;
    u->deferred_bytes = 0;
    while (list) {
        Event *event = list;
        list = event->next;
        event->next = NULL;
        if (u->quit)
            event_free(event);
        else
            handle_line(u, event);
    }
    u->quit = u->quit || (u->ended && !u->waiting);
}

static void handle_event(Uci *u, Event *event)
{
    switch (event->kind) {
    case CONSOLE_LINE:
        handle_line(u, event);
        break;
    case CONSOLE_SIGNAL:
        handle_signal(u);
        break;
    case CONSOLE_TOO_LONG:
        say(u, "refused: LINE_LENGTH the line is too long and was skipped");
        break;
    case CONSOLE_NO_MEMORY:
        say(u, "refused: NO_MEMORY a line was lost");
        break;
    case CONSOLE_LOG_LOST:
        say(u, "the log cannot be written; it ends here");
        break;
    case CONSOLE_END:
        u->ended = true;
        u->quit = !u->waiting;
        break;
    }
}

/* Ends what still runs. A bench is asked to stop only between two positions, which may take long:
 * the process leaves a job behind. */
static void leave(Uci *u)
{
    stop_search(u);
    while (u->deferred) {
        Event *event = u->deferred;
        u->deferred = event->next;
        event_free(event);
    }
    if (u->searching && !u->job_running)
        samara_wait(u->engine);
    if (u->job_running) {
        console_flush(u->console);
        _Exit(EXIT_SUCCESS);
    }
}

Parting uci_run(Console *console, Samara *engine, SamaraPosition *position)
{
    Uci *u = calloc(1, sizeof *u);
    if (!u)
        return PARTING_QUIT;
    u->console = console;
    u->engine = engine;
    u->position = position;
    u->deferred_end = &u->deferred;
    while (!u->quit && !u->other_protocol)
        handle_event(u, console_next(console));
    const Parting parting = u->other_protocol ? PARTING_OTHER_PROTOCOL : PARTING_QUIT;
    leave(u);
    free(u);
    return parting;
}
