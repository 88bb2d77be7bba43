// SPDX-License-Identifier: GPL-3.0-or-later
/* review.h -- one game under analysis: an evaluation for every position, and what follows from
 * them. */
#ifndef SAMARA_FRONT_HTTP_REVIEW_H
#define SAMARA_FRONT_HTTP_REVIEW_H

#include "base/text.h"
#include "front/http/judge.h"
#include "samara.h"
#include <jansson.h>

enum { REVIEW_LINE = 8, REVIEW_LINE_TEXT = 160 };

/* A position of the game, before the move of the same index. All scores in White's view. */
typedef struct ReviewPosition {
    bool known;
    bool over;    /* no move is possible; cp and mate say who won */
    int cp, mate; /* mate 0: cp counts */
    SamaraMove best;
    int length; /* of the best line */
    SamaraMove line[REVIEW_LINE];
    char line_text[REVIEW_LINE_TEXT]; /* the same as SAN with numbers */
} ReviewPosition;

typedef struct Review {
    SamaraGame *game;
    size_t plies;
    bool black_first;
    int first_number;         /* move number of the start position */
    ReviewPosition *position; /* plies + 1 */
    const SamaraMove *moves;  /* the game's: plies */
} Review;

/* Takes over the game. False: no memory; then the review is empty and the game freed. */
bool review_init(Review *review, SamaraGame *game);
void review_free(Review *review);
/* Keeps what a search of the position before move `ply` found. */
void review_keep(Review *review, size_t ply, const SamaraPosition *position,
                 const SamaraResult *found);
json_t *review_report(const Review *review); /* also of an unfinished review: with what is known */
void review_pgn(const Review *review, Buffer *out);

#endif
