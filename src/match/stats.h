// SPDX-License-Identifier: GPL-3.0-or-later
/* stats.h -- what game results prove: Elo, likelihood of superiority, normalised Elo, SPRT. Pure
 * functions.
 *
 * Results are counted per category: five for pairs of games on one opening with colours swapped (0,
 * 1/2, 1, 3/2, 2 points), or three for single games (loss, draw, win). Pairs are what honest error
 * bars need: the two games of a pair share their opening and so are not independent. */
#ifndef SAMARA_MATCH_STATS_H
#define SAMARA_MATCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

enum { PENTANOMIAL = 5, TRINOMIAL = 3 };

typedef struct Tally {
    int categories; /* PENTANOMIAL or TRINOMIAL */
    uint64_t count[PENTANOMIAL];
} Tally;

typedef struct Estimate {
    double value, low, high; /* low and high bound the central 95 % */
} Estimate;

typedef struct Stats {
    uint64_t trials;  /* pairs, or games if the tally is trinomial */
    double score;     /* mean, 0 to 1 */
    double deviation; /* standard deviation of one trial's score */
    Estimate elo;     /* logistic; infinite at scores 0 and 1 */
    Estimate nelo;    /* normalised: mean over standard deviation per game, scaled like Elo */
    double los;       /* likelihood of superiority: 0 to 1 */
    double even;      /* share of trials that ended level */
} Stats;

/* A tally without trials gives score 1/2, Elo 0 with infinite bounds and LOS 1/2. */
Stats stats_of(const Tally *tally);

double elo_to_score(double elo);
double score_to_elo(double score); /* infinite at 0 and 1 */
double normal_cdf(double x);

typedef enum SprtModel { SPRT_NORMALISED, SPRT_LOGISTIC } SprtModel;

typedef struct Sprt {
    double elo0, elo1;  /* H0: strength is elo0; H1: it is elo1; elo0 < elo1 */
    double alpha, beta; /* accepted risk of a false H1, of a false H0; both in (0, 1/2) */
    SprtModel model;    /* the unit of elo0 and elo1 */
} Sprt;

typedef enum SprtVerdict { SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtVerdict;

double sprt_lower(const Sprt *test); /* ln(beta / (1 - alpha)) */
double sprt_upper(const Sprt *test); /* ln((1 - beta) / alpha) */
/* Generalised log-likelihood ratio: each hypothesis is represented by the distribution that fits
 * the tally best among those with its strength. 0 for an empty tally. */
double sprt_llr(const Sprt *test, const Tally *tally);
SprtVerdict sprt_verdict(const Sprt *test, double llr);

#endif
