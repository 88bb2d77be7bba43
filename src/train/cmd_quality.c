// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_quality.c -- `samara-train quality`: how far networks, the classical evaluation and the
 * labels in files of games are from deep searches. Seconds, where a match takes an hour. */
#include "train/commands.h"

#include "base/thread.h"
#include "classical/classical.h"
#include "nnue/accumulator.h"
#include "nnue/net.h"
#include "search/evaluate.h"
#include "train/words.h"
#include "train/datagen.h"
#include "train/quality.h"
#include "train/sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 4 };

/* --- judging --- */

typedef struct Judge {
    QualitySet set;
    int *judged, *truth;
    bool *only;
} Judge;

static bool judge_allocate(Judge *j, Error *err)
{
    j->judged = calloc(j->set.count, sizeof *j->judged);
    j->truth = calloc(j->set.count, sizeof *j->truth);
    j->only = calloc(j->set.count, sizeof *j->only);
    if (!j->judged || !j->truth || !j->only)
        return error_set(err, "there is not enough memory for the positions");
    for (size_t i = 0; i < j->set.count; i++)
        j->truth[i] = j->set.items[i].score;
    return true;
}

static void judge_free(Judge *j)
{
    free(j->judged);
    free(j->truth);
    free(j->only);
    quality_free(&j->set);
}

static int phase_of(const Position *p)
{
    const int men = bb_count(pos_occupied(p)), phase = (men - 1) / 8;
    return phase < PHASES ? phase : PHASES - 1;
}

static void print_row(const char *label, const QualityFigures *f)
{
    printf("  %-14s %8zu  %7.2f  %+7.1f  %7.4f  %6.3f  %7.2f\n", label, f->count, f->error, f->bias,
           f->correlation, f->factor, f->fitted_error);
}

/* One table: all positions, then by the number of men. `known` (NULL: all) says which have been
 * judged. */
static void print_figures(Judge *j, const char *name, const bool *known)
{
    static const char *const labels[PHASES] = {"to 8 men", "9 to 16", "17 to 24", "25 to 32"};
    printf("%s\n  %-14s %8s  %7s  %7s  %7s  %6s  %7s\n", name, "", "count", "error", "bias", "corr",
           "factor", "fitted");
    const QualityFigures all = quality_measure(j->judged, j->truth, known, j->set.count);
    print_row("all", &all);
    for (int phase = 0; phase < PHASES; phase++) {
        for (size_t i = 0; i < j->set.count; i++)
            j->only[i] = phase_of(&j->set.items[i].p) == phase && (!known || known[i]);
        const QualityFigures f = quality_measure(j->judged, j->truth, j->only, j->set.count);
        print_row(labels[phase], &f);
    }
    fflush(stdout);
}

static void judge_statically(Judge *j, Evaluator with)
{
    for (size_t i = 0; i < j->set.count; i++)
        j->judged[i] = evaluate(&with, &j->set.items[i].p);
}

/* NULL is the network that is built in. */
static bool judge_network(Judge *j, const char *path, Error *err)
{
    Net *loaded = path ? net_load(path, err) : NULL;
    if (path && !loaded)
        return false;
    const Net *net = path ? loaded : net_embedded();
    if (net) {
        judge_statically(j, (Evaluator){.net = net});
        print_figures(j, path ? path : net_name(net), NULL);
    }
    net_free(loaded);
    return true;
}

/* --- labels --- */

/* Binary search: the set is sorted by key. */
static size_t find(const QualitySet *set, Key key)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (set->items[middle].p.st.key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->items[low].p.st.key == key ? low : set->count;
}

/* What the file's own scores say about the positions of the set that occur in it. */
static bool judge_labels(Judge *j, const char *path, double ahead, Error *err)
{
    RecordReader *reader = record_open(path, err);
    GameRecord *game = malloc(sizeof *game);
    bool *known = calloc(j->set.count, sizeof *known);
    const bool ok =
        reader && ((game && known) || error_set(err, "there is not enough memory for a game"));
    while (ok && record_next(reader, game)) {
        int16_t targets[RECORD_MAX_PLIES];
        sample_targets(game, ahead, targets);
        Position p;
        record_start(game, &p);
        for (int i = 0; i < game->count; i++) {
            const size_t at = i < game->opening ? j->set.count : find(&j->set, p.st.key);
            if (at < j->set.count) {
                known[at] = true;
                j->judged[at] = targets[i];
            }
            Undo undo;
            pos_make(&p, game->plies[i].move, &undo, NULL);
        }
    }
    if (ok) {
        char name[256];
        snprintf(name, sizeof name, "labels of %s", path);
        print_figures(j, name, known);
    }
    free(known);
    free(game);
    record_close(reader);
    return ok;
}

static int by_key(const void *a, const void *b)
{
    const Key x = ((const QualityPosition *)a)->p.st.key,
              y = ((const QualityPosition *)b)->p.st.key;
    return x < y ? -1 : x > y;
}

static bool is_network(const char *path)
{
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".nnue") == 0;
}

/* Files are told apart by their ending: networks (.nnue) or games. */
static bool judge_all(const char *set_path, char *const *paths, int count, bool classical,
                      double ahead, Error *err)
{
    Judge j = {0};
    bool ok = quality_read(&j.set, set_path, err) && judge_allocate(&j, err);
    if (ok && j.set.count > 0) {
        qsort(j.set.items, j.set.count, sizeof *j.set.items, by_key);
        for (size_t i = 0; i < j.set.count; i++)
            j.truth[i] = j.set.items[i].score;
    }
    if (ok && count == 0)
        ok = judge_network(&j, NULL, err);
    for (int i = 0; ok && i < count; i++)
        ok = is_network(paths[i]) ? judge_network(&j, paths[i], err)
                                  : judge_labels(&j, paths[i], ahead, err);
    if (ok && classical) {
        judge_statically(&j, (Evaluator){.net = NULL});
        print_figures(&j, "classical evaluation", NULL);
    }
    judge_free(&j);
    return ok;
}

/* Makes a set, or measures evaluations with one that is there. */
int quality_main(int argc, char **argv)
{
    const char *set = NULL, *net = NULL;
    double ahead = 0;
    bool make = false, classical = false;
    int64_t positions = 20000, nodes = 50000, threads = thread_cpu_count(), seed = 1;
    const ArgSpec specs[] = {
        ARGS_NEEDED("set", &set, "FILE", "the set: positions and scores of deep searches, as text"),
        ARGS_FLAG(
            "make", &make,
            "make the set from the held-out games of the files; an unfinished one is continued"),
        ARGS_LONG("positions", &positions, 1, 1e7, "N", "--make: at most so many"),
        ARGS_LONG("nodes", &nodes, 1, 1e9, "N", "--make: nodes per position"),
        ARGS_TEXT("net", &net, "FILE", "--make: network that searches; default: the one built in"),
        ARGS_LONG("seed", &seed, 0, 1e18, "N", "--make: same seed and files, same positions"),
        ARGS_LONG_USUAL("threads", &threads, 1, DATAGEN_MAX_THREADS, "N",
                        "--make: positions at a time", "one per core"),
        ARGS_REAL("ahead", &ahead, 0, 0.99, "X",
                  "judge labels as train --ahead X would learn them"),
        ARGS_FLAG("classical", &classical, "judge the classical evaluation too"),
    };
    const ArgCommand command = {
        .program = "samara-train",
        .name = "quality",
        .operands = "[FILE...]",
        .least = 0,
        .summary = "Compares evaluations with deep searches of held-out positions: networks "
                   "(.nnue; none: the one built in) and the scores in files of games. error: mean "
                   "squared error of sigmoid(score / 400), times 10,000; bias: units for the side "
                   "to move; factor: the best scale for the evaluation; fitted: the error with it.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    if (make && files == 0)
        return train_refuse(argv[0], "--make needs files of games");
    classical_init();
    Error err;
    if (!make)
        return judge_all(set, argv + 1, files, classical, ahead, &err)
                   ? 0
                   : train_fail("quality", &err);
    const QualityJob job = {.path = set,
                            .net = net,
                            .positions = (size_t)positions,
                            .nodes = (uint32_t)nodes,
                            .seed = (uint64_t)seed,
                            .threads = (int)threads};
    const bool ok = quality_make(&job, argv + 1, files, &err);
    return ok ? 0 : train_fail("quality", &err);
}
