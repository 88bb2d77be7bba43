// SPDX-License-Identifier: GPL-3.0-or-later
/* call.h -- typed calls of the host: analyse, explain, report. One runs at a time. */
#ifndef SAMARA_WASM_CALL_H
#define SAMARA_WASM_CALL_H

#include "base/thread.h"
#include "front/analysis_json.h"
#include "samara.h"
#include "wasm/fields.h"

typedef struct Call {
    Samara *engine;
    SamaraPosition *position;
    int id;
    Fields fields;
    const char *body; /* the host's until the call ends: a PGN */
    AtomicFlag running, cancelled;
    AnalysisCounts counts;
    bool searched; /* it is, or was, a search of the engine */
    bool threaded; /* it runs, or ran, in this thread: */
    Thread thread;
} Call;

/* Answers come by host_answer(), the last one exactly once, perhaps before this returns. */
void call_begin(Call *call, int id, const char *name, const char *fields, const char *body);
void call_cancel(Call *call); /* ends it soon, with what it has found; nothing happens while idle */
void call_settle(Call *call); /* cancels and waits */

#endif
