// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/cli_games.h"

#include "base/file.h"
#include "front/cli_words.h"
#include "front/review_job.h"
#include "queue/open.h"
#include "queue/ordered.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OUTPUT = 1 << 30 };

static const char *tag_or(const SamaraGame *game, const char *name)
{
    const char *value = samara_game_tag(game, name);
    return value ? value : "?";
}

/* One object per game, so that a reader can take the file line by line. */
static void put_json(const SamaraGame *game, size_t number, Str report, Buffer *out)
{
    JsonWriter w = {.out = out};
    jw_object(&w, NULL);
    jw_int(&w, "game", (int64_t)number);
    jw_text(&w, "white", tag_or(game, "White"));
    jw_text(&w, "black", tag_or(game, "Black"));
    jw_text(&w, "result", samara_game_result(game));
    jw_int(&w, "plies", (int64_t)samara_game_length(game));
    buffer_puts(out, ",\"report\":");
    buffer_append(out, report.ptr, report.len);
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
static bool write_game(Str pgn, const GamesPlan *plan, FILE *file)
{
    const bool ok = fwrite(pgn.ptr, 1, pgn.len, file) == pgn.len && putc('\n', file) != EOF &&
                    fflush(file) == 0 && file_sync(file);
    if (!ok)
        fprintf(stderr, "samara analyse: cannot write '%s': %s\n", plan->pgn, strerror(errno));
    return ok;
}

/* --- all games --- */

/* Each game is written when it is done: after an interruption --resume goes on behind it. */
static bool show_game(const SamaraGame *game, const ReviewResult *result, const GamesPlan *plan,
                      size_t number, FILE *file)
{
    Buffer out = {0};
    if (file && !write_game(result->pgn, plan, file))
        return false;
    if (plan->json)
        put_json(game, number, result->report, &out);
    else if (!file)
        buffer_append(&out, result->lines.ptr, result->lines.len);
    if (out.len > 0) {
        fputs(buffer_text(&out), stdout);
        fputs(out.data[out.len - 1] == '\n' ? "" : "\n", stdout);
    }
    fflush(stdout);
    const bool ok = !out.failed;
    buffer_free(&out);
    return ok;
}

static void print_title(const SamaraGame *game, const GamesPlan *plan, size_t number)
{
    if (!plan->json && !plan->pgn)
        printf("%sGame %zu: %s - %s %s\n", number > 1 ? "\n" : "", number, tag_or(game, "White"),
               tag_or(game, "Black"), samara_game_result(game));
}

/* Takes over the game. The result takes the form in which a worker sends it, so that both ways
 * print the same. */
static bool analyse_game(SamaraGame *game, const GamesPlan *plan, size_t number, FILE *file)
{
    SamaraError err = {.text = "not enough memory"};
    Buffer text = {0};
    ReviewResult result;
    print_title(game, plan, number);
    Review *review = review_create(game);
    bool ok = review && review_run(review, &plan->effort, NULL, &err);
    if (ok)
        review_result_write(review, &plan->speech, &text);
    ok = ok && !text.failed && review_result_read((Str){text.data, text.len}, &result);
    if (!ok)
        fprintf(stderr, "samara analyse: game %zu: %s\n", number, err.text);
    ok = ok && show_game(game, &result, plan, number, file);
    buffer_free(&text);
    review_destroy(review);
    return ok;
}

/* --- by workers of a queue --- */

enum { WINDOW = 64 };

typedef struct Remote {
    const GamesPlan *plan;
    Str text; /* not yet sent */
    FILE *file;
    int code;
    SamaraGame *games[WINDOW]; /* under way, by their number */
    char engine[QUEUE_NAME_SIZE], owner[QUEUE_NAME_SIZE];
} Remote;

/* The next game of the text; its bytes go as they are. NULL at the end. */
static SamaraGame *next_game(Str *text, size_t number, Str *bytes, int *code)
{
    SamaraError err = {0};
    size_t used = 0;
    SamaraGame *game = text->len > 0 ? samara_game_read(text->ptr, text->len, &used, &err) : NULL;
    if (!game)
        return NULL;
    *bytes = (Str){text->ptr, used};
    text->ptr += used;
    text->len -= used;
    if (err.text[0] && code) {
        fprintf(stderr, "samara analyse: game %zu: %s\n", number, err.text);
        *code = EXIT_FAILED;
    }
    return game;
}

/* Job k is game k + 1. Live: when this command ends, so do its jobs. */
static bool make_job(void *user, uint64_t number, Job *job, Buffer *payload)
{
    Remote *r = user;
    const SamaraLimits *limits = &r->plan->effort.limits;
    Str bytes;
    SamaraGame *game = next_game(&r->text, (size_t)number + 1, &bytes, &r->code);
    if (!game)
        return false;
    samara_game_free(r->games[number % WINDOW]);
    r->games[number % WINDOW] = game;
    review_job_write(limits, &r->plan->speech, bytes, payload);
    *job = (Job){.kind = REVIEW_JOB_KIND,
                 .needs = r->engine,
                 .owner = r->owner,
                 .priority = JOB_BULK,
                 .cost_ms = review_job_cost_ms(limits, samara_game_length(game)),
                 .live = true};
    return true;
}

/* In the order of the games. */
static bool put_result(void *user, uint64_t number, Str text, Error *err)
{
    Remote *r = user;
    const SamaraGame *game = r->games[number % WINDOW];
    ReviewResult result;
    if (!review_result_read(text, &result))
        return error_set(err, "the report of game %zu arrived damaged", (size_t)number + 1);
    print_title(game, r->plan, (size_t)number + 1);
    return show_game(game, &result, r->plan, (size_t)number + 1, r->file) ||
           error_set(err, "game %zu cannot be written", (size_t)number + 1);
}

/* A fault in one game ends that game only, as it does without a queue. */
static bool put_failure(void *user, uint64_t number, const char *why)
{
    Remote *r = user;
    print_title(r->games[number % WINDOW], r->plan, (size_t)number + 1);
    fprintf(stderr, "samara analyse: game %zu: %s\n", (size_t)number + 1, why);
    r->code = EXIT_FAILED;
    return true;
}

/* Finished games are read over; all others are jobs. */
static int analyse_remote(const GamesPlan *plan, Str text, FILE *file, size_t finished)
{
    Remote r = {.plan = plan, .text = text, .file = file, .code = EXIT_OK};
    const OrderedJobs jobs = {.user = &r, .make = make_job, .put = put_result, .dead = put_failure};
    Error err;
    Str bytes;
    for (size_t i = 0; i < finished; i++)
        samara_game_free(next_game(&r.text, i + 1, &bytes, NULL));
    queue_make_name(r.owner, "analyse");
    if (!engine_identity(NULL, r.engine, &err) ||
        !ordered_run(plan->queue, &jobs, finished, WINDOW, &err))
        r.code = cli_fail("analyse", err.text);
    for (int i = 0; i < WINDOW; i++)
        samara_game_free(r.games[i]);
    return r.code;
}

/* --- here --- */

/* Game after game; what was finished before is read over. A fault in one game ends that game
 * only. */
static int analyse_all(const GamesPlan *plan, Str text, FILE *file, size_t finished)
{
    int code = EXIT_OK;
    Str bytes;
    SamaraGame *game;
    for (size_t number = 1;
         (game = next_game(&text, number, &bytes, number > finished ? &code : NULL)); number++) {
        if (number <= finished) {
            samara_game_free(game);
            continue;
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
    const int code = (plan->queue ? analyse_remote : analyse_all)(plan, text, file, finished);
    if (file && fclose(file) != 0) {
        fprintf(stderr, "samara analyse: cannot write '%s': %s\n", plan->pgn, strerror(errno));
        return EXIT_FAILED;
    }
    return code;
}
