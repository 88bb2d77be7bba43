// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/compare.h"

#include "classical/classical.h"
#include "review/proof.h"
#include <math.h>

enum { LEAST_DIFFERENCE = 60, FULL_PHASE = 24 };
static const double least_share = 0.4;

/* Terms that a player has words for; the others say nothing by themselves. */
static const struct {
    ClaimKind kind;
    ClassicalTerm terms[5];
    int count;
} groups[] = {
    {CLAIM_KING_SAFETY, {TERM_KING_SAFETY}, 1},
    {CLAIM_PASSED, {TERM_PASSED}, 1},
    {CLAIM_PAWNS, {TERM_PAWNS}, 1},
    {CLAIM_ACTIVITY, {TERM_KNIGHTS, TERM_BISHOPS, TERM_ROOKS, TERM_QUEENS, TERM_MOBILITY}, 5},
    {CLAIM_CENTRE, {TERM_CENTRE, TERM_SPACE}, 2},
};
enum { GROUPS = sizeof groups / sizeof *groups };

/* One colour's credit of a group less the other's. */
static double group_value(const ClassicalTrace *t, int group, Color c)
{
    double sum = 0;
    for (int i = 0; i < groups[group].count; i++) {
        const ClassicalTerm term = groups[group].terms[i];
        for (int side = 0; side < 2; side++) {
            const double value = ((double)t->term[term][side].mg * t->phase +
                                  (double)t->term[term][side].eg * (FULL_PHASE - t->phase)) /
                                 FULL_PHASE;
            sum += side == c ? value : -value;
        }
    }
    return sum;
}

/* The last two quiet positions of a line. */
static int quiet_ends(const Position *start, const ReviewLine *line, Position out[2])
{
    Position p = *start;
    int count = 0;
    for (int i = 0; i < line->length; i++) {
        Undo undo;
        pos_make(&p, line->steps[i].move, &undo, NULL);
        if (i < 3 || !is_settled(&p))
            continue;
        if (count == 2)
            out[0] = out[1];
        out[count < 2 ? count++ : 1] = p;
    }
    return count;
}

/* Where no tactic explains the loss: which group of terms differs most between the two lines, at
 * two depths, so that one odd position decides nothing. */
void compare_lines(const Position *before, const ReviewLine *better, const ReviewLine *played,
                   int lost, ClaimList *out)
{
    Position good[2], bad[2];
    if (quiet_ends(before, better, good) < 2 || quiet_ends(before, played, bad) < 2)
        return;
    const Color mover = before->turn;
    int best = -1;
    double most = 0;
    classical_init();
    ClassicalTrace g[2], b[2];
    for (int i = 0; i < 2; i++) {
        classical_trace(&good[i], &g[i]);
        classical_trace(&bad[i], &b[i]);
        /* Where material differs, it is not the terms that speak. */
        if (g[i].known || b[i].known ||
            material_balance(&good[i], mover) != material_balance(&bad[i], mover))
            return;
    }
    for (int group = 0; group < GROUPS; group++) {
        const double late = group_value(&g[1], group, mover) - group_value(&b[1], group, mover);
        const double early = group_value(&g[0], group, mover) - group_value(&b[0], group, mover);
        const double sure = fmin(late, early);
        if (sure > most) {
            most = sure;
            best = group;
        }
    }
    if (best < 0 || most < LEAST_DIFFERENCE || most < least_share * lost)
        return;
    Claim *claim = claim_add(out, groups[best].kind, ROLE_BETTER, COMPARED);
    if (!claim)
        return;
    claim->gain = (int)most;
    claim->share = fmin(1, most / (lost > 0 ? lost : 1));
    claim->line = *better;
    claim->from_before = true;
    claim->ply = better->length;
}
