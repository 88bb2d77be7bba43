// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/cli_games.h"

#include "base/file.h"
#include "front/cli_words.h"
#include "review/annotate.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OUTPUT = 1 << 30 };

/* --- text --- */

static void score_text(const ReviewPosition *p, char *out, size_t size)
{
    const Worth whites = p->white ? p->worth : -p->worth;
    const int mate = worth_mate_in(whites);
    if (p->over)
        snprintf(out, size, p->worth ? "mate" : "draw");
    else if (mate != 0)
        snprintf(out, size, "#%d", mate);
    else
        snprintf(out, size, "%+.2f", whites / 100.0);
}

static const char *sign_of(const Verdict *v)
{
    static const char *const signs[] = {"", "?!", "?", "??"};
    return v->judgement != JUDGED_FINE ? signs[v->judgement]
           : v->brilliant              ? "!!"
           : v->great                  ? "!"
                                       : "";
}

/* One line per move, then the figures of both players. */
static void put_text(const Review *v, const Speech *speech, Buffer *out)
{
    Summary summary;
    for (size_t i = 0; i < v->plies; i++) {
        const Verdict *verdict = &v->verdicts[i];
        char score[32], move[40];
        score_text(&v->positions[i + 1], score, sizeof score);
        snprintf(move, sizeof move, "%d%s %s%s", verdict->move_number, verdict->white ? "." : "...",
                 verdict->move.san, sign_of(verdict));
        buffer_printf(out, "%-16s %8s  ", move, score);
        say_move(verdict, speech, out);
        while (out->len > 0 && out->data[out->len - 1] == ' ')
            out->data[--out->len] = '\0';
        buffer_putc(out, '\n');
    }
    if (!summary_make(v, &summary))
        return;
    for (int white = 1; white >= 0; white--) {
        const SideSummary *s = white ? &summary.white : &summary.black;
        if (s->moves > 0)
            buffer_printf(out, "%s: accuracy %.1f%%, %d inaccuracies, %d mistakes, %d blunders\n",
                          white ? "White" : "Black", s->accuracy, s->faults[JUDGED_INACCURACY],
                          s->faults[JUDGED_MISTAKE], s->faults[JUDGED_BLUNDER]);
    }
    say_game(v, &summary, speech, out);
}

static const char *tag_or(const SamaraGame *game, const char *name)
{
    const char *value = samara_game_tag(game, name);
    return value ? value : "?";
}

/* One object per game, so that a reader can take the file line by line. */
static void put_json(Review *v, size_t number, const Speech *speech, Buffer *out)
{
    JsonWriter w = {.out = out};
    jw_object(&w, NULL);
    jw_int(&w, "game", (int64_t)number);
    jw_text(&w, "white", tag_or(v->game, "White"));
    jw_text(&w, "black", tag_or(v->game, "Black"));
    jw_text(&w, "result", samara_game_result(v->game));
    jw_int(&w, "plies", (int64_t)v->plies);
    buffer_puts(out, ",\"report\":");
    report_write(v, speech, out);
    jw_end_object(&w);
}

/* --- a file of annotated games --- */

/* Both games begin alike and have the same moves. */
static bool same_game(const SamaraGame *a, const SamaraGame *b)
{
    const size_t length = samara_game_length(a);
    if (length != samara_game_length(b) || strcmp(samara_game_fen(a), samara_game_fen(b)) != 0 ||
        strcmp(tag_or(a, "White"), tag_or(b, "White")) != 0)
        return false;
    for (size_t i = 0; i < length; i++)
        if (samara_game_moves(a)[i].code != samara_game_moves(b)[i].code)
            return false;
    return true;
}

/* Games of the file that were finished by an earlier run. Each ends in an empty line, which is
 * written last: what has none was cut off, and is taken off the file. False: the file belongs to
 * other games, or cannot be used; it is said why. */
static bool count_finished(const char *path, Str input, size_t *finished)
{
    Buffer old = {0};
    Error err;
    size_t kept = 0, used;
    bool ok = file_read_all(path, MOST_OUTPUT, &old, &err);
    *finished = 0;
    if (!ok && strcmp(err.code, "NO_FILE") == 0) {
        buffer_free(&old);
        return true;
    }
    if (!ok)
        fprintf(stderr, "samara analyse: %s\n", err.text);
    while (ok && kept < old.len) {
        SamaraGame *mine = samara_game_read(old.data + kept, old.len - kept, &used, NULL);
        /* The empty line behind the moves belongs to the game, for readers it need not. */
        const char *end = mine ? strstr(old.data + kept, "]\n\n") : NULL;
        end = end ? strstr(end + 3, "\n\n") : NULL;
        size_t input_used = 0;
        SamaraGame *theirs = end ? samara_game_read(input.ptr, input.len, &input_used, NULL) : NULL;
        const bool same = mine && theirs && same_game(mine, theirs);
        if (end && !same) {
            fprintf(stderr, "samara analyse: game %zu of '%s' is not game %zu of the input\n",
                    *finished + 1, path, *finished + 1);
            ok = false;
        }
        samara_game_free(mine);
        samara_game_free(theirs);
        if (!end || !same)
            break;
        kept = (size_t)(end + 2 - old.data);
        input.ptr += input_used;
        input.len -= input_used;
        ++*finished;
    }
    if (ok && kept < old.len && !file_shorten(path, kept)) {
        fprintf(stderr, "samara analyse: cannot shorten '%s': %s\n", path, strerror(errno));
        ok = false;
    }
    buffer_free(&old);
    return ok;
}

/* An existing file is never written over: it is continued, or left alone. */
static FILE *open_output(const GamesPlan *plan, Str input, size_t *finished)
{
    Error err;
    *finished = 0;
    if (!plan->resume && file_exists(plan->pgn)) {
        fprintf(stderr,
                "samara analyse: '%s' exists already; --resume continues it, or delete it first\n",
                plan->pgn);
        return NULL;
    }
    if (plan->resume && !count_finished(plan->pgn, input, finished))
        return NULL;
    FILE *file = file_append(plan->pgn, &err);
    if (!file)
        fprintf(stderr, "samara analyse: %s\n", err.text);
    return file;
}

/* A game is in the file as a whole or not at all, also when the machine stops. */
static bool write_game(const Review *v, const GamesPlan *plan, FILE *file)
{
    Buffer out = {0};
    annotate_pgn(v, &plan->speech, &out);
    buffer_putc(&out, '\n');
    const bool ok = !out.failed && fwrite(out.data, 1, out.len, file) == out.len &&
                    fflush(file) == 0 && file_sync(file);
    if (!ok)
        fprintf(stderr, "samara analyse: cannot write '%s': %s\n", plan->pgn, strerror(errno));
    buffer_free(&out);
    return ok;
}

/* --- all games --- */

/* Each game is written when it is done: after an interruption --resume goes on behind it. */
static bool show_game(Review *v, const GamesPlan *plan, size_t number, FILE *file)
{
    Buffer out = {0};
    if (file && !write_game(v, plan, file))
        return false;
    if (plan->json)
        put_json(v, number, &plan->speech, &out);
    else if (!file)
        put_text(v, &plan->speech, &out);
    if (out.len > 0) {
        fputs(buffer_text(&out), stdout);
        fputs(out.data[out.len - 1] == '\n' ? "" : "\n", stdout);
    }
    fflush(stdout);
    const bool ok = !out.failed;
    buffer_free(&out);
    return ok;
}

/* Takes over the game. */
static bool analyse_game(SamaraGame *game, const GamesPlan *plan, size_t number, FILE *file)
{
    SamaraError err = {.text = "not enough memory"};
    if (!plan->json && !file)
        printf("%sGame %zu: %s - %s %s\n", number > 1 ? "\n" : "", number, tag_or(game, "White"),
               tag_or(game, "Black"), samara_game_result(game));
    Review *review = review_create(game);
    bool ok = review && review_run(review, &plan->effort, NULL, &err);
    if (!ok)
        fprintf(stderr, "samara analyse: game %zu: %s\n", number, err.text);
    ok = ok && show_game(review, plan, number, file);
    review_destroy(review);
    return ok;
}

/* Game after game; what was finished before is read over. A fault in one game ends that game
 * only. */
static int analyse_all(const GamesPlan *plan, Str text, FILE *file, size_t finished)
{
    int code = EXIT_OK;
    for (size_t number = 1; text.len > 0; number++) {
        SamaraError err = {0};
        size_t used = 0;
        SamaraGame *game = samara_game_read(text.ptr, text.len, &used, &err);
        if (!game)
            break;
        text.ptr += used;
        text.len -= used;
        if (number <= finished) {
            samara_game_free(game);
            continue;
        }
        if (err.text[0]) {
            fprintf(stderr, "samara analyse: game %zu: %s\n", number, err.text);
            code = EXIT_FAILED;
        }
        if (plan->progress)
            fprintf(stderr, "\rgame %zu\033[K\r", number);
        if (!analyse_game(game, plan, number, file))
            code = EXIT_FAILED;
    }
    return code;
}

/* A disk that fills up is noticed when the file is closed, if not before. */
int games_analyse(const GamesPlan *plan, Str text)
{
    size_t finished = 0;
    FILE *file = NULL;
    if (plan->pgn && !(file = open_output(plan, text, &finished)))
        return EXIT_FAILED;
    const int code = analyse_all(plan, text, file, finished);
    if (file && fclose(file) != 0) {
        fprintf(stderr, "samara analyse: cannot write '%s': %s\n", plan->pgn, strerror(errno));
        return EXIT_FAILED;
    }
    return code;
}
