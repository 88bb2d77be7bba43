// SPDX-License-Identifier: GPL-3.0-or-later
/* judgement.h -- from what the evaluations say to what the search believes, before it has learned
 * anything. */
#ifndef SAMARA_SEARCH_JUDGEMENT_H
#define SAMARA_SEARCH_JUDGEMENT_H

#include "chess/position.h"
#include "search/params.h"
#include "search/score.h"

/* The network is trained on all positions alike; what it says is worth more with many men on the
 * board. It learned from the scores of short searches, which flatter the side to move. */
ALWAYS_INLINE int judgement_network(const Position *p, int network)
{
    const int phase = 2 * bb_count(p->by_type[PAWN]) +
                      3 * bb_count(p->by_type[KNIGHT] | p->by_type[BISHOP]) +
                      5 * bb_count(p->by_type[ROOK]) + 12 * bb_count(p->by_type[QUEEN]);
    return (network - flattery) * (230 + (phase < 100 ? phase : 100)) / 330;
}

/* Far from level, or from the window, within which alone the search wants to know exactly, nobody
 * needs to hear the second judge, who takes the longer to speak. */
ALWAYS_INLINE bool judgement_is_clear(int judged, Score alpha, Score beta)
{
    return judged >= clear_score || judged <= -clear_score || judged >= beta + second_opinion ||
           judged <= alpha - second_opinion;
}

/* Two judges who learned in different ways err in different ways: their mean is better than either,
 * as long as they are about equally good; the better one has the larger share. The word of the
 * classical one counts less and less from half the clear score on. */
ALWAYS_INLINE int judgement_both(int judged, int classical)
{
    const int distance = 2 * (clear_score - (judged < 0 ? -judged : judged));
    const int weight = distance < 0 ? 0 : distance < clear_score ? distance : clear_score;
    return judged + (classical - judged) * weight * classical_share / (100 * clear_score);
}

#endif
