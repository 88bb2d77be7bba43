// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/level.h"

#include <math.h>

enum { STEPS = 14 };

/* Every column is monotone, and so is what lies between the rows. The ratings come from matches
 * between neighbouring rows, see docs/PROTOCOLS.md; the last row is there to interpolate towards.
 */
static const struct Step {
    int elo;
    Level level;
} steps[STEPS] = {
    /*       depth  temperature  blind  lines */
    {500, {1.0, 0.300, 0.80, 12}},  {585, {1.5, 0.220, 0.65, 12}},  {695, {2.0, 0.170, 0.55, 12}},
    {815, {2.5, 0.135, 0.45, 11}},  {915, {3.0, 0.110, 0.38, 11}},  {1100, {3.5, 0.090, 0.32, 10}},
    {1210, {4.0, 0.075, 0.27, 10}}, {1435, {5.0, 0.060, 0.22, 9}},  {1700, {6.0, 0.050, 0.19, 8}},
    {1905, {7.0, 0.040, 0.16, 8}},  {2290, {8.0, 0.032, 0.13, 7}},  {2640, {9.0, 0.025, 0.11, 6}},
    {3040, {10.5, 0.018, 0.08, 5}}, {3500, {12.0, 0.012, 0.06, 4}},
};

double level_expectation(int score) { return 1 / (1 + exp(-score / 400.0)); }

static double between(double a, double b, double part) { return a + (b - a) * part; }

/* Interpolates between measured steps. False at full strength, where nothing is limited. */
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

/* Two moves at 500, four at 1500, as far as the book goes from 2000 on. */
int level_book_plies(int elo) { return 2 + elo / 250; }

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

/* A softmax over the expected scores by the Gumbel trick: one random number per move, no sum. What
 * loses more than the level is blind to is never chosen. */
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
