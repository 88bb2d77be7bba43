// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "match/client_impl.h"
#include <string.h>

enum {
    START_MS = 500,
    FEATURES_US = 2500 * 1000,           /* an engine that says nothing by then speaks version 1 */
    FEATURES_LONG_US = 60 * 1000 * 1000, /* after "done=0" */
    PONG_US = 60 * 1000 * 1000,
};

/* --- start-up --- */

typedef struct FeatureFlag {
    const char *name;
    size_t offset; /* of a bool in XBoardState */
} FeatureFlag;

static const FeatureFlag feature_flags[] = {
    {"ping", offsetof(XBoardState, ping)},         {"setboard", offsetof(XBoardState, setboard)},
    {"usermove", offsetof(XBoardState, usermove)}, {"reuse", offsetof(XBoardState, reuse)},
    {"memory", offsetof(XBoardState, memory)},     {"smp", offsetof(XBoardState, smp)},
    {"nps", offsetof(XBoardState, nps)},           {"done", offsetof(XBoardState, done)},
};

/* Cuts `name=value` or `name="value with blanks"` off the line; false at its end. */
static bool next_feature(Str *rest, Str *name, Str *value)
{
    *rest = str_trim(*rest);
    const char *equals = rest->len ? memchr(rest->ptr, '=', rest->len) : NULL;
    if (!equals)
        return false;
    *name = str_trim((Str){rest->ptr, (size_t)(equals - rest->ptr)});
    *rest = str_trim((Str){equals + 1, rest->len - (size_t)(equals + 1 - rest->ptr)});
    if (!rest->len || rest->ptr[0] != '"') {
        *value = str_token(rest);
        return true;
    }
    const char *begin = rest->ptr + 1;
    const char *quote = memchr(begin, '"', rest->len - 1);
    const char *end = quote ? quote : rest->ptr + rest->len;
    *value = (Str){begin, (size_t)(end - begin)};
    const char *after = quote ? quote + 1 : end;
    *rest = (Str){after, (size_t)(rest->ptr + rest->len - after)};
    return true;
}

/* "Clear Hash -button": the name ends before the word with the dash. */
static void note_option(Client *c, Str text)
{
    Str rest = text, token, name = {0};
    while ((token = str_token(&rest)).len && token.ptr[0] != '-')
        name = name.len ? (Str){name.ptr, (size_t)(token.ptr + token.len - name.ptr)} : token;
    buffer_append(&c->options, name.ptr, name.len);
    buffer_putc(&c->options, '\n');
}

static bool set_flag(XBoardState *x, Str name, Str value)
{
    for (size_t i = 0; i < sizeof feature_flags / sizeof *feature_flags; i++)
        if (str_is(name, feature_flags[i].name)) {
            *(bool *)((char *)x + feature_flags[i].offset) = str_is(value, "1");
            return true;
        }
    return false;
}

static bool lists_word(Str list, const char *word)
{
    while (list.len) {
        const char *comma = memchr(list.ptr, ',', list.len);
        const size_t len = comma ? (size_t)(comma - list.ptr) : list.len;
        if (str_is(str_trim((Str){list.ptr, len}), word))
            return true;
        list = comma ? (Str){comma + 1, list.len - len - 1} : (Str){0};
    }
    return false;
}

/* Accepts what we can serve and rejects the rest, feature by feature, as the protocol wants. */
static void note_features(Client *c, Str rest)
{
    Str name, value;
    XBoardState *x = &c->xboard;
    while (next_feature(&rest, &name, &value)) {
        bool known = set_flag(x, name, value);
        if (str_is(name, "done"))
            x->waiting = !x->done; /* done=0: it needs longer */
        if (str_is(name, "variants"))
            known = x->chess960_variant = lists_word(value, "fischerandom");
        if (str_is(name, "myname"))
            known = str_copy(c->title, sizeof c->title, value);
        if (str_is(name, "option")) {
            note_option(c, value);
            known = true;
        }
        /* We send coordinates, whatever the engine would like. */
        buffer_printf(&c->out, "%s %.*s\n", known ? "accepted" : "rejected", (int)name.len,
                      name.ptr);
    }
}

/* An engine that says nothing within two seconds is of version 1; one that says done=0 gets more
 * time. */
static Fault await_features(Client *c, Error *why)
{
    const int64_t begin = clock_us();
    while (!c->xboard.done) {
        Str line;
        int64_t when;
        const int64_t patience =
            c->xboard.waiting ? client_patience(c, FEATURES_LONG_US) : FEATURES_US;
        Fault fault = client_line(c, begin + patience, "'protover 2'", &line, &when, why);
        if (fault == FAULT_HANG && !c->xboard.waiting && !c->spec->line_gap_ms)
            return FAULT_NONE; /* version 1 has no features */
        if (fault)
            return fault;
        Str rest = line;
        if (!str_is(str_token(&rest), "feature"))
            continue;
        note_features(c, rest);
        if ((fault = client_send(c, why)))
            return fault;
    }
    return FAULT_NONE;
}

/* With ping the engine has read everything; engines without it must be trusted. */
static Fault sync(Client *c, Error *why)
{
    if (!c->xboard.ping)
        return client_send(c, why);
    const int number = ++c->xboard.pings;
    const int64_t deadline = clock_us() + client_patience(c, PONG_US);
    buffer_printf(&c->out, "ping %d\n", number);
    Fault fault = client_send(c, why);
    while (!fault) {
        Str line;
        int64_t when, answer;
        fault = client_line(c, deadline, "'ping'", &line, &when, why);
        if (!fault && str_is(str_token(&line), "pong") &&
            str_next_int(&line, number, number, &answer))
            break;
    }
    return fault;
}

static bool announced(const Client *c, const char *option)
{
    Str rest = {buffer_text(&c->options), c->options.len};
    while (rest.len)
        if (str_is_nocase(str_line(&rest), option))
            return true;
    return false;
}

/* Hash and Threads have commands of their own here; an engine without them plays as it is. */
static bool put_option(Client *c, const EngineOption *option, Error *why)
{
    const Str name = str_from(option->name);
    if (announced(c, option->name))
        buffer_printf(&c->out, "option %s=%s\n", option->name, option->value);
    else if (str_is_nocase(name, "hash") || str_is_nocase(name, "memory"))
        buffer_printf(&c->out, c->xboard.memory ? "memory %s\n" : "%.0s", option->value);
    else if (str_is_nocase(name, "threads") || str_is_nocase(name, "cores"))
        buffer_printf(&c->out, c->xboard.smp ? "cores %s\n" : "%.0s", option->value);
    else
        return error_set(why, "%s has no option '%s'", c->spec->name, option->name);
    return true;
}

/* Starts the protocol and checks that the engine can do what the match asks for. */
static Fault greet(Client *c, bool chess960, Error *why)
{
    c->xboard = (XBoardState){.reuse = true, .chess960 = chess960};
    /* An engine that needs pauses needs a long one while it starts (GNU Chess misses lines then).
     */
    const bool fragile = c->spec->line_gap_ms > 0;
    if (fragile)
        interrupt_wait(c->interrupt, START_MS);
    buffer_puts(&c->out, "xboard\n");
    Fault fault = client_send(c, why);
    if (fault)
        return fault;
    if (fragile)
        interrupt_wait(c->interrupt, START_MS);
    buffer_puts(&c->out, "protover 2\n");
    fault = client_send(c, why);
    if (!fault)
        fault = await_features(c, why);
    if (fault)
        return fault;
    for (int i = 0; i < c->spec->option_count; i++)
        if (!put_option(c, &c->spec->options[i], why))
            return FAULT_PROTOCOL;
    if (chess960 && !c->xboard.chess960_variant) {
        error_set(why, "%s does not play Chess960", c->spec->name);
        return FAULT_PROTOCOL;
    }
    if (c->spec->tc.nodes && !c->xboard.nps) {
        error_set(why, "%s cannot be limited to a number of nodes", c->spec->name);
        return FAULT_PROTOCOL;
    }
    for (int i = 0; i < c->spec->init_count; i++)
        buffer_printf(&c->out, "%s\n", c->spec->init[i]);
    return sync(c, why);
}

/* --- a new game --- */

/* The time control of the game; clocks are sent again before every move. */
static void put_limits(Buffer *out, const TimeControl *tc)
{
    if (tc->base || tc->increment) {
        const int64_t seconds =
            (tc->base + 999999) / 1000000; /* the exact time comes with every move */
        buffer_printf(out, "level %lld %lld:%02lld %g\n", (long long)tc->moves,
                      (long long)(seconds / 60), (long long)(seconds % 60),
                      (double)tc->increment / 1e6);
    }
    if (tc->move_time)
        buffer_printf(out, "st %g\n", (double)tc->move_time / 1e6);
    if (tc->depth)
        buffer_printf(out, "sd %lld\n", (long long)tc->depth);
    if (tc->nodes) /* one second at that many nodes per second */
        buffer_printf(out, "st 1\nnps %lld\n", (long long)tc->nodes);
}

/* For engines without setboard. The old command knows neither castling rights nor en passant: kings
 * and rooks at home may castle. A move by White hands the turn to Black first. */
static void put_edit(Buffer *out, const Position *p)
{
    if (p->turn == BLACK)
        buffer_puts(out, "a2a3\n");
    buffer_puts(out, "edit\n#\n");
    for (Color side = WHITE; side <= BLACK; side++) {
        Bitboard men = pos_color(p, side);
        while (men) {
            const Square s = bb_pop(&men);
            buffer_printf(out, "%c%c%c\n", "PNBRQK"[piece_type(pos_piece_on(p, s))],
                          'a' + square_file(s), '1' + square_rank(s));
        }
        buffer_puts(out, side == WHITE ? "c\n" : ".\n");
    }
}

/* Sets the game up in force mode, so that no engine begins to think before it is asked. */
static Fault new_game(Client *c, const Position *start, Error *why)
{
    char fen[FEN_SIZE];
    fen_write(start, fen);
    c->xboard.told = 0;
    c->xboard.playing = false;
    buffer_puts(&c->out, "new\n");
    if (c->xboard.chess960)
        buffer_puts(&c->out, "variant fischerandom\n");
    buffer_puts(&c->out, "force\n");
    if (strcmp(fen, FEN_START) != 0 && c->xboard.setboard)
        buffer_printf(&c->out, "setboard %s\n", fen);
    else if (strcmp(fen, FEN_START) != 0)
        put_edit(&c->out, start);
    put_limits(&c->out, &c->spec->tc);
    buffer_printf(&c->out, "post\n%s\n", c->spec->ponder ? "hard" : "easy");
    return sync(c, why);
}

static void game_over(Client *c, const char *result, const char *reason)
{
    buffer_printf(&c->out, "result %s {%s}\nforce\n", result, reason);
    client_send(c, NULL); /* if it fails, the next game will notice */
}

/* --- a move --- */

/* Castling in Chess960 is written O-O, since coordinates would be ambiguous. */
static void put_move(Client *c, Move move)
{
    char word[UCI_MOVE_SIZE];
    if (c->xboard.usermove)
        buffer_puts(&c->out, "usermove ");
    if (c->xboard.chess960 && move_kind(move) == CASTLING) {
        buffer_puts(&c->out, move_to(move) > move_from(move) ? "O-O\n" : "O-O-O\n");
        return;
    }
    move_to_uci(move, false, word);
    buffer_printf(&c->out, "%s\n", word);
}

static void put_clocks(Client *c, const Turn *turn)
{
    const Color mover = turn->mover;
    if (!c->spec->tc.base && !c->spec->tc.increment)
        return;
    for (int i = 0; i < 2; i++)
        buffer_printf(&c->out, "%s %lld\n", i ? "otim" : "time",
                      (long long)turn->clock[i ? color_flip(mover) : mover] / 10000);
}

/* Tells what happened since its last move; the last line of it is what starts its clock. */
static void put_request(Client *c, const Turn *turn)
{
    XBoardState *x = &c->xboard;
    if (x->playing)
        put_clocks(c, turn);
    for (; x->told < turn->game->count; x->told++)
        put_move(c, turn->game->plies[x->told].move);
    if (!x->playing) {
        put_clocks(c, turn);
        buffer_puts(&c->out, "go\n");
    }
    x->playing = true;
}

typedef enum Reply { REPLY_OTHER, REPLY_MOVE, REPLY_RESIGNS, REPLY_CLAIM, REPLY_REFUSED } Reply;

/* What a line means while we wait for a move; *word is the move. */
static Reply classify(Str line, Color mover, Str *word)
{
    Str rest = line;
    const Str first = str_token(&rest);
    *word = str_token(&rest);
    if (str_is(first, "move"))
        return REPLY_MOVE;
    if (str_starts(line, "My move is")) { /* "My move is : e2e4", version 1 */
        while (rest.len)
            *word = str_token(&rest);
        return REPLY_MOVE;
    }
    if (str_is(first, "resign"))
        return REPLY_RESIGNS;
    if (str_is(first, mover == WHITE ? "0-1" : "1-0"))
        return REPLY_RESIGNS;
    if (str_is(first, "1-0") || str_is(first, "0-1") || str_is(first, "1/2-1/2"))
        return REPLY_CLAIM;
    if (str_starts(line, "Illegal move"))
        return REPLY_REFUSED;
    return REPLY_OTHER;
}

/* Reads until a move, a resignation or a fault; thinking output is noted on the way. */
static Fault await_move(Client *c, const Turn *turn, int64_t deadline, Thought *thought, Str *word,
                        int64_t *when, Error *why)
{
    for (;;) {
        Str line;
        const Fault fault = client_line(c, deadline, "with a move", &line, when, why);
        if (fault)
            return fault == FAULT_HANG ? FAULT_TIME : fault;
        switch (classify(line, turn->mover, word)) {
        case REPLY_MOVE:
            return FAULT_NONE;
        case REPLY_RESIGNS:
            thought->resigns = true;
            return FAULT_NONE;
        case REPLY_CLAIM:
            error_set(why, "%s claims '%.*s', which is not so", c->spec->name,
                      line.len > 60 ? 60 : (int)line.len, line.ptr);
            return FAULT_PROTOCOL;
        case REPLY_REFUSED:
            error_set(why, "%s refuses a legal move: '%.*s'", c->spec->name,
                      line.len > 60 ? 60 : (int)line.len, line.ptr);
            return FAULT_PROTOCOL;
        case REPLY_OTHER: {
            const Info info = info_from_xboard(line);
            thought_note(thought, &info);
        }
        }
    }
}

/* The engine is late: asks it to move now, to learn whether it is slow or gone. */
static Fault late(Client *c, const Turn *turn, Thought *thought, Str *word, int64_t *when,
                  Error *why)
{
    buffer_puts(&c->out, "?\n");
    Fault fault = client_send(c, why);
    if (!fault)
        fault = await_move(c, turn, clock_us() + turn_patience(turn), thought, word, when, why);
    if (fault == FAULT_TIME) {
        error_set(why, "%s does not move, nor answer '?'", c->spec->name);
        return FAULT_HANG;
    }
    return fault;
}

static Fault drain(Client *c, Error *why)
{
    Str line;
    int64_t when;
    while (process_read(c->process, 0, &line, &when) == READ_LINE)
        if (str_is(str_token(&line), "move")) {
            error_set(why, "%s moved without having been asked", c->spec->name);
            return FAULT_PROTOCOL;
        }
    return FAULT_NONE;
}

/* Coordinates or SAN: older engines write either. */
static Fault read_move(Client *c, const Turn *turn, Str word, Thought *thought, Error *why)
{
    thought->move = move_from_uci(&turn->game->pos, word);
    if (thought->move == MOVE_NONE)
        thought->move = move_from_san(&turn->game->pos, word);
    if (thought->move != MOVE_NONE && thought->move != MOVE_NULL) {
        c->xboard.told++; /* it knows its own move */
        return FAULT_NONE;
    }
    error_set(why, "%s played the illegal move '%.*s'", c->spec->name,
              word.len > 16 ? 16 : (int)word.len, word.ptr);
    return FAULT_ILLEGAL;
}

/* As for UCI; answers to earlier requests are drained first. */
static Fault think(Client *c, const Turn *turn, Thought *thought, Error *why)
{
    Fault fault = drain(c, why);
    if (fault)
        return fault;
    put_request(c, turn);
    if ((fault = client_send(c, why)))
        return fault;

    const int64_t limit = turn_limit(turn), begin = c->sent_at;
    const int64_t deadline = begin + (limit == INT64_MAX ? turn_patience(turn) : limit);
    int64_t when;
    Str word;
    fault = await_move(c, turn, deadline, thought, &word, &when, why);
    if (fault == FAULT_TIME)
        fault = late(c, turn, thought, &word, &when, why);
    if (fault)
        return fault;
    thought->used = when - begin;
    fault = turn_verdict(turn, thought->used, c->spec->name, why);
    return fault || thought->resigns ? fault : read_move(c, turn, word, thought, why);
}

const Dialect dialect_xboard = {greet, new_game, think, game_over, NULL};
