// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/evaluate.h"

Score evaluate(const Evaluator *e, const Position *p)
{
    int known;
    if (!e->net)
        return score_clamp_eval(classical_evaluate(p, e->pawns));
    if (UNLIKELY(classical_may_know(p)) && classical_knows(p, &known))
        return score_clamp_eval(known);
    return score_clamp_eval(e->acc ? acc_evaluate(e->acc, p) : net_evaluate(e->net, p));
}
