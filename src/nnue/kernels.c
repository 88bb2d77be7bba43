// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/kernels.h"

#include "base/rng.h"
#include "base/thread.h"
#include "nnue/simd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE_SET(set) extern const KernelSet set;
SIMD_SETS(DECLARE_SET)

#define SET_ADDRESS(set) &set,
static const KernelSet *const all_sets[] = {SIMD_SETS(SET_ADDRESS)};
enum { SET_COUNT = sizeof all_sets / sizeof *all_sets };

const KernelSet *const *kernels_sets(int *count)
{
    *count = SET_COUNT;
    return all_sets;
}

/* --- does a set compute what it should? --- */

enum { TRIAL_ROWS = 8 };

/* Numbers to try kernels with, and what they make of them. */
typedef struct Trial {
    _Alignas(64) int16_t input[TRIAL_ROWS * NN_MAX_HIDDEN];
    _Alignas(64) int16_t from[NN_MAX_HIDDEN], weights[2 * NN_MAX_HIDDEN];
    _Alignas(64) int16_t a[NN_MAX_HIDDEN], b[NN_MAX_HIDDEN];
} Trial;

static void fill(Rng *rng, int16_t *to, size_t count, int limit)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int16_t)((int)rng_below(rng, 2 * (uint64_t)limit + 1) - limit);
}

/* Each number of rows in and out takes another way through the loops. */
static bool widths_agree(const Kernels *a, const Kernels *b, Trial *t)
{
    enum { QA = 255 };
    static const RowChange changes[] = {
        {.adds = 1, .subs = 1, .add = {3}, .sub = {5}},
        {.adds = 1, .subs = 2, .add = {0}, .sub = {7, 2}},
        {.adds = 2, .subs = 2, .add = {1, 6}, .sub = {4, 0}},
        {.adds = 5, .subs = 0, .add = {1, 2, 3, 4, 5}},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        a->change(t->a, t->from, t->input, &changes[i]);
        b->change(t->b, t->from, t->input, &changes[i]);
        if (memcmp(t->a, t->b, (size_t)a->hidden * sizeof *t->a) != 0 ||
            a->output(t->a, t->from, t->weights, QA) != b->output(t->b, t->from, t->weights, QA))
            return false;
    }
    return true;
}

/* Random numbers of the sizes that real networks have: both sets must give the same bits. */
bool kernels_agree(const KernelSet *a, const KernelSet *b)
{
    Trial trial;
    Rng rng;
    rng_seed(&rng, 1);
    fill(&rng, trial.input, sizeof trial.input / sizeof *trial.input, 300);
    fill(&rng, trial.from, NN_MAX_HIDDEN, 600);
    fill(&rng, trial.weights, 2 * NN_MAX_HIDDEN, 32); /* sums stay within 32 bits */
    for (int i = 0; i < KERNEL_WIDTHS; i++)
        if (!widths_agree(&a->width[i], &b->width[i], &trial))
            return false;
    return true;
}

/* --- the choice --- */

static void add_note(KernelChoice *choice, const char *text, const char *name)
{
    const size_t len = strlen(choice->note);
    snprintf(choice->note + len, sizeof choice->note - len, "%s%.80s%s", len > 0 ? "; " : "", name,
             text);
}

static int find_word(const KernelSet *const *sets, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (strcmp(sets[i]->word, word) == 0)
            return i;
    return -1;
}

/* Takes the fastest set that this processor has, or the one asked for, and only if it computes what
 * the scalar one does; the last set is the scalar one. */
void kernels_choose(const KernelSet *const *sets, int count, const char *wish, KernelChoice *out)
{
    *out = (KernelChoice){0};
    int i = 0;
    if (wish && wish[0]) {
        i = find_word(sets, count, wish);
        if (i < 0)
            add_note(out, " is no instruction set that this program knows", wish);
        else if (!sets[i]->runs_here())
            add_note(out, " is not what this processor has", sets[i]->name);
        i = i < 0 ? 0 : i;
    }
    for (; i < count - 1; i++) {
        if (!sets[i]->runs_here())
            continue;
        if (kernels_agree(sets[i], sets[count - 1]))
            break;
        add_note(out, " computes wrong numbers here", sets[i]->name);
    }
    out->set = sets[i];
    if (out->note[0])
        add_note(out, " serves instead", out->set->name);
}

/* Written once, before anyone can see it: a constant that takes a moment to compute. */
static KernelChoice chosen;
static Once once = ONCE_INIT;
static const char *preferred; /* written before that, if at all */

bool kernels_prefer(const char *word)
{
    const int index = find_word(all_sets, SET_COUNT, word);
    if (index >= 0)
        preferred = all_sets[index]->word;
    return index >= 0;
}

static void choose(void)
{
    const char *wish = preferred ? preferred : getenv("SAMARA_SIMD");
    kernels_choose(all_sets, SET_COUNT, wish, &chosen);
}

static const KernelSet *serving_set(void)
{
    thread_once(&once, choose);
    return chosen.set;
}

const Kernels *kernels_for(int hidden)
{
    const KernelSet *set = serving_set();
    for (int i = 0; i < KERNEL_WIDTHS; i++)
        if (set->width[i].hidden == hidden)
            return &set->width[i];
    return NULL;
}

bool nn_width_exists(int hidden) { return kernels_for(hidden) != NULL; }

const char *kernels_name(void) { return serving_set()->name; }
const char *kernels_note(void) { return serving_set() && chosen.note[0] ? chosen.note : NULL; }
