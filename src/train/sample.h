// SPDX-License-Identifier: GPL-3.0-or-later
/* sample.h -- positions as the trainer sees them: 32 bytes, the side to move at the bottom of the
 * board. */
#ifndef SAMARA_TRAIN_SAMPLE_H
#define SAMARA_TRAIN_SAMPLE_H

#include "nnue/features.h"
#include "nnue/net.h"
#include "train/record.h"

enum {
    SAMPLE_MAX_MEN = 32,
    SAMPLE_NO_RESULT = 3,
    SAMPLE_HELD_OUT = 20, /* permille of the games, unless said otherwise */
};

typedef struct Sample {
    uint64_t occupied;
    uint8_t men[16]; /* a nibble for each occupied square, in order: type + 8 * enemy */
    int16_t score;   /* side to move */
    uint8_t result;  /* its half points; or SAMPLE_NO_RESULT: the score alone counts */
    uint8_t own_king, enemy_king;
    uint8_t unused[3];
} Sample;

/* Which positions of a game are worth learning from. */
typedef struct SampleFilter {
    int min_ply, max_score, min_men, max_rule50;
    bool keep_checks, keep_noisy; /* in check; best move takes or promotes */
} SampleFilter;

extern const SampleFilter sample_filter_defaults;

typedef enum SampleVerdict {
    SAMPLE_WANTED,
    SAMPLE_OPENING,
    SAMPLE_CHECK,
    SAMPLE_NOISY,
    SAMPLE_DECIDED,
    SAMPLE_FEW_MEN,
    SAMPLE_SHUFFLING,
    SAMPLE_VERDICTS
} SampleVerdict;
const char *sample_verdict_name(SampleVerdict verdict);

/* The position before ply `ply` of a game. */
SampleVerdict sample_judge(const SampleFilter *filter, const GameRecord *game, int ply,
                           const Position *p);
/* Is this game one to measure with and never to learn from? Decided by its moves, so that a copy of
 * it goes the same way. */
bool sample_held_out(const GameRecord *game, int permille);
/* What is learned for each ply: the expected result that its score means, mixed with what the scores of
 * the coming plies mean, `ahead` of the next one, ahead^2 of the one after it, and so on. */
void sample_targets(const GameRecord *game, double ahead, int16_t targets[RECORD_MAX_PLIES]);
void sample_pack(Sample *sample, const Position *p, int score,
                 int white_half_points); /* at most 32 men */

/* The active inputs of both sides in a network with so many king buckets, side to move first;
 * returns how many each has. */
ALWAYS_INLINE int sample_features(const Sample *sample, int kings, uint16_t own[SAMPLE_MAX_MEN],
                                  uint16_t enemy[SAMPLE_MAX_MEN])
{
    const View own_view = view_from(WHITE, sample->own_king, kings),
               enemy_view = view_from(BLACK, sample->enemy_king, kings);
    int n = 0;
    for (Bitboard b = sample->occupied; b; n++) {
        const Square s = bb_pop(&b);
        const int man = sample->men[n >> 1] >> 4 * (n & 1) & 15;
        const Piece piece = piece_make(man >> 3, man & 7);
        own[n] = (uint16_t)feature_index(WHITE, own_view, piece, s);
        enemy[n] = (uint16_t)feature_index(BLACK, enemy_view, piece, s);
    }
    return n;
}

/* Of the next ply's target: with it the labels of 160 to 480 nodes are nearest to deep searches. */
#define SAMPLE_AHEAD 0.6

/* --- many of them --- */
typedef struct Dataset {
    Sample *train, *valid;
    size_t train_count, valid_count;
    uint64_t games, positions, duplicates;
    uint64_t damaged;                   /* places in the files that had to be skipped */
    uint64_t verdicts[SAMPLE_VERDICTS]; /* positions by what the filter said */
    uint64_t identity;                  /* names the data */
} Dataset;

typedef struct DatasetOptions {
    SampleFilter filter;
    int valid_permille; /* of the games, chosen by their moves, are kept for validation */
    int imitate;   /* instead of the games' own scores: so many positions around each one, judged by
                    the classical evaluation (classical_init() first) */
    double ahead;  /* share of the coming plies' scores in a target, see sample_targets() */
    bool dedupe;   /* each board once */
    uint64_t seed; /* of the shuffling */
    int threads;
} DatasetOptions;

/* Reads, filters and shuffles the games of all files. */
bool dataset_load(Dataset *data, const DatasetOptions *options, char *const *paths, int path_count,
                  Error *err);
void dataset_free(Dataset *data);

#endif
