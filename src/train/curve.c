// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/curve.h"

#include <math.h>

enum { WIDTH = 720, HEIGHT = 420, LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 40 };

void curve_csv(const CurvePoint *points, int count, Buffer *out)
{
    buffer_puts(out, "epoch,train_loss,valid_loss,learning_rate,result_share\n");
    for (int i = 0; i < count; i++)
        buffer_printf(out, "%d,%.7f,%.7f,%.3e,%.3f\n", i + 1, points[i].train_loss,
                      points[i].valid_loss, points[i].rate, points[i].blend);
}

typedef struct Axis {
    double low, high;
} Axis;

static double y_of(Axis axis, double value)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (axis.high - value) / (axis.high - axis.low);
}

static double x_of(int epoch, int count)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (count > 1 ? (double)epoch / (count - 1) : 0.5);
}

static Axis loss_axis(const CurvePoint *points, int count)
{
    Axis axis = {INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        axis.low = fmin(axis.low, fmin(points[i].train_loss, points[i].valid_loss));
        axis.high = fmax(axis.high, fmax(points[i].train_loss, points[i].valid_loss));
    }
    const double margin = fmax(1e-6, 0.05 * (axis.high - axis.low));
    return (Axis){axis.low - margin, axis.high + margin};
}

static void draw_line(const CurvePoint *points, int count, bool valid, Axis axis,
                      const char *colour, Buffer *out)
{
    buffer_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                  colour);
    for (int i = 0; i < count; i++)
        buffer_printf(out, "%.1f,%.1f ", x_of(i, count),
                      y_of(axis, valid ? points[i].valid_loss : points[i].train_loss));
    buffer_puts(out, "\"/>\n");
}

/* Five lines of loss and five labels of epochs. */
static void draw_grid(Axis axis, int count, Buffer *out)
{
    for (int i = 0; i <= 5; i++) {
        const double value = axis.low + (axis.high - axis.low) * i / 5, y = y_of(axis, value);
        buffer_printf(out,
                      "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.5f</text>\n",
                      LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, value);
    }
    for (int i = 0; i <= 4; i++) {
        const int epoch = (count - 1) * i / 4;
        buffer_printf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                      x_of(epoch, count), HEIGHT - BOTTOM + 18, epoch + 1);
    }
}

/* Training and validation loss over the epochs, as a picture that stands alone. */
void curve_svg(const CurvePoint *points, int count, const char *title, Buffer *out)
{
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"sans-serif\" "
                  "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                  "<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>\n",
                  WIDTH, HEIGHT, LEFT, title);
    if (count > 0) {
        const Axis axis = loss_axis(points, count);
        draw_grid(axis, count, out);
        draw_line(points, count, false, axis, "#1f77b4", out);
        draw_line(points, count, true, axis, "#d62728", out);
    }
    buffer_printf(
        out,
        "<text x=\"%d\" y=\"22\" text-anchor=\"end\"><tspan fill=\"#1f77b4\">training</tspan> "
        "<tspan fill=\"#d62728\">validation</tspan></text>\n</svg>\n",
        WIDTH - RIGHT);
}
