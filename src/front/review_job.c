// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/review_job.h"

#include "base/clock.h"
#include "front/game_lines.h"
#include "review/annotate.h"
#include "review/report.h"
#include <stdio.h>
#include <string.h>

enum { OVERHEAD_MS = 10, PART_MS = 1000, NODES_PER_MS = 500, MOST_NODES = 1000000000 };

bool engine_identity(const char *network, char out[QUEUE_NAME_SIZE], Error *err)
{
    SamaraError problem = {0};
    Samara *engine = samara_new(&(SamaraConfig){.hash_mb = 1, .network = network}, &problem);
    if (!engine)
        return error_set(err, "%s", problem.text);
    snprintf(out, QUEUE_NAME_SIZE, "Samara %s, %s", samara_version(), samara_network_name(engine));
    samara_free(engine);
    return true;
}

/* --- what travels --- */

void review_job_write(const SamaraLimits *limits, const Speech *speech, Str pgn, Buffer *payload)
{
    buffer_printf(payload, "limits %d %llu %lld\nspeech %s %s\n\n", limits->depth,
                  (unsigned long long)limits->nodes, (long long)limits->movetime_ms,
                  speech_language_code(speech), speech_level_name(speech->level));
    buffer_append(payload, pgn.ptr, pgn.len);
}

/* "limits DEPTH NODES MOVETIME", each in its range. */
static bool read_limits(Str line, SamaraLimits *limits)
{
    int64_t depth, nodes, movetime;
    if (!str_is(str_token(&line), "limits") || !str_next_int(&line, 0, 200, &depth) ||
        !str_next_int(&line, 0, MOST_NODES, &nodes) ||
        !str_next_int(&line, 0, 86400000, &movetime) || str_token(&line).len > 0)
        return false;
    *limits = (SamaraLimits){.depth = (int)depth,
                             .nodes = (uint64_t)nodes,
                             .movetime_ms = movetime,
                             .overhead_ms = movetime > 0 ? OVERHEAD_MS : 0};
    return true;
}

static bool read_speech(Str line, Speech *speech)
{
    char language[16], level[16];
    return str_is(str_token(&line), "speech") &&
           str_copy(language, sizeof language, str_token(&line)) &&
           str_copy(level, sizeof level, str_token(&line)) && speech_named(language, level, speech);
}

bool review_job_read(Str payload, SamaraLimits *limits, Speech *speech, Str *pgn, Error *err)
{
    if (!read_limits(str_line(&payload), limits) || !read_speech(str_line(&payload), speech) ||
        str_line(&payload).len > 0)
        return error_set(err, "this is no review job");
    *pgn = payload;
    return true;
}

int64_t review_job_cost_ms(const SamaraLimits *limits, size_t plies)
{
    const int64_t nodes = limits->nodes > 0 ? (int64_t)limits->nodes : REVIEW_NODES;
    const int64_t each = limits->movetime_ms > 0 ? limits->movetime_ms : nodes / NODES_PER_MS;
    return (each + 1) * ((int64_t)plies + 1);
}

bool review_part_read(Str part, size_t *done, size_t *total, Str *report)
{
    Str line = str_line(&part);
    int64_t a, b;
    if (!str_next_int(&line, 0, 1000000, &a) || !str_next_int(&line, 0, 1000000, &b))
        return false;
    *done = (size_t)a;
    *total = (size_t)b;
    *report = part;
    return true;
}

bool review_result_read(Str text, ReviewResult *out)
{
    int64_t report, lines;
    Str head = str_line(&text);
    if (!str_next_int(&head, 0, (int64_t)text.len, &report) ||
        !str_next_int(&head, 0, (int64_t)text.len - report, &lines))
        return false;
    out->report = (Str){text.ptr, (size_t)report};
    out->lines = (Str){text.ptr + report, (size_t)lines};
    out->pgn = (Str){text.ptr + report + lines, text.len - (size_t)(report + lines)};
    return true;
}

/* --- doing it --- */

typedef struct Doing {
    Work *work;
    Review *review;
    const Speech *speech;
    Mutex lock; /* of the next */
    int64_t part_ms;
} Doing;

static bool goes_on(void *user) { return work_wanted(((Doing *)user)->work); }

/* Once a second the report as it stands: whoever waits sees it grow. */
static void on_progress(void *user, size_t done, size_t total)
{
    Doing *d = user;
    const int64_t now = clock_ms();
    mutex_lock(&d->lock);
    const bool due = now >= d->part_ms;
    if (due)
        d->part_ms = now + PART_MS;
    mutex_unlock(&d->lock);
    if (!due)
        return;
    Buffer text = {0};
    buffer_printf(&text, "%zu %zu\n", done, total);
    report_write(d->review, d->speech, &text);
    if (!text.failed)
        work_tell(d->work, (Str){text.data, text.len});
    buffer_free(&text);
}

/* Lengths first, so that no part needs escaping. */
void review_result_write(Review *review, const Speech *speech, Buffer *out)
{
    Buffer report = {0}, lines = {0};
    report_write(review, speech, &report);
    game_lines_write(review, speech, &lines);
    buffer_printf(out, "%zu %zu\n", report.len, lines.len);
    buffer_append(out, report.data, report.len);
    buffer_append(out, lines.data, lines.len);
    annotate_pgn(review, speech, out);
    out->failed |= report.failed || lines.failed;
    buffer_free(&report);
    buffer_free(&lines);
}

/* The game is read again here: a payload is text, and nothing in it is trusted. */
static bool run_review(void *tools, Work *work, WorkResult *result, Error *err)
{
    ReviewEffort effort = {0};
    Speech speech;
    Str pgn;
    SamaraError problem = {0};
    (void)tools; /* a review opens its own engines, all alike */
    if (!review_job_read(work_payload(work), &effort.limits, &speech, &pgn, err))
        return false;
    SamaraGame *game = samara_game_read(pgn.ptr, pgn.len, NULL, &problem);
    Doing doing = {.work = work, .speech = &speech};
    doing.review = game ? review_create(game) : NULL;
    if (!doing.review)
        return error_set(err, "%s",
                         problem.text[0] ? problem.text : "there is no game in this text");
    mutex_init(&doing.lock);
    const ReviewEvents events = {.user = &doing, .goes_on = goes_on, .progress = on_progress};
    const bool ok = review_run(doing.review, &effort, &events, &problem);
    if (ok) {
        review_result_write(doing.review, &speech, &result->text);
        result->positions = (int64_t)doing.review->plies + 1;
        result->nodes = (int64_t)doing.review->nodes * result->positions;
    } else {
        error_set(err, "%s", problem.text);
    }
    review_destroy(doing.review);
    mutex_destroy(&doing.lock);
    return ok;
}

static void *open_nothing(void *user, Error *err)
{
    static const char nothing;
    (void)user;
    (void)err;
    return (void *)&nothing;
}

static void close_nothing(void *tools) { (void)tools; }

const WorkKind review_work = {
    .kind = REVIEW_JOB_KIND, .open = open_nothing, .close = close_nothing, .run = run_review};
