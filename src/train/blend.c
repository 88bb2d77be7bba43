// SPDX-License-Identifier: GPL-3.0-or-later
/* blend.c -- the scale between scores and expected results, by the men on the board. */
#include "train/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCORE_STEP = 8, SCORE_BINS = 751, FEWEST = 10000 }; /* scores up to +-3000 */

/* Of one group of men, by score of the side to move: samples and their half points. */
typedef struct Counts {
    double count[SCORE_BINS], points[SCORE_BINS], total;
} Counts;

Blend blend_uniform(float result, float scale)
{
    Blend blend = {.result = result};
    for (int i = 0; i < SCALE_GROUPS; i++)
        blend.scale[i] = scale;
    return blend;
}

/* Mean squared distance of the results from sigmoid(score / scale), less a constant. */
static double fit_error(const Counts *c, double scale)
{
    double error = 0;
    for (int i = 0; i < SCORE_BINS; i++) {
        const double score = (i - SCORE_BINS / 2) * SCORE_STEP;
        const double y = 1 / (1 + exp(-score / scale));
        error += c->count[i] * y * y - y * c->points[i];
    }
    return error;
}

/* Ternary search: the error has one valley. */
static double fit(const Counts *c)
{
    double low = 50, high = 2000;
    for (int i = 0; i < 50; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (fit_error(c, a) < fit_error(c, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* Results by score, for each number of men on the board. */
static void count_samples(Counts *groups, const Sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Sample *s = &samples[i];
        const int bin = SCORE_BINS / 2 + s->score / SCORE_STEP;
        if (s->result == SAMPLE_NO_RESULT || bin < 0 || bin >= SCORE_BINS)
            continue;
        Counts *group = &groups[scale_group(bb_count(s->occupied))];
        group->count[bin]++;
        group->points[bin] += s->result;
        group->total++;
    }
}

/* How much a score is worth depends on the material: each group with enough positions gets a scale
 * of its own. */
Blend blend_fitted(float result, const Sample *samples, size_t count)
{
    Blend blend = blend_uniform(result, MODEL_SCALE);
    Counts *groups = calloc(SCALE_GROUPS, sizeof *groups);
    if (!groups)
        return blend;
    count_samples(groups, samples, count);
    for (int i = 0; i < SCALE_GROUPS; i++)
        if (groups[i].total >= FEWEST)
            blend.scale[i] = (float)fit(&groups[i]);
    free(groups);
    return blend;
}
