// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "match/client_impl.h"
#include <string.h>

enum {
    GREET_US = 15 * 1000 * 1000, /* to uciok */
    READY_US = 60 * 1000 * 1000, /* to readyok: tables may have to be allocated */
    VARIATIONS_MAX = 1 << 20,
};

/* Reads on until a line that is just `word`; others go to `other`, if given. */
static Fault await_word(Client *c, const char *word, const char *what, int64_t patience,
                        void (*other)(Client *, Str), Error *why)
{
    const int64_t deadline = clock_us() + client_patience(c, patience);
    for (;;) {
        Str line;
        int64_t when;
        const Fault fault = client_line(c, deadline, what, &line, &when, why);
        if (fault)
            return fault;
        if (str_is(line, word))
            return FAULT_NONE;
        if (other)
            other(c, line);
    }
}

static Fault sync(Client *c, Error *why)
{
    buffer_puts(&c->out, "isready\n");
    const Fault fault = client_send(c, why);
    return fault ? fault : await_word(c, "readyok", "'isready'", READY_US, NULL, why);
}

/* "name Clear Hash type button": the name ends before the word "type". */
static Str option_name(Str rest)
{
    Str name = {0}, token;
    str_token(&rest);
    while ((token = str_token(&rest)).len && !str_is(token, "type"))
        name = name.len ? (Str){name.ptr, (size_t)(token.ptr + token.len - name.ptr)} : token;
    return name;
}

/* Its name, and one line for each option. */
static void note_greeting(Client *c, Str line)
{
    Str rest = line;
    const Str word = str_token(&rest);
    if (str_is(word, "id") && str_is(str_token(&rest), "name"))
        str_copy(c->title, sizeof c->title, str_trim(rest));
    if (!str_is(word, "option"))
        return;
    rest = str_trim(rest);
    buffer_append(&c->options, rest.ptr, rest.len);
    buffer_putc(&c->options, '\n');
}

static bool has_option(const Client *c, const char *wanted)
{
    Str rest = {buffer_text(&c->options), c->options.len};
    while (rest.len)
        if (str_is_nocase(option_name(str_line(&rest)), wanted))
            return true;
    return false;
}

static void put_option(Client *c, const char *name, const char *value)
{
    buffer_printf(&c->out, "setoption name %s", name);
    if (*value)
        buffer_printf(&c->out, " value %s", value);
    buffer_putc(&c->out, '\n');
}

Fault client_set_option(Client *c, const char *name, const char *value, Error *why)
{
    if (!c->process)
        return FAULT_NONE;
    if (!has_option(c, name)) {
        error_set(why, "%s has no option '%s'", c->spec->name, name);
        return FAULT_PROTOCOL;
    }
    put_option(c, name, value);
    return client_send(c, why);
}

/* Handshake, options, start commands; the engine is ready when this returns. */
static Fault greet(Client *c, bool chess960, Error *why)
{
    buffer_puts(&c->out, "uci\n");
    Fault fault = client_send(c, why);
    if (!fault)
        fault = await_word(c, "uciok", "'uci'", GREET_US, note_greeting, why);
    if (fault)
        return fault;

    /* A misspelt option would spoil a whole match unseen, so it is an error. */
    for (int i = 0; i < c->spec->option_count; i++) {
        const EngineOption *option = &c->spec->options[i];
        if (!has_option(c, option->name)) {
            error_set(why, "%s has no option '%s'", c->spec->name, option->name);
            return FAULT_PROTOCOL;
        }
        put_option(c, option->name, option->value);
    }
    if (chess960 && !has_option(c, "UCI_Chess960")) {
        error_set(why, "%s does not play Chess960", c->spec->name);
        return FAULT_PROTOCOL;
    }
    if (chess960)
        put_option(c, "UCI_Chess960", "true");
    if (c->spec->ponder && has_option(c, "Ponder"))
        put_option(c, "Ponder", "true");
    for (int i = 0; i < c->spec->init_count; i++)
        buffer_printf(&c->out, "%s\n", c->spec->init[i]);
    return sync(c, why);
}

static Fault new_game(Client *c, const Position *start, Error *why)
{
    (void)start; /* comes with every `position` */
    buffer_puts(&c->out, "ucinewgame\n");
    return sync(c, why);
}

/* `reply`: a move that is not played yet, or "". */
static void put_position(Buffer *out, const Game *game, const char *reply)
{
    char fen[FEN_SIZE], word[UCI_MOVE_SIZE];
    fen_write(&game->start, fen);
    if (strcmp(fen, FEN_START) == 0)
        buffer_puts(out, "position startpos");
    else
        buffer_printf(out, "position fen %s", fen);
    for (int i = 0; i < game->count; i++) {
        move_to_uci(game->plies[i].move, game->start.chess960, word);
        buffer_puts(out, i ? " " : " moves ");
        buffer_puts(out, word);
    }
    if (*reply)
        buffer_printf(out, "%s%s", game->count ? " " : " moves ", reply);
    buffer_putc(out, '\n');
}

/* Milliseconds that an engine may believe in: rounded down, but never nothing. */
static long long clock_ms_for(int64_t us) { return us < 1000 ? 1 : us / 1000; }

/* Both clocks are sent, as the protocol wants, and only limits that are in force. */
static void put_go(Buffer *out, const char *go, const Turn *turn)
{
    static const char *const clock_word[2] = {"wtime", "btime"}, *const inc_word[2] = {"winc",
                                                                                       "binc"};
    const TimeControl *tc = turn->limit[turn->mover];
    buffer_puts(out, go);
    if (tc->base || tc->increment) {
        for (Color side = WHITE; side <= BLACK; side++)
            buffer_printf(out, " %s %lld", clock_word[side], clock_ms_for(turn->clock[side]));
        for (Color side = WHITE; side <= BLACK; side++)
            if (turn->limit[side]->increment)
                buffer_printf(out, " %s %lld", inc_word[side],
                              (long long)turn->limit[side]->increment / 1000);
        if (turn->moves_to_go)
            buffer_printf(out, " movestogo %lld", (long long)turn->moves_to_go);
    }
    if (tc->move_time)
        buffer_printf(out, " movetime %lld", clock_ms_for(tc->move_time));
    if (tc->depth)
        buffer_printf(out, " depth %lld", (long long)tc->depth);
    if (tc->nodes)
        buffer_printf(out, " nodes %lld", (long long)tc->nodes);
    buffer_putc(out, '\n');
}

static void note_info(Client *c, Str line, Thought *thought)
{
    const Info info = info_from_uci(line);
    thought_note(thought, &info);
    c->info_faults += info.wrong.len > 0;
    if (info.pv.len && c->variations.len + line.len < VARIATIONS_MAX) {
        buffer_append(&c->variations, line.ptr, line.len);
        buffer_putc(&c->variations, '\n');
    }
}

/* Reads until bestmove; *answer is what follows that word. */
static Fault await_bestmove(Client *c, int64_t deadline, Thought *thought, Str *answer,
                            int64_t *when, Error *why)
{
    for (;;) {
        Str line;
        const ReadStatus status = process_read(c->process, deadline, &line, when);
        if (status == READ_LINE) {
            Str rest = line;
            const Str word = str_token(&rest);
            if (str_is(word, "bestmove")) {
                *answer = rest;
                return FAULT_NONE;
            }
            if (str_is(word, "info"))
                note_info(c, line, thought);
        }
        if (status == READ_TIMEOUT || (status == READ_LINE && *when > deadline))
            return FAULT_TIME;
        if (status == READ_INTERRUPTED) {
            error_code(why, "INTERRUPTED", 0, "interrupted");
            return FAULT_INTERRUPTED;
        }
        if (status == READ_END)
            return client_gone(c, FAULT_CRASH, "closed its output", why);
    }
}

/* The engine is late: tells it to stop, to learn whether it is slow or gone. */
static Fault late(Client *c, const Turn *turn, Thought *thought, Str *answer, int64_t *when,
                  Error *why)
{
    buffer_puts(&c->out, "stop\n");
    Fault fault = client_send(c, why);
    if (!fault)
        fault = await_bestmove(c, clock_us() + turn_patience(turn), thought, answer, when, why);
    if (fault == FAULT_TIME) {
        error_set(why, "%s does not answer 'go', nor 'stop'", c->spec->name);
        return FAULT_HANG;
    }
    return fault;
}

/* A bestmove that nobody asked for would be taken for the answer to the next question. */
static Fault drain(Client *c, Thought *thought, Error *why)
{
    Str line;
    int64_t when;
    while (process_read(c->process, 0, &line, &when) == READ_LINE) {
        Str rest = line;
        const Str word = str_token(&rest);
        if (str_is(word, "info") && c->pondering)
            note_info(c, line, thought);
        if (str_is(word, "bestmove")) {
            error_set(why, "%s sent a bestmove without having been asked", c->spec->name);
            return FAULT_PROTOCOL;
        }
    }
    return FAULT_NONE;
}

/* Ends a search whose result nobody wants. */
static Fault stop_pondering(Client *c, Error *why)
{
    Thought ignored = {0};
    Str answer;
    int64_t when;
    c->pondering = MOVE_NONE;
    buffer_puts(&c->out, "stop\n");
    Fault fault = client_send(c, why);
    if (!fault)
        fault = await_bestmove(c, clock_us() + client_patience(c, PATIENCE_DEFAULT), &ignored,
                               &answer, &when, why);
    buffer_clear(&c->variations);
    if (fault == FAULT_TIME) {
        error_set(why, "%s does not stop pondering", c->spec->name);
        return FAULT_HANG;
    }
    return fault;
}

/* Also keeps the move that the engine expects as an answer, for pondering. */
static Fault read_move(Client *c, const Turn *turn, Str answer, Thought *thought, Error *why)
{
    const Str word = str_token(&answer);
    thought->move = move_from_uci(&turn->game->pos, word);
    c->expected[0] = 0;
    if (str_is(str_token(&answer), "ponder"))
        str_copy(c->expected, sizeof c->expected, str_token(&answer));
    if (thought->move != MOVE_NONE)
        return FAULT_NONE;
    if (!word.len) {
        error_set(why, "%s sent no move", c->spec->name);
        return FAULT_PROTOCOL;
    }
    error_set(why, "%s played the illegal move '%.*s'", c->spec->name,
              word.len > 16 ? 16 : (int)word.len, word.ptr);
    return FAULT_ILLEGAL;
}

static void ponder(Client *c, const Turn *turn)
{
    c->pondering = move_from_uci(&turn->game->pos, str_from(c->expected));
    if (c->pondering == MOVE_NONE)
        return;
    put_position(&c->out, turn->game, c->expected);
    put_go(&c->out, "go ponder", turn);
    client_send(c, NULL); /* if that fails, its next move will show it */
}

/* Asks for a move: a new search, or the one it ponders on if it guessed right. */
static Fault ask(Client *c, const Turn *turn, Thought *thought, Error *why)
{
    Fault fault = drain(c, thought, why);
    if (fault)
        return fault;
    if (c->pondering && turn->game->plies[turn->game->count - 1].move == c->pondering) {
        c->pondering = MOVE_NONE;
        buffer_puts(&c->out, "ponderhit\n");
        return client_send(c, why);
    }
    if (c->pondering && (fault = stop_pondering(c, why)))
        return fault;
    put_position(&c->out, turn->game, "");
    put_go(&c->out, "go", turn);
    return client_send(c, why);
}

/* Asks for a move and measures from the moment the last byte was written. */
static Fault think(Client *c, const Turn *turn, Thought *thought, Error *why)
{
    Fault fault = ask(c, turn, thought, why);
    if (fault)
        return fault;

    const int64_t limit = turn_limit(turn), begin = c->sent_at;
    const int64_t deadline = begin + (limit == INT64_MAX ? turn_patience(turn) : limit);
    int64_t when;
    Str answer;
    fault = await_bestmove(c, deadline, thought, &answer, &when, why);
    if (fault == FAULT_TIME)
        fault = late(c, turn, thought, &answer, &when, why);
    if (fault)
        return fault;

    thought->used = when - begin;
    fault = turn_verdict(turn, thought->used, c->spec->name, why);
    return fault ? fault : read_move(c, turn, answer, thought, why);
}

static void game_over(Client *c, const char *result, const char *reason)
{
    (void)result;
    (void)reason;
    if (c->pondering)
        stop_pondering(c, NULL); /* if it fails, the next game will notice */
}

const Dialect dialect_uci = {greet, new_game, think, game_over, ponder};
