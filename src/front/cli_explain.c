// SPDX-License-Identifier: GPL-3.0-or-later
/* cli_explain.c -- samara explain: why a move is good or bad, or what a position is about. */
#include "front/cli_commands.h"

#include "base/file.h"
#include "front/cli_words.h"
#include "review/position_notes.h"
#include "review/report.h"
#include <stdlib.h>
#include <string.h>

typedef struct Explanation {
    ReviewEffort effort;
    Speech speech;
    Study study;
    const char *file;
    bool json, chess960;
} Explanation;

static void print_text(Buffer *out)
{
    puts(buffer_text(out));
    fflush(stdout);
    buffer_free(out);
}

/* Why a move is good or bad, as words or as claims with their proofs. */
static bool explain_move(Explanation *e, const SamaraPosition *position, const SamaraMove *move)
{
    Verdict *verdict = malloc(sizeof *verdict);
    bool ok = verdict && verdict_of_move(&e->study, position, move, verdict);
    if (ok) {
        Buffer out = {0};
        if (e->json)
            report_explanation(position, verdict, &e->speech, &out);
        else
            say_move(verdict, &e->speech, &out);
        print_text(&out);
    }
    free(verdict);
    return ok;
}

/* Without a move: what matters in the position. */
static bool explain_position(Explanation *e, const SamaraPosition *position)
{
    PositionNotes *notes = malloc(sizeof *notes);
    bool ok = notes && notes_make(&e->study, position, notes);
    if (ok) {
        Buffer out = {0};
        if (e->json)
            report_notes(position, notes, &e->speech, &out);
        else
            say_position(notes, &e->speech, &out);
        print_text(&out);
    }
    free(notes);
    return ok;
}

static int complain(const Explanation *e)
{
    return cli_fail("explain", e->study.err.text[0] ? e->study.err.text : "not enough memory");
}

/* The last word may be a move of the position that the words before it spell. */
static int explain_words(Explanation *e, char **words, int count)
{
    const char *last = count > 0 ? words[count - 1] : "";
    const bool is_move = strchr("abcdefghKQRBNO", last[0]) && last[0] && last[1] &&
                         !strchr(last, '/') && !strchr(last, ' ') && strpbrk(last, "12345678O0") &&
                         count != 3;
    SamaraPosition *position =
        cli_position("explain", words, count - (is_move ? 1 : 0), e->chess960);
    if (!position)
        return EXIT_FAILED;
    int code = EXIT_OK;
    SamaraMove move;
    if (samara_position_moves(position, NULL, 0) == 0)
        code = cli_fail("explain", samara_state_name(samara_position_state(position)));
    else if (is_move && !samara_position_read_move(position, last, &move, &e->study.err))
        code = complain(e);
    else if (!(is_move ? explain_move(e, position, &move) : explain_position(e, position)))
        code = complain(e);
    samara_position_free(position);
    return code;
}

/* Each line: a FEN, a tab, a move, and perhaps more that is left alone. */
static bool explain_line(Explanation *e, Str line, SamaraPosition *position)
{
    char fen[SAMARA_FEN_SIZE], word[16];
    const char *tab = memchr(line.ptr, '\t', line.len);
    if (!tab || !str_copy(fen, sizeof fen, (Str){line.ptr, (size_t)(tab - line.ptr)}))
        return false;
    Str rest = {tab + 1, (size_t)(line.ptr + line.len - tab - 1)};
    SamaraMove move;
    return str_copy(word, sizeof word, str_token(&rest)) &&
           samara_position_set(position, fen, e->chess960, NULL, 0, &e->study.err) &&
           samara_position_read_move(position, word, &move, &e->study.err) &&
           explain_move(e, position, &move);
}

/* A line that cannot be explained is told of; the others are, and the exit code says so. */
static int explain_file(Explanation *e)
{
    Buffer text = {0};
    Error err;
    if (!file_read_all(e->file, 1 << 28, &text, &err))
        return cli_fail("explain", err.text);
    SamaraPosition *position = samara_position_new();
    Str rest = {buffer_text(&text), text.len};
    int code = position ? EXIT_OK : EXIT_FAILED;
    for (size_t number = 1; position && rest.len > 0; number++) {
        const Str line = str_trim(str_line(&rest));
        if (line.len == 0 || line.ptr[0] == '#' || explain_line(e, line, position))
            continue;
        fprintf(stderr, "samara explain: line %zu: %s\n", number,
                e->study.err.text[0] ? e->study.err.text : "a FEN, a tab and a move are expected");
        code = EXIT_FAILED;
    }
    samara_position_free(position);
    buffer_free(&text);
    return code;
}

/* A move, a position, or a file of moves. */
int explain_main(int argc, char **argv)
{
    Explanation e = {.effort.thorough = true};
    const char *language = "en", *level = "club";
    int64_t nodes = REVIEW_NODES;
    const ArgSpec specs[] = {
        ARGS_LONG("nodes", &nodes, 1000, 0x1p40, "N", "nodes of a first look"),
        ARGS_FLAG("json", &e.json, "the verdict and its claims, with their proofs"),
        ARGS_TEXT("file", &e.file, "FILE", "explain each line of a file: a FEN, a tab, a move"),
        ARGS_TEXT("syzygy", &e.effort.tables, "FOLDER", "endgame tables to ask"),
        ARGS_FLAG("chess960", &e.chess960, "castle as in Chess960"),
        ARGS_CHOICE("language", &language, SPEECH_LANGUAGES, "language of the words"),
        ARGS_CHOICE("level", &level, SPEECH_LEVELS, "for whom the words are"),
    };
    const ArgCommand command = {
        .program = "samara",
        .name = "explain",
        .operands = "[FEN] [MOVE]",
        .summary = "Says in words why a move is good or bad, or, without a move, what is best and "
                   "what is threatened. Every reason is proved: by a line of moves and what it "
                   "changes.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    e.effort.limits.nodes = (uint64_t)nodes;
    speech_named(language, level, &e.speech);
    e.speech.always = true;
    if (!study_open(&e.study, &e.effort, NULL))
        code = complain(&e);
    else
        code = e.file ? explain_file(&e) : explain_words(&e, argv + 1, words);
    study_close(&e.study);
    return code;
}
