// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wdl.h"

#include <math.h>

/* a and b as cubics in material / 58, highest power first; material is clamped to the range that
 * was fitted. Fitted by `samara-train wdl` to 116,360 positions of 960 games between two copies of
 * Samara with its network samara-09, 7,000 and 8,000 nodes a move: 640 from unbalanced openings,
 * 320 from balanced ones. */
static const double model_a[4] = {-286.490, 955.110, -1069.483, 542.322};
static const double model_b[4] = {262.615, -661.884, 588.299, -44.001};
enum { MATERIAL_MIN = 17, MATERIAL_MAX = 78, MATERIAL_UNIT = 58 };

int wdl_material(const Position *p)
{
    return bb_count(pos_type(p, PAWN)) + 3 * bb_count(pos_type(p, KNIGHT) | pos_type(p, BISHOP)) +
           5 * bb_count(pos_type(p, ROOK)) + 9 * bb_count(pos_type(p, QUEEN));
}

static double cubic(const double c[4], double x)
{
    return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
}

WdlModel wdl_model(const Position *p)
{
    int material = wdl_material(p);
    material = material < MATERIAL_MIN   ? MATERIAL_MIN
               : material > MATERIAL_MAX ? MATERIAL_MAX
                                         : material;
    const double x = (double)material / MATERIAL_UNIT;
    return (WdlModel){cubic(model_a, x), cubic(model_b, x)};
}

void wdl_chances(WdlModel model, Score v, int *win, int *draw, int *loss)
{
    *win = (int)lround(1000 / (1 + exp((model.a - v) / model.b)));
    *loss = (int)lround(1000 / (1 + exp((model.a + v) / model.b)));
    *draw = 1000 - *win - *loss;
}

int wdl_centipawns(WdlModel model, Score v) { return (int)lround(100.0 * v / model.a); }

Score wdl_score(WdlModel model, int centipawns)
{
    const double v = centipawns * model.a / 100;
    return v > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
           : v < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                 : (Score)lround(v);
}

/* Tablebase wins are not evaluations: 200 pawns, less one centipawn for each ply on the way to the
 * table. */
static int tablebase_centipawns(Score v)
{
    return v > 0 ? 20000 - (SCORE_TB_WIN - v) : -20000 + (SCORE_TB_WIN + v);
}

/* Mates and table wins are certain; every other score gets its chances from the model of this
 * material. */
void wdl_export(const Position *root, Score v, Bound bound, SamaraScore *out)
{
    const WdlModel model = wdl_model(root);
    *out = (SamaraScore){.raw = v,
                         .is_mate = score_is_mate(v),
                         .bound = bound == BOUND_LOWER   ? SAMARA_LOWER
                                  : bound == BOUND_UPPER ? SAMARA_UPPER
                                                         : SAMARA_EXACT};
    if (score_is_decisive(v)) {
        out->value = out->is_mate ? score_mate_moves(v) : tablebase_centipawns(v);
        out->win = v > 0 ? 1000 : 0;
        out->loss = v > 0 ? 0 : 1000;
        return;
    }
    out->value = wdl_centipawns(model, v);
    wdl_chances(model, v, &out->win, &out->draw, &out->loss);
}
