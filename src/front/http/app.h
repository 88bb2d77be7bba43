// SPDX-License-Identifier: GPL-3.0-or-later
/* app.h -- what all parts of the server share. Written before the first request, then only its
 * parts change, each under a lock of its own. */
#ifndef SAMARA_FRONT_HTTP_APP_H
#define SAMARA_FRONT_HTTP_APP_H

#include "front/http/guard.h"
#include "front/http/lane.h"
#include "front/http/metrics.h"
#include "front/http/quick.h"
#include "front/http/store.h"

typedef enum LaneName {
    LANE_NONE,   /* answered where it was read */
    LANE_DESK,   /* short questions: rules, library */
    LANE_SEARCH, /* a move, an analysis */
    LANE_LIVE,   /* streams: minutes */
    LANE_REPORT, /* whole games, one at a time */
    LANE_COUNT
} LaneName;

typedef struct App {
    Guard guard;
    Metrics metrics;
    Lane *lane[LANE_COUNT]; /* lane[LANE_NONE] is NULL */
    Quick *quick;
    Store *store;
    struct Games *games;
    int64_t max_time_ms;   /* of one search */
    int64_t max_stream_ms; /* of one live analysis */
    bool stored;           /* on disk, not only in memory */
} App;

#endif
