// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPENING_PLIES = 20, ENDGAME_MEN = 6 };
static const double turning_loss = 10;

Phase review_phase(const Review *v, size_t ply)
{
    if (v->positions[ply].men <= ENDGAME_MEN)
        return PHASE_ENDGAME;
    const size_t played = (size_t)(v->first_number - 1) * 2 + (v->black_first ? 1 : 0) + ply;
    return played < OPENING_PLIES ? PHASE_OPENING : PHASE_MIDDLEGAME;
}

const char *phase_name(Phase phase)
{
    static const char *const names[] = {"opening", "middlegame", "endgame"};
    return names[phase];
}

static double clamp_cp(Worth worth) { return fmax(-WORTH_CLEAR, fmin(WORTH_CLEAR, worth)); }

/* Numbers of the whole game in arrays, as judge_game_accuracy() wants them. */
typedef struct Columns {
    double *chances, *accuracy;
    bool *mine;
} Columns;

static double accuracy_of(const Review *v, const Columns *c, bool white, int phase)
{
    for (size_t i = 0; i < v->plies; i++)
        c->mine[i] = v->verdicts[i].known && v->verdicts[i].white == white &&
                     (phase < 0 || review_phase(v, i) == (Phase)phase);
    return judge_game_accuracy(c->chances, c->accuracy, c->mine, v->plies);
}

static void side_summary(const Review *v, const Columns *c, bool white, SideSummary *out)
{
    *out = (SideSummary){0};
    double lost = 0;
    for (size_t i = 0; i < v->plies; i++) {
        const Verdict *verdict = &v->verdicts[i];
        if (!verdict->known || verdict->white != white)
            continue;
        out->moves++;
        out->faults[verdict->judgement]++;
        out->missed_wins += verdict->missed_win;
        out->phase_loss[review_phase(v, i)] += verdict->loss;
        lost += clamp_cp(verdict->best) - clamp_cp(verdict->played);
    }
    out->average_loss = out->moves > 0 ? lost / out->moves : -1;
    out->accuracy = accuracy_of(v, c, white, -1);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        out->phase_accuracy[phase] = accuracy_of(v, c, white, phase);
}

/* The marked moves that cost most, in the order of the game. */
static void find_turning_points(const Review *v, Summary *s)
{
    size_t plies[MAX_TURNING_POINTS] = {0};
    s->costliest = -1;
    for (size_t i = 0; i < v->plies; i++) {
        const Verdict *verdict = &v->verdicts[i];
        const bool turns =
            verdict->known && verdict->judgement >= JUDGED_MISTAKE && verdict->loss >= turning_loss;
        if (!turns)
            continue;
        /* By loss, dearest first; equal ones stay in the order of the game. */
        int k = s->turning_count < MAX_TURNING_POINTS ? s->turning_count++ : MAX_TURNING_POINTS;
        while (k > 0 && v->verdicts[plies[k - 1]].loss < verdict->loss) {
            if (k < MAX_TURNING_POINTS)
                plies[k] = plies[k - 1];
            k--;
        }
        if (k < MAX_TURNING_POINTS)
            plies[k] = i;
    }
    if (s->turning_count > 0)
        s->costliest = (int)plies[0];
    for (int i = 0; i < s->turning_count; i++) {
        int k = i;
        for (; k > 0 && s->turning[k - 1] > plies[i]; k--)
            s->turning[k] = s->turning[k - 1];
        s->turning[k] = plies[i];
    }
}

static bool fill_columns(const Review *v, Columns *c)
{
    c->chances = calloc(v->plies + 1, sizeof *c->chances);
    c->accuracy = calloc(v->plies + 1, sizeof *c->accuracy);
    c->mine = calloc(v->plies + 1, sizeof *c->mine);
    if (!c->chances || !c->accuracy || !c->mine)
        return false;
    for (size_t i = 0; i <= v->plies; i++) {
        const ReviewPosition *p = &v->positions[i];
        const double percent = p->known ? judge_win_percent(p->worth) : 50;
        c->chances[i] = p->white ? percent : 100 - percent;
        c->accuracy[i] = i < v->plies ? v->verdicts[i].accuracy : 0;
    }
    return true;
}

bool summary_make(const Review *v, Summary *out)
{
    Columns c = {0};
    *out = (Summary){.costliest = -1};
    const bool ok = fill_columns(v, &c);
    if (ok) {
        side_summary(v, &c, true, &out->white);
        side_summary(v, &c, false, &out->black);
        find_turning_points(v, out);
        while (out->book_plies < v->plies && v->verdicts[out->book_plies].book)
            out->book_plies++;
        const char *result = samara_game_result(v->game);
        const SideSummary *loser = strcmp(result, "1-0") == 0   ? &out->black
                                   : strcmp(result, "0-1") == 0 ? &out->white
                                                                : NULL;
        out->grind = loser && loser->moves > 0 && loser->faults[JUDGED_FINE] == loser->moves;
    }
    free(c.chances);
    free(c.accuracy);
    free(c.mine);
    return ok;
}
