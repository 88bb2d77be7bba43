// SPDX-License-Identifier: GPL-3.0-or-later
/* quality.h -- how far an evaluation is from deep searches: the judge of networks and of labels.
 *
 * A set is a text file, one position a line: FEN, tab, score of a deep plain search for the side to
 * move. Its positions come from games that no training ever learns from. */
#ifndef SAMARA_TRAIN_QUALITY_H
#define SAMARA_TRAIN_QUALITY_H

#include "base/error.h"
#include "chess/position.h"

#include <stddef.h>

struct Net;

typedef struct QualityPosition {
    Position p;
    int score;
} QualityPosition;

typedef struct QualitySet {
    QualityPosition *items;
    size_t count;
} QualitySet;

/* Positions of the held-out games in the files that the trainer's filter keeps, drawn by the seed,
 * no board twice; score 0. At most `count`. */
bool quality_draw(QualitySet *set, char *const *paths, int path_count, size_t count, uint64_t seed,
                  Error *err);
bool quality_read(QualitySet *set, const char *path, Error *err);
void quality_free(QualitySet *set);

/* Of one evaluation against the set's scores. Expected score: sigmoid(score / 400). */
typedef struct QualityFigures {
    size_t count;
    double error;        /* mean squared error of the expected score, times 10,000 */
    double bias;         /* mean of evaluation - score, units, both limited to +-1000 */
    double correlation;  /* of the expected scores */
    double factor;       /* the evaluation times this has the least error, */
    double fitted_error; /* which is this */
} QualityFigures;

/* judged[i] belongs to truth[i]; those outside of `only` (NULL: none) do not count. */
QualityFigures quality_measure(const int *judged, const int *truth, const bool *only, size_t count);

/* Of a network alone, statically. False if memory is short. */
bool quality_of_network(const QualitySet *set, const struct Net *net, QualityFigures *out,
                        Error *err);

/* Makes a set: draws positions and searches them, going on behind the lines that an earlier run
 * left. Shows its progress on the terminal. */
typedef struct QualityJob {
    const char *path; /* of the set */
    const char *net;  /* that searches; NULL: the network of the build, "" the classical one */
    size_t positions; /* at most */
    uint32_t nodes;   /* of each search */
    uint64_t seed;
    int threads;
} QualityJob;
bool quality_make(const QualityJob *job, char *const *games, int count, Error *err);

#endif
