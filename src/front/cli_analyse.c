// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_analyse.c -- samara analyse: a position, a suite of test positions, or the games of a PGN
 * file. */
#include "front/cli_commands.h"

#include "base/app.h"
#include "base/file.h"
#include "base/json.h"
#include "base/thread.h"
#include "front/cli_games.h"
#include "front/cli_words.h"
#include "queue/open.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_TEXT = 4096, MOST_LINES = 64, MOST_JOBS = 64, DEFAULT_MS = 1000 };

typedef struct Analysis {
    Samara *engine;
    SamaraPosition *position;
    SamaraRequest request;
    bool json, chess960, colour, progress;
    GamesPlan games;     /* how to treat a file of games */
    SamaraResult result; /* of the last search; its lines are the engine's */
    SamaraError err;
} Analysis;

/* --- searching --- */

static void show_progress(void *user, const SamaraLine *line)
{
    (void)user;
    if (line->number == 1)
        fprintf(stderr, "\rdepth %d, %llu nodes\033[K", line->depth,
                (unsigned long long)line->nodes);
}

static void keep_result(void *user, const SamaraResult *result)
{
    Analysis *a = user;
    a->result = *result;
}

/* Searches the position with all threads. */
static bool search(Analysis *a)
{
    const SamaraEvents events = {
        .user = a, .line = a->progress ? show_progress : NULL, .done = keep_result};
    a->result = (SamaraResult){0};
    if (!samara_go(a->engine, &a->request, &events, &a->err))
        return false;
    samara_wait(a->engine);
    if (a->progress)
        fprintf(stderr, "\r\033[K");
    return true;
}

/* --- JSON --- */

static void put_score(JsonWriter *w, const SamaraScore *s)
{
    jw_object(w, "score");
    jw_int(w, s->is_mate ? "mate" : "cp", s->value);
    jw_int(w, "win", s->win);
    jw_int(w, "draw", s->draw);
    jw_int(w, "loss", s->loss);
    jw_text(w, "view", "side to move");
    jw_end_object(w);
}

/* One line of the search, with its moves as one text. */
static void put_line(JsonWriter *w, const SamaraLine *line)
{
    Buffer moves = {0};
    for (int i = 0; i < line->length; i++)
        buffer_printf(&moves, "%s%s", i > 0 ? " " : "", line->moves[i].uci);
    jw_object(w, NULL);
    jw_int(w, "multipv", line->number);
    jw_int(w, "depth", line->depth);
    jw_int(w, "seldepth", line->seldepth);
    put_score(w, &line->score);
    jw_uint(w, "nodes", line->nodes);
    jw_int(w, "time", line->time_ms);
    jw_text(w, "pv", buffer_text(&moves));
    jw_end_object(w);
    buffer_free(&moves);
}

/* What --json says of one position, inside the object that the caller opened. */
static void put_position(JsonWriter *w, const Analysis *a)
{
    char fen[SAMARA_FEN_SIZE];
    const SamaraState state = samara_position_state(a->position);
    samara_position_fen(a->position, fen);
    jw_text(w, "fen", fen);
    if (state != SAMARA_PLAYING)
        jw_text(w, "state", samara_state_name(state));
    jw_array(w, "lines");
    for (int i = 0; i < a->result.line_count; i++)
        put_line(w, &a->result.lines[i]);
    jw_end_array(w);
}

static void print_buffer(Buffer *out)
{
    puts(buffer_text(out));
    fflush(stdout);
    buffer_free(out);
}

/* --- one position --- */

/* All lines of one position: a JSON object, or text with scores as White sees them. */
static void print_position(Analysis *a)
{
    Buffer out = {0};
    JsonWriter w = {.out = &out};
    if (a->json) {
        jw_object(&w, NULL);
        put_position(&w, a);
        jw_end_object(&w);
        print_buffer(&out);
        return;
    }
    char fen[SAMARA_FEN_SIZE], san[LINE_TEXT], score[32];
    samara_position_fen(a->position, fen);
    buffer_printf(&out, "%s\n", fen);
    if (samara_position_state(a->position) != SAMARA_PLAYING)
        buffer_printf(&out, "game over: %s\n",
                      samara_state_name(samara_position_state(a->position)));
    for (int i = 0; i < a->result.line_count; i++) {
        const SamaraLine *line = &a->result.lines[i];
        cli_score(&line->score, samara_position_white_to_move(a->position), score, sizeof score);
        samara_position_line_text(a->position, line->moves, (size_t)line->length, san, sizeof san);
        buffer_printf(&out, "%s%2d. %8s%s  depth %d  win %.1f%% draw %.1f%% loss %.1f%%  %s\n",
                      a->colour ? "\033[1m" : "", i + 1, score, a->colour ? "\033[0m" : "",
                      line->depth, line->score.win / 10.0, line->score.draw / 10.0,
                      line->score.loss / 10.0, san);
    }
    if (out.len > 0)
        out.data[--out.len] = '\0';
    print_buffer(&out);
}

static int analyse_position(Analysis *a)
{
    if (!search(a))
        return cli_fail("analyse", a->err.text);
    print_position(a);
    return EXIT_OK;
}

/* --- a suite --- */

static bool among(const SamaraMove *list, size_t count, const SamaraMove *move)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].code == move->code)
            return true;
    return false;
}

/* Solved: a move that should be played, or none that should not, and the promised mate in time. */
static bool solves(const SamaraEpd *epd, const SamaraMove *move, const SamaraScore *score)
{
    if (epd->best_count > 0 && !among(epd->best, epd->best_count, move))
        return false;
    if (among(epd->avoid, epd->avoid_count, move))
        return false;
    return epd->mate == 0 || (score->is_mate && score->value > 0 && score->value <= epd->mate);
}

static bool is_question(const SamaraEpd *epd)
{
    return epd->best_count > 0 || epd->avoid_count > 0 || epd->mate > 0;
}

static void put_wanted(Buffer *out, const SamaraEpd *epd)
{
    for (size_t i = 0; i < epd->best_count; i++)
        buffer_printf(out, " %s", epd->best[i].uci);
    for (size_t i = 0; i < epd->avoid_count; i++)
        buffer_printf(out, " not %s", epd->avoid[i].uci);
    if (epd->mate > 0)
        buffer_printf(out, " mate in %d", epd->mate);
}

/* One line per position of a suite; + and - where it asks a question. */
static void print_solution(Analysis *a, const SamaraEpd *epd, size_t number,
                           const SamaraLine *found, bool solved)
{
    Buffer out = {0};
    char score[32];
    const char *move = a->result.best.uci;
    if (a->json) {
        JsonWriter w = {.out = &out};
        jw_object(&w, NULL);
        jw_uint(&w, "number", number);
        jw_text(&w, "id", epd->id);
        jw_text(&w, "move", move);
        if (is_question(epd))
            jw_bool(&w, "solved", solved);
        else
            jw_null(&w, "solved");
        put_position(&w, a);
        jw_end_object(&w);
    } else {
        cli_score(&found->score, samara_position_white_to_move(a->position), score, sizeof score);
        const char *mark = !is_question(epd) ? " " : solved ? "+" : "-";
        buffer_printf(&out, "%4zu %s %-6s %8s  depth %2d  %-20s", number, mark, move, score,
                      found->depth, epd->id);
        put_wanted(&out, epd);
    }
    print_buffer(&out);
}

typedef struct Suite {
    size_t lines, asked, solved, refused;
} Suite;

/* A line that cannot be read is told of and counted; the suite goes on. Each search begins with an
 * empty table, so that the order of a suite does not matter. */
static void analyse_epd(Analysis *a, const char *line, Suite *suite)
{
    SamaraEpd epd;
    suite->lines++;
    if (!samara_epd_read(line, a->chess960, &epd, &a->err) ||
        !samara_position_set(a->position, epd.fen, a->chess960, NULL, 0, &a->err)) {
        fprintf(stderr, "samara analyse: line %zu: %s\n", suite->lines, a->err.text);
        suite->refused++;
        return;
    }
    a->request.fresh = true;
    if (!search(a) || a->result.line_count == 0)
        return;
    const SamaraLine *found = &a->result.lines[0];
    const bool solved = solves(&epd, &a->result.best, &found->score);
    suite->asked += is_question(&epd);
    suite->solved += is_question(&epd) && solved;
    print_solution(a, &epd, suite->lines, found, solved);
}

/* Empty lines and those that begin with # are passed over. */
static int analyse_suite(Analysis *a, Str text)
{
    Suite suite = {0};
    Buffer line = {0};
    while (text.len > 0) {
        const Str next = str_trim(str_line(&text));
        if (next.len == 0 || next.ptr[0] == '#')
            continue;
        buffer_clear(&line);
        buffer_append(&line, next.ptr, next.len);
        analyse_epd(a, buffer_text(&line), &suite);
    }
    buffer_free(&line);
    if (a->json)
        printf("{\"positions\":%zu,\"questions\":%zu,\"solved\":%zu,\"refused\":%zu}\n",
               suite.lines, suite.asked, suite.solved, suite.refused);
    else if (suite.asked > 0)
        printf("%zu of %zu solved\n", suite.solved, suite.asked);
    return suite.refused > 0 ? EXIT_FAILED : EXIT_OK;
}

/* --- what was asked for --- */

/* Whole, also from a pipe, which has no size. */
static bool read_file(const char *path, Buffer *out)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : file_stream(path, "rb");
    if (!file)
        return false;
    char bytes[1 << 14];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0 && !out->failed;)
        buffer_append(out, bytes, n);
    const bool ok = !ferror(file) && !out->failed;
    if (file != stdin)
        fclose(file);
    return ok;
}

/* The first line of a suite begins with a board: seven slashes in its first word. */
static bool looks_like_suite(Str text)
{
    while (text.len > 0) {
        Str line = str_trim(str_line(&text));
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        const Str word = str_token(&line);
        int slashes = 0;
        for (size_t i = 0; i < word.len; i++)
            slashes += word.ptr[i] == '/';
        return slashes == 7;
    }
    return false;
}

/* A suite or games: the first line tells. */
static int analyse_file(Analysis *a, const char *path)
{
    Buffer text = {0};
    int code = EXIT_FAILED;
    if (!read_file(path, &text))
        fprintf(stderr, "samara analyse: cannot read '%s': %s\n", path, strerror(errno));
    else if (looks_like_suite((Str){buffer_text(&text), text.len}))
        code = a->games.queue
                   ? cli_fail("analyse", "--broker is for files of games, and this is a suite")
                   : analyse_suite(a, (Str){buffer_text(&text), text.len});
    else
        code = games_analyse(&a->games, (Str){buffer_text(&text), text.len});
    buffer_free(&text);
    return code;
}

/* The engine and the position that the request needs. */
static bool prepare(Analysis *a, const SamaraConfig *config)
{
    const SamaraLimits *limits = &a->request.limits;
    a->games.effort.limits = *limits;
    a->games.effort.tables = config->tables;
    a->games.json = a->json;
    if (!limits->depth && !limits->nodes && !limits->movetime_ms && !limits->mate)
        a->request.limits.movetime_ms = DEFAULT_MS;
    a->colour = !a->json && app_is_terminal(1);
    a->games.progress = a->progress = app_is_terminal(2);
    a->engine = samara_new(config, &a->err);
    if (a->engine && a->err.text[0])
        fprintf(stderr, "samara analyse: %s\n", a->err.text);
    return a->engine;
}

/* A file, standard input, or the words of a FEN. */
static int run(Analysis *a, const SamaraConfig *config, char **words, int count)
{
    const char *path = count == 1 ? words[0] : NULL;
    const bool is_file = path && (strcmp(path, "-") == 0 || file_exists(path));
    if (!prepare(a, config))
        return cli_fail("analyse", a->err.text);
    a->position =
        is_file ? samara_position_new() : cli_position("analyse", words, count, a->chess960);
    if (!a->position)
        return EXIT_FAILED;
    a->request.position = a->position;
    return is_file ? analyse_file(a, path) : analyse_position(a);
}

/* Where nobody said how many: all cores, but one thread where the same answer is expected each time. */
static void choose_threads(Analysis *a, SamaraConfig *config)
{
    const SamaraLimits *l = &a->request.limits;
    const int cores = thread_cpu_count();
    if (config->threads == 0)
        config->threads = l->depth || l->nodes || l->mate ? 1 : cores;
    if (a->games.effort.jobs == 0)
        a->games.effort.jobs = cores < MOST_JOBS ? cores : MOST_JOBS;
}

/* Files of this machine cannot be asked for elsewhere: what depends on them is refused. */
static bool open_broker(Analysis *a, const BrokerWords *broker, const SamaraConfig *config,
                        char **words, int count, int *code)
{
    Error err;
    *code = EXIT_USAGE;
    if (!broker->url)
        return true;
    if (count != 1 || (strcmp(words[0], "-") != 0 && !file_exists(words[0])))
        error_set(&err, "--broker is for files of games");
    else if (config->tables || a->games.effort.book)
        error_set(&err, "--syzygy and --book are files of this machine: workers do not have them");
    else
        a->games.queue = queue_open(broker, NULL, &err);
    if (!a->games.queue)
        cli_fail("analyse", err.text);
    return a->games.queue != NULL;
}

/* One table says what can be asked for; run() does it. */
int analyse_main(int argc, char **argv)
{
    Analysis a = {.request.lines = 1};
    const char *language = "en", *level = "club";
    SamaraLimits *limits = &a.request.limits;
    SamaraConfig config = {.hash_mb = 64};
    int64_t nodes = 0;
    BrokerWords broker = {0};
    const ArgSpec specs[] = {
        ARGS_INT("depth", &limits->depth, 1, 200, "N", "search to this depth"),
        ARGS_LONG("nodes", &nodes, 1, 0x1p63, "N", "search so many nodes"),
        ARGS_LONG("movetime", &limits->movetime_ms, 1, INT32_MAX, "MS",
                  "search so long; without a limit 1000, for moves of games 150,000 nodes"),
        ARGS_INT("mate", &limits->mate, 1, 100, "N", "look for a mate in so many moves"),
        ARGS_INT("multipv", &a.request.lines, 1, MOST_LINES, "N", "show so many lines"),
        ARGS_INT_USUAL("threads", &config.threads, 1, 1024, "N", "threads that search",
                       "one per core; 1 with --depth, --nodes or --mate, to be repeatable"),
        ARGS_INT("hash", &config.hash_mb, 1, 1 << 22, "MB", "size of the transposition table"),
        ARGS_TEXT("syzygy", &config.tables, "FOLDER", "endgame tables to ask"),
        ARGS_FLAG("chess960", &a.chess960, "castle as in Chess960"),
        ARGS_FLAG("json", &a.json,
                  "one JSON object per line: scores from the side to move's view; of each game "
                  "its report, White's view"),
        ARGS_TEXT("pgn", &a.games.pgn, "FILE", "write annotated games into this new file"),
        ARGS_FLAG("resume", &a.games.resume, "continue the file of --pgn after an interruption"),
        ARGS_INT_USUAL("jobs", &a.games.effort.jobs, 1, MOST_JOBS, "N",
                       "threads that share the work on a game; the result is the same",
                       "one per core"),
        ARGS_TEXT("book", &a.games.effort.book, "FILE", "Polyglot book: its moves are theory"),
        ARGS_TEXT(
            "broker", &broker.url, "URL",
            "let workers (samara work) analyse the games: redis://host:port/db or unix:/path"),
        ARGS_TEXT("broker-password-file", &broker.password_file, "FILE",
                  "the broker's password (or $SAMARA_BROKER_PASSWORD)"),
        ARGS_FLAG("broker-exposed", &broker.exposed,
                  "the broker has no password and is not on this machine: that is meant"),
        ARGS_CHOICE("language", &language, SPEECH_LANGUAGES, "language of the words about games"),
        ARGS_CHOICE("level", &level, SPEECH_LEVELS, "for whom the words are"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "analyse",
        .operands = "[FEN | FILE]",
        .summary = "Analyses a position; or each line of an EPD file, counting which of the "
                   "questions (bm, am, dm) are solved; or each move of the games of a PGN file, "
                   "marking what gives away 5 (?!), 10 (?) or 15 (?\?) percent of winning "
                   "chances, and saying why.\n"
                   "The file - is standard input. Scores are White's view, in pawns: +1.00 is an "
                   "even chance to win.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    limits->nodes = (uint64_t)nodes;
    choose_threads(&a, &config);
    speech_named(language, level, &a.games.speech);
    if (!open_broker(&a, &broker, &config, argv + 1, words, &code))
        return code;
    code = run(&a, &config, argv + 1, words);
    queue_close(a.games.queue);
    samara_free(a.engine);
    samara_position_free(a.position);
    return code;
}
