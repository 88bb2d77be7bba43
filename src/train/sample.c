// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sample.h"

#include "base/parallel.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "classical/classical.h"
#include "nnue/accumulator.h"
#include "search/evaluate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE = 400, DECIDED = 3000 };

_Static_assert(sizeof(Sample) == 32, "two samples fill a cache line");

const SampleFilter sample_filter_defaults = {
    .min_ply = 16, .max_score = 3000, .min_men = 4, .max_rule50 = 80};

const char *sample_verdict_name(SampleVerdict verdict)
{
    static const char *const names[SAMPLE_VERDICTS] = {
        "kept",    "opening", "in check", "best move takes or promotes",
        "decided", "few men", "shuffling"};
    return names[verdict];
}

/* Positions whose score says little about the static evaluation are left out: openings, decided
 * games, checks, captures, long shuffling. */
SampleVerdict sample_judge(const SampleFilter *filter, const GameRecord *game, int ply,
                           const Position *p)
{
    const int men = bb_count(pos_occupied(p));
    if (ply < filter->min_ply || ply < game->opening)
        return SAMPLE_OPENING;
    if (abs(game->plies[ply].score) >= filter->max_score)
        return SAMPLE_DECIDED;
    if (men < filter->min_men || men > SAMPLE_MAX_MEN)
        return SAMPLE_FEW_MEN;
    if (!filter->keep_checks && pos_in_check(p))
        return SAMPLE_CHECK;
    if (!filter->keep_noisy && pos_is_noisy(p, game->plies[ply].move))
        return SAMPLE_NOISY;
    if (p->st.rule50 > filter->max_rule50)
        return SAMPLE_SHUFFLING;
    return SAMPLE_WANTED;
}

/* From the side to move, so that the network learns one colour: 32 bytes per position. */
void sample_pack(Sample *sample, const Position *p, int score, int white_half_points)
{
    const Color us = p->turn;
    *sample = (Sample){.score = (int16_t)score};
    sample->result = (uint8_t)(us == WHITE ? white_half_points : 2 - white_half_points);
    sample->own_king = (uint8_t)square_relative(us, pos_king(p, us));
    sample->enemy_king = (uint8_t)square_relative(us, pos_king(p, color_flip(us)));
    int n = 0;
    for (Square relative = 0; relative < 64; relative++) {
        const Piece piece = pos_piece_on(p, square_relative(us, relative));
        if (piece == NO_PIECE)
            continue;
        assert(n < SAMPLE_MAX_MEN);
        const int man = piece_type(piece) | (piece_color(piece) != us) << 3;
        sample->occupied |= bb_square(relative);
        sample->men[n >> 1] |= (uint8_t)(man << 4 * (n & 1));
        n++;
    }
}

/* --- reading --- */

enum { CHUNK = 1 << 15, MAX_CHUNKS = 1 << 16 };

/* Grows chunk by chunk, so that putting the lists together never needs room for all samples twice.
 */
typedef struct SampleList {
    Sample **chunks;
    size_t count;
} SampleList;

/* In chunks: a list of hundreds of millions never needs to be copied. */
static bool list_add(SampleList *list, const Sample *sample)
{
    const size_t chunk = list->count / CHUNK;
    if (!list->chunks && !(list->chunks = calloc(MAX_CHUNKS, sizeof *list->chunks)))
        return false;
    if (chunk == MAX_CHUNKS)
        return false;
    if (!list->chunks[chunk] && !(list->chunks[chunk] = malloc(CHUNK * sizeof *sample)))
        return false;
    list->chunks[chunk][list->count++ % CHUNK] = *sample;
    return true;
}

static void list_free(SampleList *list)
{
    for (size_t i = 0; list->chunks && i * CHUNK < list->count; i++)
        free(list->chunks[i]);
    free(list->chunks);
    *list = (SampleList){0};
}

typedef enum SampleUse { TO_LEARN, TO_VALIDATE, SAMPLE_LISTS } SampleUse;

/* What one thread reads: a piece of every file. */
typedef struct Share {
    const DatasetOptions *options;
    char *const *paths;
    int path_count, part, parts;
    SampleList lists[SAMPLE_LISTS];
    Dataset counts; /* only the numbers */
    bool ok;
    Error error;
} Share;

static uint64_t game_hash(const GameRecord *game)
{
    uint64_t hash = game->white_start * 960u + game->black_start;
    for (int i = 0; i < game->count; i++)
        hash = (hash ^ game->plies[i].move) * 0x9E3779B97F4A7C15;
    return hash;
}

bool sample_held_out(const GameRecord *game, int permille)
{
    return (game_hash(game) >> 20) % 1000 < (uint64_t)permille;
}

/* Some random moves away from p: where a search, too, would have to judge. */
static bool wander(Position *p, int plies, Rng *rng)
{
    for (int i = 0; i < plies; i++) {
        MoveList list;
        Undo undo;
        gen_legal(p, &list);
        if (list.count == 0)
            return false;
        pos_make(p, list.moves[rng_below(rng, (uint64_t)list.count)], &undo, NULL);
    }
    return true;
}

/* Positions in and around a game with their classical evaluation, which needs no search: as many as
 * one likes, at no cost of playing. */
static bool add_imitations(SampleList *list, const DatasetOptions *options, const Position *p,
                           Rng *rng)
{
    enum { MOST_RANDOM_PLIES = 2 };
    for (int k = 0; k < options->imitate; k++) {
        Position near = *p;
        if (!wander(&near, k % (MOST_RANDOM_PLIES + 1), rng) || pos_in_check(&near) ||
            bb_count(pos_occupied(&near)) < options->filter.min_men)
            continue;
        const int score = classical_evaluate(&near, NULL);
        Sample sample;
        sample_pack(&sample, &near, score, 1);
        sample.result = SAMPLE_NO_RESULT; /* random moves have changed it */
        if (abs(score) < options->filter.max_score && !list_add(list, &sample))
            return false;
    }
    return true;
}

static double expected(double score) { return 1 / (1 + exp(-score / SCALE)); }

static double score_of(double result) { return SCALE * log(result / (1 - result)); }

/* From the end of the game backwards, each view being the other side's. Decided scores stay: far out,
 * the expected result no longer tells one from another. */
void sample_targets(const GameRecord *game, double ahead, int16_t targets[RECORD_MAX_PLIES])
{
    double coming = -1;
    for (int i = game->count - 1; i >= 0; i--) {
        const int score = game->plies[i].score;
        targets[i] = (int16_t)score;
        if (ahead <= 0 || i < game->opening)
            continue;
        const double own = expected(score);
        coming = coming < 0 ? own : (1 - ahead) * own + ahead * (1 - coming);
        if (abs(score) < DECIDED && coming > expected(-DECIDED) && coming < expected(DECIDED))
            targets[i] = (int16_t)lrint(score_of(coming));
    }
}

/* Whole games go to training or to validation, never single positions: neighbours are too similar.
 * */
static bool add_game(Share *share, const GameRecord *game)
{
    const DatasetOptions *options = share->options;
    const bool validate = sample_held_out(game, options->valid_permille);
    const bool imitate = options->imitate > 0;
    SampleList *list = &share->lists[validate ? TO_VALIDATE : TO_LEARN];
    Rng rng;
    rng_seed(&rng, game_hash(game));
    int16_t targets[RECORD_MAX_PLIES];
    sample_targets(game, options->ahead, targets);
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        if (imitate && i >= game->opening && !add_imitations(list, options, &p, &rng))
            return error_set(&share->error, "there is not enough memory for the positions");
        const SampleVerdict verdict = sample_judge(&options->filter, game, i, &p);
        share->counts.verdicts[verdict]++;
        if (verdict == SAMPLE_WANTED && !imitate) {
            Sample sample;
            sample_pack(&sample, &p, targets[i], game->result);
            if (!list_add(list, &sample))
                return error_set(&share->error, "there is not enough memory for the positions");
        }
        Undo undo;
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
    share->counts.games++;
    share->counts.positions += (uint64_t)game->count;
    return true;
}

/* Each thread reads its own part of every file. */
static bool read_file(Share *share, const char *path)
{
    RecordReader *reader = record_open_part(path, share->part, share->parts, &share->error);
    GameRecord *game = malloc(sizeof *game);
    bool ok = reader && (game || error_set(&share->error, "there is not enough memory for a game"));
    while (ok && record_next(reader, game))
        ok = add_game(share, game);
    if (reader)
        share->counts.damaged += record_totals(reader).damaged;
    free(game);
    record_close(reader);
    return ok;
}

static void share_run(void *user, int part)
{
    Share *share = (Share *)user + part;
    share->ok = true;
    for (int i = 0; i < share->path_count && share->ok; i++)
        share->ok = read_file(share, share->paths[i]);
}

/* --- putting together --- */

/* Moves the list's samples behind those that are there; each chunk is freed once it is copied. */
static void append(Sample *to, size_t *count, SampleList *list)
{
    for (size_t done = 0; done < list->count; done += CHUNK) {
        Sample *chunk = list->chunks[done / CHUNK];
        const size_t n = list->count - done < CHUNK ? list->count - done : CHUNK;
        memcpy(to + *count, chunk, n * sizeof *chunk);
        *count += n;
        free(chunk);
    }
    free(list->chunks);
    *list = (SampleList){0};
}

static void shuffle(Sample *items, size_t count, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (size_t i = count; i > 1; i--) {
        const size_t j = rng_below(&rng, i);
        const Sample swap = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swap;
    }
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 29;
}

/* Of the men and their squares, never 0. Word by word: gcc 12 turns a local array of three words
 * into an aligned 32-byte store to an unaligned stack slot when it compiles for AVX-512. */
static uint64_t board_hash(const Sample *sample)
{
    uint64_t low, high;
    memcpy(&low, sample->men, sizeof low);
    memcpy(&high, sample->men + sizeof low, sizeof high);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): a sample is always whole */
    const uint64_t hash = mix(mix(mix(0, sample->occupied), low), high);
    return hash ? hash : 1;
}

/* Boards that were seen: open addressing on the high half of a board's hash, with the low half as
 * what is compared. Two different boards that meet in a slot are taken for one with a chance of
 * 2^-32: far less than one of 500 million is lost, and the table takes six bytes a board. */
typedef struct Seen {
    uint32_t *slots;
    uint64_t size;
} Seen;

/* A set of 32-bit hashes: a rare false duplicate costs one position and saves much memory. */
static bool seen_add(Seen *seen, const Sample *sample)
{
    const uint64_t hash = board_hash(sample);
    const uint32_t low = (uint32_t)hash ? (uint32_t)hash : 1;
    uint64_t at = (hash >> 32) * seen->size >> 32;
    while (seen->slots[at] && seen->slots[at] != low)
        at = at + 1 < seen->size ? at + 1 : 0;
    if (seen->slots[at])
        return false;
    seen->slots[at] = low;
    return true;
}

/* Keeps the first of each board. Both sets share the table: no position is in both the training
 * and the validation set. */
static size_t dedupe(Seen *seen, Sample *items, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (seen_add(seen, &items[i]))
            items[kept++] = items[i];
    return kept;
}

/* Validation first: what is in both stays there and leaves the training set. */
static bool dedupe_all(Dataset *data, Error *err)
{
    const size_t before = data->train_count + data->valid_count;
    Seen seen = {.size = before + before / 2 + 16};
    if (seen.size > UINT32_MAX || !(seen.slots = calloc(seen.size, sizeof *seen.slots)))
        return error_set(err, "there is not enough memory to find duplicates");
    data->valid_count = dedupe(&seen, data->valid, data->valid_count);
    data->train_count = dedupe(&seen, data->train, data->train_count);
    data->duplicates = before - data->train_count - data->valid_count;
    free(seen.slots);
    return true;
}

static void add_counts(Dataset *data, const Dataset *counts)
{
    data->games += counts->games;
    data->positions += counts->positions;
    data->damaged += counts->damaged;
    for (int i = 0; i < SAMPLE_VERDICTS; i++)
        data->verdicts[i] += counts->verdicts[i];
}

/* Puts the lists of all threads together in the order of the parts, so that the result depends on
 * the number of threads only. */
static bool collect(Dataset *data, Share *shares, int count, Error *err)
{
    size_t sizes[SAMPLE_LISTS] = {0};
    for (int i = 0; i < count; i++) {
        if (!shares[i].ok) {
            if (err)
                *err = shares[i].error;
            return false;
        }
        add_counts(data, &shares[i].counts);
        for (int k = 0; k < SAMPLE_LISTS; k++)
            sizes[k] += shares[i].lists[k].count;
    }
    data->train = malloc((sizes[TO_LEARN] + 1) * sizeof *data->train);
    data->valid = malloc((sizes[TO_VALIDATE] + 1) * sizeof *data->valid);
    if (!data->train || !data->valid)
        return error_set(err, "there is not enough memory for the positions");
    for (int i = 0; i < count; i++) {
        append(data->train, &data->train_count, &shares[i].lists[TO_LEARN]);
        append(data->valid, &data->valid_count, &shares[i].lists[TO_VALIDATE]);
    }
    return true;
}

/* Reads, removes duplicates, shuffles by seed. */
bool dataset_load(Dataset *data, const DatasetOptions *options, char *const *paths, int path_count,
                  Error *err)
{
    *data = (Dataset){0};
    Share *shares = calloc((size_t)options->threads, sizeof *shares);
    if (!shares)
        return error_set(err, "there is not enough memory for %d threads", options->threads);
    for (int i = 0; i < options->threads; i++)
        shares[i] = (Share){.options = options,
                            .paths = paths,
                            .path_count = path_count,
                            .part = i,
                            .parts = options->threads};
    parallel_for(options->threads, share_run, shares);
    const bool ok =
        collect(data, shares, options->threads, err) && (!options->dedupe || dedupe_all(data, err));
    for (int i = 0; i < options->threads; i++)
        for (int k = 0; k < SAMPLE_LISTS; k++)
            list_free(&shares[i].lists[k]);
    free(shares);
    if (!ok) {
        dataset_free(data);
        return false;
    }
    shuffle(data->train, data->train_count, options->seed);
    shuffle(data->valid, data->valid_count, options->seed + 1);
    const size_t seen = data->train_count < 4096 ? data->train_count : 4096;
    data->identity = hash_bytes(data->train, seen * sizeof *data->train) ^ data->train_count;
    return true;
}

void dataset_free(Dataset *data)
{
    free(data->train);
    free(data->valid);
    *data = (Dataset){0};
}
