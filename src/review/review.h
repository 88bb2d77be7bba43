// SPDX-License-Identifier: GPL-3.0-or-later
/* review.h -- a whole game judged. One object for the command line, the server and the page, which
 * only render it (report.h, annotate.h).
 *
 * Repeatable to the letter: engines of one size, limits in nodes, one thread per search. The game
 * is cut into segments of fixed borders; a segment is searched from its last position to its first
 * with a table that is empty at its start. So the number of threads changes nothing. */
#ifndef SAMARA_REVIEW_REVIEW_H
#define SAMARA_REVIEW_REVIEW_H

#include "base/thread.h"
#include "review/verdict.h"

enum { REVIEW_SEGMENT = 16 };

/* A position of the game, before the move of the same index, as its side to move sees it. */
typedef struct ReviewPosition {
    bool known;
    bool over; /* no move is possible */
    bool white;
    int men; /* knights, bishops, rooks and queens of both sides */
    Worth worth;
    int depth;
    ReviewLine line;
} ReviewPosition;

typedef struct Review {
    SamaraGame *game;
    size_t plies;
    bool black_first;
    int first_number;          /* move number of the start position */
    uint64_t nodes;            /* limit of a first look; 0: there was another limit */
    Mutex lock;                /* of all below while review_run() runs */
    size_t looked;             /* positions that had their first look */
    size_t judged;             /* moves */
    ReviewPosition *positions; /* plies + 1 */
    Verdict *verdicts;         /* plies */
} Review;

/* Takes over the game. NULL: no memory; then the game is freed. */
Review *review_create(SamaraGame *game);
void review_destroy(Review *review); /* NULL is fine */

/* False: stopped (err->code STOPPED) or failed. */
bool review_run(Review *review, const ReviewEffort *effort, const ReviewEvents *events,
                SamaraError *err);

bool review_white_moves(const Review *review, size_t ply);

#endif
