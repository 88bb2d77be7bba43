// SPDX-License-Identifier: GPL-3.0-or-later
/* curve.h -- how the loss fell, as a table and as a picture. */
#ifndef SAMARA_TRAIN_CURVE_H
#define SAMARA_TRAIN_CURVE_H

#include "base/text.h"

typedef struct CurvePoint {
    double train_loss, valid_loss, rate, blend;
} CurvePoint; /* of one epoch */

void curve_csv(const CurvePoint *points, int count, Buffer *out);
void curve_svg(const CurvePoint *points, int count, const char *title, Buffer *out);

#endif
