// SPDX-License-Identifier: GPL-3.0-or-later
/* expand.h -- templates of a language filled with slots. */
#ifndef SAMARA_REVIEW_EXPAND_H
#define SAMARA_REVIEW_EXPAND_H

#include "base/text.h"
#include "review/claim.h"
#include "review/speech.h"
#include "review/words.h"

enum { SLOT_SIZE = 256 };

typedef struct Slots {
    char move[32], best[32], score[16], score2[16], whites[16], blacks[16];
    char line[SLOT_SIZE], key[SLOT_SIZE], lead[SLOT_SIZE], clause[SLOT_SIZE * 2], phase[64];
    int n;
    bool white;         /* who moved, for {side} and {other} */
    const Claim *claim; /* {lost} {won} {p0} {s0} {list}; or NULL */
} Slots;

/* The text of a phrase. False: the language is silent there, or it did not fit. */
bool expand(const Speech *speech, Phrase phrase, const Slots *slots, char *out, size_t size);
/* Appends it as a sentence, behind a blank if something stands before. */
void say(const Speech *speech, Phrase phrase, const Slots *slots, Buffer *out);

#endif
