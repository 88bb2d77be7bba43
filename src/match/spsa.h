// SPDX-License-Identifier: GPL-3.0-or-later
/* spsa.h -- simultaneous perturbation stochastic approximation: the arithmetic of a tuning session.
 * No I/O.
 *
 * In iteration k every parameter is moved by +-c_k at once, a pair of games between the two sides
 * of that step is played, and every parameter moves towards the winner. All randomness follows from
 * the seed and k, so a session is the list of its results: replaying them gives the same values. */
#ifndef SAMARA_MATCH_SPSA_H
#define SAMARA_MATCH_SPSA_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>

enum { SPSA_NAME_SIZE = 64 };

typedef struct SpsaParam {
    char name[SPSA_NAME_SIZE]; /* of the engine's option */
    bool whole;                /* only whole numbers: rounded at random so that the mean stays */
    double start, min, max;
    double c_end; /* size of the step in the last iteration */
    double r_end; /* learning rate in the last iteration */
} SpsaParam;

typedef struct SpsaConfig {
    SpsaParam *params;
    int count;
    uint64_t iterations; /* planned: the decay of step and rate follows from it */
    uint64_t seed;
} SpsaConfig;

/* Lines `name, int, start, min, max, c_end, r_end` (the last may be missing), or `PARAM(name,
 * start, min, max, step)` as in params.def. Comments (#, //, C comments that are lines of their
 * own) and empty lines are skipped. False: *err names the line; config->params are freed. */
bool spsa_read_params(SpsaConfig *config, Str text, Error *err);
void spsa_write_params(const SpsaConfig *config, const double *values,
                       Buffer *out); /* in the first form */
void spsa_config_free(SpsaConfig *config);

/* The two sides of iteration k around `values` (count of each). */
void spsa_sides(const SpsaConfig *config, uint64_t k, const double *values, double *plus,
                double *minus);
/* Moves the values by the outcome of iteration k: points of `plus` minus points of `minus`, -2
 * to 2. */
void spsa_update(const SpsaConfig *config, uint64_t k, double outcome, double *values);

#endif
