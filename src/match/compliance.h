// SPDX-License-Identifier: GPL-3.0-or-later
/* compliance.h -- a linter for UCI engines: holds a conversation with one and reports what is not
 * as it should be. */
#ifndef SAMARA_MATCH_COMPLIANCE_H
#define SAMARA_MATCH_COMPLIANCE_H

#include "match/session.h"

typedef struct Finding {
    const char *check; /* stable name: "stop-latency" */
    Severity severity;
    const char *title;  /* what a good engine does */
    const char *detail; /* what this one did; "" if there is nothing to say */
} Finding;

typedef struct ComplianceSummary {
    int checks, failed, warnings, skipped;
} ComplianceSummary;

/* Runs every check, or the one called `only` if that is not NULL, each with a fresh process, and
 * reports one finding for each. False if there is no such check, the engine cannot be started at
 * all, or we were interrupted. */
bool compliance_run(const EngineSpec *engine, const char *only, Guard *guard,
                    const Interrupt *interrupt, void (*report)(void *user, const Finding *finding),
                    void *user, ComplianceSummary *summary, Error *err);

#endif
