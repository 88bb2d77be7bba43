// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/metrics.h"

#include "base/clock.h"

static const double bounds[METRICS_BUCKETS] = {0.001, 0.003, 0.01, 0.03, 0.1,
                                               0.3,   1,     3,    10,   30}; /* seconds */

void metrics_answer(Metrics *metrics, int status, int64_t us)
{
    relaxed_add(&metrics->answers[status >= 100 && status < 600 ? status / 100 : 0], 1);
    int bucket = 0;
    while (bucket < METRICS_BUCKETS && (double)us > bounds[bucket] * 1e6)
        bucket++;
    relaxed_add(&metrics->took[bucket], 1);
    relaxed_add(&metrics->took_us, (uint64_t)us);
}

static void head(Buffer *out, const char *name, const char *type, const char *help)
{
    buffer_printf(out, "# HELP samara_%s %s\n# TYPE samara_%s %s\n", name, help, name, type);
}

static void counter(Buffer *out, const char *name, const char *help, AtomicU64 *value)
{
    head(out, name, "counter", help);
    buffer_printf(out, "samara_%s %llu\n", name, (unsigned long long)relaxed_load(value));
}

static void write_durations(Metrics *m, Buffer *out)
{
    head(out, "request_seconds", "histogram", "Time from the whole request to its answer.");
    uint64_t sum = 0;
    for (int i = 0; i < METRICS_BUCKETS; i++) {
        sum += relaxed_load(&m->took[i]);
        buffer_printf(out, "samara_request_seconds_bucket{le=\"%g\"} %llu\n", bounds[i],
                      (unsigned long long)sum);
    }
    sum += relaxed_load(&m->took[METRICS_BUCKETS]);
    buffer_printf(out, "samara_request_seconds_bucket{le=\"+Inf\"} %llu\n",
                  (unsigned long long)sum);
    buffer_printf(out, "samara_request_seconds_sum %.6f\n",
                  (double)relaxed_load(&m->took_us) / 1e6);
    buffer_printf(out, "samara_request_seconds_count %llu\n", (unsigned long long)sum);
}

void metrics_write(Metrics *m, const MetricsGauge *gauges, size_t count, Buffer *out)
{
    head(out, "requests_total", "counter", "Answers by class of status.");
    for (int i = 2; i < 6; i++)
        buffer_printf(out, "samara_requests_total{status=\"%dxx\"} %llu\n", i,
                      (unsigned long long)relaxed_load(&m->answers[i]));
    write_durations(m, out);
    counter(out, "searches_total", "Searches that were run.", &m->searches);
    counter(out, "nodes_total", "Positions that were searched.", &m->nodes);
    counter(out, "search_microseconds_total", "Time spent searching.", &m->search_us);
    counter(out, "cancelled_total", "Searches whose client left.", &m->cancelled);
    counter(out, "refused_total", "Requests refused because the queue was full.", &m->refused);
    counter(out, "streams_total", "Live analyses that were begun.", &m->streams);
    counter(out, "reports_total", "Games that were analysed.", &m->reports);
    head(out, "uptime_seconds", "gauge", "Time since the start.");
    buffer_printf(out, "samara_uptime_seconds %.3f\n", (double)(clock_ms() - m->start_ms) / 1000);
    for (size_t i = 0; i < count; i++) {
        head(out, gauges[i].name, "gauge", gauges[i].help);
        buffer_printf(out, "samara_%s %g\n", gauges[i].name, gauges[i].value);
    }
}
