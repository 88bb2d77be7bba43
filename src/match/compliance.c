// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/compliance.h"
#include "base/clock.h"
#include "chess/notation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STOP_FAIL_MS = 500,
    STOP_WARN_MS = 50,
    QUIET_MS = 150, /* how long to listen for something that must not come */
};

#define MIDDLEGAME                                                                                 \
    "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"
#define MATED "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
#define STALEMATED "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"

/* Tournament managers show name and author; both must say something. */
static void check_identity(Session *s)
{
    bool name = false, author = false;
    Str lines = {buffer_text(&s->greeting), s->greeting.len};
    while (lines.len) {
        Str line = str_line(&lines);
        if (!str_is(str_token(&line), "id"))
            continue;
        const Str kind = str_token(&line);
        name = name || (str_is(kind, "name") && str_trim(line).len);
        author = author || (str_is(kind, "author") && str_trim(line).len);
    }
    if (!name || !author)
        session_verdict(s, CHECK_FAILED, "no 'id %s'", name ? "author" : "name");
}

/* Lines that are not part of the handshake confuse some clients. */
static void check_greeting(Session *s)
{
    static const char *const allowed[] = {"id",   "option",         "uciok",
                                          "info", "copyprotection", "registration"};
    Str lines = {buffer_text(&s->greeting), s->greeting.len};
    while (lines.len) {
        const Str line = str_line(&lines);
        Str rest = line;
        const Str word = str_token(&rest);
        bool known = false;
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
            known = known || str_is(word, allowed[i]);
        if (!known)
            session_verdict(s, CHECK_WARNING, "'%.*s'", line.len > 60 ? 60 : (int)line.len,
                            line.ptr);
    }
}

/* Each option must have a valid type and default, and no name may come twice. */
static void check_options(Session *s)
{
    Str lines = {buffer_text(&s->greeting), s->greeting.len};
    while (lines.len) {
        const Str line = str_line(&lines);
        if (!str_starts(line, "option"))
            continue;
        const OptionInfo option = option_parse(line);
        const char *fault = option_fault(&option);
        if (fault)
            session_verdict(s, CHECK_FAILED, "option '%.*s': %s", (int)option.name.len,
                            option.name.ptr, fault);
        Str others = lines;
        while (others.len) {
            const Str other = str_line(&others);
            if (str_starts(other, "option") && str_equal(option_parse(other).name, option.name))
                session_verdict(s, CHECK_FAILED, "option '%.*s' comes twice", (int)option.name.len,
                                option.name.ptr);
        }
    }
    OptionInfo ignored;
    if (!session_option(s, "Hash", &ignored))
        session_verdict(s, CHECK_WARNING, "there is no option Hash");
}

static void check_uci_again(Session *s)
{
    Str rest;
    int64_t when;
    if (session_say(s, "uci"))
        session_await(s, "uciok", START_MS, &rest, &when);
}

/* Blanks of all kinds, carriage returns, unknown words, words without sense at the moment. */
static void check_tolerance(Session *s)
{
    static const char *const lines[] = {"",
                                        "   ",
                                        "nonsense of no meaning",
                                        "stop",
                                        "ponderhit",
                                        "setoption name No Such Option value 3",
                                        "setoption name Hash value abc",
                                        "setoption",
                                        "position",
                                        "position fen this is no position",
                                        "position startpos moves e2e5"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!session_say(s, lines[i]) || !session_sync(s)) {
            session_in_case(s, lines[i]);
            return;
        }
    Str rest;
    int64_t when;
    buffer_clear(&s->heard);
    if (!session_say(s, " \t isready \t \r") ||
        !session_await(s, "readyok", ANSWER_MS, &rest, &when))
        session_verdict(s, CHECK_FAILED, "blanks before a word are not accepted");
}

/* Positions with everything that engines get wrong: en passant, promotions, castling, few men,
 * repetition, the fifty-move rule. */
static void check_search(Session *s)
{
    static const char *const positions[] = {
        "position startpos",
        "position startpos moves",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1",
        MIDDLEGAME,
        "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "position fen r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "position fen rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "position fen 8/8/8/4k3/4p3/8/4K3/8 w - - 0 1",
        "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 100",
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
    };
    Answer answer;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        if (!session_search(s, positions[i], "go depth 6", &answer) ||
            !session_judge(s, positions[i], false, &answer))
            return;
}

static void check_info(Session *s)
{
    Answer answer;
    if (!session_search(s, MIDDLEGAME, "go depth 5", &answer))
        return;
    const Info info = session_last_info(s);
    if (!info.has_score || !info.has_depth || !info.pv.len)
        session_verdict(s, CHECK_FAILED, "the last line before bestmove lacks depth, score or pv");
    else if (!info.has_time || !info.has_nodes || !info.has_nps)
        session_verdict(s, CHECK_WARNING, "the last line before bestmove lacks time, nodes or nps");
}

static void check_one_bestmove(Session *s)
{
    Answer answer;
    for (int i = 0; i < 10; i++)
        if (!session_search(s, "position startpos", "go depth 1", &answer))
            return;
    session_say(s, "stop");
    buffer_clear(&s->heard);
    if (!session_quiet(s, "bestmove", QUIET_MS))
        session_verdict(s, CHECK_FAILED, "a bestmove came without go");
}

/* How long a search takes, with up to three tries if it is longer than `limit`: the machine may
 * have been busy, while an engine that misjudges its clock does so every time. -1 if it goes wrong.
 */
static int64_t quickest(Session *s, const char *position, const char *go, int64_t limit)
{
    int64_t best = INT64_MAX;
    for (int i = 0; i < 3 && best > limit; i++) {
        Answer answer;
        if (!session_search(s, position, go, &answer) ||
            !session_judge(s, position, false, &answer))
            return -1;
        best = answer.used < best ? answer.used : best;
    }
    return best;
}

/* Only one side's clock, in any order, and hardly any time at all. */
static void check_clocks(Session *s)
{
    static const struct {
        const char *position, *go;
        int limit_ms;
    } cases[] = {
        {"position startpos", "go wtime 100", 200},
        {"position startpos moves e2e4", "go btime 100", 200},
        {"position startpos", "go wtime 100 winc 10 btime 100 binc 10", 200},
        {"position startpos", "go btime 100 binc 10 wtime 100 winc 10", 200},
        {"position startpos", "go wtime 500 btime 500 movestogo 1", 600},
        {"position startpos", "go wtime 1 btime 1", 200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t used = quickest(s, cases[i].position, cases[i].go, cases[i].limit_ms * MS);
        if (used < 0) {
            session_in_case(s, cases[i].go);
            return;
        }
        if (used > cases[i].limit_ms * MS)
            session_verdict(s, CHECK_FAILED, "'%s' took %lld ms", cases[i].go,
                            (long long)used / MS);
    }
}

/* A clock that has run out: arbiters and networks do not wait, so an engine should move at once. */
static void check_flag_fall(Session *s)
{
    static const char *const lines[] = {"go wtime 0 btime 0",
                                        "go wtime -50 btime 100 winc 10 binc 10"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int64_t begin;
        Answer answer;
        if (!session_begin(s, "position startpos", lines[i], &begin))
            return;
        if (!session_quiet(s, "bestmove", 1000))
            continue;
        session_verdict(s, CHECK_WARNING, "no bestmove within 1 s after '%s'", lines[i]);
        if (!session_say(s, "stop") || !session_await_bestmove(s, begin, ANSWER_MS, &answer))
            return;
    }
}

static void check_movetime(Session *s)
{
    const int64_t used = quickest(s, MIDDLEGAME, "go movetime 100", 110 * MS);
    if (used >= 0)
        session_verdict(s, used > 150 * MS ? CHECK_FAILED : CHECK_OK, "%.1f ms for 100",
                        (double)used / MS);
}

static void check_nodes(Session *s)
{
    Answer answer;
    if (!session_search(s, MIDDLEGAME, "go nodes 10000", &answer) ||
        !session_judge(s, MIDDLEGAME, false, &answer))
        return;
    const Info info = session_last_info(s);
    if (info.has_nodes && info.nodes > 15000)
        session_verdict(s, CHECK_WARNING, "10000 nodes asked for, %lld searched",
                        (long long)info.nodes);
}

static void check_searchmoves(Session *s)
{
    Answer answer;
    if (session_search(s, "position startpos", "go depth 4 searchmoves a2a3 h2h3", &answer) &&
        strcmp(answer.word, "a2a3") != 0 && strcmp(answer.word, "h2h3") != 0)
        session_verdict(s, CHECK_WARNING, "asked for a2a3 or h2h3, it played %s", answer.word);
}

/* Nothing before stop, readiness meanwhile, and a quick answer then. */
static void check_infinite(Session *s)
{
    static const char *const positions[] = {"position startpos", MIDDLEGAME,
                                            "position fen 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"};
    int64_t worst = 0;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        int64_t begin;
        Answer answer;
        if (!session_begin(s, positions[i], "go infinite", &begin))
            return;
        if (!session_quiet(s, "bestmove", QUIET_MS)) {
            session_verdict(s, CHECK_FAILED, "bestmove before stop after '%s'", positions[i]);
            return;
        }
        const int64_t asked = clock_us();
        if (!session_sync(s))
            return;
        const int64_t stopped = clock_us();
        if (stopped - asked > 200 * MS)
            session_verdict(s, CHECK_WARNING, "isready took %lld ms during a search",
                            (long long)(stopped - asked) / MS);
        if (!session_say(s, "stop") || !session_await_bestmove(s, stopped, ANSWER_MS, &answer) ||
            !session_judge(s, positions[i], false, &answer))
            return;
        worst = answer.used > worst ? answer.used : worst;
    }
    if (worst > STOP_FAIL_MS * MS)
        session_verdict(s, CHECK_FAILED, "stop took %.1f ms", (double)worst / MS);
    else if (worst > STOP_WARN_MS * MS)
        session_verdict(s, CHECK_WARNING, "stop took %.1f ms", (double)worst / MS);
    else
        session_verdict(s, CHECK_OK, "stop within %.1f ms", (double)worst / MS);
}

/* A stop that comes before the search has drawn breath. */
static void check_hasty_stop(Session *s)
{
    int64_t begin;
    Answer answer;
    for (int i = 0; i < 50; i++)
        if (!session_begin(s, "position startpos", "go infinite\nstop", &begin) ||
            !session_await_bestmove(s, begin, ANSWER_MS, &answer) ||
            !session_judge(s, "position startpos", false, &answer))
            return;
}

/* No move may come before ponderhit or stop, and one must come soon after either. */
static void check_ponder(Session *s)
{
    int64_t begin;
    Answer answer;
    static const char *const ends[] = {"ponderhit", "stop"};
    for (size_t i = 0; i < 2; i++) {
        if (!session_begin(s, "position startpos moves e2e4 e7e5",
                           "go ponder wtime 200 btime 200 winc 10 binc 10", &begin))
            return;
        if (!session_quiet(s, "bestmove", 400)) {
            session_verdict(s, CHECK_FAILED, "bestmove before ponderhit");
            return;
        }
        begin = clock_us();
        if (!session_say(s, ends[i]) || !session_await_bestmove(s, begin, ANSWER_MS, &answer) ||
            !session_judge(s, "position startpos moves e2e4 e7e5", false, &answer))
            return;
    }
}

/* Mate and stalemate have no move: engines must say so and not hang or invent one. */
static void check_no_moves(Session *s)
{
    static const char *const positions[] = {MATED, STALEMATED};
    for (size_t i = 0; i < 2; i++) {
        Answer answer;
        if (!session_search(s, positions[i], "go depth 3", &answer)) {
            session_in_case(s, positions[i]);
            return;
        }
        if (strcmp(answer.word, "(none)") != 0 && strcmp(answer.word, "0000") != 0)
            session_verdict(s, CHECK_FAILED, "bestmove '%s' though there is no legal move",
                            answer.word);
    }
}

/* Short mates: found, announced with the right number, and shown to the end. */
static void check_mates(Session *s)
{
    static const struct {
        const char *position;
        int64_t moves; /* to mate; negative: the side to move is mated */
    } cases[] = {
        {"position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1},
        {"position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1},
        {"position fen 6k1/8/6K1/8/8/8/8/R7 w - - 0 1", 1},
        {"position fen 7k/8/8/6K1/8/8/8/R7 w - - 0 1", 2},
        {"position fen k7/7R/1K6/8/8/8/8/8 b - - 0 1", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Answer answer;
        if (!session_search(s, cases[i].position, "go depth 8", &answer) ||
            !session_judge(s, cases[i].position, false, &answer))
            return;
        const Info info = session_last_info(s);
        if (!info.is_mate || info.score != cases[i].moves) {
            /* A longer mate, or none yet, is weak play; a shorter one is an untruth. */
            const bool untrue = info.is_mate && llabs(info.score) < llabs(cases[i].moves);
            session_verdict(s, untrue ? CHECK_FAILED : CHECK_WARNING,
                            "mate %lld, but it says %s %lld after '%s'", (long long)cases[i].moves,
                            info.is_mate ? "mate" : "cp", (long long)info.score, cases[i].position);
        }
    }
}

/* A thousand plies: fixed arrays for the game history overflow here. */
static void check_long_game(Session *s)
{
    static const char *const dance[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    Buffer line = {0};
    buffer_puts(&line, "position startpos moves");
    for (int i = 0; i < 1000; i++)
        buffer_printf(&line, " %s", dance[i % 4]);
    Answer answer;
    Position start; /* the dance ends where it began */
    pos_start(&start);
    if (session_search(s, buffer_text(&line), "go depth 3", &answer) &&
        move_from_uci(&start, str_from(answer.word)) == MOVE_NONE)
        session_verdict(s, CHECK_FAILED, "bestmove '%s' is illegal after 1000 plies", answer.word);
    buffer_free(&line);
}

/* Three lines must begin with three different moves. */
static void check_multipv(Session *s)
{
    OptionInfo option;
    if (!session_option(s, "MultiPV", &option)) {
        session_verdict(s, CHECK_SKIPPED, "there is no option MultiPV");
        return;
    }
    Answer answer;
    if (!session_set_option(s, "MultiPV", "3") ||
        !session_search(s, MIDDLEGAME, "go depth 5", &answer) ||
        !session_judge(s, MIDDLEGAME, false, &answer))
        return;
    char first[4][16] = {{0}};
    Str rest = {buffer_text(&s->heard), s->heard.len};
    while (rest.len) {
        const Info info = info_from_uci(str_line(&rest));
        Str pv = info.pv;
        if (info.multipv >= 1 && info.multipv <= 3 && pv.len && !info.is_bound)
            str_copy(first[info.multipv], sizeof first[0], str_token(&pv));
    }
    if (!first[1][0] || !first[2][0] || !first[3][0])
        session_verdict(s, CHECK_FAILED, "three lines asked for, fewer printed");
    else if (!strcmp(first[1], first[2]) || !strcmp(first[1], first[3]) ||
             !strcmp(first[2], first[3]))
        session_verdict(s, CHECK_FAILED, "two lines begin with the same move");
}

/* Castling is written king takes rook, and standard positions must work with the option on too. */
static void check_chess960(Session *s)
{
    OptionInfo option;
    static const char position[] = "position fen 4k3/8/8/8/8/8/5PPP/3R1K1R w H - 0 1";
    if (!session_option(s, "UCI_Chess960", &option)) {
        session_verdict(s, CHECK_SKIPPED, "there is no option UCI_Chess960");
        return;
    }
    Answer answer;
    if (!session_set_option(s, "UCI_Chess960", "true") ||
        !session_search(s, position, "go depth 3 searchmoves f1h1", &answer))
        return;
    if (strcmp(answer.word, "f1h1") != 0)
        session_verdict(s, CHECK_FAILED,
                        "castling king takes rook (f1h1) is not understood: it played %s",
                        answer.word);
    static const char standard[] =
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1 g8f6";
    if (session_search(s, standard, "go depth 4", &answer))
        session_judge(s, standard, true, &answer);
}

/* Hash and threads are changed between searches, as users do, and the engine must still move
 * legally. */
static void check_settings(Session *s)
{
    static const struct {
        const char *name;
        int64_t values[3]; /* brought into the option's range */
    } cases[] = {{"Hash", {1, 64, 16}}, {"Threads", {2, 4, 1}}};
    OptionInfo option;
    Answer answer;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 3 && session_option(s, cases[i].name, &option); k++) {
            char value[24];
            const int64_t wish = cases[i].values[k];
            snprintf(value, sizeof value, "%lld",
                     (long long)(wish < option.min   ? option.min
                                 : wish > option.max ? option.max
                                                     : wish));
            if (!session_set_option(s, cases[i].name, value) || !session_sync(s) ||
                !session_search(s, MIDDLEGAME, "go depth 6", &answer) ||
                !session_judge(s, MIDDLEGAME, false, &answer)) {
                session_in_case(s, cases[i].name);
                return;
            }
        }
}

/* With one thread and a fixed number of nodes the same search should give the same result; a
 * warning only, since nothing demands it. */
static void check_repeatable(Session *s)
{
    Answer first, again;
    int64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        if (!session_say(s, "ucinewgame") || !session_sync(s) ||
            !session_search(s, MIDDLEGAME, "go nodes 20000", i ? &again : &first))
            return;
        nodes[i] = session_last_info(s).nodes;
    }
    if (strcmp(first.word, again.word) != 0 || nodes[0] != nodes[1])
        session_verdict(s, CHECK_WARNING, "%s with %lld nodes, then %s with %lld", first.word,
                        (long long)nodes[0], again.word, (long long)nodes[1]);
}

/* It must leave, quickly and by itself. */
static void check_leaving(Session *s, bool searching, bool by_word)
{
    int64_t begin = 0;
    if (searching && !session_begin(s, "position startpos", "go infinite", &begin))
        return;
    if (searching)
        session_quiet(s, "bestmove", QUIET_MS);
    if (by_word && !session_say(s, "quit"))
        return;
    ProcessEnd end;
    const int64_t asked = clock_us();
    process_stop(s->process, 2000, &end); /* closes its input, too */
    s->process = NULL;
    const double ms = (double)(clock_us() - asked) / MS;
    if (!end.by_itself)
        session_verdict(s, CHECK_FAILED, "still there after 2 s");
    else if (end.signal)
        session_verdict(s, CHECK_FAILED, "died by signal %d", end.signal);
    else if (ms > 500)
        session_verdict(s, CHECK_WARNING, "took %.0f ms", ms);
    else if (end.status != 0)
        session_verdict(s, CHECK_WARNING, "exit code %d", end.status);
}

static void check_quit(Session *s) { check_leaving(s, false, true); }
static void check_quit_searching(Session *s) { check_leaving(s, true, true); }
static void check_end_of_input(Session *s) { check_leaving(s, false, false); }
static void check_end_searching(Session *s) { check_leaving(s, true, false); }

static const struct {
    const char *name, *title;
    void (*run)(Session *s);
} checks[] = {
    {"identity", "tells its name and author", check_identity},
    {"greeting", "says nothing else before uciok", check_greeting},
    {"options", "announces its options correctly", check_options},
    {"uci-again", "answers a second uci", check_uci_again},
    {"tolerance", "survives nonsense, blanks and impossible values", check_tolerance},
    {"search", "plays legal moves and shows true variations", check_search},
    {"info", "reports depth, score, variation, time, nodes and speed", check_info},
    {"one-bestmove", "sends one bestmove for each go", check_one_bestmove},
    {"clocks", "keeps within any clock, given in any form", check_clocks},
    {"flag-fall", "moves at once when its clock has run out", check_flag_fall},
    {"movetime", "keeps to movetime", check_movetime},
    {"nodes", "keeps to a number of nodes", check_nodes},
    {"searchmoves", "keeps to searchmoves", check_searchmoves},
    {"infinite", "searches until stop, answers meanwhile, stops at once", check_infinite},
    {"hasty-stop", "obeys a stop that follows go immediately", check_hasty_stop},
    {"ponder", "ponders until ponderhit or stop", check_ponder},
    {"no-moves", "answers in mate and stalemate", check_no_moves},
    {"mates", "finds, counts and shows short mates", check_mates},
    {"long-game", "takes a game of a thousand plies", check_long_game},
    {"multipv", "shows several different lines", check_multipv},
    {"chess960", "castles king takes rook", check_chess960},
    {"settings", "plays on after changes of Hash and Threads", check_settings},
    {"repeatable", "repeats a search of fixed nodes after ucinewgame", check_repeatable},
    {"quit", "quits", check_quit},
    {"quit-searching", "quits during a search", check_quit_searching},
    {"end-of-input", "leaves when its input ends", check_end_of_input},
    {"end-searching", "leaves when its input ends during a search", check_end_searching},
};

static void run_check(Session *s, size_t i)
{
    s->severity = CHECK_OK;
    s->detail.text[0] = 0;
    if (session_greet(s))
        checks[i].run(s);
    session_stop(s);
}

/* Each check gets a fresh process, so that one that hangs or crashes does not spoil the others. */
bool compliance_run(const EngineSpec *engine, const char *only, Guard *guard,
                    const Interrupt *interrupt, void (*report)(void *user, const Finding *finding),
                    void *user, ComplianceSummary *summary, Error *err)
{
    Session s = {.engine = engine, .guard = guard, .interrupt = interrupt};
    *summary = (ComplianceSummary){0};
    bool ok = session_greet(&s) || error_set(err, "%s", s.detail.text);
    session_stop(&s);
    for (size_t i = 0; ok && i < sizeof checks / sizeof *checks; i++) {
        if (only && strcmp(only, checks[i].name) != 0)
            continue;
        run_check(&s, i);
        if (s.interrupted) {
            ok = error_code(err, "INTERRUPTED", 0, "interrupted");
            break;
        }
        report(user, &(Finding){checks[i].name, s.severity, checks[i].title, s.detail.text});
        summary->checks++;
        summary->failed += s.severity == CHECK_FAILED;
        summary->warnings += s.severity == CHECK_WARNING;
        summary->skipped += s.severity == CHECK_SKIPPED;
    }
    if (ok && !summary->checks)
        ok = error_set(err, "there is no check '%s'", only);
    buffer_free(&s.greeting);
    buffer_free(&s.heard);
    return ok;
}
