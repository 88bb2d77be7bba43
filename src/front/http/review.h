// SPDX-License-Identifier: GPL-3.0-or-later
/* review.h -- one game under analysis: an evaluation for every position, and what follows from
 * them. */
#ifndef SAMARA_FRONT_HTTP_REVIEW_H
#define SAMARA_FRONT_HTTP_REVIEW_H

#include "base/text.h"
#include "front/http/judge.h"
#include "samara.h"
#include <jansson.h>

/* A position of the game, before the move of the same index. All scores in White's view. */
typedef struct ReviewPosition {
    bool known;
    bool over;    /* no move is possible; cp and mate say who won */
    int cp, mate; /* mate 0: cp counts */
    char best[SAMARA_MOVE_SIZE];
    Buffer line, line_san; /* the best line: UCI words; SAN with numbers */
} ReviewPosition;

typedef struct Review {
    SamaraGame *game;
    size_t plies;
    bool black_first;
    int first_number;         /* move number of the start position */
    ReviewPosition *position; /* plies + 1 */
    char (*san)[16];          /* of each move */
} Review;

/* Takes over the game. False: no memory, or a move that does not fit; then the review is empty and
 * the game freed. */
bool review_init(Review *review, SamaraGame *game, Samara *engine);
void review_free(Review *review);
/* Puts the engine on the position before move `ply`. */
bool review_set(const Review *review, Samara *engine, size_t ply, SamaraError *err);
/* Keeps what a search of that position found; the engine still stands on it. pv: its best line. */
void review_keep(Review *review, Samara *engine, size_t ply, const SamaraScore *score,
                 const char *best, const char *pv);
json_t *review_report(const Review *review); /* also of an unfinished review: with what is known */
void review_pgn(const Review *review, Buffer *out);

#endif
