// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/explain.h"

#include "front/http/think.h"
#include "review/position_notes.h"
#include "review/report.h"
#include <stdlib.h>

enum { MOST_NODES = 2000000 };

/* Language first: which of the two is unknown decides what the answer says. */
bool explain_speech(const Params *params, Speech *out, Reply *reply)
{
    if (!speech_named(params->language, NULL, out)) {
        reply_error(reply, 400, "out_of_range", "language", 0, "language must be one of %s.",
                    SPEECH_LANGUAGES);
        return false;
    }
    if (!speech_named(params->language, params->level, out)) {
        reply_error(reply, 400, "out_of_range", "level", 0, "level must be one of %s.",
                    SPEECH_LEVELS);
        return false;
    }
    return true;
}

static bool goes_on(void *user)
{
    const Request *r = user;
    return !task_should_end(&r->task);
}

/* An engine of its own, as all reviews have: so the answer does not depend on who asked before. */
static bool answer(Request *r, const SamaraPosition *position, const SamaraMove *move,
                   const Speech *speech, SamaraError *err)
{
    const ReviewEvents events = {.user = r, .goes_on = goes_on};
    const ReviewEffort effort = {.limits.nodes = (uint64_t)r->params.nodes, .thorough = true};
    Study study;
    Verdict *verdict = malloc(sizeof *verdict);
    PositionNotes *notes = malloc(sizeof *notes);
    bool ok = study_open(&study, &effort, &events) && verdict && notes;
    Buffer *out = &r->reply.body;
    if (ok && move)
        ok = verdict_of_move(&study, position, move, verdict);
    else if (ok)
        ok = notes_make(&study, position, notes);
    if (ok) {
        reply_text(&r->reply, 200, "application/json", "");
        if (move)
            report_explanation(position, verdict, speech, out);
        else
            report_notes(position, notes, speech, out);
    }
    *err = study.err;
    study_close(&study);
    free(verdict);
    free(notes);
    return ok;
}

/* Without a move the position is explained. */
void explain_route(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const Params *p = &r->params;
    Speech speech;
    SamaraMove move;
    SamaraError err = {0};
    if (p->nodes > MOST_NODES) {
        reply_error(&r->reply, 400, "out_of_range", "nodes", 0, "nodes must be at most %d.",
                    (int)MOST_NODES);
    } else if (!explain_speech(p, &speech, &r->reply) || !think_prepare(slot, p, &r->reply)) {
        /* the answer says why */
    } else if (samara_position_moves(slot->position, NULL, 0) == 0) {
        reply_json(&r->reply, 200, think_finished(slot->position));
    } else if (p->move && !samara_position_read_move(slot->position, p->move, &move, &err)) {
        reply_error(&r->reply, 422, "illegal_move", "move", 0, "%s.", err.text);
    } else {
        speech.always = true;
        if (!answer(r, slot->position, p->move ? &move : NULL, &speech, &err))
            reply_error(&r->reply, 503, "search_failed", NULL, 0, "%s.",
                        err.text[0] ? err.text : "the explanation was cut short");
    }
    request_done(r);
}
