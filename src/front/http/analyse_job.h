// SPDX-License-Identifier: GPL-3.0-or-later
/* analyse_job.h -- the analysis of a position as a job of the queue.
 *
 *   payload   {"hash": MB, "live": ..., "max_ms": ..., "request": {...}}, keys in order; the request
 *             as POST /api/v1/analyse takes it. What decides the result is all in it.
 *   part      an analysis that still runs, as in the event "info" of a stream
 *   result    "STATUS ", then the body that a server of its own would answer with */
#ifndef SAMARA_FRONT_HTTP_ANALYSE_JOB_H
#define SAMARA_FRONT_HTTP_ANALYSE_JOB_H

#include "front/http/request.h"
#include "queue/worker.h"

#define ANALYSE_JOB_KIND "analyse"

/* The position is the one that params describe, already set. NULL: no memory. To be freed. */
char *analyse_job_write(const Params *params, const SamaraPosition *position, int hash_mb,
                        int64_t max_ms, bool live);
int64_t analyse_job_cost_ms(const Params *params, int64_t max_ms);
/* False: no such result. */
bool analyse_result_read(Str result, int *status, Str *body);

/* user: the network's file, or NULL. */
WorkKind analyse_work(const char *network);

#endif
