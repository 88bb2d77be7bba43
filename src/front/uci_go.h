// SPDX-License-Identifier: GPL-3.0-or-later
/* uci_go.h -- the words behind "go". */
#ifndef SAMARA_FRONT_UCI_GO_H
#define SAMARA_FRONT_UCI_GO_H

#include "base/error.h"
#include "base/text.h"
#include "samara.h"

typedef struct GoRequest {
    SamaraLimits limits;
    int perft;    /* depth, 0: a search */
    bool endless; /* infinite or ponder: will not end by itself */
    bool patient; /* plies, nodes or a mate to find and no clock: what comes next waits for its end
                   */
    size_t move_count; /* of searchmoves: those that are legal */
    SamaraMove moves[SAMARA_MAX_MOVES];
} GoRequest;

/* Never fails: what cannot be understood is left out and named in *complaint ("" if there is
 * nothing to say). A clock for the other side only counts for both. */
void go_parse(GoRequest *go, Str words, const SamaraPosition *position, Error *complaint);

#endif
