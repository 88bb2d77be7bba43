// SPDX-License-Identifier: GPL-3.0-or-later
/* loop_svg.c -- the loop's history as a picture: error against deep searches, and Elo summed up. */
#include "train/loop.h"

#include <math.h>

enum { WIDTH = 720, PANEL = 240, LEFT = 70, RIGHT = 20, TOP = 40, GAP = 50 };

typedef struct Panel {
    int top;
    double low, high;
    const char *title, *colour;
} Panel;

static double x_of(int i, int count)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (count > 1 ? (double)i / (count - 1) : 0.5);
}

static double y_of(const Panel *panel, double value)
{
    return panel->top + PANEL * (panel->high - value) / (panel->high - panel->low);
}

/* One figure over the generations, with its own axis. */
static void draw_panel(const Panel *panel, const double *values, int count, Buffer *out)
{
    buffer_printf(out, "<text x=\"%d\" y=\"%d\" font-size=\"14\">%s</text>\n", LEFT, panel->top - 8,
                  panel->title);
    for (int i = 0; i <= 4; i++) {
        const double value = panel->low + (panel->high - panel->low) * i / 4;
        buffer_printf(out,
                      "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n",
                      LEFT, WIDTH - RIGHT, y_of(panel, value), y_of(panel, value), LEFT - 6,
                      y_of(panel, value) + 4, value);
    }
    buffer_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                  panel->colour);
    for (int i = 0; i < count; i++)
        buffer_printf(out, "%.1f,%.1f ", x_of(i, count), y_of(panel, values[i]));
    buffer_puts(out, "\"/>\n");
}

static Panel panel_for(int top, const char *title, const char *colour, const double *values,
                       int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    const double margin = fmax(1, 0.05 * (high - low));
    return (Panel){top, low - margin, high + margin, title, colour};
}

/* Elo is that of the player: a network that was not accepted adds nothing. */
void loop_svg(const LoopRow *rows, int count, Buffer *out)
{
    enum { MOST = 1000 };
    double quality[MOST], elo[MOST], sum = 0;
    const int shown = count < MOST ? count : MOST;
    const LoopRow *first = rows + (count - shown);
    for (int i = 0; i < shown; i++) {
        quality[i] = first[i].quality;
        elo[i] = sum += first[i].accepted ? first[i].elo : 0;
    }
    const int second = TOP + PANEL + GAP, height = second + PANEL + GAP;
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  WIDTH, height);
    if (shown > 0) {
        const Panel upper = panel_for(TOP, "error against deep searches, x 10,000", "#d62728",
                                      quality, shown),
                    lower =
                        panel_for(second, "Elo of the player, summed up", "#1f77b4", elo, shown);
        draw_panel(&upper, quality, shown, out);
        draw_panel(&lower, elo, shown, out);
        buffer_printf(out, "<text x=\"%d\" y=\"%d\">generations %d to %d</text>\n", LEFT,
                      height - 16, first[0].generation, first[shown - 1].generation);
    }
    buffer_puts(out, "</svg>\n");
}
