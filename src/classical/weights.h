// SPDX-License-Identifier: GPL-3.0-or-later
/* weights.h -- the numbers of the evaluation, and how often a position uses each of them.
 * For the evaluation itself and for its tuner. */
#ifndef SAMARA_CLASSICAL_WEIGHTS_H
#define SAMARA_CLASSICAL_WEIGHTS_H

#include "chess/types.h"
#include "classical/terms.h"

/* A middlegame and an endgame value side by side, so that one addition does for both. 32 bits each:
 * no material that fits on a board overflows them. */
typedef int64_t Packed;
#define PACK(mg, eg) ((Packed)(mg)*0x100000000LL + (eg))
ALWAYS_INLINE int packed_eg(Packed v) { return (int)(uint32_t)(uint64_t)v; }
ALWAYS_INLINE int packed_mg(Packed v) { return (int)((v + 0x80000000LL) >> 32); }

/* W_NAME is the index of the first weight of that name. */
typedef enum WeightIndex {
#define WEIGHT(name, count, term, kind) W_##name, W_LAST_##name = W_##name + (count)-1,
#include "classical/terms.def"
#undef WEIGHT
    WEIGHT_COUNT
} WeightIndex;

extern const Packed classical_weights[WEIGHT_COUNT];

typedef enum WeightKind { LINEAR, DANGER, INITIATIVE } WeightKind;

typedef struct WeightGroup {
    const char *name;
    int first, count;
    ClassicalTerm term;
    WeightKind kind;
} WeightGroup;

enum {
#define WEIGHT(name, count, term, kind) GROUP_##name,
#include "classical/terms.def"
#undef WEIGHT
    WEIGHT_GROUP_COUNT
};
extern const WeightGroup weight_groups[WEIGHT_GROUP_COUNT];

/* How often each colour uses each weight. DANGER weights stand with the colour whose king is in
 * danger, INITIATIVE weights with White whoever has it, for they concern both. */
typedef struct Tally {
    int16_t count[2][WEIGHT_COUNT];
} Tally;

/* The parts that are not sums of weights, stated once for evaluation and tuner.
 *
 * Pressure on a king costs little until several things come together: quadratic before the endgame,
 * linear in it. */
enum { DANGER_SQUARE_DIVISOR = 512, DANGER_LINEAR_DIVISOR = 8, DANGER_MAX = 2500 };
ALWAYS_INLINE int danger_clamp(int units)
{
    return units < 0 ? 0 : units > DANGER_MAX ? DANGER_MAX : units;
}
ALWAYS_INLINE Packed king_danger_value(Packed units)
{
    const int mg = danger_clamp(packed_mg(units)), eg = danger_clamp(packed_eg(units));
    return PACK(-(mg * mg / DANGER_SQUARE_DIVISOR), -(eg / DANGER_LINEAR_DIVISOR));
}

/* Initiative moves an endgame advantage up or down, never past zero. */
ALWAYS_INLINE int initiative_value(int eg, int initiative)
{
    const int size = eg < 0 ? -eg : eg;
    const int change = initiative > -size ? initiative : -size;
    return eg > 0 ? change : eg < 0 ? -change : 0;
}

enum { PHASE_MAX = 24, SCALE_FULL = 64 };
/* One number from two: by the men left on the board, the endgame part scaled. */
ALWAYS_INLINE int taper(int mg, int eg, int phase, int scale)
{
    return (mg * phase * SCALE_FULL + eg * scale * (PHASE_MAX - phase)) / (PHASE_MAX * SCALE_FULL);
}

/* Adds up, and in a tally also writes down. With a constant NULL nothing but the sum remains. */
ALWAYS_INLINE Packed weigh(Tally *tally, Color c, int weight, int times)
{
    if (tally)
        tally->count[c][weight] = (int16_t)(tally->count[c][weight] + times);
    return classical_weights[weight] * times;
}

#endif
