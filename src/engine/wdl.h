// SPDX-License-Identifier: GPL-3.0-or-later
/* wdl.h -- what a score of the search means in a game: chances of win, draw and loss, and
 * centipawns that say so.
 *
 *   win(v) = 1 / (1 + exp((a - v) / b)),   loss(v) = win(-v),   centipawns(v) = 100 v / a
 *
 * so that +1.00 stands for an even chance to win. a and b depend on the material on the board: the
 * same advantage is worth more when less is left to spoil it. */
#ifndef SAMARA_ENGINE_WDL_H
#define SAMARA_ENGINE_WDL_H

#include "chess/position.h"
#include "samara.h"
#include "search/pool.h"

typedef struct WdlModel {
    double a, b;
} WdlModel;

int wdl_material(const Position *p); /* pawns 1, minors 3, rooks 5, queens 9, of both sides */
WdlModel wdl_model(const Position *p);
void wdl_chances(WdlModel model, Score v, int *win, int *draw, int *loss); /* permille, sum 1000 */
int wdl_centipawns(WdlModel model, Score v);                               /* not for mate scores */
Score wdl_score(WdlModel model, int centipawns);                           /* the way back */

/* `root` is the position that the score is about; side to move's view throughout. */
void wdl_export(const Position *root, Score v, Bound bound, SamaraScore *out);

#endif
