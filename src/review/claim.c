// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/claim.h"

#include <string.h>

static const char *const kind_names[] = {
#define CLAIM(name, word) word,
#include "review/claims.def"
#undef CLAIM
};

const char *claim_kind_name(ClaimKind kind) { return kind_names[kind]; }

bool claim_kind_named(const char *name, ClaimKind *out)
{
    for (int i = 0; i < CLAIM_KINDS; i++)
        if (strcmp(kind_names[i], name) == 0) {
            *out = (ClaimKind)i;
            return true;
        }
    return false;
}

const char *claim_role_name(ClaimRole role)
{
    static const char *const names[ROLE_COUNT] = {
        "effect", "cause", "better", "better_cause", "praise", "praise_cause", "note"};
    return names[role];
}

const char *certainty_name(Certainty certainty)
{
    static const char *const names[] = {"proved", "confirmed", "compared"};
    return names[certainty];
}

Claim *claim_add(ClaimList *list, ClaimKind kind, ClaimRole role, Certainty certainty)
{
    if (list->count == CLAIM_MAX)
        return NULL;
    Claim *claim = &list->claims[list->count++];
    *claim = (Claim){.kind = kind, .role = role, .certainty = certainty};
    return claim;
}

const Claim *claim_find(const ClaimList *list, ClaimKind kind, ClaimRole role)
{
    for (int i = 0; i < list->count; i++)
        if (list->claims[i].kind == kind && list->claims[i].role == role)
            return &list->claims[i];
    return NULL;
}

void claim_put(Claim *claim, Square square, Piece piece)
{
    if (claim->count == CLAIM_SQUARES)
        return;
    claim->squares[claim->count] = (int8_t)square;
    claim->pieces[claim->count++] = piece == NO_PIECE ? '\0' : "PpNnBbRrQqKk"[piece];
}
