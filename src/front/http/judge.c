// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/judge.h"

#include <math.h>

double judge_win_percent(int cp, int mate)
{
    if (mate != 0)
        return mate > 0 ? 100 : 0;
    return 100 / (1 + exp(-0.00368208 * cp));
}

Judgement judge_move(double before, double after)
{
    const double loss = before - after;
    if (loss >= 15)
        return JUDGED_BLUNDER;
    if (loss >= 10)
        return JUDGED_MISTAKE;
    return loss >= 5 ? JUDGED_INACCURACY : JUDGED_FINE;
}

double judge_accuracy(double before, double after)
{
    if (after >= before)
        return 100;
    const double percent = 103.1668 * exp(-0.04354 * (before - after)) - 3.1669;
    return percent < 0 ? 0 : percent;
}

double judge_game_accuracy(const double *moves, size_t count)
{
    double sum = 0, inverse = 0;
    for (size_t i = 0; i < count; i++) {
        sum += moves[i];
        inverse += 1 / fmax(moves[i], 1);
    }
    const double n = (double)count;
    return (sum / n + n / inverse) / 2;
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
