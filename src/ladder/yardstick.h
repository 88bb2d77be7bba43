// SPDX-License-Identifier: GPL-3.0-or-later
/* yardstick.h -- what the leaves are worth: the classical evaluation, or one of those that the
 * reports began with. */
#ifndef SAMARA_LADDER_YARDSTICK_H
#define SAMARA_LADDER_YARDSTICK_H

#include "base/text.h"
#include "chess/position.h"

typedef enum Yardstick {
    YARDSTICK_CLASSICAL,
    YARDSTICK_FIRST,  /* first report, first phase: 10 30 32 50 90 */
    YARDSTICK_SECOND, /* its second phase: 100 300 320 500 900, and 10 for the side to move */
    YARDSTICK_THIRD,  /* its last values: 100 320 330 500 900, and 10 for the side to move */
    YARDSTICK_POINTS, /* fourth report: 1 3 3 5 8; 2 for a man that gives check, 1 for one in the
                     centre, 1 for one in the enemy's half */
    YARDSTICK_COUNT,
} Yardstick;

const char *yardstick_name(Yardstick yardstick);
bool yardstick_named(Str name, Yardstick *out);
int yardstick_value(Yardstick yardstick, const Position *p); /* side to move's view */

#endif
