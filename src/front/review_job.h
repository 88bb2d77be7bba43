// SPDX-License-Identifier: GPL-3.0-or-later
/* review_job.h -- the review of a game as a job of the queue: what is sent, done, and sent back.
 *
 *   payload   "limits DEPTH NODES MOVETIME\nspeech LANGUAGE LEVEL\n\n" and the game as PGN
 *   part      "DONE TOTAL\n" and the report as far as it is known
 *   result    "BYTES BYTES\n", so many bytes of report and of lines for a terminal, and the
 *             annotated game */
#ifndef SAMARA_FRONT_REVIEW_JOB_H
#define SAMARA_FRONT_REVIEW_JOB_H

#include "queue/worker.h"
#include "review/review.h"
#include "review/speech.h"

#define REVIEW_JOB_KIND "review"

/* The game's text is the caller's. */
void review_job_write(const SamaraLimits *limits, const Speech *speech, Str pgn, Buffer *payload);
bool review_job_read(Str payload, SamaraLimits *limits, Speech *speech, Str *pgn, Error *err);
/* About how long it takes. */
int64_t review_job_cost_ms(const SamaraLimits *limits, size_t plies);

bool review_part_read(Str part, size_t *done, size_t *total, Str *report);

typedef struct ReviewResult {
    Str report, lines, pgn; /* of the text that was read */
} ReviewResult;

void review_result_write(Review *review, const Speech *speech, Buffer *out);
bool review_result_read(Str text, ReviewResult *out);

extern const WorkKind review_work;

/* "Samara 2.0.0, samara-4f0c12ab": which engine a job needs, and which a worker is. network NULL:
 * the one built in. */
bool engine_identity(const char *network, char out[QUEUE_NAME_SIZE], Error *err);

#endif
