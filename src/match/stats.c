// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/stats.h"
#include <math.h>

static const double confidence_95 = 1.959963984540054; /* quantile of the normal distribution */
static const double nelo_per_t =
    800.0 / 2.302585092994046; /* 800 / ln 10: slope of Elo at sigma = 1/2 */

double elo_to_score(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

double score_to_elo(double score) { return 400 * log10(score / (1 - score)); }

double normal_cdf(double x) { return erfc(-x / sqrt(2)) / 2; }

/* Relative frequencies of the categories and their scores. */
typedef struct Distribution {
    int n;
    double score[PENTANOMIAL], p[PENTANOMIAL];
} Distribution;

static double mean_of(const Distribution *d)
{
    double mean = 0;
    for (int i = 0; i < d->n; i++)
        mean += d->p[i] * d->score[i];
    return mean;
}

static double variance_of(const Distribution *d)
{
    const double mean = mean_of(d);
    double variance = 0;
    for (int i = 0; i < d->n; i++)
        variance += d->p[i] * (d->score[i] - mean) * (d->score[i] - mean);
    return variance;
}

/* Empty categories count as `floor` trials; returns how many trials there are then. */
static double distribution_of(const Tally *tally, double floor, Distribution *out)
{
    double total = 0;
    out->n = tally->categories;
    for (int i = 0; i < out->n; i++) {
        out->score[i] = (double)i / (out->n - 1);
        out->p[i] = tally->count[i] ? (double)tally->count[i] : floor;
        total += out->p[i];
    }
    for (int i = 0; i < out->n && total > 0; i++)
        out->p[i] /= total;
    return total;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Elo and normalised Elo with their 95 % intervals, and the likelihood of superiority, from counts
 * of pairs or games. */
Stats stats_of(const Tally *tally)
{
    Stats s = {.score = 0.5,
               .elo = {0, -INFINITY, INFINITY},
               .nelo = {0, -INFINITY, INFINITY},
               .los = 0.5};
    Distribution d;
    const double trials = distribution_of(tally, 0, &d);
    if (trials == 0)
        return s;

    s.trials = (uint64_t)trials;
    s.score = mean_of(&d);
    s.deviation = sqrt(variance_of(&d));
    s.even = d.p[d.n / 2];

    const double error = s.deviation / sqrt(trials);
    s.elo.value = score_to_elo(s.score);
    s.elo.low = score_to_elo(clamp(s.score - confidence_95 * error, 0, 1));
    s.elo.high = score_to_elo(clamp(s.score + confidence_95 * error, 0, 1));

    /* A pair has twice the games and half the variance per game of its mean score. */
    const double games = tally->categories == PENTANOMIAL ? 2 : 1;
    const double edge = s.score - 0.5;
    const double t = edge == 0 ? 0 : edge / (s.deviation * sqrt(games));
    const double t_error = confidence_95 / sqrt(trials * games);
    s.nelo = (Estimate){nelo_per_t * t, nelo_per_t * (t - t_error), nelo_per_t * (t + t_error)};
    s.los = edge == 0 ? 0.5 : normal_cdf(edge / error);
    return s;
}

double sprt_lower(const Sprt *test) { return log(test->beta / (1 - test->alpha)); }

double sprt_upper(const Sprt *test) { return log((1 - test->beta) / test->alpha); }

SprtVerdict sprt_verdict(const Sprt *test, double llr)
{
    return llr >= sprt_upper(test)   ? SPRT_ACCEPT_H1
           : llr <= sprt_lower(test) ? SPRT_ACCEPT_H0
                                     : SPRT_CONTINUE;
}

/* Solves sum p_i g_i / (1 + x g_i) = 0 for the Lagrange multiplier x. The sum falls from +inf to
 * -inf between the poles given by the smallest and largest g, so bisection cannot miss. False if
 * all g have one sign: then no distribution on these categories meets the constraint. */
static bool lagrange_multiplier(const double *p, const double *g, int n, double *x)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < n; i++) {
        least = fmin(least, g[i]);
        most = fmax(most, g[i]);
    }
    if (least >= 0 || most <= 0)
        return false;

    double low = -1 / most, high = -1 / least;
    for (int step = 0; step < 200 && high - low > 1e-15 * (fabs(low) + fabs(high)); step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += p[i] * g[i] / (1 + middle * g[i]);
        if (sum > 0)
            low = middle;
        else
            high = middle;
    }
    *x = (low + high) / 2;
    return true;
}

/* The distribution that makes `seen` most likely among those with sum q_i g_i = 0: q_i = p_i / (1 +
 * x g_i). */
static bool fit_linear(const Distribution *seen, const double *g, Distribution *fit)
{
    double x;
    if (!lagrange_multiplier(seen->p, g, seen->n, &x))
        return false;
    *fit = *seen;
    for (int i = 0; i < seen->n; i++)
        fit->p[i] = seen->p[i] / (1 + x * g[i]);
    return true;
}

static bool fit_mean(const Distribution *seen, double mean, Distribution *fit)
{
    double g[PENTANOMIAL];
    for (int i = 0; i < seen->n; i++)
        g[i] = seen->score[i] - mean;
    return fit_linear(seen, g, fit);
}

/* Best fit among the distributions with (mean - 1/2) / sigma = t. That constraint is not linear in
 * q, so it is replaced by its tangent at the present fit, score_i - 1/2 - t sigma / 2 (1 +
 * ((score_i - mean) / sigma)^2), until the fit stands still. */
static bool fit_t_value(const Distribution *seen, double t, Distribution *fit)
{
    *fit = *seen;
    for (int round = 0; round < 50; round++) {
        const double mean = mean_of(fit), sigma = sqrt(variance_of(fit));
        double g[PENTANOMIAL];
        for (int i = 0; i < seen->n; i++) {
            const double z = (seen->score[i] - mean) / sigma;
            g[i] = seen->score[i] - 0.5 - t * sigma / 2 * (1 + z * z);
        }
        const Distribution before = *fit;
        if (!fit_linear(seen, g, fit))
            return false;

        double change = 0;
        for (int i = 0; i < seen->n; i++)
            change = fmax(change, fabs(fit->p[i] - before.p[i]));
        if (change < 1e-12)
            break;
    }
    return true;
}

static bool fit_hypothesis(const Sprt *test, const Distribution *seen, double elo,
                           Distribution *fit)
{
    if (test->model == SPRT_LOGISTIC)
        return fit_mean(seen, elo_to_score(elo), fit);
    const double games = seen->n == PENTANOMIAL ? 2 : 1;
    return fit_t_value(seen, elo / nelo_per_t * sqrt(games), fit);
}

/* The log-likelihood ratio of both hypotheses, each with the distribution that fits it best. */
double sprt_llr(const Sprt *test, const Tally *tally)
{
    Distribution seen, fit0, fit1;
    if (distribution_of(tally, 0, &seen) == 0)
        return 0;
    /* A category not seen yet may still exist: a thousandth of a trial keeps its logarithm finite.
     */
    const double trials = distribution_of(tally, 1e-3, &seen);
    if (!fit_hypothesis(test, &seen, test->elo0, &fit0) ||
        !fit_hypothesis(test, &seen, test->elo1, &fit1))
        return 0;

    double llr = 0;
    for (int i = 0; i < seen.n; i++)
        llr += seen.p[i] * log(fit1.p[i] / fit0.p[i]);
    return trials * llr;
}
