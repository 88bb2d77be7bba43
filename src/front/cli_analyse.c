// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_analyse.c -- samara analyse: a position, a suite of test positions, or the games of a PGN
 * file. */
#include "base/text.h"
#include "front/args.h"
#include "front/cli_commands.h"
#include "samara.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_TEXT = 4096, MAX_LINES = 64, DEFAULT_MS = 1000 };

/* One line of analysis, kept until the search has ended. */
typedef struct Line {
    SamaraInfo info;
    char pv[LINE_TEXT];
} Line;

typedef struct Analysis {
    Samara *engine;
    SamaraLimits limits;
    bool json, chess960, colour, progress;
    int multipv;
    Line lines[MAX_LINES]; /* by multipv - 1 */
    int line_count;
    SamaraResult result;
    SamaraError err;
} Analysis;

/* --- searching --- */

static void keep_line(void *user, const SamaraInfo *info)
{
    Analysis *a = user;
    if (info->multipv > MAX_LINES || info->score.bound != SAMARA_EXACT)
        return;
    Line *line = &a->lines[info->multipv - 1];
    line->info = *info;
    str_copy(line->pv, sizeof line->pv, str_from(info->pv));
    if (info->multipv > a->line_count)
        a->line_count = info->multipv;
    if (a->progress && info->multipv == 1)
        fprintf(stderr, "\rdepth %d, %llu nodes\033[K", info->depth,
                (unsigned long long)info->nodes);
}

/* Searches the engine's position with all its threads. */
static bool search(Analysis *a)
{
    const SamaraEvents events = {.user = a, .info = keep_line};
    a->line_count = 0;
    memset(&a->result, 0, sizeof a->result);
    if (!samara_go(a->engine, &a->limits, &events, &a->err))
        return false;
    samara_wait(a->engine);
    if (a->progress)
        fprintf(stderr, "\r\033[K");
    return true;
}

/* --- words for scores --- */

static void score_text(const SamaraScore *s, bool white_to_move, char *out, size_t size)
{
    const int value = white_to_move ? s->value : -s->value;
    const bool mated_now = s->is_mate && s->value == 0;
    if (mated_now)
        snprintf(out, size, "mate");
    else if (s->is_mate)
        snprintf(out, size, "#%d", value);
    else
        snprintf(out, size, "%+.2f", value / 100.0);
}

/* Expected points of the side to move. */
static double expectation(const SamaraScore *s) { return (s->win + s->draw / 2.0) / 1000; }

/* --- JSON --- */

static void put_json_text(Buffer *out, const char *text)
{
    buffer_putc(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            buffer_printf(out, "\\%c", *c);
        else if (*c < ' ')
            buffer_printf(out, "\\u%04x", *c);
        else
            buffer_putc(out, (char)*c);
    }
    buffer_putc(out, '"');
}

static void put_json_score(Buffer *out, const SamaraScore *s)
{
    buffer_printf(
        out, "\"score\":{\"%s\":%d,\"win\":%d,\"draw\":%d,\"loss\":%d,\"view\":\"side to move\"}",
        s->is_mate ? "mate" : "cp", s->value, s->win, s->draw, s->loss);
}

static void put_json_lines(Buffer *out, const Analysis *a)
{
    buffer_puts(out, ",\"lines\":[");
    for (int i = 0; i < a->line_count; i++) {
        const SamaraInfo *info = &a->lines[i].info;
        buffer_printf(out, "%s{\"multipv\":%d,\"depth\":%d,\"seldepth\":%d,", i > 0 ? "," : "",
                      info->multipv, info->depth, info->seldepth);
        put_json_score(out, &info->score);
        buffer_printf(out, ",\"nodes\":%llu,\"time\":%lld,\"pv\":", (unsigned long long)info->nodes,
                      (long long)info->time_ms);
        put_json_text(out, a->lines[i].pv);
        buffer_putc(out, '}');
    }
    buffer_puts(out, "]");
}

static void put_json_position(Buffer *out, const Analysis *a)
{
    char fen[SAMARA_FEN_SIZE];
    samara_fen(a->engine, fen);
    buffer_puts(out, "\"fen\":");
    put_json_text(out, fen);
    const SamaraState state = samara_state(a->engine);
    if (state != SAMARA_PLAYING)
        buffer_printf(out, ",\"state\":\"%s\"", samara_state_name(state));
    put_json_lines(out, a);
}

static void print_buffer(Buffer *out)
{
    puts(buffer_text(out));
    fflush(stdout);
    buffer_free(out);
}

static const char *best_move(const Analysis *a, char out[SAMARA_MOVE_SIZE])
{
    Str pv = str_from(a->line_count > 0 ? a->lines[0].pv : "");
    str_copy(out, SAMARA_MOVE_SIZE, str_token(&pv));
    return out;
}

/* --- one position --- */

static void print_position(Analysis *a)
{
    Buffer out = {0};
    if (a->json) {
        buffer_putc(&out, '{');
        put_json_position(&out, a);
        buffer_putc(&out, '}');
        print_buffer(&out);
        return;
    }
    char fen[SAMARA_FEN_SIZE], san[LINE_TEXT], score[32];
    samara_fen(a->engine, fen);
    buffer_printf(&out, "%s\n", fen);
    if (samara_state(a->engine) != SAMARA_PLAYING)
        buffer_printf(&out, "game over: %s\n", samara_state_name(samara_state(a->engine)));
    for (int i = 0; i < a->line_count; i++) {
        const SamaraInfo *info = &a->lines[i].info;
        score_text(&info->score, samara_white_to_move(a->engine), score, sizeof score);
        samara_line_to_san(a->engine, a->lines[i].pv, san, sizeof san);
        buffer_printf(&out, "%s%2d. %8s%s  depth %d  win %.1f%% draw %.1f%% loss %.1f%%  %s\n",
                      a->colour ? "\033[1m" : "", i + 1, score, a->colour ? "\033[0m" : "",
                      info->depth, info->score.win / 10.0, info->score.draw / 10.0,
                      info->score.loss / 10.0, san);
    }
    if (out.len > 0)
        out.data[--out.len] = '\0';
    print_buffer(&out);
}

static int analyse_position(Analysis *a, const char *fen)
{
    if (!samara_set_position(a->engine, fen, NULL, 0, &a->err) || !search(a)) {
        fprintf(stderr, "samara analyse: %s\n", a->err.text);
        return EXIT_FAILED;
    }
    print_position(a);
    return EXIT_OK;
}

/* --- a suite --- */

static bool among(const char (*list)[SAMARA_MOVE_SIZE], size_t count, const char *move)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], move) == 0)
            return true;
    return false;
}

/* Solved: a move that should be played, or none that should not, and the promised mate in time. */
static bool solves(const SamaraEpd *epd, const char *move, const SamaraScore *score)
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
        buffer_printf(out, " %s", epd->best[i]);
    for (size_t i = 0; i < epd->avoid_count; i++)
        buffer_printf(out, " not %s", epd->avoid[i]);
    if (epd->mate > 0)
        buffer_printf(out, " mate in %d", epd->mate);
}

static void print_solution(Analysis *a, const SamaraEpd *epd, size_t number, const char *move,
                           bool solved)
{
    Buffer out = {0};
    char score[32];
    if (a->json) {
        buffer_printf(&out, "{\"number\":%zu,\"id\":", number);
        put_json_text(&out, epd->id);
        buffer_puts(&out, ",\"move\":");
        put_json_text(&out, move);
        buffer_printf(&out, ",\"solved\":%s,",
                      !is_question(epd) ? "null"
                      : solved          ? "true"
                                        : "false");
        put_json_position(&out, a);
        buffer_putc(&out, '}');
    } else {
        score_text(&a->lines[0].info.score, samara_white_to_move(a->engine), score, sizeof score);
        const char *mark = !is_question(epd) ? " " : solved ? "+" : "-";
        buffer_printf(&out, "%4zu %s %-6s %8s  depth %2d  %-20s", number, mark, move, score,
                      a->lines[0].info.depth, epd->id);
        put_wanted(&out, epd);
    }
    print_buffer(&out);
}

typedef struct Suite {
    size_t lines, asked, solved, refused;
} Suite;

static void analyse_epd(Analysis *a, const char *line, Suite *suite)
{
    SamaraEpd epd;
    char move[SAMARA_MOVE_SIZE];
    suite->lines++;
    if (!samara_epd_read(line, a->chess960, &epd, &a->err) ||
        !samara_set_position(a->engine, epd.fen, NULL, 0, &a->err)) {
        fprintf(stderr, "samara analyse: line %zu: %s\n", suite->lines, a->err.text);
        suite->refused++;
        return;
    }
    samara_new_game(a->engine);
    if (!search(a))
        return;
    const bool solved = solves(&epd, best_move(a, move), &a->lines[0].info.score);
    suite->asked += is_question(&epd);
    suite->solved += is_question(&epd) && solved;
    print_solution(a, &epd, suite->lines, move, solved);
}

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

/* --- games --- */

/* What a move gave away, in expected points, and the mark that annotators give it. */
static const char *mark_of(double loss)
{
    return loss >= 0.20 ? "??" : loss >= 0.10 ? "?" : loss >= 0.05 ? "?!" : "";
}

typedef struct Ply {
    char move[SAMARA_MOVE_SIZE], san[32], best_san[LINE_TEXT];
    SamaraScore score; /* before the move, side to move's view */
    bool white;
    int depth;
} Ply;

static void print_ply(const Analysis *a, const Ply *p, size_t number, double after)
{
    Buffer out = {0};
    char score[32];
    const double loss = fmax(0, expectation(&p->score) - after);
    if (a->json) {
        buffer_printf(&out, "{\"ply\":%zu,\"move\":\"%s\",\"san\":", number, p->move);
        put_json_text(&out, p->san);
        buffer_printf(&out, ",\"depth\":%d,", p->depth);
        put_json_score(&out, &p->score);
        buffer_printf(&out, ",\"loss\":%.3f,\"mark\":\"%s\",\"best\":", loss, mark_of(loss));
        put_json_text(&out, p->best_san);
        buffer_putc(&out, '}');
    } else {
        score_text(&p->score, p->white, score, sizeof score);
        buffer_printf(&out, "%-14s %-2s %8s  depth %2d  best %s", p->san, mark_of(loss), score,
                      p->depth, p->best_san);
    }
    print_buffer(&out);
}

static void describe_ply(Analysis *a, const char *move, Ply *p)
{
    *p = (Ply){.white = samara_white_to_move(a->engine)};
    str_copy(p->move, sizeof p->move, str_from(move));
    samara_line_to_san(a->engine, move, p->san, sizeof p->san);
    if (a->line_count > 0) {
        p->score = a->lines[0].info.score;
        p->depth = a->lines[0].info.depth;
        samara_line_to_san(a->engine, a->lines[0].pv, p->best_san, sizeof p->best_san);
    }
}

static void print_game_head(const Analysis *a, const SamaraGame *game, size_t number)
{
    const char *white = samara_game_tag(game, "White"), *black = samara_game_tag(game, "Black");
    Buffer out = {0};
    if (a->json) {
        buffer_printf(&out, "{\"game\":%zu,\"white\":", number);
        put_json_text(&out, white ? white : "?");
        buffer_puts(&out, ",\"black\":");
        put_json_text(&out, black ? black : "?");
        buffer_printf(&out, ",\"result\":\"%s\",\"plies\":%zu}", samara_game_result(game),
                      samara_game_length(game));
    } else {
        buffer_printf(&out, "%sGame %zu: %s - %s %s", number > 1 ? "\n" : "", number,
                      white ? white : "?", black ? black : "?", samara_game_result(game));
    }
    print_buffer(&out);
}

/* Each position once: its score judges the move before it and is the yardstick of the move after
 * it. */
static bool analyse_game(Analysis *a, const SamaraGame *game)
{
    samara_set_option(a->engine, "UCI_Chess960",
                      samara_game_chess960(game) || a->chess960 ? "true" : "false", &a->err);
    samara_new_game(a->engine);
    if (!samara_set_position(a->engine, samara_game_fen(game), NULL, 0, &a->err) || !search(a))
        return false;
    for (size_t i = 0; i < samara_game_length(game); i++) {
        Ply ply;
        describe_ply(a, samara_game_move(game, i), &ply);
        if (!samara_play(a->engine, ply.move, &a->err) || !search(a))
            return false;
        const double after = a->line_count > 0 ? 1 - expectation(&a->lines[0].info.score) : 0.5;
        print_ply(a, &ply, i + 1, after);
    }
    return true;
}

static int analyse_games(Analysis *a, Str text)
{
    int code = EXIT_OK;
    size_t used = 0;
    for (size_t number = 1; text.len > 0; number++) {
        SamaraGame *game = samara_game_read(text.ptr, text.len, &used, &a->err);
        if (!game)
            break;
        if (a->err.text[0]) {
            fprintf(stderr, "samara analyse: game %zu: %s\n", number, a->err.text);
            code = EXIT_FAILED;
        }
        print_game_head(a, game, number);
        if (!analyse_game(a, game)) {
            fprintf(stderr, "samara analyse: game %zu: %s\n", number, a->err.text);
            code = EXIT_FAILED;
        }
        samara_game_free(game);
        text.ptr += used;
        text.len -= used;
    }
    return code;
}

/* --- what was asked for --- */

static bool read_file(const char *path, Buffer *out)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
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

static int analyse_file(Analysis *a, const char *path)
{
    Buffer text = {0};
    int code = EXIT_FAILED;
    if (!read_file(path, &text))
        fprintf(stderr, "samara analyse: cannot read '%s': %s\n", path, strerror(errno));
    else if (looks_like_suite((Str){buffer_text(&text), text.len}))
        code = analyse_suite(a, (Str){buffer_text(&text), text.len});
    else
        code = analyse_games(a, (Str){buffer_text(&text), text.len});
    buffer_free(&text);
    return code;
}

static bool set_number(Analysis *a, const char *option, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    return samara_set_option(a->engine, option, text, &a->err);
}

static bool prepare(Analysis *a, Args *args)
{
    a->limits.depth = (int)args_number(args, "--depth", 1, 200, 0);
    a->limits.nodes = (uint64_t)args_number(args, "--nodes", 1, INT64_MAX, 0);
    a->limits.movetime_ms = args_number(args, "--movetime", 1, INT32_MAX, 0);
    a->limits.mate = (int)args_number(args, "--mate", 1, 100, 0);
    if (!a->limits.depth && !a->limits.nodes && !a->limits.movetime_ms && !a->limits.mate)
        a->limits.movetime_ms = DEFAULT_MS;
    a->json = args_flag(args, "--json");
    a->chess960 = args_flag(args, "--chess960");
    a->colour = !a->json && isatty(STDOUT_FILENO);
    a->progress = isatty(STDERR_FILENO);
    const int64_t multipv = args_number(args, "--multipv", 1, MAX_LINES, 1);
    const int64_t threads = args_number(args, "--threads", 1, 1024, 1);
    const int64_t hash = args_number(args, "--hash", 1, 1 << 22, 64);
    const char *tables = args_value(args, "--syzygy");
    return !args->failed && set_number(a, "Hash", hash) && set_number(a, "Threads", threads) &&
           set_number(a, "MultiPV", multipv) && set_number(a, "Move Overhead", 0) &&
           samara_set_option(a->engine, "UCI_Chess960", a->chess960 ? "true" : "false", &a->err) &&
           samara_set_option(a->engine, "UCI_AnalyseMode", "true", &a->err) &&
           (!tables || samara_set_option(a->engine, "SyzygyPath", tables, &a->err));
}

static int run(Analysis *a, Args *args)
{
    if (!prepare(a, args)) {
        if (!args->failed)
            fprintf(stderr, "samara analyse: %s\n", a->err.text);
        return args->failed ? EXIT_USAGE : EXIT_FAILED;
    }
    const char *word = args_next(args);
    if (word && (strcmp(word, "-") == 0 || access(word, F_OK) == 0)) {
        if (!args_finish(args))
            return EXIT_USAGE;
        return analyse_file(a, word);
    }
    Buffer fen = {0};
    for (; word; word = args_next(args))
        buffer_printf(&fen, "%s%s", fen.len > 0 ? " " : "", word);
    const bool start = fen.len == 0 || strcmp(fen.data, "startpos") == 0;
    const int code = args_finish(args) ? analyse_position(a, start ? NULL : fen.data) : EXIT_USAGE;
    buffer_free(&fen);
    return code;
}

int analyse_main(int argc, char **argv)
{
    Args args = args_of(argc, argv);
    Analysis *a = calloc(1, sizeof *a);
    int code = EXIT_FAILED;
    if (a && (a->engine = samara_new(&a->err)))
        code = run(a, &args);
    else
        fprintf(stderr, "samara analyse: not enough memory\n");
    if (a)
        samara_free(a->engine);
    free(a);
    return code;
}
