// SPDX-License-Identifier: GPL-3.0-or-later
/* texel_cmd.c -- `samara-train texel`: from games to weights.def. */
#include "train/texel.h"

#include "base/file.h"
#include "base/rng.h"
#include "base/thread.h"
#include "classical/classical.h"
#include "train/words.h"
#include "train/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Tuning {
    TexelSet *train, *valid;
    SampleFilter filter;
    double result_share; /* of the target; the rest is what the search said */
    int64_t take, valid_share;
    TexelOptions options;
    Rng rng;
} Tuning;

static double target_of(const Tuning *t, const GameRecord *game, int ply, const Position *p)
{
    const int score = p->turn == WHITE ? game->plies[ply].score : -game->plies[ply].score;
    const double expected = 1 / (1 + exp(-(double)score / TEXEL_UNIT));
    return t->result_share * game->result / 2 + (1 - t->result_share) * expected;
}

/* Positions of one game stay together, so that the error on the others is honest. */
static bool add_game(Tuning *t, const GameRecord *game)
{
    TexelSet *set = t->valid_share > 0 && rng_below(&t->rng, (uint64_t)t->valid_share) == 0
                        ? t->valid
                        : t->train;
    Position p;
    record_start(game, &p);
    for (int ply = 0; ply < game->count; ply++) {
        const bool wanted = sample_judge(&t->filter, game, ply, &p) == SAMPLE_WANTED;
        if (wanted && rng_below(&t->rng, (uint64_t)t->take) == 0 &&
            !texel_set_add(set, &p, target_of(t, game, ply, &p)))
            return false;
        Undo undo;
        pos_make(&p, game->plies[ply].move, &undo, NULL);
    }
    return true;
}

/* Damage is reported and skipped. */
static bool add_file(Tuning *t, const char *path, Error *err)
{
    RecordReader *reader = record_open(path, err);
    GameRecord *game = malloc(sizeof *game);
    bool ok = reader && game;
    if (reader && !game)
        error_set(err, "not enough memory to read '%s'", path);
    while (ok && record_next(reader, game))
        if (!add_game(t, game))
            ok = error_set(err, "not enough memory for all positions of '%s'", path);
    if (ok && record_totals(reader).damaged)
        fprintf(stderr, "%s: %llu damaged places skipped\n", path,
                (unsigned long long)record_totals(reader).damaged);
    free(game);
    record_close(reader);
    return ok;
}

static void print_errors(const Tuning *t, const TexelWeights *w)
{
    printf("error %.6f on the positions", texel_error(t->train, w, TEXEL_UNIT, t->options.threads));
    if (texel_set_count(t->valid))
        printf(", %.6f on those set aside",
               texel_error(t->valid, w, TEXEL_UNIT, t->options.threads));
    putchar('\n');
    fflush(stdout);
}

static void show_epoch(void *user, int epoch, const TexelWeights *w)
{
    const Tuning *t = user;
    if (epoch % 5 != 0 && epoch != t->options.epochs)
        return;
    printf("epoch %d: ", epoch);
    print_errors(t, w);
}

static bool write_weights(const TexelWeights *w, const char *path, Error *err)
{
    Buffer text = {0};
    texel_write(w, &text);
    const bool ok = text.failed ? error_set(err, "there is not enough memory for '%s'", path)
                                : file_save(path, text.data, text.len, err);
    buffer_free(&text);
    return ok;
}

/* Brings the weights to the scale of the trainer first, so that the step size fits, then tunes,
 * tidies and writes. */
static bool tune(Tuning *t, char **files, int file_count, const char *out, TexelWeights *w,
                 Error *err)
{
    for (int i = 0; i < file_count; i++)
        if (!add_file(t, files[i], err))
            return false;
    printf("%zu positions, %zu set aside, %d weights\n", texel_set_count(t->train),
           texel_set_count(t->valid), WEIGHT_COUNT);
    if (texel_set_count(t->train) == 0)
        return error_set(err, "the files hold no usable position");

    texel_weights_current(w);
    const double unit = texel_fit_unit(t->train, w, t->options.threads);
    printf("now sigmoid(score / %.0f) fits best\n", unit);
    print_errors(t, w);
    texel_rescale(w, TEXEL_UNIT / unit);
    if (!texel_tune(t->train, &t->options, w, err))
        return false;
    texel_tidy(t->train, w);
    return write_weights(w, out, err);
}

/* Settings from the command line; the outcome does not depend on the number of threads. */
int texel_main(int argc, char **argv)
{
    const char *out = NULL;
    int64_t epochs = 60, batch = 16384, threads = thread_cpu_count(), seed = 1, take = 1,
            valid = 20;
    int64_t min_ply = sample_filter_defaults.min_ply, max_score = sample_filter_defaults.max_score;
    double rate = 2, prior = 100, result = 0.7;
    const ArgSpec specs[] = {
        ARGS_NEEDED("out", &out, "FILE", "file to write, such as src/classical/weights.def"),
        ARGS_LONG("epochs", &epochs, 1, 1e6, "N", "passes over all positions"),
        ARGS_LONG("batch", &batch, 16, 1e9, "N", "positions per step"),
        ARGS_REAL("rate", &rate, 1e-6, 1e3, "X",
                  "first step in units of the evaluation; falls to zero"),
        ARGS_REAL("prior", &prior, 0, 1e9, "X", "positions that an old value is worth"),
        ARGS_REAL("result", &result, 0, 1, "X",
                  "share of the game's result in the target; the search has the rest"),
        ARGS_LONG("take", &take, 1, 1e6, "N", "use one position in so many"),
        ARGS_LONG("valid", &valid, 0, 1e6, "N", "set one game in so many aside; 0: none"),
        ARGS_LONG("min-ply", &min_ply, 0, 1000, "N", "leave out the beginning of games"),
        ARGS_LONG("max-score", &max_score, 1, 30000, "N", "leave out what is decided"),
        ARGS_LONG_USUAL("threads", &threads, 1, 16, "N", "threads; the outcome is the same",
                        "one per core"),
        ARGS_LONG("seed", &seed, 0, 1e18, "N", "same seed, same order of positions"),
    };
    const ArgCommand command = {.program = "samara-train",
                                .name = "texel",
                                .operands = "GAMES...",
                                .least = 1,
                                .summary = "Fits the weights of the classical evaluation to games.",
                                .specs = specs,
                                .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;

    classical_init();
    Tuning t = {
        .train = texel_set_create(), .valid = texel_set_create(), .filter = sample_filter_defaults};
    t.result_share = result;
    t.take = take;
    t.valid_share = valid;
    t.filter.min_ply = (int)min_ply;
    t.filter.max_score = (int)max_score;
    t.options = (TexelOptions){
        .epochs = (int)epochs, .batch = (int)batch, .threads = (int)threads, .rate = rate};
    t.options.prior = prior;
    t.options.seed = (uint64_t)seed;
    t.options.progress = show_epoch;
    t.options.user = &t;
    rng_seed(&t.rng, (uint64_t)seed);

    Error err;
    error_set(&err, "not enough memory");
    TexelWeights *w = malloc(sizeof *w);
    const bool ok = t.train && t.valid && w && tune(&t, argv + 1, files, out, w, &err);
    if (!ok)
        fprintf(stderr, "samara-train texel: %s\n", err.text);
    free(w);
    texel_set_destroy(t.train);
    texel_set_destroy(t.valid);
    return ok ? 0 : 1;
}
