// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/judge.h"

#include <math.h>

Worth worth_of(const SamaraScore *s)
{
    if (!s->is_mate)
        return s->value;
    return s->value > 0 ? WORTH_MATE - s->value : -WORTH_MATE - s->value;
}

bool worth_wins(Worth worth) { return worth >= WORTH_MATE_MIN; }

bool worth_loses(Worth worth) { return worth <= -WORTH_MATE_MIN; }

Worth worth_before(Worth after) { return worth_wins(-after) ? -after - 1 : -after; }

int worth_mate_in(Worth worth)
{
    if (worth_wins(worth))
        return WORTH_MATE - worth;
    return worth_loses(worth) ? -WORTH_MATE - worth : 0;
}

double judge_win_percent(Worth worth)
{
    const int cp = worth > WORTH_CLEAR ? WORTH_CLEAR : worth < -WORTH_CLEAR ? -WORTH_CLEAR : worth;
    return 100 / (1 + exp(-0.00368208 * cp));
}

static Judgement worse(Judgement a, Judgement b) { return a > b ? a : b; }

static Judgement judge_loss(double loss)
{
    return loss >= 15   ? JUDGED_BLUNDER
           : loss >= 10 ? JUDGED_MISTAKE
           : loss >= 5  ? JUDGED_INACCURACY
                        : JUDGED_FINE;
}

bool judge_allows_mate(Worth best, Worth played)
{
    if (!worth_loses(played))
        return false;
    /* A long mate that becomes a mate on the next move could have been put off: it counts too. */
    return !worth_loses(best) || (worth_mate_in(played) == -1 && worth_mate_in(best) < -3);
}

bool judge_misses_mate(Worth best, Worth played) { return worth_wins(best) && !worth_wins(played); }

/* Walking into a mate. The next move's mate is a blunder whatever the score was; a longer one is
 * judged more gently where the game was lost already. */
static Judgement judge_allowed_mate(Worth best, int mate_in)
{
    if (mate_in <= 1)
        return JUDGED_BLUNDER;
    if (mate_in <= 3)
        return best > -WORTH_CLEAR ? JUDGED_BLUNDER : JUDGED_MISTAKE;
    return best <= -WORTH_CLEAR ? JUDGED_INACCURACY : best < -700 ? JUDGED_MISTAKE : JUDGED_BLUNDER;
}

/* Letting a mate go. A short one should be seen; a long one does not matter while the game stays
 * won. */
static Judgement judge_missed_mate(int mate_in, Worth played)
{
    if (mate_in <= 3)
        return played >= WORTH_CLEAR ? JUDGED_INACCURACY
               : played > 700        ? JUDGED_MISTAKE
                                     : JUDGED_BLUNDER;
    const bool still_won = played > 700;
    if (mate_in > 6)
        return JUDGED_FINE;
    return still_won ? JUDGED_INACCURACY : JUDGED_MISTAKE;
}

/* By the loss in winning chances; mates that appear or vanish have rules of their own. */
Judgement judge_move(Worth best, Worth played)
{
    if (played >= best)
        return JUDGED_FINE;
    const Judgement points = judge_loss(judge_win_percent(best) - judge_win_percent(played));
    if (judge_allows_mate(best, played))
        return worth_wins(best) ? JUDGED_BLUNDER
                                : worse(points, judge_allowed_mate(best, -worth_mate_in(played)));
    if (judge_misses_mate(best, played))
        return worse(points, judge_missed_mate(worth_mate_in(best), played));
    return worth_loses(best) || worth_wins(played) ? JUDGED_FINE : points;
}

double judge_accuracy(double loss)
{
    if (loss <= 0)
        return 100;
    /* The extra point: what looks like a loss may be the uncertainty of the search. */
    return fmin(100, fmax(0, 103.1668 * exp(-0.04354 * loss) - 3.1669 + 1));
}

/* --- a whole game --- */

static double deviation(const double *x, size_t count)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (double)count);
}

/* How much was at stake at a move: how far the chances swing in a window that ends behind it. */
static double weight_of(const double *chances, size_t plies, size_t ply)
{
    size_t window = plies / 10;
    window = window < 2 ? 2 : window > 8 ? 8 : window;
    if (window > plies + 1)
        window = plies + 1;
    const size_t end = ply + 2 < window ? window : ply + 2;
    return fmin(12, fmax(0.5, deviation(chances + end - window, window)));
}

/* The mean of a weighted and a harmonic mean: sharp phases weigh more, and one blunder is not
 * hidden by many easy moves. */
double judge_game_accuracy(const double *chances, const double *accuracy, const bool *mine,
                           size_t plies)
{
    double weighted = 0, weights = 0, inverse = 0, count = 0;
    for (size_t i = 0; i < plies; i++) {
        if (!mine[i])
            continue;
        const double weight = weight_of(chances, plies, i);
        weighted += weight * accuracy[i];
        weights += weight;
        inverse += 1 / fmax(accuracy[i], 1);
        count++;
    }
    return count > 0 ? (weighted / weights + count / inverse) / 2 : -1;
}

const char *judge_name(Judgement judgement)
{
    static const char *const names[] = {"", "inaccuracy", "mistake", "blunder"};
    return names[judgement];
}

int judge_nag(Judgement judgement)
{
    static const int nags[] = {0, 6, 2, 4};
    return nags[judgement];
}
