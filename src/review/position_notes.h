// SPDX-License-Identifier: GPL-3.0-or-later
/* position_notes.h -- what a position is about: the best move and what it does, and what the
 * opponent would do if he were to move. */
#ifndef SAMARA_REVIEW_POSITION_NOTES_H
#define SAMARA_REVIEW_POSITION_NOTES_H

#include "review/say.h"

typedef struct PositionNotes {
    Verdict best;     /* of the best move */
    ClaimList threat; /* what the opponent threatens, role note; the line begins with his move */
} PositionNotes;

/* The game must not be over. False: the study failed or was stopped. */
bool notes_make(Study *study, const SamaraPosition *position, PositionNotes *out);

void say_position(const PositionNotes *notes, const Speech *speech, Buffer *out);
void report_notes(const SamaraPosition *position, const PositionNotes *notes, const Speech *speech,
                  Buffer *out);

#endif
