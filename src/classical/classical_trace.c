// SPDX-License-Identifier: GPL-3.0-or-later
/* classical_trace.c -- the evaluation taken apart into its terms. */
#include "classical/classical.h"

#include "classical/weights.h"

static Packed group_sum(const WeightGroup *group, const int16_t count[WEIGHT_COUNT])
{
    Packed sum = 0;
    for (int i = group->first; i < group->first + group->count; i++)
        sum += classical_weights[i] * count[i];
    return sum;
}

static void trace_add(ClassicalTrace *trace, ClassicalTerm term, Color c, Packed value)
{
    trace->term[term][c].mg += packed_mg(value);
    trace->term[term][c].eg += packed_eg(value);
}

/* Adds the weights that a tally counted, group by group, so that a person sees which term gave what.
 * The sum is that of classical_evaluate(): both go through the same tally. */
void classical_trace(const Position *p, ClassicalTrace *trace)
{
    Tally tally;
    classical_tally(p, &tally, trace);

    Packed linear = 0, initiative_sum = 0;
    for (Color c = WHITE; c <= BLACK; c++) {
        Packed danger = 0;
        for (int g = 0; g < WEIGHT_GROUP_COUNT; g++) {
            const WeightGroup *group = &weight_groups[g];
            const Packed value = group_sum(group, tally.count[c]);
            if (group->kind == LINEAR) {
                trace_add(trace, group->term, c, value);
                linear += c == WHITE ? value : -value;
            } else if (group->kind == DANGER) {
                danger += value;
            } else {
                initiative_sum += value;
            }
        }
        /* The base counts exactly when the king is under attack at all. */
        const Packed penalty = tally.count[c][W_DANGER_BASE] ? king_danger_value(danger) : 0;
        trace_add(trace, TERM_KING_SAFETY, c, penalty);
        linear += c == WHITE ? penalty : -penalty;
    }
    const int change = initiative_value(packed_eg(linear), packed_eg(initiative_sum));
    trace_add(trace, TERM_INITIATIVE, packed_eg(linear) > 0 ? WHITE : BLACK,
              PACK(0, packed_eg(linear) > 0 ? change : -change));
}

const char *classical_term_name(ClassicalTerm term)
{
    static const char *const names[TERM_COUNT] = {
        "Material", "Placement", "Pawns",  "Passed pawns", "Knights",
        "Bishops",  "Rooks",     "Queens", "Mobility",     "King safety",
        "Threats",  "Centre",    "Space",  "Initiative",   "Tempo",
    };
    return names[term];
}
