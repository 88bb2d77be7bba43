// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/report.h"
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
                  (unsigned long long)(e->wins + e->draws + e->losses), (unsigned long long)e->wins,
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

static void put_json_string(Buffer *out, const char *text)
{
    buffer_putc(out, '"');
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            buffer_putc(out, '\\');
        if (c < 0x20)
            buffer_printf(out, "\\u%04x", c);
        else
            buffer_putc(out, (char)c);
    }
    buffer_putc(out, '"');
}

/* JSON has no infinity. */
static void put_json_number(Buffer *out, const char *name, double value)
{
    buffer_printf(out, "\"%s\": ", name);
    if (isfinite(value))
        buffer_printf(out, "%.6g", value);
    else
        buffer_puts(out, "null");
}

static void put_json_estimate(Buffer *out, const char *name, const Estimate *e)
{
    buffer_printf(out, "\"%s\": {", name);
    put_json_number(out, "value", e->value);
    buffer_puts(out, ", ");
    put_json_number(out, "low", e->low);
    buffer_puts(out, ", ");
    put_json_number(out, "high", e->high);
    buffer_putc(out, '}');
}

static void put_json_wdl(Buffer *out, uint64_t wins, uint64_t draws, uint64_t losses)
{
    buffer_printf(out, "\"wins\": %llu, \"draws\": %llu, \"losses\": %llu",
                  (unsigned long long)wins, (unsigned long long)draws, (unsigned long long)losses);
}

static void put_json_engine(const MatchState *s, int i, Buffer *out)
{
    const EngineScore *e = &s->score.engines[i];
    buffer_puts(out, "    {\"name\": ");
    put_json_string(out, engine_of(s, i)->name);
    buffer_puts(out, ", \"limit\": \"");
    limit_write(&engine_of(s, i)->tc, out);
    buffer_puts(out, "\", ");
    put_json_wdl(out, e->wins, e->draws, e->losses);
    buffer_puts(out, ", \"white\": {");
    put_json_wdl(out, e->white_wins, e->white_draws, e->white_losses);
    buffer_puts(out, "}, \"faults\": {");
    for (Fault f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
        buffer_printf(out, "%s\"%s\": %llu", f > FAULT_NONE + 1 ? ", " : "", fault_label(f),
                      (unsigned long long)e->faults[f]);
    buffer_puts(out, "}}");
}

static void put_json_pairing(const MatchState *s, const PairingScore *p, Buffer *out)
{
    const Stats stats = stats_of(&p->tally);
    buffer_puts(out, "    {\"first\": ");
    put_json_string(out, engine_of(s, p->first)->name);
    buffer_puts(out, ", \"second\": ");
    put_json_string(out, engine_of(s, p->second)->name);
    buffer_puts(out, ", ");
    put_json_wdl(out, p->wins, p->draws, p->losses);
    buffer_printf(out, ", \"%s\": [",
                  p->tally.categories == PENTANOMIAL ? "pentanomial" : "trinomial");
    for (int i = 0; i < p->tally.categories; i++)
        buffer_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)p->tally.count[i]);
    buffer_puts(out, "], ");
    put_json_number(out, "score", stats.score);
    buffer_puts(out, ", ");
    put_json_estimate(out, "elo", &stats.elo);
    buffer_puts(out, ", ");
    put_json_estimate(out, "nelo", &stats.nelo);
    buffer_puts(out, ", ");
    put_json_number(out, "los", stats.los);
    buffer_puts(out, ", ");
    put_json_number(out, "even_pairs", stats.even);
    buffer_putc(out, '}');
}

void report_json(const MatchState *s, Buffer *out)
{
    buffer_printf(out, "{\n  \"end\": \"%s\", \"games\": %llu, \"scheduled\": %llu,\n",
                  end_text(s->end), (unsigned long long)s->score.games,
                  (unsigned long long)schedule_games(&s->score.schedule));
    buffer_printf(out,
                  "  \"wall_seconds\": %.3f, \"playing_seconds\": %.3f, \"thinking_seconds\": "
                  "%.3f, \"plies\": %llu,\n",
                  (double)s->wall / 1e6, (double)s->score.playing / 1e6,
                  (double)s->score.thinking / 1e6, (unsigned long long)s->score.plies);
    buffer_puts(out, "  \"engines\": [\n");
    for (int i = 0; i < s->config->engine_count; i++) {
        put_json_engine(s, i, out);
        buffer_puts(out, i + 1 < s->config->engine_count ? ",\n" : "\n");
    }
    buffer_puts(out, "  ],\n  \"pairings\": [\n");
    const int pairings = schedule_pairings(&s->score.schedule);
    for (int i = 0; i < pairings; i++) {
        put_json_pairing(s, &s->score.pairings[i], out);
        buffer_puts(out, i + 1 < pairings ? ",\n" : "\n");
    }
    buffer_puts(out, "  ]");
    if (s->config->has_sprt) {
        const Sprt *t = &s->config->sprt;
        buffer_puts(out, ",\n  \"sprt\": {");
        put_json_number(out, "llr", s->llr);
        buffer_printf(out,
                      ", \"lower\": %.4f, \"upper\": %.4f, \"elo0\": %g, \"elo1\": %g, \"alpha\": "
                      "%g, \"beta\": %g, ",
                      sprt_lower(t), sprt_upper(t), t->elo0, t->elo1, t->alpha, t->beta);
        buffer_printf(out, "\"model\": \"%s\", \"verdict\": \"%s\"}",
                      t->model == SPRT_LOGISTIC ? "logistic" : "normalized", verdict_text(s));
    }
    buffer_puts(out, "\n}\n");
}
