// SPDX-License-Identifier: GPL-3.0-or-later
/* claim.h -- one thing that is said about a move, with its proof: a line of moves and what it
 * changes. Words are made from claims (say.h), arrows and lights from their squares. */
#ifndef SAMARA_REVIEW_CLAIM_H
#define SAMARA_REVIEW_CLAIM_H

#include "review/line.h"

typedef enum ClaimKind {
#define CLAIM(name, word) CLAIM_##name,
#include "review/claims.def"
#undef CLAIM
    CLAIM_KINDS
} ClaimKind;

typedef enum ClaimRole {
    ROLE_EFFECT, /* what the move does */
    ROLE_CAUSE,  /* by what means */
    ROLE_BETTER, /* what the better move would have done */
    ROLE_BETTER_CAUSE,
    ROLE_PRAISE, /* what a good move does, */
    ROLE_PRAISE_CAUSE,
    ROLE_NOTE, /* about the position */
    ROLE_COUNT
} ClaimRole;

typedef enum Certainty {
    PROVED,    /* no defence changes it: an exhaustive search of its own says so */
    CONFIRMED, /* a second engine search says so */
    COMPARED   /* a term of the evaluation differs at the ends of two lines */
} Certainty;

enum { CLAIM_SQUARES = 4, CLAIM_MAX = 12 };

typedef struct Claim {
    ClaimKind kind;
    ClaimRole role;
    Certainty certainty;
    int count; /* of squares and men: slots in the fixed order of the kind, see docs/EXPLAIN.md */
    int8_t squares[CLAIM_SQUARES];
    char pieces[CLAIM_SQUARES]; /* FEN letters, 0: none */
    char lost[8], won[8];       /* material that changes hands, letters "qrbnp", dearest first */
    bool from_before;           /* the line begins before the move; else behind it */
    ReviewLine line;
    int ply;      /* of the line, from 1, where it bites */
    int gain;     /* centipawns as the mover sees it; material in plain values */
    int mate;     /* moves to mate, 0: none */
    double share; /* of the loss that it explains, 0 to 1 */
} Claim;

typedef struct ClaimList {
    int count;
    Claim claims[CLAIM_MAX];
} ClaimList;

/* The stable words of the JSON. */
const char *claim_kind_name(ClaimKind kind);
bool claim_kind_named(const char *name, ClaimKind *out);
const char *claim_role_name(ClaimRole role);
const char *certainty_name(Certainty certainty);

/* Appends a claim of this kind, cleared, and returns it; NULL: the list is full. */
Claim *claim_add(ClaimList *list, ClaimKind kind, ClaimRole role, Certainty certainty);
const Claim *claim_find(const ClaimList *list, ClaimKind kind, ClaimRole role); /* or NULL */
void claim_put(Claim *claim, Square square, Piece piece);                       /* the next slot */

#endif
