// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd_data.c -- `samara-train info`, `filter`, `merge` and `shuffle`: looking at files of games and
 * sorting them. */
#include "train/commands.h"

#include "base/rng.h"
#include "train/words.h"
#include "train/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- info --- */

enum { SCORE_LIMIT = 3000, MEN = MAX_MEN + 1 };

typedef struct Survey {
    RecordTotals totals;
    uint64_t bytes, results[3], chess960, twice, openings;
    uint64_t verdicts[SAMPLE_VERDICTS], men[MEN];
    /* of the kept positions, by score of the side to move: how many, and their half points */
    uint64_t count[2 * SCORE_LIMIT + 1], points[2 * SCORE_LIMIT + 1], squares[2 * SCORE_LIMIT + 1];
} Survey;

/* Counts what the trainer would keep, and how scores and results go together. */
static void survey_position(Survey *s, const GameRecord *game, int ply, const Position *p)
{
    const SampleVerdict verdict = sample_judge(&sample_filter_defaults, game, ply, p);
    s->verdicts[verdict]++;
    if (verdict != SAMPLE_WANTED)
        return;
    s->men[bb_count(pos_occupied(p))]++;
    const int score = game->plies[ply].score,
              points = p->turn == WHITE ? game->result : 2 - game->result;
    if (abs(score) <= SCORE_LIMIT) {
        s->count[score + SCORE_LIMIT]++;
        s->points[score + SCORE_LIMIT] += (uint64_t)points;
        s->squares[score + SCORE_LIMIT] += (uint64_t)(points * points);
    }
}

/* Plays the game through to see each position. */
static void survey_game(Survey *s, const GameRecord *game)
{
    s->results[game->result]++;
    s->chess960 += game->chess960;
    s->twice += game->white_start != game->black_start;
    s->openings += (uint64_t)game->opening;
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        survey_position(s, game, i, &p);
        Undo undo;
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
}

/* Mean squared distance of the results from sigmoid(score / k). */
static double fit_error(const Survey *s, double k)
{
    double error = 0, count = 0;
    for (int i = 0; i <= 2 * SCORE_LIMIT; i++) {
        if (!s->count[i])
            continue;
        const double y = 1 / (1 + exp(-(i - SCORE_LIMIT) / k)), n = (double)s->count[i];
        error += n * y * y - y * (double)s->points[i] + (double)s->squares[i] / 4;
        count += n;
    }
    return count > 0 ? error / count : 0;
}

/* The scale at which the scores predict the results best; ternary search on a valley. */
static double fit_scale(const Survey *s)
{
    double low = 50, high = 2000;
    for (int i = 0; i < 60; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (fit_error(s, a) < fit_error(s, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

static void print_bar(const char *label, uint64_t count, uint64_t total)
{
    const double share = total ? (double)count / (double)total : 0;
    printf("  %-28s %12llu  %5.1f %%  ", label, (unsigned long long)count, 100 * share);
    for (int i = 0; i < (int)(share * 40 + 0.5); i++)
        putchar('#');
    putchar('\n');
}

/* A histogram of the scores, and the scale with which they fit the results best. */
static void print_scores(const Survey *s)
{
    static const int edges[] = {-SCORE_LIMIT, -1000, -400, -200, -100,
                                -50,          -20,   0,    20,   50,
                                100,          200,   400,  1000, SCORE_LIMIT + 1};
    uint64_t total = 0;
    for (int i = 0; i <= 2 * SCORE_LIMIT; i++)
        total += s->count[i];
    puts("scores of the kept positions, side to move");
    for (size_t e = 0; e + 1 < sizeof edges / sizeof *edges; e++) {
        uint64_t count = 0;
        for (int score = edges[e]; score < edges[e + 1]; score++)
            count += s->count[score + SCORE_LIMIT];
        char label[32];
        snprintf(label, sizeof label, "%d to %d", edges[e], edges[e + 1] - 1);
        print_bar(label, count, total);
    }
    printf(
        "the scores fit the results best with sigmoid(score / %.0f); error %.5f, with 400 %.5f\n",
        fit_scale(s), fit_error(s, fit_scale(s)), fit_error(s, 400));
}

/* All figures about the files, for a person. */
static void print_survey(const Survey *s)
{
    const double games = s->totals.games ? (double)s->totals.games : 1;
    const double plies = s->totals.plies ? (double)s->totals.plies : 1;
    printf("%llu games, %llu plies in %llu blocks; %.2f bytes per ply; %.0f plies per game\n",
           (unsigned long long)s->totals.games, (unsigned long long)s->totals.plies,
           (unsigned long long)s->totals.blocks, (double)s->bytes / plies,
           (double)s->totals.plies / games);
    printf("White wins %.1f %%, draws %.1f %%, Black wins %.1f %%; Chess960 %.1f %%, two arrays "
           "%.1f %%\n",
           100 * (double)s->results[2] / games, 100 * (double)s->results[1] / games,
           100 * (double)s->results[0] / games, 100 * (double)s->chess960 / games,
           100 * (double)s->twice / games);
    if (s->totals.damaged)
        printf("DAMAGED in %llu places: %llu bytes lost\n", (unsigned long long)s->totals.damaged,
               (unsigned long long)s->totals.lost_bytes);
    else
        puts("every checksum is right and every move legal");
    puts("positions by the trainer's filter");
    for (int i = 0; i < SAMPLE_VERDICTS; i++)
        print_bar(sample_verdict_name((SampleVerdict)i), s->verdicts[i], s->totals.plies);
    puts("men on the board in the kept positions");
    for (int men = 2; men <= 32; men += 4) {
        uint64_t count = 0;
        for (int i = men; i < men + 4 && i <= 32; i++)
            count += s->men[i];
        char label[32];
        snprintf(label, sizeof label, "%d to %d", men, men + 3 < 32 ? men + 3 : 32);
        print_bar(label, count, s->verdicts[SAMPLE_WANTED]);
    }
    print_scores(s);
}

/* Reads to the end in spite of damage, which is counted. */
static bool survey_file(Survey *s, const char *path, Error *err)
{
    RecordReader *reader = record_open(path, err);
    if (!reader)
        return false;
    GameRecord *game = malloc(sizeof *game);
    while (game && record_next(reader, game))
        survey_game(s, game);
    const RecordHeader *header = record_header(reader);
    const RecordTotals totals = record_totals(reader);
    printf("%s: %llu games by %s, %u to %u nodes, seed %llu\n", path,
           (unsigned long long)totals.games, header->maker, header->soft_nodes, header->hard_nodes,
           (unsigned long long)header->seed);
    s->bytes += record_bytes(reader);
    s->totals.games += totals.games;
    s->totals.plies += totals.plies;
    s->totals.blocks += totals.blocks;
    s->totals.damaged += totals.damaged;
    s->totals.lost_bytes += totals.lost_bytes;
    const bool ok = game != NULL || error_set(err, "there is not enough memory for a game");
    free(game);
    record_close(reader);
    return ok;
}

/* Exit code 1 where anything is damaged, so that scripts notice. */
int info_main(int argc, char **argv)
{
    const ArgCommand command = {.program = "samara-train",
                                .name = "info",
                                .operands = "FILE...",
                                .least = 1,
                                .summary = "Checks files of games and says what is in them."};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    Survey *s = calloc(1, sizeof *s);
    Error err;
    bool ok = s != NULL || error_set(&err, "there is not enough memory");
    for (int i = 1; ok && i <= files; i++)
        ok = survey_file(s, argv[i], &err);
    if (ok)
        print_survey(s);
    const bool damaged = ok && s->totals.damaged > 0;
    free(s);
    return !ok ? train_fail(argv[0], &err) : damaged ? 1 : 0;
}

/* --- merge and filter: games go from some files to one --- */

typedef struct Sieve {
    int64_t min_plies, max_plies, limit; /* limit: games */
    bool standard_only, decisive_only;
} Sieve;

static const Sieve open_sieve = {0, RECORD_MAX_PLIES, INT64_MAX, false, false};

static bool passes(const Sieve *sieve, const GameRecord *game)
{
    return game->count >= sieve->min_plies && game->count <= sieve->max_plies &&
           !(sieve->standard_only && game->chess960) &&
           !(sieve->decisive_only && game->result == 1);
}

typedef struct Flow {
    Sieve sieve;
    RecordWriter *writer;
    uint64_t read, kept, damaged;
} Flow;

/* Copies the games that pass the sieve until the limit is reached. */
static bool pour(Flow *flow, const char *path, Error *err)
{
    RecordReader *reader = record_open(path, err);
    if (!reader)
        return false;
    GameRecord *game = malloc(sizeof *game);
    bool ok = game != NULL || error_set(err, "there is not enough memory for a game");
    while (ok && (int64_t)flow->kept < flow->sieve.limit && record_next(reader, game)) {
        flow->read++;
        if (passes(&flow->sieve, game)) {
            ok = record_put(flow->writer, game, err);
            flow->kept++;
        }
    }
    flow->damaged += record_totals(reader).damaged;
    free(game);
    record_close(reader);
    return ok;
}

/* The header of one source, or of nobody if there are several. */
static bool inherit_header(RecordHeader *header, char **paths, int count, Error *err)
{
    *header = (RecordHeader){.maker = "several sources"};
    RecordReader *reader = record_open(paths[0], err);
    if (!reader)
        return false;
    if (count == 1)
        *header = *record_header(reader);
    record_close(reader);
    return true;
}

/* What merge and filter share: one writer, several readers, a line of result. */
static int run_flow(const char *name, Flow *flow, char **paths, int count, const char *out)
{
    Error err;
    RecordHeader header;
    bool ok = inherit_header(&header, paths, count, &err);
    flow->writer = ok ? record_create(out, &header, &err) : NULL;
    ok = flow->writer != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = pour(flow, paths[i], &err);
    /* The first error is the one to tell. */
    ok = record_finish(flow->writer, ok ? &err : NULL) && ok;
    if (!ok)
        return train_fail(name, &err);
    printf("%llu of %llu games written to %s", (unsigned long long)flow->kept,
           (unsigned long long)flow->read, out);
    if (flow->damaged)
        printf("; %llu damaged places left out", (unsigned long long)flow->damaged);
    putchar('\n');
    return 0;
}

/* Also repairs: what can be read of a damaged file is written anew. */
int merge_main(int argc, char **argv)
{
    const char *out = NULL;
    const ArgSpec specs[] = {ARGS_NEEDED("out", &out, "FILE", "file to write")};
    const ArgCommand command = {
        .program = "samara-train",
        .name = "merge",
        .operands = "FILE...",
        .least = 1,
        .summary =
            "Puts the games of several files, or what is left of a damaged one, into a new file.",
        .specs = specs,
        .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    Flow flow = {.sieve = open_sieve};
    return run_flow(argv[0], &flow, argv + 1, files, out);
}

/* Games only: the filter for positions belongs to training, where it can be changed without a new
 * file. */
int filter_main(int argc, char **argv)
{
    const char *out = NULL;
    Flow flow = {.sieve = open_sieve};
    Sieve *s = &flow.sieve;
    s->limit = 1000000000000;
    const ArgSpec specs[] = {
        ARGS_NEEDED("out", &out, "FILE", "file to write"),
        ARGS_LONG("min-plies", &s->min_plies, 0, RECORD_MAX_PLIES, "N", "drop shorter games"),
        ARGS_LONG("max-plies", &s->max_plies, 0, RECORD_MAX_PLIES, "N", "drop longer games"),
        ARGS_LONG("games", &s->limit, 0, 1e12, "N", "stop after so many"),
        ARGS_FLAG("standard", &s->standard_only, "drop Chess960"),
        ARGS_FLAG("decisive", &s->decisive_only, "drop draws"),
    };
    const ArgCommand command = {.program = "samara-train",
                                .name = "filter",
                                .operands = "FILE...",
                                .least = 1,
                                .summary = "Keeps some games. (Which positions of a game are "
                                           "learned from is decided when training.)",
                                .specs = specs,
                                .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    return run_flow(argv[0], &flow, argv + 1, files, out);
}

/* --- shuffle --- */

/* Games are held as they are written, without room for the longest one. */
typedef struct Shelf {
    GameRecord **games;
    size_t count, capacity;
} Shelf;

/* Keeps a copy that is only as large as the game. */
static bool shelf_add(Shelf *shelf, const GameRecord *game)
{
    if (shelf->count == shelf->capacity) {
        const size_t capacity = shelf->capacity ? shelf->capacity * 2 : 1024;
        GameRecord **games = realloc(shelf->games, capacity * sizeof *games);
        if (!games)
            return false;
        shelf->games = games;
        shelf->capacity = capacity;
    }
    const size_t size = offsetof(GameRecord, plies) + (size_t)game->count * sizeof *game->plies;
    GameRecord *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, game, size);
    shelf->games[shelf->count++] = copy;
    return true;
}

/* All games of all files in memory, for shuffling. */
static bool shelf_fill(Shelf *shelf, char **paths, int count, Error *err)
{
    GameRecord *game = malloc(sizeof *game);
    bool ok = game != NULL;
    for (int i = 0; ok && i < count; i++) {
        RecordReader *reader = record_open(paths[i], err);
        if (!reader) {
            free(game);
            return false;
        }
        while (ok && record_next(reader, game))
            ok = shelf_add(shelf, game);
        record_close(reader);
    }
    free(game);
    return ok || error_set(err, "there is not enough memory for the games");
}

/* A Fisher-Yates shuffle while writing: each game is drawn from those that are left. */
static bool shelf_write(const Shelf *shelf, const char *out, const RecordHeader *header,
                        uint64_t seed, Error *err)
{
    RecordWriter *writer = record_create(out, header, err);
    if (!writer)
        return false;
    Rng rng;
    rng_seed(&rng, seed);
    bool ok = true;
    for (size_t i = 0; ok && i < shelf->count; i++) {
        const size_t j = i + rng_below(&rng, shelf->count - i);
        GameRecord *picked = shelf->games[j];
        shelf->games[j] = shelf->games[i];
        shelf->games[i] = picked;
        ok = record_put(writer, picked, err);
    }
    return record_finish(writer, ok ? err : NULL) && ok;
}

/* Needs memory for all games. */
int shuffle_main(int argc, char **argv)
{
    const char *out = NULL;
    int64_t seed = 1;
    const ArgSpec specs[] = {
        ARGS_NEEDED("out", &out, "FILE", "file to write"),
        ARGS_LONG("seed", &seed, 0, 1e18, "N", "same seed, same order"),
    };
    const ArgCommand command = {.program = "samara-train",
                                .name = "shuffle",
                                .operands = "FILE...",
                                .least = 1,
                                .summary = "Puts games into random order. (The trainer shuffles "
                                           "positions by itself; this is for taking samples.)",
                                .specs = specs,
                                .spec_count = ARGS_COUNT(specs)};
    int files, code;
    if (!train_read(&command, argc, argv, &files, &code))
        return code;
    Error err;
    Shelf shelf = {0};
    RecordHeader header;
    const bool ok = inherit_header(&header, argv + 1, files, &err) &&
                    shelf_fill(&shelf, argv + 1, files, &err) &&
                    shelf_write(&shelf, out, &header, (uint64_t)seed, &err);
    if (ok)
        printf("%zu games written to %s\n", shelf.count, out);
    for (size_t i = 0; i < shelf.count; i++)
        free(shelf.games[i]);
    free(shelf.games);
    return ok ? 0 : train_fail(argv[0], &err);
}
