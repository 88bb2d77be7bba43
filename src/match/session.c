// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/session.h"
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/notation.h"
#include "match/variation.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEARD_MAX = 8 << 20 }; /* a flood is not remembered for ever */

/* --- saying and hearing --- */

/* The worst verdict counts, and of equal ones the first. */
bool session_verdict(Session *s, Severity severity, const char *format, ...)
{
    if (s->severity != CHECK_OK && (s->severity >= severity || severity == CHECK_SKIPPED))
        return false;
    char text[ERROR_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->severity = severity;
    error_set(&s->detail, "%s", text);
    return false;
}

void session_in_case(Session *s, const char *what)
{
    const size_t len = strlen(s->detail.text);
    if (s->severity != CHECK_OK)
        snprintf(s->detail.text + len, sizeof s->detail.text - len, " ('%s')", what);
}

static bool died(Session *s, const char *when)
{
    ProcessEnd end;
    process_stop(s->process, 500, &end);
    s->process = NULL;
    return end.signal
               ? session_verdict(s, CHECK_FAILED, "died by signal %d %s", end.signal, when)
               : session_verdict(s, CHECK_FAILED, "ended with exit code %d %s", end.status, when);
}

bool session_say(Session *s, const char *text)
{
    if (!s->process)
        return false;
    Buffer line = {0};
    buffer_printf(&line, "%s\n", text);
    const bool ok = process_write(s->process, (Str){buffer_text(&line), line.len});
    buffer_free(&line);
    return ok || died(s, "while it was spoken to");
}

/* One line before the deadline. */
static ReadStatus hear(Session *s, int64_t deadline, Str *line, int64_t *when)
{
    if (!s->process)
        return READ_END;
    const ReadStatus status = process_read(s->process, deadline, line, when);
    s->interrupted = s->interrupted || status == READ_INTERRUPTED;
    if (status == READ_LINE && s->heard.len < HEARD_MAX) {
        buffer_append(&s->heard, line->ptr, line->len);
        buffer_putc(&s->heard, '\n');
    }
    return status == READ_LINE && *when > deadline ? READ_TIMEOUT : status;
}

/* Everything that is heard on the way is kept for later checks. */
bool session_await(Session *s, const char *word, int ms, Str *rest, int64_t *when)
{
    const int64_t deadline = clock_us() + (int64_t)ms * MS;
    for (;;) {
        Str line;
        const ReadStatus status = hear(s, deadline, &line, when);
        if (status == READ_END)
            return s->process ? died(s, "while it was listened to") : false;
        if (status != READ_LINE)
            return session_verdict(s, CHECK_FAILED, "no '%s' within %d ms", word, ms);
        if (str_is(str_token(&line), word)) {
            *rest = line;
            return true;
        }
    }
}

bool session_sync(Session *s)
{
    Str rest;
    int64_t when;
    return session_say(s, "isready") && session_await(s, "readyok", ANSWER_MS, &rest, &when);
}

bool session_quiet(Session *s, const char *word, int ms)
{
    const int64_t deadline = clock_us() + (int64_t)ms * MS;
    Str line;
    int64_t when;
    ReadStatus status;
    while ((status = hear(s, deadline, &line, &when)) == READ_LINE)
        if (str_is(str_token(&line), word))
            return false;
    return status == READ_TIMEOUT;
}

/* Starts the engine, keeps its greeting and sets the options of the command line. */
bool session_greet(Session *s)
{
    const Command command = {.argv = s->engine->argv,
                             .directory = s->engine->directory,
                             .stderr_path = s->engine->stderr_path};
    Error err;
    Str rest;
    int64_t when;
    s->process = process_start(s->guard, s->interrupt, &command, &err);
    if (!s->process)
        return session_verdict(s, CHECK_FAILED, "%s", err.text);
    buffer_clear(&s->heard);
    if (!session_say(s, "uci") || !session_await(s, "uciok", START_MS, &rest, &when))
        return false;
    buffer_clear(&s->greeting);
    buffer_append(&s->greeting, buffer_text(&s->heard), s->heard.len);
    for (int i = 0; i < s->engine->option_count; i++) {
        Buffer line = {0};
        buffer_printf(&line, "setoption name %s value %s", s->engine->options[i].name,
                      s->engine->options[i].value);
        const bool ok = session_say(s, buffer_text(&line));
        buffer_free(&line);
        if (!ok)
            return false;
    }
    return session_sync(s);
}

void session_stop(Session *s)
{
    if (s->process)
        process_write(s->process, STR("stop\nquit\n"));
    process_stop(s->process, 500, NULL);
    s->process = NULL;
}

/* Looks an option up in the greeting, whatever its case. */
bool session_option(const Session *s, const char *name, OptionInfo *out)
{
    Str lines = {buffer_text(&s->greeting), s->greeting.len};
    while (lines.len) {
        const Str line = str_line(&lines);
        if (!str_starts(line, "option"))
            continue;
        *out = option_parse(line);
        if (str_is_nocase(out->name, name))
            return true;
    }
    return false;
}

bool session_set_option(Session *s, const char *name, const char *value)
{
    char line[160];
    snprintf(line, sizeof line, "setoption name %s value %s", name, value);
    return session_say(s, line);
}

/* --- searching --- */

/* Also notes how long it took since `begin`. */
bool session_await_bestmove(Session *s, int64_t begin, int ms, Answer *answer)
{
    Str rest;
    int64_t when;
    answer->word[0] = answer->ponder[0] = 0;
    if (!session_await(s, "bestmove", ms, &rest, &when))
        return false;
    answer->used = when - begin;
    str_copy(answer->word, sizeof answer->word, str_token(&rest));
    if (str_is(str_token(&rest), "ponder"))
        str_copy(answer->ponder, sizeof answer->ponder, str_token(&rest));
    return true;
}

bool session_begin(Session *s, const char *position, const char *go, int64_t *begin)
{
    buffer_clear(&s->heard);
    const bool ok = session_say(s, position);
    *begin = clock_us();
    return ok && session_say(s, go);
}

bool session_search(Session *s, const char *position, const char *go, Answer *answer)
{
    int64_t begin;
    return session_begin(s, position, go, &begin) &&
           session_await_bestmove(s, begin, SEARCH_MS, answer);
}

/* The game that a position command describes. */
static bool read_position(Game *game, const char *command, bool chess960)
{
    Str rest = str_from(command), word;
    Position start;
    str_token(&rest);
    pos_start(&start);
    if (str_is(word = str_token(&rest), "fen")) {
        const char *moves = strstr(command, " moves");
        const Str fen = {rest.ptr, moves ? (size_t)(moves - rest.ptr) : rest.len};
        if (!fen_parse(&start, fen, chess960 ? FEN_960 : FEN_STANDARD, NULL, NULL))
            return false;
    }
    start.chess960 = chess960;
    game_reset(game, &start);
    while (word.len && !str_is(word, "moves"))
        word = str_token(&rest);
    while ((word = str_token(&rest)).len) {
        const Move move = move_from_uci(&game->pos, word);
        if (move == MOVE_NONE || !game_play(game, move, NULL))
            return false;
    }
    return true;
}

/* The next line of information in what was heard. */
static bool next_info(Str *rest, Str *line, Info *out)
{
    while (rest->len) {
        *line = str_line(rest);
        if (str_starts(*line, "info")) {
            *out = info_from_uci(*line);
            return true;
        }
    }
    return false;
}

/* Is the move legal, is the ponder move, and are all variations that were printed? */
bool session_judge(Session *s, const char *position, bool chess960, const Answer *answer)
{
    Game game;
    game_init(&game);
    bool ok = read_position(&game, position, chess960);
    const Move best = move_from_uci(&game.pos, str_from(answer->word));
    if (best == MOVE_NONE)
        ok = session_verdict(s, CHECK_FAILED, "bestmove '%s' is illegal after '%s'", answer->word,
                             position);
    if (ok && answer->ponder[0] && game_play(&game, best, NULL)) {
        if (move_from_uci(&game.pos, str_from(answer->ponder)) == MOVE_NONE)
            ok = session_verdict(s, CHECK_FAILED, "ponder move '%s' is illegal after %s",
                                 answer->ponder, answer->word);
        game_undo(&game);
    }
    Buffer lines = {0};
    Str rest = {buffer_text(&s->heard), s->heard.len};
    Info info;
    for (Str line; next_info(&rest, &line, &info);) {
        if (info.wrong.len)
            ok = session_verdict(s, CHECK_FAILED, "'%.*s' where a number belongs",
                                 info.wrong.len > 40 ? 40 : (int)info.wrong.len, info.wrong.ptr);
        if (info.pv.len)
            buffer_printf(&lines, "%.*s\n", (int)line.len, line.ptr);
    }
    bool found[FAULT_COUNT];
    Error why;
    variations_check(&game, (Str){buffer_text(&lines), lines.len}, best, found, &why);
    for (Fault f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
        if (found[f])
            ok = session_verdict(s, CHECK_FAILED, "%s (after '%s')", why.text, position);
    buffer_free(&lines);
    game_free(&game);
    return ok;
}

Info session_last_info(const Session *s)
{
    Info last = {0};
    Str rest = {buffer_text(&s->heard), s->heard.len};
    Info info;
    for (Str line; next_info(&rest, &line, &info);) {
        if (info.has_score && !info.is_bound && info.multipv <= 1)
            last = info;
    }
    return last;
}
