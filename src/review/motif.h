// SPDX-License-Identifier: GPL-3.0-or-later
/* motif.h -- the pictures in a line of moves: forks, pins and their kin. What is found is how the
 * line wins, not whether: that is for proof.h. */
#ifndef SAMARA_REVIEW_MOTIF_H
#define SAMARA_REVIEW_MOTIF_H

#include "review/claim.h"

enum { MOTIF_MAX = 8 };

typedef struct Motif {
    ClaimKind kind;
    int ply; /* of the line, from 0: the move that does it */
    int count;
    Square squares[CLAIM_SQUARES];
    Piece pieces[CLAIM_SQUARES];
} Motif;

/* The attacker moves first. `last`: the move before the line, or MOVE_NONE; `taken` what it took.
 * Returns how many, the most telling first. */
int motifs_find(const Position *start, Move last, Piece taken, const Move *line, int length,
                Motif *out, int max);

#endif
