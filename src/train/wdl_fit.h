// SPDX-License-Identifier: GPL-3.0-or-later
/* wdl_fit.h -- what a score was worth in games: fits the model of engine/wdl.h to what happened.
 *
 *   win(v) = 1 / (1 + exp((a - v) / b)),   loss(v) = win(-v)
 *
 * For each amount of material the a and b that make the results likeliest are found; cubics through
 * them, weighted by the number of positions, are the model. */
#ifndef SAMARA_TRAIN_WDL_FIT_H
#define SAMARA_TRAIN_WDL_FIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WDL_MATERIAL_MIN = 17,
    WDL_MATERIAL_MAX = 78,
    WDL_MATERIAL_UNIT = 58, /* the variable of the cubics is material / 58 */
    WDL_MATERIAL_BINS = WDL_MATERIAL_MAX - WDL_MATERIAL_MIN + 1,
    WDL_SCORE_STEP = 16,
    WDL_SCORE_BINS = 257, /* from -2048 to 2048 */
};

typedef struct WdlCounts {
    uint32_t count[WDL_MATERIAL_BINS][WDL_SCORE_BINS][3]; /* loss, draw, win of the side to move */
    uint64_t total;
} WdlCounts;

typedef struct WdlFit {
    double a[4], b[4]; /* highest power first */
    double likelihood; /* mean log-likelihood of a result under the model */
} WdlFit;

/* result: 0, 1, 2 half points of the side to move. Scores and material beyond the range count as
 * its end; scores beyond twice the range are left out. */
void wdl_add(WdlCounts *counts, int score, int material, int result);
bool wdl_fit(const WdlCounts *counts, WdlFit *fit); /* false: too few positions */

int wdl_main(int argc, char **argv); /* samara-train wdl FILE... */

#endif
