// SPDX-License-Identifier: GPL-3.0-or-later
/* explorer.h -- what is known of a position without a search: moves of the stored games and of the
 * opening book, verdicts of the endgame tables. */
#ifndef SAMARA_FRONT_HTTP_EXPLORER_H
#define SAMARA_FRONT_HTTP_EXPLORER_H

#include "front/http/request.h"

void explorer_moves(Task *task, Slot *slot);
void explorer_tables(Task *task, Slot *slot);

#endif
