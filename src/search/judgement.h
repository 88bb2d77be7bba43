// SPDX-License-Identifier: GPL-3.0-or-later
/* judgement.h -- from what the evaluations say to what the search believes, before it has learned
 * anything. */
#ifndef SAMARA_SEARCH_JUDGEMENT_H
#define SAMARA_SEARCH_JUDGEMENT_H

#include "chess/position.h"
#include "search/score.h"

/* The network is trained on all positions alike; what it says is worth more with many men on the
 * board. */
ALWAYS_INLINE int judgement_network(const Position *p, int network)
{
    const int phase = 2 * bb_count(p->by_type[PAWN]) +
                      3 * bb_count(p->by_type[KNIGHT] | p->by_type[BISHOP]) +
                      5 * bb_count(p->by_type[ROOK]) + 12 * bb_count(p->by_type[QUEEN]);
    return network * (230 + (phase < 100 ? phase : 100)) / 330;
}

/* Two judges who learned in different ways err in different ways: their mean is better than either,
 * as long as they are about equally good. */
ALWAYS_INLINE int judgement_both(const Position *p, int network, int classical)
{
    return (judgement_network(p, network) + classical) / 2;
}

#endif
