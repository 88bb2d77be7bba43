// SPDX-License-Identifier: GPL-3.0-or-later
/* aspiration.c -- the score of the next iteration is seldom far from the last one. Search with a
 * narrow window about it, which cuts more; if the score falls outside, search again with that side
 * open. The score is the same, if a re-search is made whenever it must. */
#include "ladder/search.h"

enum { ASPIRATION_WINDOW = 50 };

/* A narrow window around the last score; a score outside opens that side and searches again. */
int aspiration_search(Search *s, int depth, int guess)
{
    int alpha = -INFINITY_SCORE, beta = INFINITY_SCORE;
    if (uses(s, ASPIRATION)) {
        alpha = guess - ASPIRATION_WINDOW;
        beta = guess + ASPIRATION_WINDOW;
    }
    for (;;) {
        const int score = window_search(s, alpha, beta, depth);
        if (s->stopped || (score > alpha && score < beta))
            return score;
        if (score <= alpha)
            alpha = -INFINITY_SCORE;
        else
            beta = INFINITY_SCORE;
    }
}
