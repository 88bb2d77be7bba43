// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/wdl_fit.h"

#include <math.h>
#include <string.h>

enum { LEAST_POSITIONS = 500, BIN_WIDTH = 4, TERMS = 4 };

typedef struct Point {
    double a, b;
} Point;

static int clamp(int value, int min, int max)
{
    return value < min ? min : value > max ? max : value;
}

void wdl_add(WdlCounts *counts, int score, int material, int result)
{
    const int range = WDL_SCORE_BINS / 2;
    const int step = (int)lround((double)score / WDL_SCORE_STEP);
    if (step < -2 * range || step > 2 * range)
        return;
    const int m = clamp(material, WDL_MATERIAL_MIN, WDL_MATERIAL_MAX) - WDL_MATERIAL_MIN;
    counts->count[m][clamp(step, -range, range) + range][result]++;
    counts->total++;
}

/* Log-likelihood of the results of some rows of material. */
static double likelihood(const WdlCounts *counts, int first, int last, Point p)
{
    double sum = 0;
    for (int s = 0; s < WDL_SCORE_BINS; s++) {
        const double v = (s - WDL_SCORE_BINS / 2) * WDL_SCORE_STEP;
        const double win = 1 / (1 + exp((p.a - v) / p.b)), loss = 1 / (1 + exp((p.a + v) / p.b));
        const double chance[3] = {loss, fmax(1 - win - loss, 1e-9), win};
        for (int m = first; m <= last; m++)
            for (int r = 0; r < 3; r++)
                if (counts->count[m][s][r] > 0)
                    sum += counts->count[m][s][r] * log(fmax(chance[r], 1e-9));
    }
    return sum;
}

/* Walks uphill in both directions with steps that shrink. */
static Point climb(const WdlCounts *counts, int first, int last)
{
    Point p = {300, 200};
    double best = likelihood(counts, first, last, p);
    for (double step = 64; step > 0.1; step /= 2)
        for (bool moved = true; moved;) {
            static const double way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            moved = false;
            for (int k = 0; k < 4; k++) {
                const Point q = {p.a + step * way[k][0], p.b + step * way[k][1]};
                if (q.a < 1 || q.b < 1 || q.a > 4000 || q.b > 4000)
                    continue;
                const double value = likelihood(counts, first, last, q);
                if (value > best) {
                    best = value;
                    p = q;
                    moved = true;
                }
            }
        }
    return p;
}

/* Solves the normal equations of a least-squares cubic; m is TERMS rows of TERMS + 1. */
static bool solve(double m[TERMS][TERMS + 1], double out[TERMS])
{
    for (int i = 0; i < TERMS; i++) {
        int pivot = i;
        for (int r = i + 1; r < TERMS; r++)
            if (fabs(m[r][i]) > fabs(m[pivot][i]))
                pivot = r;
        if (fabs(m[pivot][i]) < 1e-12)
            return false;
        for (int k = 0; k <= TERMS; k++) {
            const double swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int r = 0; r < TERMS; r++) {
            const double factor = r == i ? 0 : m[r][i] / m[i][i];
            for (int k = i; k <= TERMS; k++)
                m[r][k] -= factor * m[i][k];
        }
    }
    for (int i = 0; i < TERMS; i++)
        out[i] = m[i][TERMS] / m[i][i];
    return true;
}

/* y[i] at x[i] with weight[i]; a little ridge keeps the cubic tame where there are few points. */
static bool fit_cubic(const double *x, const double *y, const double *weight, int count,
                      double out[TERMS])
{
    double m[TERMS][TERMS + 1] = {0}, sum = 0;
    for (int i = 0; i < count; i++)
        sum += weight[i];
    for (int i = 0; i < count; i++) {
        const double power[TERMS] = {x[i] * x[i] * x[i], x[i] * x[i], x[i], 1};
        for (int r = 0; r < TERMS; r++) {
            for (int k = 0; k < TERMS; k++)
                m[r][k] += weight[i] * power[r] * power[k];
            m[r][TERMS] += weight[i] * power[r] * y[i];
        }
    }
    for (int r = 0; r + 1 < TERMS; r++)
        m[r][r] += 1e-6 * sum;
    return solve(m, out);
}

static double cubic(const double c[4], double x)
{
    return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
}

/* Where all scores are alike nothing tells how much a point of them is worth, and the cubic through
 * such places is wild. */
static bool is_sane(const WdlFit *fit)
{
    for (int m = 0; m < WDL_MATERIAL_BINS; m++) {
        const double x = (double)(m + WDL_MATERIAL_MIN) / WDL_MATERIAL_UNIT;
        if (cubic(fit->a, x) <= 0 || cubic(fit->b, x) <= 0)
            return false;
    }
    return true;
}

static double mean_likelihood(const WdlCounts *counts, const WdlFit *fit)
{
    double sum = 0;
    for (int m = 0; m < WDL_MATERIAL_BINS; m++) {
        const double x = (double)(m + WDL_MATERIAL_MIN) / WDL_MATERIAL_UNIT;
        sum += likelihood(counts, m, m, (Point){cubic(fit->a, x), cubic(fit->b, x)});
    }
    return sum / (double)counts->total;
}

static double positions_in(const WdlCounts *counts, int first, int last)
{
    double sum = 0;
    for (int m = first; m <= last; m++)
        for (int s = 0; s < WDL_SCORE_BINS; s++)
            for (int r = 0; r < 3; r++)
                sum += counts->count[m][s][r];
    return sum;
}

/* Fits both parameters for each range of material by maximum likelihood, then a cubic through them,
 * weighted by positions. */
bool wdl_fit(const WdlCounts *counts, WdlFit *fit)
{
    double x[WDL_MATERIAL_BINS], a[WDL_MATERIAL_BINS], b[WDL_MATERIAL_BINS],
        weight[WDL_MATERIAL_BINS];
    int count = 0;
    for (int first = 0; first < WDL_MATERIAL_BINS; first += BIN_WIDTH) {
        const int last = clamp(first + BIN_WIDTH - 1, 0, WDL_MATERIAL_BINS - 1);
        const double positions = positions_in(counts, first, last);
        if (positions < LEAST_POSITIONS)
            continue;
        const Point p = climb(counts, first, last);
        x[count] = ((first + last) / 2.0 + WDL_MATERIAL_MIN) / WDL_MATERIAL_UNIT;
        a[count] = p.a;
        b[count] = p.b;
        weight[count++] = positions;
    }
    if (count < TERMS || !fit_cubic(x, a, weight, count, fit->a) ||
        !fit_cubic(x, b, weight, count, fit->b) || !is_sane(fit))
        return false;
    fit->likelihood = mean_likelihood(counts, fit);
    return true;
}
