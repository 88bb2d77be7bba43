// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/level.h"

#include <math.h>

enum { STEPS = 11 };

/* Every column is monotone, and so is what lies between the rows. The ratings are calibrated by
 * matches between neighbours, see docs/PROTOCOLS.md. */
static const struct Step {
    int elo;
    Level level;
} steps[STEPS] = {
    /*       depth  temperature  blind  lines */
    {500, {1.0, 0.220, 0.70, 12}},  {750, {1.5, 0.160, 0.55, 12}},  {1000, {2.0, 0.120, 0.42, 11}},
    {1250, {3.0, 0.085, 0.32, 10}}, {1500, {4.0, 0.060, 0.24, 9}},  {1750, {5.5, 0.042, 0.18, 8}},
    {2000, {7.0, 0.030, 0.13, 7}},  {2250, {9.0, 0.020, 0.10, 6}},  {2500, {11.5, 0.013, 0.07, 5}},
    {2750, {14.0, 0.008, 0.05, 4}}, {3000, {18.0, 0.004, 0.03, 3}},
};

static double between(double a, double b, double part) { return a + (b - a) * part; }

bool level_at(int elo, Level *level)
{
    if (elo >= LEVEL_MAX_ELO)
        return false;
    int i = 0;
    while (i + 2 < STEPS && elo >= steps[i + 1].elo)
        i++;
    const struct Step *low = &steps[i], *high = &steps[i + 1];
    const double part = (double)(elo - low->elo) / (high->elo - low->elo);
    *level = (Level){between(low->level.depth, high->level.depth, part),
                     between(low->level.temperature, high->level.temperature, part),
                     between(low->level.blind, high->level.blind, part),
                     between(low->level.lines, high->level.lines, part)};
    return true;
}

double level_stress(const Position *p, int64_t clock_ms)
{
    MoveList noisy = {0};
    gen_noisy(p, &noisy);
    const double captures = noisy.count < 10 ? noisy.count / 10.0 : 1;
    const double moves = gen_count(p) < 50 ? gen_count(p) / 50.0 : 1;
    const double hurry = clock_ms < 0 || clock_ms > 20000 ? 0 : 1 - (double)clock_ms / 20000;
    return 1 + 0.3 * captures + 0.2 * moves + 0.2 * hurry;
}

/* Adding this noise to each value and taking the largest picks a move with probability proportional
 * to exp(value / temperature). */
static double gumbel(Rng *rng)
{
    const double u = rng_unit(rng);
    return -log(-log(u > 1e-12 ? u : 1e-12));
}

int level_choose(const Level *level, double stress, const LevelMove *list, int count, Rng *rng)
{
    int chosen = 0;
    double best = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double loss = list[0].expectation - list[i].expectation;
        const double seen = -loss / (level->temperature * stress) + gumbel(rng);
        if (loss <= level->blind && seen > best) {
            best = seen;
            chosen = i;
        }
    }
    return chosen;
}
