// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/climb.h"

#include <stddef.h>

int climb_leaf(const Climb *c) { return classical_evaluate(&c->pos, NULL); }

int climb_no_move(const Climb *c, int ply)
{
    return pos_in_check(&c->pos) ? -LADDER_MATE + ply : 0;
}
