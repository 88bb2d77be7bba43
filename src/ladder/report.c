// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/ladder.h"

#include "base/json.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- the cells of a row, the same for every form of the table --- */

enum { CELL_SIZE = 40 };
typedef enum Column {
    COLUMN_NUMBER,
    COLUMN_NAME,
    COLUMN_NODES,
    COLUMN_SECONDS,
    COLUMN_OVER_MINIMAX,
    COLUMN_OVER_BASE,
    COLUMN_CLAIM,
    COLUMN_WITHOUT,
    COLUMN_DEPTH,
    COLUMN_ELO,
    COLUMN_COUNT,
} Column;

typedef struct Cells {
    char text[COLUMN_COUNT][CELL_SIZE];
} Cells;

static const char *const headings[COLUMN_COUNT] = {
    "",         "search",  "nodes",           "seconds", "x minimax",
    "x before", "claimed", "last without it", "depth",   "Elo over the one before"};

static void put(Cells *c, Column column, const char *format, ...) PRINTF_LIKE(3, 4);
static void put(Cells *c, Column column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->text[column], CELL_SIZE, format, args);
    va_end(args);
}

/* Three digits, whatever the size. */
static void put_ratio(Cells *c, Column column, double x)
{
    if (x <= 0)
        return;
    put(c, column, x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f", x);
}

static const LadderRow *minimax_row(const LadderTable *t)
{
    return t->row_count > 0 && t->rows[0].rung == 0 ? &t->rows[0] : NULL;
}

static void put_claim(Cells *c, const LadderRow *row)
{
    if (row->claim_high > 0)
        put(c, COLUMN_CLAIM, "%g-%g", row->claim_low, row->claim_high);
}

static void put_elo(Cells *c, const MatchScore *m)
{
    if (m->wins + m->draws + m->losses == 0)
        return;
    if (m->all_or_nothing)
        put(c, COLUMN_ELO, "%s %.0f", m->elo > 0 ? "over" : "under", m->elo);
    else
        put(c, COLUMN_ELO, "%+.0f +- %.0f", m->elo, m->error);
}

/* All cells of a row as text, so that every form of the table shows the same figures. */
static Cells cells_of(const LadderTable *t, int at)
{
    const LadderRow *row = &t->rows[at], *minimax = minimax_row(t);
    Cells c = {0};
    if (row->rung >= 0)
        put(&c, COLUMN_NUMBER, "%d", row->rung + 1);
    put(&c, COLUMN_NAME, "%s", row->name);
    put(&c, COLUMN_NODES, "%llu%s", (unsigned long long)row->nodes, row->counted ? " *" : "");
    put(&c, COLUMN_SECONDS, row->seconds < 10 ? "%.3f%s" : "%.0f%s", row->seconds,
        row->counted ? " *" : "");
    if (minimax)
        put_ratio(&c, COLUMN_OVER_MINIMAX, ladder_speedup(minimax, row));
    if (row->base >= 0)
        put_ratio(&c, COLUMN_OVER_BASE, ladder_speedup(&t->rows[row->base], row));
    put_claim(&c, row);
    put_ratio(&c, COLUMN_WITHOUT, row->without);
    if (row->depth > 0)
        put(&c, COLUMN_DEPTH, "%.2f", row->depth);
    put_elo(&c, &row->match);
    return c;
}

/* A column that no row fills is left out. */
static void columns_in_use(const LadderTable *t, bool in_use[COLUMN_COUNT])
{
    memset(in_use, 0, COLUMN_COUNT * sizeof *in_use);
    for (int r = 0; r < t->row_count; r++) {
        const Cells c = cells_of(t, r);
        for (int k = 0; k < COLUMN_COUNT; k++)
            in_use[k] |= c.text[k][0] != '\0';
    }
}

/* --- words around the table --- */

/* What the columns mean, only for those that are shown. */
static void put_notes(const LadderTable *t, Buffer *out)
{
    const LadderPlan *plan = &t->plan;
    const LadderRow *minimax = minimax_row(t);
    buffer_printf(out,
                  "x minimax, x before: how many times faster (CPU time) than plain minimax and "
                  "than the row before%s.\n",
                  t->report_begin < t->row_count
                      ? "; a program of a report: than the one that its report compares with"
                      : "");
    if (minimax && minimax->counted)
        buffer_printf(out,
                      "* counted, not searched: minimax visits every position; its time follows "
                      "from its speed at depth %d.\n",
                      plan->minimax_depth);
    if (plan->each)
        buffer_puts(out, "last without it: time of the last rung without this technique, over its "
                         "time with it.\n");
    if (plan->movetime_us > 0)
        buffer_printf(out, "depth: finished in %.0f ms of CPU time, mean of the positions.\n",
                      (double)plan->movetime_us / 1e3);
    if (plan->games > 0)
        buffer_printf(out,
                      "Elo: %d games at %.0f ms of CPU time a move, with the 95 %% interval.\n",
                      plan->games / 2 * 2, (double)plan->movetime_us / 1e3);
}

static void put_title(const LadderTable *t, Buffer *out)
{
    buffer_printf(out, "%d positions to depth %d, evaluation '%s'", t->positions, t->plan.depth,
                  evaluation_name(t->plan.evaluation));
}

/* The other claims of a report, which are no speed-ups: plies and Elo. */
static void put_other_claims(const LadderTable *t, Buffer *out)
{
    for (int r = 0; r < t->row_count; r++) {
        const LadderRow *row = &t->rows[r];
        if (row->plies_high <= 0 || row->base < 0)
            continue;
        const LadderRow *base = &t->rows[row->base];
        buffer_printf(out, "%s: claimed %g to %g plies more in equal time", row->name,
                      row->plies_low, row->plies_high);
        if (row->depth > 0)
            buffer_printf(out, ", measured %+.2f", row->depth - base->depth);
        buffer_printf(out, "; claimed %g to %g Elo", row->elo_low, row->elo_high);
        if (t->plan.games > 0)
            buffer_printf(out, ", measured %+.0f", row->match.elo);
        buffer_puts(out, ".\n");
    }
}

/* --- text --- */

static void put_text_row(Buffer *out, const char *const *cells, const bool *in_use,
                         const int *width)
{
    const size_t begin = out->len;
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (in_use[k])
            buffer_printf(out, k == COLUMN_NAME ? "%-*s  " : "%*s  ", width[k], cells[k]);
    while (out->len > begin && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
    buffer_putc(out, '\n');
}

static void cell_pointers(const Cells *c, const char *out[COLUMN_COUNT])
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        out[k] = c->text[k];
}

/* Columns as wide as their widest cell; a blank line before the programs of the reports. */
void ladder_write_text(const LadderTable *t, Buffer *out)
{
    bool in_use[COLUMN_COUNT];
    int width[COLUMN_COUNT];
    const char *cells[COLUMN_COUNT];
    columns_in_use(t, in_use);
    for (int k = 0; k < COLUMN_COUNT; k++)
        width[k] = (int)strlen(headings[k]);
    for (int r = 0; r < t->row_count; r++) {
        const Cells c = cells_of(t, r);
        for (int k = 0; k < COLUMN_COUNT; k++)
            if ((int)strlen(c.text[k]) > width[k])
                width[k] = (int)strlen(c.text[k]);
    }
    put_title(t, out);
    buffer_puts(out, "\n\n");
    put_text_row(out, headings, in_use, width);
    for (int r = 0; r < t->row_count; r++) {
        const Cells c = cells_of(t, r);
        if (r == t->report_begin && r > 0)
            buffer_putc(out, '\n');
        cell_pointers(&c, cells);
        put_text_row(out, cells, in_use, width);
    }
    buffer_putc(out, '\n');
    put_other_claims(t, out);
    put_notes(t, out);
}

/* --- Markdown --- */

static void put_markdown_row(Buffer *out, const char *const *cells, const bool *in_use)
{
    buffer_putc(out, '|');
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (in_use[k])
            buffer_printf(out, " %s |", cells[k]);
    buffer_putc(out, '\n');
}

/* The same cells as a Markdown table. */
void ladder_write_markdown(const LadderTable *t, Buffer *out)
{
    bool in_use[COLUMN_COUNT];
    const char *cells[COLUMN_COUNT];
    columns_in_use(t, in_use);
    put_title(t, out);
    buffer_puts(out, ".\n\n");
    put_markdown_row(out, headings, in_use);
    buffer_putc(out, '|');
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (in_use[k])
            buffer_puts(out, k == COLUMN_NAME ? "---|" : "--:|");
    buffer_putc(out, '\n');
    for (int r = 0; r < t->row_count; r++) {
        const Cells c = cells_of(t, r);
        cell_pointers(&c, cells);
        put_markdown_row(out, cells, in_use);
    }
    buffer_putc(out, '\n');
    put_other_claims(t, out);
    put_notes(t, out);
}

/* --- JSON --- */

static void put_json_games(const MatchScore *match, JsonWriter *j)
{
    jw_object(j, "games");
    jw_int(j, "wins", match->wins);
    jw_int(j, "draws", match->draws);
    jw_int(j, "losses", match->losses);
    jw_number(j, "elo", "%.1f", match->elo);
    jw_number(j, "error", "%.1f", match->error);
    jw_bool(j, "all_or_nothing", match->all_or_nothing);
    jw_end_object(j);
}

/* One line per row. What a row has no figure for is left out. */
static void put_json_row(const LadderTable *t, const LadderRow *row, JsonWriter *j)
{
    const LadderRow *minimax = minimax_row(t);
    j->line = true;
    jw_object(j, NULL);
    jw_text(j, "name", row->name);
    jw_uint(j, "nodes", row->nodes);
    jw_number(j, "seconds", "%.6f", row->seconds);
    jw_bool(j, "counted", row->counted);
    if (row->rung >= 0)
        jw_int(j, "rung", row->rung + 1);
    if (row->rung > 0) {
        char page[96];
        snprintf(page, sizeof page, "src/ladder/%s",
                 technique_spec((Technique)(row->rung - 1))->page);
        jw_text(j, "page", page);
        jw_bool(j, "exact", technique_spec((Technique)(row->rung - 1))->exact);
    }
    if (minimax)
        jw_number(j, "over_minimax", "%.4f", ladder_speedup(minimax, row));
    if (row->base >= 0) {
        jw_text(j, "base", t->rows[row->base].name);
        jw_number(j, "over_base", "%.4f", ladder_speedup(&t->rows[row->base], row));
    }
    if (row->claim_high > 0) {
        jw_array(j, "claimed");
        jw_number(j, NULL, "%g", row->claim_low);
        jw_number(j, NULL, "%g", row->claim_high);
        jw_end_array(j);
    }
    if (row->without > 0) {
        jw_object(j, "last_without");
        jw_number(j, "time", "%.4f", row->without);
        jw_number(j, "nodes", "%.4f", row->without_nodes);
        jw_end_object(j);
    }
    if (row->depth > 0)
        jw_number(j, "depth", "%.3f", row->depth);
    if (t->plan.games > 0 && row->match.wins + row->match.draws + row->match.losses > 0)
        put_json_games(&row->match, j);
    jw_end_object(j);
}

/* Every figure with its full precision, one row per line. */
void ladder_write_json(const LadderTable *t, Buffer *out)
{
    JsonWriter json = {.out = out}, *j = &json;
    jw_object(j, NULL);
    jw_int(j, "positions", t->positions);
    jw_int(j, "depth", t->plan.depth);
    jw_number(j, "movetime_ms", "%g", (double)t->plan.movetime_us / 1e3);
    jw_text(j, "evaluation", evaluation_name(t->plan.evaluation));
    jw_array(j, "rows");
    for (int r = 0; r < t->row_count; r++)
        put_json_row(t, &t->rows[r], j);
    j->line = true;
    jw_end_array(j);
    jw_end_object(j);
    buffer_putc(out, '\n');
}
