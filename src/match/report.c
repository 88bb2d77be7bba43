// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/report.h"

#include "base/json.h"
#include <math.h>
#include <string.h>

static const EngineSpec *engine_of(const MatchState *s, int i) { return &s->config->engines[i]; }

static double half_width(const Estimate *e)
{
    return isfinite(e->value) ? (e->high - e->low) / 2 : INFINITY;
}

static void put_estimate(Buffer *out, const Estimate *e)
{
    buffer_printf(out, "%.2f +- %.2f", e->value, half_width(e));
}

static uint64_t games_of(const PairingScore *p) { return p->wins + p->draws + p->losses; }

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static const char *verdict_text(const MatchState *s)
{
    return s->verdict == SPRT_ACCEPT_H1   ? "H1 accepted"
           : s->verdict == SPRT_ACCEPT_H0 ? "H0 accepted"
                                          : "undecided";
}

static void put_sprt(const MatchState *s, Buffer *out)
{
    const Sprt *t = &s->config->sprt;
    buffer_printf(out, "LLR: %.2f (%.2f, %.2f) [%g, %g]", s->llr, sprt_lower(t), sprt_upper(t),
                  t->elo0, t->elo1);
}

/* One line for the terminal; Elo only where there are two engines. */
void report_line(const MatchState *s, Buffer *out)
{
    const PairingScore *p = &s->score.pairings[0];
    buffer_printf(out, "%llu/%llu games", (unsigned long long)s->score.games,
                  (unsigned long long)schedule_games(&s->score.schedule));
    if (s->config->engine_count == 2) {
        const Stats stats = stats_of(&p->tally);
        buffer_printf(out, "  +%llu =%llu -%llu  Elo ", (unsigned long long)p->wins,
                      (unsigned long long)p->draws, (unsigned long long)p->losses);
        put_estimate(out, &stats.elo);
        buffer_printf(out, "  LOS %.1f %%", 100 * stats.los);
    }
    if (s->config->has_sprt) {
        buffer_puts(out, "  ");
        put_sprt(s, out);
    }
    const double hours = (double)s->wall / 3.6e9;
    if (hours > 0)
        buffer_printf(out, "  %.0f games/h", (double)(s->score.games - s->resumed) / hours);
}

/* "new vs old (2+0.02)"; both limits if they differ. */
static void put_title(const MatchState *s, const PairingScore *p, Buffer *out)
{
    const EngineSpec *first = engine_of(s, p->first), *second = engine_of(s, p->second);
    Buffer limit[2] = {{0}, {0}};
    limit_write(&first->tc, &limit[0]);
    limit_write(&second->tc, &limit[1]);
    const char *a = buffer_text(&limit[0]), *b = buffer_text(&limit[1]);
    const bool same = strcmp(a, b) == 0;
    buffer_printf(out, "%s vs %s (%s%s%s)\n", first->name, second->name, a, same ? "" : " against ",
                  same ? "" : b);
    buffer_free(&limit[0]);
    buffer_free(&limit[1]);
}

/* The same figures and words as other match programs print, so that tools can read them. */
static void put_pairing(const MatchState *s, const PairingScore *p, Buffer *out)
{
    const Stats stats = stats_of(&p->tally);
    const uint64_t *n = p->tally.count;
    const double games = (double)games_of(p);
    const double points = (double)p->wins + (double)p->draws / 2;
    put_title(s, p, out);
    buffer_puts(out, "Elo: ");
    put_estimate(out, &stats.elo);
    buffer_puts(out, ", nElo: ");
    put_estimate(out, &stats.nelo);
    buffer_printf(out, ", LOS: %.2f %%\n", 100 * stats.los);
    buffer_printf(
        out,
        "Games: %llu, Wins: %llu, Losses: %llu, Draws: %llu (%.2f %%), Points: %.1f (%.2f %%)\n",
        (unsigned long long)games_of(p), (unsigned long long)p->wins, (unsigned long long)p->losses,
        (unsigned long long)p->draws, percent((double)p->draws, games), points,
        percent(points, games));
    if (p->tally.categories == PENTANOMIAL)
        buffer_printf(
            out, "Ptnml(0-2): [%llu, %llu, %llu, %llu, %llu], Pairs: %llu, Even pairs: %.2f %%\n",
            (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2],
            (unsigned long long)n[3], (unsigned long long)n[4], (unsigned long long)stats.trials,
            100 * stats.even);
}

static double score_of(const EngineScore *e)
{
    const double games = (double)(e->wins + e->draws + e->losses);
    return games > 0 ? ((double)e->wins + (double)e->draws / 2) / games : 0;
}

static void put_standing(const MatchState *s, int rank, int engine, Buffer *out)
{
    const EngineScore *e = &s->score.engines[engine];
    const Tally tally = score_engine_tally(&s->score, engine);
    const Stats stats = stats_of(&tally);
    buffer_printf(out, "%3d %-24.24s %8.1f %8.1f %7llu %6llu %6llu %6llu %6.1f%%\n", rank,
                  engine_of(s, engine)->name, stats.elo.value, half_width(&stats.elo),
                  (unsigned long long)e->wins + e->draws + e->losses, (unsigned long long)e->wins,
                  (unsigned long long)e->draws, (unsigned long long)e->losses, 100 * score_of(e));
}

/* Best first; quadratic, but tournaments are small. */
static void put_standings(const MatchState *s, Buffer *out)
{
    const int count = s->config->engine_count;
    buffer_printf(out, "\n  # %-24s %8s %8s %7s %6s %6s %6s %7s\n", "engine", "Elo", "+-", "games",
                  "wins", "draws", "losses", "score");
    for (int rank = 1; rank <= count; rank++)
        for (int i = 0; i < count; i++) {
            int better = 0;
            for (int k = 0; k < count; k++) {
                const double mine = score_of(&s->score.engines[i]),
                             other = score_of(&s->score.engines[k]);
                better += other > mine || (other == mine && k < i);
            }
            if (better == rank - 1)
                put_standing(s, rank, i, out);
        }
}

static void put_faults(const MatchState *s, Buffer *out)
{
    for (int i = 0; i < s->config->engine_count; i++)
        for (Fault f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
            if (s->score.engines[i].faults[f])
                buffer_printf(out, "Fault: %s: %s: %llu\n", engine_of(s, i)->name, fault_name(f),
                              (unsigned long long)s->score.engines[i].faults[f]);
}

static const char *end_text(MatchEnd end)
{
    static const char *const text[] = {"running", "complete", "decided", "interrupted", "failed"};
    return text[end];
}

/* Pairings, test, standings, faults, time. */
void report_table(const MatchState *s, Buffer *out)
{
    for (int i = 0; i < schedule_pairings(&s->score.schedule); i++)
        put_pairing(s, &s->score.pairings[i], out);
    if (s->config->has_sprt) {
        put_sprt(s, out);
        buffer_printf(out, " %s\n", verdict_text(s));
    }
    if (s->config->engine_count > 2)
        put_standings(s, out);
    put_faults(s, out);
    buffer_printf(out, "Time: %.1f s wall, %.1f s playing, of which %.1f s thinking",
                  (double)s->wall / 1e6, (double)s->score.playing / 1e6,
                  (double)s->score.thinking / 1e6);
    if (s->score.games)
        buffer_printf(out, ", %.1f plies per game",
                      (double)s->score.plies / (double)s->score.games);
    buffer_printf(out, " (%s)\n", end_text(s->end));
}

/* --- JSON --- */

static void put_json_estimate(JsonWriter *j, const char *name, const Estimate *e)
{
    jw_object(j, name);
    jw_number(j, "value", "%.6g", e->value);
    jw_number(j, "low", "%.6g", e->low);
    jw_number(j, "high", "%.6g", e->high);
    jw_end_object(j);
}

static void put_json_wdl(JsonWriter *j, uint64_t wins, uint64_t draws, uint64_t losses)
{
    jw_uint(j, "wins", wins);
    jw_uint(j, "draws", draws);
    jw_uint(j, "losses", losses);
}

/* One line per engine: its results with both colours and with White, and its faults by kind. */
static void put_json_engine(const MatchState *s, int i, JsonWriter *j)
{
    const EngineScore *e = &s->score.engines[i];
    Buffer limit = {0};
    limit_write(&engine_of(s, i)->tc, &limit);
    j->line = true;
    jw_object(j, NULL);
    jw_text(j, "name", engine_of(s, i)->name);
    jw_text(j, "limit", buffer_text(&limit));
    put_json_wdl(j, e->wins, e->draws, e->losses);
    jw_object(j, "white");
    put_json_wdl(j, e->white_wins, e->white_draws, e->white_losses);
    jw_end_object(j);
    jw_object(j, "faults");
    for (Fault f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
        jw_uint(j, fault_label(f), e->faults[f]);
    jw_end_object(j);
    jw_end_object(j);
    buffer_free(&limit);
}

/* One line per pairing: the counts, and the estimates that follow from them. */
static void put_json_pairing(const MatchState *s, const PairingScore *p, JsonWriter *j)
{
    const Stats stats = stats_of(&p->tally);
    j->line = true;
    jw_object(j, NULL);
    jw_text(j, "first", engine_of(s, p->first)->name);
    jw_text(j, "second", engine_of(s, p->second)->name);
    put_json_wdl(j, p->wins, p->draws, p->losses);
    jw_array(j, p->tally.categories == PENTANOMIAL ? "pentanomial" : "trinomial");
    for (int i = 0; i < p->tally.categories; i++)
        jw_uint(j, NULL, p->tally.count[i]);
    jw_end_array(j);
    jw_number(j, "score", "%.6g", stats.score);
    put_json_estimate(j, "elo", &stats.elo);
    put_json_estimate(j, "nelo", &stats.nelo);
    jw_number(j, "los", "%.6g", stats.los);
    jw_number(j, "even_pairs", "%.6g", stats.even);
    jw_end_object(j);
}

/* The state of the test with its bounds and hypotheses. */
static void put_json_sprt(const MatchState *s, JsonWriter *j)
{
    const Sprt *t = &s->config->sprt;
    j->line = true;
    jw_object(j, "sprt");
    jw_number(j, "llr", "%.6g", s->llr);
    jw_number(j, "lower", "%.4f", sprt_lower(t));
    jw_number(j, "upper", "%.4f", sprt_upper(t));
    jw_number(j, "elo0", "%g", t->elo0);
    jw_number(j, "elo1", "%g", t->elo1);
    jw_number(j, "alpha", "%g", t->alpha);
    jw_number(j, "beta", "%g", t->beta);
    jw_text(j, "model", t->model == SPRT_LOGISTIC ? "logistic" : "normalized");
    jw_text(j, "verdict", verdict_text(s));
    jw_end_object(j);
}

/* Everything that the table shows, for programs. */
void report_json(const MatchState *s, Buffer *out)
{
    JsonWriter json = {.out = out, .spaced = true}, *j = &json;
    jw_object(j, NULL);
    j->line = true;
    jw_text(j, "end", end_text(s->end));
    jw_uint(j, "games", s->score.games);
    jw_uint(j, "scheduled", schedule_games(&s->score.schedule));
    j->line = true;
    jw_number(j, "wall_seconds", "%.3f", (double)s->wall / 1e6);
    jw_number(j, "playing_seconds", "%.3f", (double)s->score.playing / 1e6);
    jw_number(j, "thinking_seconds", "%.3f", (double)s->score.thinking / 1e6);
    jw_uint(j, "plies", s->score.plies);
    j->line = true;
    jw_array(j, "engines");
    for (int i = 0; i < s->config->engine_count; i++)
        put_json_engine(s, i, j);
    jw_end_array(j);
    j->line = true;
    jw_array(j, "pairings");
    for (int i = 0; i < schedule_pairings(&s->score.schedule); i++)
        put_json_pairing(s, &s->score.pairings[i], j);
    jw_end_array(j);
    if (s->config->has_sprt)
        put_json_sprt(s, j);
    j->line = true;
    jw_end_object(j);
    buffer_putc(out, '\n');
}
