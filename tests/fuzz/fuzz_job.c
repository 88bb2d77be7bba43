// SPDX-License-Identifier: GPL-3.0-or-later
/* A game of a match as text from a stranger: a job is refused, or written as it was read; a result, with a sum that fits, is refused
 * with a reason, or is a legal game. */
#include "fuzz.h"

#include "base/rng.h"
#include "chess/attacks.h"
#include "match/match_job.h"
#include <stdlib.h>
#include <string.h>

static const char question[] =
    "match 1 7 3 0\nstart 0 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
    "book g1f3 b8c6\nrules 40 8 10 3 600 0 90\n"
    "player new\nlimits 0 0 0 0 0 700 -1 0\nmanner 0 0\noption Hash=2\n"
    "player old\nlimits 0 0 0 0 0 300 -1 0\nmanner 0 0\n";

static void check_job(Str text)
{
    MatchJob *job = malloc(sizeof *job), *again = malloc(sizeof *again);
    Error err = {0};
    Buffer once = {0}, twice = {0};
    if (match_job_read(text, job, &err)) {
        match_job_write(job, &once);
        DEMAND(match_job_read((Str){once.data, once.len}, again, &err));
        match_job_write(again, &twice);
        DEMAND(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
        match_job_free(again);
    } else {
        DEMAND(err.text[0]);
    }
    match_job_free(job);
    buffer_free(&once);
    buffer_free(&twice);
    free(job);
    free(again);
}

static void check_result(Str text)
{
    const Str payload = str_from(question);
    MatchJob *job = malloc(sizeof *job);
    GameRecord record;
    Buffer result = {0};
    Error err = {0};
    const uint32_t sum = crc32c(crc32c(0, payload.ptr, payload.len), text.ptr, text.len);
    buffer_append(&result, text.ptr, text.len);
    buffer_printf(&result, "sum %u\n", sum);
    record_init(&record);
    DEMAND(match_job_read(payload, job, &err));
    if (match_result_read(payload, job, (Str){result.data, result.len}, &record, &err))
        DEMAND(record.result != RESULT_NONE && record.game.count >= 2);
    else
        DEMAND(err.text[0]);
    record_free(&record);
    match_job_free(job);
    buffer_free(&result);
    free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    attacks_init();
    check_job((Str){(const char *)data, size});
    check_result((Str){(const char *)data, size});
    return 0;
}
