// SPDX-License-Identifier: GPL-3.0-or-later
/* session.h -- a conversation with a UCI engine, line by line, and a verdict on it.
 *
 * Unlike a Client, which wants to play, a Session listens closely: it keeps every line, knows what
 * must not come, and notes the worst that it finds. Functions that return bool return false once a
 * finding makes going on senseless. */
#ifndef SAMARA_MATCH_SESSION_H
#define SAMARA_MATCH_SESSION_H

#include "match/engine.h"
#include "match/info.h"
#include "match/option.h"
#include "match/process.h"

typedef enum Severity { CHECK_OK, CHECK_WARNING, CHECK_FAILED, CHECK_SKIPPED } Severity;

enum {
    MS = 1000,         /* microseconds */
    START_MS = 5000,   /* patience: to uciok */
    ANSWER_MS = 2000,  /* to readyok */
    SEARCH_MS = 20000, /* to the bestmove of a search that is small */
};

typedef struct Session {
    const EngineSpec *engine;
    Guard *guard;
    const Interrupt *interrupt;
    Process *process; /* NULL: not running */
    Buffer greeting;  /* everything between uci and uciok */
    Buffer heard;     /* the lines since the last search began */
    Severity severity;
    Error detail;
    bool interrupted;
} Session;

/* How a search ended. */
typedef struct Answer {
    char word[16]; /* of bestmove */
    char ponder[16];
    int64_t used; /* microseconds from go (or stop) to bestmove */
} Answer;

/* The worst finding is the one that is kept. Returns false, for `return session_verdict(...)`. */
bool session_verdict(Session *s, Severity severity, const char *format, ...) PRINTF_LIKE(3, 4);
void session_in_case(Session *s,
                     const char *what); /* adds to a finding in which case it was made */

bool session_greet(Session *s); /* starts the engine: uci, its options, isready */
void session_stop(Session *s);  /* ends it, if it runs */

bool session_say(Session *s, const char *line);
/* Listens until a line whose first word is `word`; *rest is what follows it. */
bool session_await(Session *s, const char *word, int ms, Str *rest, int64_t *when);
bool session_sync(Session *s); /* isready, readyok */
bool session_quiet(Session *s, const char *word,
                   int ms); /* no line that begins with it comes for so long */

/* What the engine said about an option; false if it has none of that name. */
bool session_option(const Session *s, const char *name, OptionInfo *out);
bool session_set_option(Session *s, const char *name, const char *value);

bool session_begin(Session *s, const char *position, const char *go, int64_t *begin);
bool session_await_bestmove(Session *s, int64_t begin, int ms, Answer *answer);
bool session_search(Session *s, const char *position, const char *go,
                    Answer *answer); /* both of these */
/* Judges everything that the last search said: moves, variations, numbers. */
bool session_judge(Session *s, const char *position, bool chess960, const Answer *answer);
Info session_last_info(const Session *s); /* the last line of the search with an exact score */

#endif
