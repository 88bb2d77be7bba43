// SPDX-License-Identifier: GPL-3.0-or-later
/* metrics.h -- what the server counts, in the text format of Prometheus. */
#ifndef SAMARA_FRONT_HTTP_METRICS_H
#define SAMARA_FRONT_HTTP_METRICS_H

#include "base/text.h"
#include "base/thread.h"

enum { METRICS_BUCKETS = 10 };

typedef struct Metrics {
    AtomicU64 answers[6]; /* by first digit of the status */
    AtomicU64 searches, nodes, search_us, cancelled, refused, streams, reports;
    AtomicU64
        took[METRICS_BUCKETS + 1]; /* requests by duration; the last: longer than all bounds */
    AtomicU64 took_us;
    int64_t start_ms;
} Metrics;

/* Values that are looked up when somebody asks. */
typedef struct MetricsGauge {
    const char *name, *help;
    double value;
} MetricsGauge;

void metrics_answer(Metrics *metrics, int status, int64_t us);
void metrics_write(Metrics *metrics, const MetricsGauge *gauges, size_t count, Buffer *out);

#endif
