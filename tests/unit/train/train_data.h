// SPDX-License-Identifier: GPL-3.0-or-later
/* train_data.h -- samples for the tests of the trainer: random games, scored by counting the men.
 */
#ifndef SAMARA_TESTS_TRAIN_DATA_H
#define SAMARA_TESTS_TRAIN_DATA_H

#include "base/rng.h"
#include "chess/movegen.h"
#include "train/sample.h"

static inline int count_men(const Position *p)
{
    static const int worth[6] = {100, 300, 310, 500, 900, 0};
    int score = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        score += worth[t] * (bb_count(pos_pieces(p, p->turn, t)) -
                             bb_count(pos_pieces(p, color_flip(p->turn), t)));
    return score;
}

static inline void random_samples(Sample *samples, int count, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (int n = 0; n < count;) {
        Position p;
        pos_start_960(&p, (int)rng_below(&rng, 960), (int)rng_below(&rng, 960));
        const int plies = (int)rng_below(&rng, 150);
        for (int i = 0; i < plies; i++) {
            MoveList list;
            Undo undo;
            gen_noisy(&p, (list.count = 0, &list));
            if (list.count == 0 || rng_below(&rng, 3) == 0)
                gen_legal(&p, &list);
            if (list.count == 0)
                break;
            pos_make(&p, list.moves[rng_below(&rng, (uint64_t)list.count)], &undo, NULL);
        }
        const int score = count_men(&p);
        sample_pack(&samples[n++], &p, score,
                    rng_below(&rng, 2)                 ? 1
                    : (score > 0) == (p.turn == WHITE) ? 2
                                                       : 0);
    }
}

#endif
