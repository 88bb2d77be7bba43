// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/climb.h"

#include <stddef.h>

int climb_leaf(const Climb *c) { return yardstick_value(c->yardstick, &c->pos); }

int climb_no_move(const Climb *c, int ply)
{
    return pos_in_check(&c->pos) ? -LADDER_MATE + ply : 0;
}
