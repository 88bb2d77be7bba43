// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/quality.h"

#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"
#include "chess/fen.h"
#include "search/evaluate.h"
#include "train/sample.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512, NEAR = 1000 };

/* The list doubles. */
static bool add(QualitySet *set, size_t *capacity, const QualityPosition *item)
{
    if (set->count == *capacity) {
        const size_t more = *capacity ? *capacity * 2 : 1 << 12;
        QualityPosition *items = realloc(set->items, more * sizeof *items);
        if (!items)
            return false;
        set->items = items;
        *capacity = more;
    }
    set->items[set->count++] = *item;
    return true;
}

void quality_free(QualitySet *set)
{
    free(set->items);
    *set = (QualitySet){0};
}

/* --- drawing --- */

typedef struct Draw {
    QualitySet *set;
    size_t wanted, capacity, seen;
    Rng rng;
} Draw;

/* Reservoir sampling: after n candidates each of them is in the set with the same chance. */
static bool offer(Draw *draw, const Position *p)
{
    const QualityPosition item = {*p, 0};
    draw->seen++;
    if (draw->set->count < draw->wanted)
        return add(draw->set, &draw->capacity, &item);
    const uint64_t at = rng_below(&draw->rng, draw->seen);
    if (at < draw->wanted)
        draw->set->items[at] = item;
    return true;
}

/* Only positions that training would keep: the set measures what the network is for. */
static bool offer_game(Draw *draw, const GameRecord *game)
{
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        if (sample_judge(&sample_filter_defaults, game, i, &p) == SAMPLE_WANTED && !offer(draw, &p))
            return false;
        Undo undo;
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
    return true;
}

/* Only held-out games: no position of the set was trained on. */
static bool offer_file(Draw *draw, const char *path, Error *err)
{
    RecordReader *reader = record_open(path, err);
    GameRecord *game = malloc(sizeof *game);
    bool ok = reader && (game || error_set(err, "there is not enough memory for a game"));
    while (ok && record_next(reader, game))
        if (sample_held_out(game, SAMPLE_HELD_OUT))
            ok = offer_game(draw, game) ||
                 error_set(err, "there is not enough memory for the positions");
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

/* Keys are random numbers, so sorting by them also mixes the phases of the games. */
static void drop_duplicates(QualitySet *set)
{
    size_t kept = 0;
    if (set->count > 0)
        qsort(set->items, set->count, sizeof *set->items, by_key);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || set->items[kept - 1].p.st.key != set->items[i].p.st.key)
            set->items[kept++] = set->items[i];
    set->count = kept;
}

/* A random sample of fixed size from all files, by reservoir sampling, without duplicates. */
bool quality_draw(QualitySet *set, char *const *paths, int path_count, size_t count, uint64_t seed,
                  Error *err)
{
    *set = (QualitySet){0};
    Draw draw = {.set = set, .wanted = count};
    rng_seed(&draw.rng, seed);
    for (int i = 0; i < path_count; i++)
        if (!offer_file(&draw, paths[i], err)) {
            quality_free(set);
            return false;
        }
    drop_duplicates(set);
    return set->count > 0 || error_set(err, "the files hold no held-out positions");
}

/* --- reading --- */

/* A FEN, a tab, a score. */
static bool read_line(const char *line, QualityPosition *out, Error *err)
{
    const char *tab = strchr(line, '\t');
    Str fen = str_from(line), number = str_from(tab ? tab + 1 : "");
    int64_t score;
    if (tab)
        fen.len = (size_t)(tab - line);
    const Str word = str_token(&number);
    if (!str_int(word, -RECORD_MAX_SCORE, RECORD_MAX_SCORE, &score))
        return error_set(err, "a line needs a FEN, a tab and a score");
    out->score = (int)score;
    return fen_parse(&out->p, fen, fen_speaks_chess960(fen) ? FEN_960 : FEN_STANDARD, err, NULL);
}

/* Refuses the whole file at the first bad line, with its number. */
bool quality_read(QualitySet *set, const char *path, Error *err)
{
    *set = (QualitySet){0};
    FILE *file = file_stream(path, "r");
    if (!file)
        return error_set(err, "cannot open '%s': %s", path, strerror(errno));
    char line[LINE_SIZE];
    size_t capacity = 0;
    bool ok = true;
    for (int number = 1; ok && fgets(line, sizeof line, file); number++) {
        QualityPosition item;
        Error why;
        ok = read_line(line, &item, &why) ||
             error_set(err, "'%s', line %d: %s", path, number, why.text);
        ok = ok && (add(set, &capacity, &item) ||
                    error_set(err, "there is not enough memory for the positions"));
    }
    fclose(file);
    if (!ok)
        quality_free(set);
    return ok;
}

/* --- measuring --- */

static double expected(double score) { return 1 / (1 + exp(-score / 400)); }

/* A mate counts thousands of units; one of them must not hide the bias of the rest. */
static int near(int score) { return score > NEAR ? NEAR : score < -NEAR ? -NEAR : score; }

/* Times 10,000, so that the figure has a handy size. */
static double squared_error(const int *judged, const int *truth, const bool *only, size_t count,
                            double factor)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        if (only && !only[i])
            continue;
        const double d = expected(judged[i] * factor) - expected(truth[i]);
        sum += d * d;
        n++;
    }
    return n > 0 ? 10000 * sum / n : 0;
}

/* Ternary search: the error has one valley over the factor. */
static double best_factor(const int *judged, const int *truth, const bool *only, size_t count)
{
    double low = 0.2, high = 5;
    for (int i = 0; i < 40; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (squared_error(judged, truth, only, count, a) <
            squared_error(judged, truth, only, count, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* Error, bias and correlation, and the factor by which the evaluation would fit best. */
QualityFigures quality_measure(const int *judged, const int *truth, const bool *only, size_t count)
{
    QualityFigures f = {.factor = 1};
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0, bias = 0;
    for (size_t i = 0; i < count; i++) {
        if (only && !only[i])
            continue;
        const double a = expected(judged[i]), b = expected(truth[i]);
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
        bias += near(judged[i]) - near(truth[i]);
        f.count++;
    }
    if (f.count == 0)
        return f;
    const double n = (double)f.count;
    const double spread = sqrt((xx - x * x / n) * (yy - y * y / n));
    f.bias = bias / n;
    f.correlation = spread > 0 ? (xy - x * y / n) / spread : 0;
    f.error = squared_error(judged, truth, only, count, 1);
    f.factor = best_factor(judged, truth, only, count);
    f.fitted_error = squared_error(judged, truth, only, count, f.factor);
    return f;
}

/* The static evaluation alone, without any search. */
bool quality_of_network(const QualitySet *set, const Net *net, QualityFigures *out, Error *err)
{
    int *judged = malloc((set->count + 1) * sizeof *judged),
        *truth = malloc((set->count + 1) * sizeof *truth);
    const Evaluator evaluator = {.net = net};
    const bool ok = judged && truth;
    for (size_t i = 0; ok && i < set->count; i++) {
        judged[i] = evaluate(&evaluator, &set->items[i].p);
        truth[i] = set->items[i].score;
    }
    if (ok)
        *out = quality_measure(judged, truth, NULL, set->count);
    free(judged);
    free(truth);
    return ok || error_set(err, "there is not enough memory for the positions");
}
