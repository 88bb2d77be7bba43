// SPDX-License-Identifier: GPL-3.0-or-later
/* chart.c -- the ladder as a picture: a bar for each row, how many times faster than the first one
 * it reaches the same depth, on a logarithmic scale; and the Elo over the row before, where games
 * were played. */
#include "ladder/ladder.h"

#include <math.h>

enum { LEFT = 190, BAR = 430, GAP = 60, ELO = 220, ROW = 24, TOP = 64, BOTTOM = 40 };

static bool has_games(const LadderTable *t)
{
    for (int r = 0; r < t->row_count; r++)
        if (t->rows[r].match.wins + t->rows[r].match.draws + t->rows[r].match.losses > 0)
            return true;
    return false;
}

static int shown_rows(const LadderTable *t) { return t->report_begin; }

static double speedup(const LadderTable *t, int row)
{
    return ladder_speedup(&t->rows[0], &t->rows[row]);
}

static int decades(const LadderTable *t)
{
    double most = 10;
    for (int r = 0; r < shown_rows(t); r++)
        most = fmax(most, speedup(t, r));
    return (int)ceil(log10(most));
}

/* A line and a number for each power of ten. */
static void put_axis(const LadderTable *t, Buffer *out, int height)
{
    const int count = decades(t);
    for (int d = 0; d <= count; d++) {
        const double x = LEFT + (double)BAR * d / count;
        buffer_printf(out,
                      "<path class=\"grid\" d=\"M%.1f %d V%d\"/>"
                      "<text class=\"axis\" x=\"%.1f\" y=\"%d\">10<tspan dy=\"-5\" "
                      "font-size=\"9\">%d</tspan></text>\n",
                      x, TOP - 6, height - BOTTOM, x, height - BOTTOM + 18, d);
    }
}

/* Lengths are logarithmic: the rows differ by factors of thousands. */
static void put_bar(const LadderTable *t, Buffer *out, int row, int y)
{
    const double x = speedup(t, row), width = fmax(log10(fmax(x, 1)) / decades(t) * BAR, 1);
    buffer_printf(out, "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>", LEFT - 10, y + 15,
                  t->rows[row].name);
    buffer_printf(out,
                  "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                  "<text class=\"value\" x=\"%.1f\" y=\"%d\">%.*f</text>\n",
                  t->rows[row].rung < 0                                                   ? "engine"
                  : row == 0 || technique_spec((Technique)(t->rows[row].rung - 1))->exact ? "exact"
                                                                                          : "bet",
                  LEFT, y + 3, width, ROW - 7, LEFT + width + 5, y + 15, x < 10 ? 2 : 0, x);
}

/* Elo: bars from a middle line, half a panel for the largest. */
static void put_elo(const LadderTable *t, Buffer *out, int row, int y, double largest)
{
    const MatchScore *m = &t->rows[row].match;
    if (m->wins + m->draws + m->losses == 0)
        return;
    const double middle = LEFT + BAR + GAP + ELO / 3.0, width = fabs(m->elo) / largest * ELO / 2;
    buffer_printf(out,
                  "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                  "<text class=\"value\" x=\"%.1f\" y=\"%d\">%+.0f</text>\n",
                  m->elo < 0 ? "loss" : "gain", m->elo < 0 ? middle - width : middle, y + 3,
                  fmax(width, 1), ROW - 7, middle + (m->elo < 0 ? 5 : width + 5), y + 15, m->elo);
}

/* Styles and titles; the chart stands alone, without a style sheet of the page. */
static void put_head(const LadderTable *t, Buffer *out, int width, int height)
{
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<style>text{fill:#222}.name{text-anchor:end}.axis{text-anchor:middle;fill:#666}"
                  ".grid{stroke:#ddd}.exact{fill:#4a7ebb}.bet{fill:#d98b3a}.engine{fill:#5a9367}"
                  ".gain{fill:#5a9367}.loss{fill:#bb4a4a}.title{font-size:15px;font-weight:bold}"
                  "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  width, height);
    buffer_printf(out,
                  "<text class=\"title\" x=\"12\" y=\"24\">Times faster than %s to depth %d, %d "
                  "positions</text>\n<text x=\"12\" y=\"43\" fill=\"#666\">blue: the score stays "
                  "exact; orange: it may err; green: the engine</text>\n",
                  t->rows[0].name, t->plan.depth, t->positions);
    if (has_games(t))
        buffer_printf(out,
                      "<text class=\"title\" x=\"%d\" y=\"24\">Elo over the row above</text>\n"
                      "<text x=\"%d\" y=\"43\">%d games, %.0f ms a move</text>\n",
                      LEFT + BAR + GAP, LEFT + BAR + GAP, t->plan.games / 2 * 2,
                      (double)t->plan.movetime_us / 1e3);
}

/* One bar per row, and beside it the Elo difference where games were played. */
void ladder_write_svg(const LadderTable *t, Buffer *out)
{
    const int rows = shown_rows(t), height = TOP + rows * ROW + BOTTOM,
              width = LEFT + BAR + GAP + (has_games(t) ? ELO : 0);
    double largest = 1;
    for (int r = 0; r < rows; r++)
        largest = fmax(largest, fabs(t->rows[r].match.elo));
    put_head(t, out, width, height);
    put_axis(t, out, height);
    for (int r = 0; r < rows; r++) {
        put_bar(t, out, r, TOP + r * ROW);
        put_elo(t, out, r, TOP + r * ROW, largest);
    }
    buffer_puts(out, "</svg>\n");
}
