// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_puzzles.c -- samara puzzles: the mistakes of games as exercises. */
#include "front/cli_commands.h"

#include "base/file.h"
#include "front/cli_words.h"
#include "review/puzzle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Maker {
    ReviewEffort effort;
    const char *player;          /* only this player's mistakes, or NULL */
    const char *format, *grades; /* grades: a file of puzzles to grade, or NULL */
    Study study;
    size_t made;
} Maker;

static int complain(const Maker *m)
{
    return cli_fail("puzzles", m->study.err.text[0] ? m->study.err.text : "not enough memory");
}

static const char *tag_or(const SamaraGame *game, const char *name)
{
    const char *value = samara_game_tag(game, name);
    return value ? value : "?";
}

/* --- output --- */

static void put_text(const Puzzle *p, const char *title, Buffer *out)
{
    buffer_printf(out, "%s\n  %s, %s; rating %d; played %s;", p->fen, title,
                  p->exact ? "one solution" : "any move as good is right", p->rating,
                  p->played.san);
    for (int i = 0; i < p->theme_count; i++)
        buffer_printf(out, " %s", claim_kind_name(p->themes[i]));
    buffer_puts(out, "\n  ");
    line_text(&p->solution, p->solution.length, p->move_number, p->white, out);
    buffer_puts(out, "\n\n");
}

static void show(Maker *m, const Puzzle *p, const char *title)
{
    Buffer out = {0};
    JsonWriter w = {.out = &out};
    if (strcmp(m->format, "json") == 0) {
        jw_object(&w, NULL);
        jw_text(&w, "title", title);
        puzzle_json(&w, p);
        jw_end_object(&w);
        buffer_putc(&out, '\n');
    } else if (strcmp(m->format, "pgn") == 0) {
        puzzle_pgn(p, title, &out);
    } else if (strcmp(m->format, "epd") == 0) {
        puzzle_epd(p, title, &out);
    } else {
        put_text(p, title, &out);
    }
    fputs(buffer_text(&out), stdout);
    fflush(stdout);
    buffer_free(&out);
    m->made++;
}

/* --- games --- */

static bool is_wanted(const Maker *m, const Review *v, size_t ply)
{
    const char *who = tag_or(v->game, review_white_moves(v, ply) ? "White" : "Black");
    return puzzle_is_due(&v->verdicts[ply]) && (!m->player || strcmp(m->player, who) == 0);
}

/* Takes over the game. */
static bool use_game(Maker *m, SamaraGame *game)
{
    Review *v = review_create(game);
    SamaraPosition *position = samara_position_new();
    bool ok = v && position && review_run(v, &m->effort, NULL, &m->study.err);
    for (size_t i = 0; ok && i < v->plies; i++) {
        Puzzle puzzle;
        char title[256];
        if (!is_wanted(m, v, i))
            continue;
        snprintf(title, sizeof title, "%.90s - %.90s, move %d", tag_or(v->game, "White"),
                 tag_or(v->game, "Black"), v->verdicts[i].move_number);
        ok = samara_game_position(v->game, i, position, &m->study.err) &&
             puzzle_make(&m->study, position, &v->verdicts[i], i > 0 ? &v->verdicts[i - 1] : NULL,
                         &puzzle);
        if (ok)
            show(m, &puzzle, title);
    }
    review_destroy(v);
    samara_position_free(position);
    return ok;
}

static int use_file(Maker *m, const char *path)
{
    Buffer text = {0};
    Error err;
    if (!file_read_all(path, 1 << 28, &text, &err))
        return cli_fail("puzzles", err.text);
    Str rest = {buffer_text(&text), text.len};
    size_t games = 0;
    int code = EXIT_OK;
    while (code == EXIT_OK && rest.len > 0) {
        SamaraError why = {0};
        size_t used = 0;
        SamaraGame *game = samara_game_read(rest.ptr, rest.len, &used, &why);
        if (!game)
            break;
        rest.ptr += used;
        rest.len -= used;
        games++;
        if (why.text[0])
            fprintf(stderr, "samara puzzles: game %zu: %s\n", games, why.text);
        if (!use_game(m, game))
            code = complain(m);
    }
    buffer_free(&text);
    if (code == EXIT_OK && games == 0)
        code = cli_fail("puzzles", "there is no game in this file");
    return code;
}

/* --- grading --- */

/* A FEN, a tab, the moves of the solution. */
static bool grade_line(Maker *m, Str line, SamaraPosition *position)
{
    char fen[SAMARA_FEN_SIZE], word[16];
    const char *tab = memchr(line.ptr, '\t', line.len);
    if (!tab || !str_copy(fen, sizeof fen, (Str){line.ptr, (size_t)(tab - line.ptr)}) ||
        !samara_position_set(position, fen, false, NULL, 0, &m->study.err))
        return false;
    Str rest = {tab + 1, (size_t)(line.ptr + line.len - tab - 1)};
    ReviewLine solution = {0};
    SamaraPosition *board = samara_position_copy(position);
    bool ok = board != NULL;
    for (Str token = str_token(&rest); ok && token.len > 0 && solution.length < REVIEW_LINE;
         token = str_token(&rest)) {
        SamaraMove move;
        ok = str_copy(word, sizeof word, token) &&
             samara_position_read_move(board, word, &move, &m->study.err) &&
             samara_position_play(board, &move, &m->study.err);
        if (ok)
            step_of(&move, &solution.steps[solution.length++]);
    }
    samara_position_free(board);
    PuzzleFeatures f;
    if (!ok || solution.length == 0)
        return false;
    puzzle_features(position, &solution, &f);
    printf("%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", puzzle_rating(&f), f.moves,
           f.quiets, f.mate, f.check, f.sacrifice, f.promotion, f.minor, f.far, f.legal, f.checks,
           f.captures, f.in_check, f.men);
    return true;
}

/* The grade and what it is made of, for each line of a file. */
static int grade_file(Maker *m)
{
    Buffer text = {0};
    Error err;
    if (!file_read_all(m->grades, 1 << 28, &text, &err))
        return cli_fail("puzzles", err.text);
    SamaraPosition *position = samara_position_new();
    Str rest = {buffer_text(&text), text.len};
    int code = position ? EXIT_OK : EXIT_FAILED;
    for (size_t number = 1; position && rest.len > 0; number++) {
        const Str line = str_trim(str_line(&rest));
        if (line.len == 0 || line.ptr[0] == '#' || grade_line(m, line, position))
            continue;
        fprintf(stderr, "samara puzzles: line %zu: a FEN, a tab and legal moves are expected\n",
                number);
        code = EXIT_FAILED;
    }
    samara_position_free(position);
    buffer_free(&text);
    return code;
}

int puzzles_main(int argc, char **argv)
{
    Maker m = {.format = "text"};
    int64_t nodes = REVIEW_NODES, jobs = 1;
    const ArgSpec specs[] = {
        ARGS_LONG("nodes", &nodes, 1000, 0x1p40, "N", "nodes of a first look"),
        ARGS_LONG("jobs", &jobs, 1, 64, "N", "threads that share the review of a game"),
        ARGS_TEXT("player", &m.player, "NAME", "only the mistakes of this player"),
        ARGS_CHOICE("format", &m.format, "text|json|pgn|epd", "how puzzles are written"),
        ARGS_TEXT("syzygy", &m.effort.tables, "FOLDER", "endgame tables to ask"),
        ARGS_TEXT("grade", &m.grades, "FILE",
                  "grade puzzles instead, each line a FEN, a tab and the solution; prints the "
                  "rating and what it is made of"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "puzzles",
        .operands = "[GAMES.pgn]",
        .summary = "Reviews games and turns each mistake into a puzzle: the position before it, "
                   "the solution, its themes and how hard it is.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    if (words != (m.grades ? 0 : 1))
        return cli_fail("puzzles", m.grades ? "--grade takes no games" : "a PGN file is expected");
    m.effort.limits.nodes = (uint64_t)nodes;
    m.effort.jobs = (int)jobs;
    if (!study_open(&m.study, &m.effort, NULL))
        code = complain(&m);
    else
        code = m.grades ? grade_file(&m) : use_file(&m, argv[1]);
    study_close(&m.study);
    return code;
}
