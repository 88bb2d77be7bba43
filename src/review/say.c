// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/say.h"

#include "review/expand.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int line_lengths[LEVEL_COUNT] = {3, 6, 10};
enum { LONGEST_SHOWN = 8 };

/* --- slots --- */

typedef struct Talk {
    const Verdict *verdict;
    const Speech *speech;
    Buffer *out;
} Talk;

/* The number and side of the first move of a claim's line. */
static void line_start(const Verdict *v, bool from_before, int *number, bool *white)
{
    *white = from_before ? v->white : !v->white;
    *number = v->move_number + (!from_before && !v->white);
}

static void write_line(const Talk *t, const ReviewLine *line, bool from_before, int most,
                       char out[SLOT_SIZE])
{
    Buffer text = {0};
    int number;
    bool white;
    line_start(t->verdict, from_before, &number, &white);
    line_text(line, most, number, white, &text);
    str_copy(out, SLOT_SIZE, (Str){buffer_text(&text), text.len});
    buffer_free(&text);
}

static int least_of(int a, int b) { return a < b ? a : b; }

/* A move of a line with its number: "12. Nf3", "12... Nf6". */
static void write_move(const Talk *t, const ReviewLine *line, bool from_before, int index,
                       char out[SLOT_SIZE])
{
    int number;
    bool white;
    line_start(t->verdict, from_before, &number, &white);
    const int half = index + (white ? 0 : 1);
    snprintf(out, SLOT_SIZE, "%d%s %s", number + half / 2, half % 2 == 0 ? "." : "...",
             line->steps[index].san);
}

static void write_score(Worth whites, char *out, size_t size)
{
    const int mate = worth_mate_in(whites);
    if (mate != 0)
        snprintf(out, size, "#%d", mate);
    else
        snprintf(out, size, "%+.2f", whites / 100.0);
}

static void common_slots(const Talk *t, Slots *s)
{
    const Verdict *v = t->verdict;
    memset(s, 0, sizeof *s);
    str_copy(s->move, sizeof s->move, str_from(v->move.san));
    str_copy(s->best, sizeof s->best, str_from(v->best_line.steps[0].san));
    s->white = v->white;
    write_score(v->white ? v->played : -v->played, s->score, sizeof s->score);
    write_score(v->white ? v->best : -v->best, s->score2, sizeof s->score2);
}

static void claim_slots(const Talk *t, const Claim *c, Slots *s)
{
    const int most = line_lengths[t->speech->level];
    s->claim = c;
    s->n = c->mate;
    /* A line that ends in mate is shown to its end. */
    write_line(t, &c->line, c->from_before,
               c->kind == CLAIM_MATE && c->mate <= 3 ? c->line.length : least_of(most, c->ply),
               s->line);
}

/* --- causes --- */

static const struct {
    ClaimKind kind;
    Phrase phrase;
    bool beginner; /* a beginner knows the word */
} causes[] = {
    {CLAIM_FORK, SAY_BY_FORK, true},
    {CLAIM_SKEWER, SAY_BY_SKEWER, true},
    {CLAIM_HANGING, SAY_BY_HANGING, true},
    {CLAIM_DISCOVERED, SAY_BY_DISCOVERED, false},
    {CLAIM_TRAPPED, SAY_BY_TRAPPED, true},
    {CLAIM_REMOVED_DEFENDER, SAY_BY_REMOVED, false},
    {CLAIM_OVERLOAD, SAY_BY_OVERLOAD, false},
    {CLAIM_DEFLECTION, SAY_BY_DEFLECTION, false},
    {CLAIM_PIN, SAY_BY_PIN, true},
};
enum { CAUSES = sizeof causes / sizeof *causes };

/* A man that hangs explains the loss only if about so much is lost. */
static bool explains(const Claim *cause, const Claim *effect)
{
    static const char men[] = "pnbrq";
    static const int values[] = {1, 3, 3, 5, 9};
    if (cause->kind != CLAIM_HANGING || !effect || effect->gain == 0)
        return true;
    for (int i = 0; men[i]; i++)
        if ((cause->pieces[0] | 32) == men[i])
            return abs(effect->gain) >= 100 * (values[i] - 1);
    return true;
}

/* The nearest picture of this role, in the order of the table where two are equally near. One at the
 * end of a long line explains nothing. */
static const Claim *first_cause(const Talk *t, ClaimRole role, const Claim *effect, Phrase *phrase)
{
    const ClaimList *list = &t->verdict->claims;
    const Claim *best = NULL;
    for (int i = 0; i < CAUSES; i++) {
        const Claim *c = claim_find(list, causes[i].kind, role);
        if (!c || !explains(c, effect) ||
            (t->speech->level == LEVEL_BEGINNER && (!causes[i].beginner || c->ply > 3)) ||
            (t->speech->level == LEVEL_CLUB && c->ply >= LONGEST_SHOWN) ||
            (best && c->ply >= best->ply))
            continue;
        best = c;
        *phrase = c->kind == CLAIM_DISCOVERED && (c->pieces[2] == 'k' || c->pieces[2] == 'K')
                      ? SAY_BY_DISCOVERED_CHECK
                      : causes[i].phrase;
    }
    return best;
}

/* Says a sentence whose means is a picture; false: there is no picture to show. */
static bool say_by(const Talk *t, Phrase sentence, const Claim *effect, ClaimRole role)
{
    Phrase phrase;
    const Claim *c = first_cause(t, role, effect, &phrase);
    if (!c)
        return false;
    Slots s;
    common_slots(t, &s);
    claim_slots(t, c, &s);
    write_move(t, &c->line, c->from_before, c->ply - 1, s.key);
    /* The better move stands before the colon: what it does itself needs no lead. */
    if (c->from_before && c->ply == 1)
        str_copy(s.key, sizeof s.key, str_from(c->line.steps[0].san));
    if (c->ply > 1) {
        Slots lead = s;
        write_line(t, &c->line, c->from_before, c->ply - 1, lead.line);
        expand(t->speech, SAY_LEAD, &lead, s.lead, sizeof s.lead);
    }
    expand(t->speech, phrase, &s, s.clause, sizeof s.clause);
    s.claim = effect;
    say(t->speech, sentence, &s, t->out);
    return true;
}

/* --- sentences about one move --- */

static void say_simple(const Talk *t, Phrase phrase, const Claim *claim)
{
    Slots s;
    common_slots(t, &s);
    if (claim)
        claim_slots(t, claim, &s);
    say(t->speech, phrase, &s, t->out);
}

/* Shows the line of a claim up to where it bites; beginners see its first moves, and where it is
 * longer than a club player follows without a board it breaks off. */
static void say_whole(const Talk *t, Phrase phrase, const Claim *claim)
{
    Slots s;
    common_slots(t, &s);
    claim_slots(t, claim, &s);
    if (t->speech->level != LEVEL_BEGINNER) {
        const bool cut = t->speech->level == LEVEL_CLUB && claim->ply > LONGEST_SHOWN;
        write_line(t, &claim->line, claim->from_before, cut ? LONGEST_SHOWN : claim->ply, s.line);
        const size_t length = strlen(s.line);
        if (cut)
            str_copy(s.line + length, sizeof s.line - length, str_from(" ..."));
    }
    say(t->speech, phrase, &s, t->out);
}

static void say_better_line(const Talk *t, Phrase phrase)
{
    Slots s;
    common_slots(t, &s);
    write_line(t, &t->verdict->best_line, true, line_lengths[t->speech->level], s.line);
    say(t->speech, phrase, &s, t->out);
}

/* A pawn that gets through says more than what it wins. */
static bool say_queening(const Talk *t, Phrase phrase, ClaimRole role)
{
    const Claim *c = claim_find(&t->verdict->claims, CLAIM_PROMOTION, role);
    if (!c || !strchr("qQrR", c->pieces[0]))
        return false;
    Slots s;
    common_slots(t, &s);
    write_line(t, &c->line, c->from_before, c->ply, s.line);
    say(t->speech, phrase, &s, t->out);
    return true;
}

static bool say_effect(const Talk *t)
{
    const ClaimList *list = &t->verdict->claims;
    const Claim *mate = claim_find(list, CLAIM_MATE, ROLE_EFFECT),
                *loss = claim_find(list, CLAIM_MATERIAL, ROLE_EFFECT),
                *stale = claim_find(list, CLAIM_STALEMATE, ROLE_EFFECT),
                *perpetual = claim_find(list, CLAIM_PERPETUAL, ROLE_EFFECT),
                *threat = claim_find(list, CLAIM_THREAT, ROLE_CAUSE);
    if (mate && threat) {
        Slots s;
        common_slots(t, &s);
        claim_slots(t, mate, &s);
        write_move(t, &mate->line, false, 0, s.key);
        say(t->speech, SAY_MATE_THREAT_IGNORED, &s, t->out);
    } else if (mate) {
        say_simple(t,
                   claim_find(list, CLAIM_BACK_RANK, ROLE_CAUSE) ? SAY_ALLOWS_MATE_BACK_RANK
                   : mate->mate == 1                             ? SAY_ALLOWS_MATE_NOW
                                                                 : SAY_ALLOWS_MATE,
                   mate);
    } else if (loss) {
        if (!say_queening(t, SAY_LETS_QUEEN, ROLE_CAUSE) &&
            (loss->certainty != PROVED || !say_by(t, SAY_LOSES_BY, loss, ROLE_CAUSE)))
            say_whole(t, loss->certainty == PROVED ? SAY_LOSES : SAY_RUNS_INTO, loss);
    } else if (stale) {
        say_simple(t, SAY_STALEMATES, stale);
    } else if (perpetual) {
        say_simple(t, SAY_ALLOWS_PERPETUAL, perpetual);
    } else {
        return false;
    }
    return true;
}

static bool say_missed(const Talk *t, bool after_effect)
{
    const ClaimList *list = &t->verdict->claims;
    const Claim *mate = claim_find(list, CLAIM_MATE, ROLE_BETTER),
                *win = claim_find(list, CLAIM_MATERIAL, ROLE_BETTER),
                *more = claim_find(list, CLAIM_DIFFERENCE, ROLE_BETTER);
    if (mate)
        say_simple(t, mate->mate == 1 ? SAY_WAS_MATE_NOW : SAY_WAS_MATE, mate);
    else if (win && say_queening(t, SAY_WOULD_QUEEN, ROLE_BETTER_CAUSE))
        return true;
    else if (win && win->line.length == 1)
        say_simple(t, SAY_WOULD_TAKE, win);
    else if (win && win->certainty != PROVED)
        say_whole(t, SAY_WOULD_LEAD, win);
    else if (win && (after_effect || !say_by(t, SAY_WOULD_WIN_BY, win, ROLE_BETTER_CAUSE)))
        say_simple(t, SAY_WOULD_WIN, win);
    else if (!win && more)
        say_simple(t, more->won[0] ? SAY_BETTER_BY : SAY_WAS_BETTER, more);
    return mate || win || more;
}

static bool say_compared(const Talk *t)
{
    static const struct {
        ClaimKind kind;
        Phrase phrase;
    } kinds[] = {{CLAIM_KING_SAFETY, SAY_KEEPS_KING_SAFE}, {CLAIM_PAWNS, SAY_BETTER_PAWNS},
                 {CLAIM_PASSED, SAY_PASSED_PAWN},          {CLAIM_ACTIVITY, SAY_MORE_ACTIVE},
                 {CLAIM_DEVELOPMENT, SAY_DEVELOPS},        {CLAIM_CENTRE, SAY_CENTRE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (claim_find(&t->verdict->claims, kinds[i].kind, ROLE_BETTER)) {
            say_better_line(t, kinds[i].phrase);
            return true;
        }
    return false;
}

/* What the endgame tables say needs no other reason. */
static bool say_table(const Talk *t)
{
    const Verdict *v = t->verdict;
    if (!claim_find(&v->claims, CLAIM_TABLE, ROLE_EFFECT))
        return false;
    say_simple(t,
               v->best == 0    ? SAY_TABLE_DRAW_LOSS
               : v->played < 0 ? SAY_TABLE_WIN_LOSS
                               : SAY_TABLE_WIN_DRAW,
               NULL);
    return true;
}

static void say_fault(const Talk *t)
{
    static const Phrase names[] = {SAY_INACCURACY, SAY_INACCURACY, SAY_MISTAKE, SAY_BLUNDER};
    const Verdict *v = t->verdict;
    if (say_table(t))
        return;
    if (t->speech->level == LEVEL_BEGINNER && v->judgement == JUDGED_INACCURACY &&
        !t->speech->always)
        return;
    const bool effect = say_effect(t);
    const Claim *threat = claim_find(&v->claims, CLAIM_THREAT, ROLE_CAUSE);
    if (effect && threat && threat->mate == 0)
        say_simple(t, SAY_IGNORES_THREAT, NULL);
    const bool missed = say_missed(t, effect);
    if (effect && !missed)
        say_simple(t, SAY_AVOIDS, NULL);
    if (!effect && !missed && !say_compared(t)) {
        say_simple(t, names[v->judgement], NULL);
        say_better_line(t, SAY_WAS_BETTER);
    }
    say_simple(t, SAY_SCORES, NULL);
}

static void say_merit(const Talk *t)
{
    const Verdict *v = t->verdict;
    const Claim *mate = claim_find(&v->claims, CLAIM_MATE, ROLE_PRAISE),
                *win = claim_find(&v->claims, CLAIM_MATERIAL, ROLE_PRAISE);
    const bool always = t->speech->always, best = v->best_line.steps[0].move == v->move.move;
    if (v->brilliant)
        say_better_line(t, SAY_BRILLIANT);
    else if (v->great)
        say_simple(t, SAY_GREAT, NULL);
    if (!always && !v->great)
        return;
    if (claim_find(&v->claims, CLAIM_MATE, ROLE_EFFECT))
        say_effect(t);
    if (mate)
        say_simple(t, mate->mate == 1 ? SAY_MATES_NOW : SAY_MATES, mate);
    else if (win && !say_queening(t, SAY_QUEENS, ROLE_PRAISE_CAUSE) &&
             !say_by(t, SAY_WINS_BY, win, ROLE_PRAISE_CAUSE))
        say_simple(t, SAY_WINS, win);
    if (!always || mate || v->great)
        return;
    if (v->forced)
        say_simple(t, SAY_IS_FORCED, NULL);
    else if (v->book)
        say_simple(t, SAY_IS_BOOK, NULL);
    else if (v->only)
        say_simple(t, SAY_ONLY_MOVE, NULL);
    else if (!win)
        say_simple(t, best ? SAY_IS_BEST : SAY_IS_GOOD, NULL);
}

void say_what_happens(const Verdict *v, const Speech *speech, Buffer *out)
{
    const Talk t = {v, speech, out};
    if (v->judgement != JUDGED_FINE)
        say_effect(&t);
}

void say_move(const Verdict *v, const Speech *speech, Buffer *out)
{
    const Talk t = {v, speech, out};
    if (v->judgement != JUDGED_FINE)
        say_fault(&t);
    else
        say_merit(&t);
}

void say_plan(const Verdict *best, const Speech *speech, Buffer *out)
{
    const Talk t = {best, speech, out};
    if (best->claims.count == 0 || (best->claims.count == 1 && best->only))
        say_better_line(&t, SAY_PLAN);
}

void say_threat(const Verdict *to_move, const ClaimList *threat, const Speech *speech, Buffer *out)
{
    const Claim *mate = claim_find(threat, CLAIM_MATE, ROLE_NOTE),
                *win = claim_find(threat, CLAIM_MATERIAL, ROLE_NOTE);
    const Claim *claim = mate ? mate : win;
    if (!claim)
        return;
    /* The opponent's move comes next, as if the side to move had passed. */
    const Talk t = {to_move, speech, out};
    Slots s;
    common_slots(&t, &s);
    s.claim = claim;
    s.n = claim->mate;
    write_move(&t, &claim->line, false, 0, s.key);
    say(speech, mate ? SAY_THREATENS_MATE : SAY_THREATENS, &s, out);
}

/* --- the game --- */

static void say_side(const Speech *speech, Phrase phrase, bool white, Buffer *out)
{
    Slots s = {.white = white};
    say(speech, phrase, &s, out);
}

/* Where the side that lost more chances lost most of them. */
static void say_phase(const Summary *sum, const Speech *speech, Buffer *out)
{
    static const Phrase phases[] = {SAY_OPENING, SAY_MIDDLEGAME, SAY_ENDGAME};
    double lost[2] = {0}, worst = 0;
    int phase = 0;
    for (int white = 0; white < 2; white++)
        for (int i = 0; i < PHASE_COUNT; i++)
            lost[white] += (white ? &sum->white : &sum->black)->phase_loss[i];
    const bool white = lost[1] > lost[0];
    const SideSummary *side = white ? &sum->white : &sum->black;
    for (int i = 0; i < PHASE_COUNT; i++)
        if (side->phase_loss[i] > worst) {
            worst = side->phase_loss[i];
            phase = i;
        }
    if (worst < 20 || worst < 0.6 * lost[white])
        return;
    Slots s = {.white = white};
    expand(speech, phases[phase], &s, s.phase, sizeof s.phase);
    say(speech, SAY_GAME_PHASE, &s, out);
}

void say_game(const Review *v, const Summary *sum, const Speech *speech, Buffer *out)
{
    if (sum->white.moves == 0 || sum->black.moves == 0)
        return;
    Slots s = {0};
    snprintf(s.whites, sizeof s.whites, "%.0f", sum->white.accuracy);
    snprintf(s.blacks, sizeof s.blacks, "%.0f", sum->black.accuracy);
    say(speech, SAY_GAME_ACCURACY, &s, out);
    if (sum->costliest >= 0) {
        const Verdict *worst = &v->verdicts[sum->costliest];
        snprintf(s.move, sizeof s.move, "%d%s %s", worst->move_number, worst->white ? "." : "...",
                 worst->move.san);
        say(speech, SAY_GAME_TURNED, &s, out);
        say_phase(sum, speech, out);
    } else if (sum->grind) {
        say_side(speech, SAY_GAME_GRIND, strcmp(samara_game_result(v->game), "0-1") == 0, out);
    } else {
        say(speech, SAY_GAME_CLEAN, &s, out);
    }
    if (sum->white.missed_wins > 0)
        say_side(speech, SAY_GAME_MISSED, true, out);
    if (sum->black.missed_wins > 0)
        say_side(speech, SAY_GAME_MISSED, false, out);
}
