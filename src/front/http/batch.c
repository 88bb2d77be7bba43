// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/batch.h"

#include "base/clock.h"
#include "front/http/think.h"

enum { TIME_SHARES = 6 }; /* all positions together have so many times the time of one search */

/* What went wrong with one position, as a request of its own would have said it. */
static json_t *fault_json(Reply *reply)
{
    json_t *json = json_loads(buffer_text(&reply->body), 0, NULL);
    reply_clear(reply);
    return json;
}

/* One position of many: its fault is its own answer, and the others go on. */
static json_t *analyse_item(Request *r, Slot *slot, json_t *item)
{
    Params where;
    Reply reply = {0};
    json_t *json = NULL;
    if (!json_is_object(item))
        reply_error(&reply, 400, "wrong_type", "positions", 0, "Each position must be an object.");
    else if (params_from_object(&where, FIELDS_POSITION, json_incref(item), r->app->max_time_ms,
                                &reply)) {
        if (think_prepare(slot, &where, &reply))
            json = think_here(r, slot, &reply);
        params_free(&where);
    }
    return json ? json : fault_json(&reply);
}

/* One after the other, with the same limits. A position that is wrong has an error in its place and
 * harms no other; so have those for which no time is left. */
void batch_analyse(Task *task, Slot *slot)
{
    Request *r = (Request *)task;
    const int64_t end = clock_ms() + TIME_SHARES * r->app->max_time_ms;
    json_t *results = json_array(), *item;
    size_t i;
    if (!(r->params.given & FIELD_POSITIONS)) {
        reply_error(&r->reply, 400, "missing_field", "positions", 0, "positions is required.");
    } else {
        json_array_foreach(r->params.positions, i, item)
        {
            Reply late = {0};
            const bool in_time = clock_ms() < end && !task_cancelled(task);
            if (!in_time)
                reply_error(&late, 503, "out_of_time", "positions", 0,
                            "The time for one request is over; send fewer positions or smaller "
                            "limits.");
            json_array_append_new(results,
                                  in_time ? analyse_item(r, slot, item) : fault_json(&late));
        }
        reply_json(&r->reply, 200, json_pack("{s:s, s:O}", "status", "ok", "results", results));
    }
    json_decref(results);
    request_done(r);
}
