// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/study.h"

#include <stdio.h>

static bool is_unlimited(const SamaraLimits *l)
{
    return l->depth == 0 && l->nodes == 0 && l->movetime_ms == 0 && l->mate == 0;
}

bool study_open(Study *study, const ReviewEffort *effort, const ReviewEvents *events)
{
    *study = (Study){.limits = effort->limits, .thorough = effort->thorough, .events = events};
    if (is_unlimited(&study->limits))
        study->limits.nodes = REVIEW_NODES;
    const SamaraConfig config = {
        .hash_mb = REVIEW_HASH_MB, .tables = effort->tables, .book = effort->book};
    study->engine = samara_new(&config, &study->err);
    return study->engine != NULL;
}

void study_close(Study *study)
{
    samara_free(study->engine);
    study->engine = NULL;
}

bool study_goes_on(Study *study)
{
    const ReviewEvents *e = study->events;
    if (e && e->goes_on && !study->stopped)
        study->stopped = !e->goes_on(e->user);
    return !study->stopped;
}

static void on_line(void *user, const SamaraLine *line)
{
    Study *study = user;
    (void)line;
    if (!study_goes_on(study))
        samara_stop(study->engine);
}

static SamaraLimits share_of(const SamaraLimits *whole, double share)
{
    SamaraLimits limits = *whole;
    limits.nodes = (uint64_t)((double)whole->nodes * share);
    limits.movetime_ms = (int64_t)((double)whole->movetime_ms * share);
    if (whole->nodes > 0 && limits.nodes == 0)
        limits.nodes = 1;
    if (whole->movetime_ms > 0 && limits.movetime_ms == 0)
        limits.movetime_ms = 1;
    return limits;
}

bool study_search(Study *study, const SamaraPosition *position, double share,
                  const SamaraMove *moves, size_t count, bool fresh, Found *out)
{
    const SamaraRequest request = {.position = position,
                                   .limits = share_of(&study->limits, share),
                                   .lines = 1,
                                   .moves = moves,
                                   .move_count = count,
                                   .fresh = fresh};
    const SamaraEvents events = {.user = study, .line = on_line};
    SamaraResult result;
    if (!study_goes_on(study) ||
        !samara_search(study->engine, &request, &events, &result, &study->err) || study->stopped)
        return false;
    study->nodes += result.nodes;
    *out = (Found){.worth = worth_of(&result.score), .depth = result.depth};
    if (result.line_count > 0 && result.lines[0].length > 0)
        line_of(result.lines[0].moves, result.lines[0].length, &out->line);
    else
        line_of(&result.best, 1, &out->line);
    return true;
}
