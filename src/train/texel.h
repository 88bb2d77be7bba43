// SPDX-License-Identifier: GPL-3.0-or-later
/* texel.h -- fits the weights of the classical evaluation to the results of games.
 *
 * A position is kept as its tally: how often each weight is used. So the tuner cannot disagree with
 * the evaluation, and a pass over a million positions takes a second. The outcome depends on the
 * positions and the options alone, not on the number of threads. */
#ifndef SAMARA_TRAIN_TEXEL_H
#define SAMARA_TRAIN_TEXEL_H

#include "base/error.h"
#include "base/text.h"
#include "chess/position.h"
#include "classical/weights.h"

enum { TEXEL_UNIT = 400 }; /* sigmoid(score / TEXEL_UNIT) is the expected result */

typedef struct TexelSet TexelSet;
TexelSet *texel_set_create(void);      /* NULL if memory is short */
void texel_set_destroy(TexelSet *set); /* NULL is fine */
/* `target` is what White should expect, 0 to 1. Endings that are judged as a whole teach nothing
 * and are left out. False if memory is short. */
bool texel_set_add(TexelSet *set, const Position *p, double target);
size_t texel_set_count(const TexelSet *set);

typedef struct TexelWeights {
    double mg[WEIGHT_COUNT], eg[WEIGHT_COUNT];
} TexelWeights;

void texel_weights_current(TexelWeights *w); /* those of this build */
/* White's score of position i: the evaluation in real numbers. */
double texel_score(const TexelSet *set, size_t i, const TexelWeights *w);
/* Mean square of (target - sigmoid(score / unit)). */
double texel_error(const TexelSet *set, const TexelWeights *w, double unit, int threads);
/* The unit with the smallest error. */
double texel_fit_unit(const TexelSet *set, const TexelWeights *w, int threads);
/* Multiplies every score by `factor`, as nearly as squares allow. */
void texel_rescale(TexelWeights *w, double factor);
/* The gradient of texel_error at w, for the tests. */
void texel_gradient(const TexelSet *set, const TexelWeights *w, int threads,
                    TexelWeights *gradient);

typedef struct TexelOptions {
    int epochs, batch, threads;
    double rate;  /* step in units of the evaluation; falls linearly to zero */
    double prior; /* so many positions would have to speak against a starting value before it gives
                     way */
    uint64_t seed;
    void (*progress)(void *user, int epoch, const TexelWeights *w); /* may be NULL */
    void *user;
} TexelOptions;

bool texel_tune(const TexelSet *set, const TexelOptions *options, TexelWeights *w, Error *err);

/* Moves what all squares or all counts of a piece share into the value of the piece: the same
 * evaluation, better to read. */
void texel_tidy(const TexelSet *set, TexelWeights *w);
/* The contents of classical/weights.def. */
void texel_write(const TexelWeights *w, Buffer *out);

/* `samara-train texel ...` */
int texel_main(int argc, char **argv);

#endif
