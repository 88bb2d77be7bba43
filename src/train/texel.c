// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/texel.h"

#include "base/parallel.h"
#include "base/rng.h"
#include "classical/classical.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- positions --- */

typedef struct Coefficient {
    uint16_t weight;
    int16_t times;
} Coefficient;

/* Coefficients in this order: linear (White minus Black), danger to White's king, to Black's,
 * initiative. */
typedef struct Entry {
    size_t first;
    uint16_t linear, danger[2], initiative; /* how many of each */
    uint8_t phase, scale;
    float target;
} Entry;

struct TexelSet {
    Entry *entries;
    Coefficient *coefficients;
    size_t count, capacity, used, room;
};

TexelSet *texel_set_create(void) { return calloc(1, sizeof(TexelSet)); }

void texel_set_destroy(TexelSet *set)
{
    if (!set)
        return;
    free(set->entries);
    free(set->coefficients);
    free(set);
}

size_t texel_set_count(const TexelSet *set) { return set->count; }

/* Room for one more entry and all its coefficients. */
static bool set_reserve(TexelSet *set)
{
    if (set->count == set->capacity) {
        const size_t capacity = set->capacity ? set->capacity * 2 : 1 << 16;
        Entry *entries = realloc(set->entries, capacity * sizeof(Entry));
        if (!entries)
            return false;
        set->entries = entries;
        set->capacity = capacity;
    }
    if (set->room - set->used < 4 * WEIGHT_COUNT) {
        const size_t room = set->room ? set->room + set->room / 2 : 1 << 20;
        Coefficient *coefficients = realloc(set->coefficients, room * sizeof(Coefficient));
        if (!coefficients)
            return false;
        set->coefficients = coefficients;
        set->room = room;
    }
    return true;
}

/* Appends the counts of one kind of weights, White's times `white` plus Black's times `black`;
 * returns how many. */
static uint16_t set_append(TexelSet *set, const Tally *tally, WeightKind kind, int white, int black)
{
    const size_t before = set->used;
    for (int g = 0; g < WEIGHT_GROUP_COUNT; g++) {
        const WeightGroup *group = &weight_groups[g];
        for (int i = group->first; group->kind == kind && i < group->first + group->count; i++) {
            const int times = tally->count[WHITE][i] * white + tally->count[BLACK][i] * black;
            if (times)
                set->coefficients[set->used++] = (Coefficient){(uint16_t)i, (int16_t)times};
        }
    }
    return (uint16_t)(set->used - before);
}

/* Stores how often each weight counts: the tuner never evaluates a position again. */
bool texel_set_add(TexelSet *set, const Position *p, double target)
{
    Tally tally;
    ClassicalTrace trace;
    classical_tally(p, &tally, &trace);
    if (trace.known)
        return true;
    if (!set_reserve(set))
        return false;

    Entry *e = &set->entries[set->count++];
    *e = (Entry){.first = set->used,
                 .phase = (uint8_t)trace.phase,
                 .scale = (uint8_t)trace.scale,
                 .target = (float)target};
    e->linear = set_append(set, &tally, LINEAR, 1, -1);
    /* Without the base nothing else of a king's danger counts. */
    if (tally.count[WHITE][W_DANGER_BASE])
        e->danger[WHITE] = set_append(set, &tally, DANGER, 1, 0);
    if (tally.count[BLACK][W_DANGER_BASE])
        e->danger[BLACK] = set_append(set, &tally, DANGER, 0, 1);
    e->initiative = set_append(set, &tally, INITIATIVE, 1, 1);
    return true;
}

/* --- the evaluation in real numbers --- */

typedef struct Pair {
    double mg, eg;
} Pair;

/* Everything on the way to a score that the way back needs. */
typedef struct Forward {
    Pair danger[2];         /* clamped */
    bool rising[2][2];      /* by colour, mg and eg: not clamped */
    double eg_sign;         /* of the endgame part before initiative */
    bool initiative_counts; /* it does not just cancel the advantage */
    double mg_share, eg_share;
    double score;
} Forward;

static Pair sum_up(const Coefficient *c, int count, const TexelWeights *w)
{
    Pair sum = {0, 0};
    for (int i = 0; i < count; i++) {
        sum.mg += w->mg[c[i].weight] * c[i].times;
        sum.eg += w->eg[c[i].weight] * c[i].times;
    }
    return sum;
}

static double clamp_danger(double units, bool *rising)
{
    *rising = units > 0 && units < DANGER_MAX;
    return units < 0 ? 0 : units > DANGER_MAX ? DANGER_MAX : units;
}

/* The evaluation in real numbers, from the stored counts. Keeps what the backward pass needs: which
 * clamps and signs were in force. */
static Forward forward(const TexelSet *set, const Entry *e, const TexelWeights *w)
{
    Forward f = {0};
    const Coefficient *c = set->coefficients + e->first;
    Pair sum = sum_up(c, e->linear, w);
    c += e->linear;
    for (Color side = WHITE; side <= BLACK; side++) {
        const Pair danger = sum_up(c, e->danger[side], w);
        const double sign = side == WHITE ? -1 : 1;
        c += e->danger[side];
        f.danger[side].mg = clamp_danger(danger.mg, &f.rising[side][0]);
        f.danger[side].eg = clamp_danger(danger.eg, &f.rising[side][1]);
        sum.mg += sign * f.danger[side].mg * f.danger[side].mg / DANGER_SQUARE_DIVISOR;
        sum.eg += sign * f.danger[side].eg / DANGER_LINEAR_DIVISOR;
    }
    const double initiative = sum_up(c, e->initiative, w).eg;
    f.eg_sign = sum.eg > 0 ? 1 : sum.eg < 0 ? -1 : 0;
    f.initiative_counts = initiative > -fabs(sum.eg);
    sum.eg = f.initiative_counts ? sum.eg + f.eg_sign * initiative : 0;

    f.mg_share = (double)e->phase / PHASE_MAX;
    f.eg_share = (1 - f.mg_share) * e->scale / SCALE_FULL;
    f.score = sum.mg * f.mg_share + sum.eg * f.eg_share;
    return f;
}

static void spread(const Coefficient *c, int count, double mg, double eg, TexelWeights *gradient)
{
    for (int i = 0; i < count; i++) {
        gradient->mg[c[i].weight] += mg * c[i].times;
        gradient->eg[c[i].weight] += eg * c[i].times;
    }
}

/* Adds slope * d(score)/d(weight) to the gradient. */
static void backward(const TexelSet *set, const Entry *e, const Forward *f, double slope,
                     TexelWeights *gradient)
{
    const Coefficient *c = set->coefficients + e->first;
    const double mg = slope * f->mg_share, eg = f->initiative_counts ? slope * f->eg_share : 0;
    spread(c, e->linear, mg, eg, gradient);
    c += e->linear;
    for (Color side = WHITE; side <= BLACK; side++) {
        const double sign = side == WHITE ? -1 : 1;
        const double by_mg =
            f->rising[side][0] ? sign * 2 * f->danger[side].mg / DANGER_SQUARE_DIVISOR : 0;
        const double by_eg = f->rising[side][1] ? sign / DANGER_LINEAR_DIVISOR : 0;
        spread(c, e->danger[side], mg * by_mg, eg * by_eg, gradient);
        c += e->danger[side];
    }
    spread(c, e->initiative, 0, eg * f->eg_sign, gradient);
}

double texel_score(const TexelSet *set, size_t i, const TexelWeights *w)
{
    return forward(set, &set->entries[i], w).score;
}

void texel_weights_current(TexelWeights *w)
{
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        w->mg[i] = packed_mg(classical_weights[i]);
        w->eg[i] = packed_eg(classical_weights[i]);
    }
}

/* --- many positions, several threads --- */

/* A fixed number of slices, summed in order: the rounding is the same for any number of threads. */
enum { SLICES = 16 };

typedef struct Slice {
    double error;
    TexelWeights gradient;
} Slice;

typedef struct Pass {
    const TexelSet *set;
    const TexelWeights *w;
    const uint32_t *order; /* NULL: as they come */
    size_t first, count;
    double unit;
    bool with_gradient;
    Slice *slices;
    int threads;
} Pass;

/* Error and gradient of the mean squared difference between expected and real result. */
static void run_slice(const Pass *pass, Slice *slice, size_t begin, size_t end)
{
    slice->error = 0;
    if (pass->with_gradient)
        memset(&slice->gradient, 0, sizeof slice->gradient);
    for (size_t i = begin; i < end; i++) {
        const Entry *e = &pass->set->entries[pass->order ? pass->order[i] : i];
        const Forward f = forward(pass->set, e, pass->w);
        const double expected = 1 / (1 + exp(-f.score / pass->unit)),
                     difference = expected - e->target;
        slice->error += difference * difference;
        if (pass->with_gradient)
            backward(pass->set, e, &f, 2 * difference * expected * (1 - expected) / pass->unit,
                     &slice->gradient);
    }
}

static void run_part(void *user, int part)
{
    const Pass *pass = user;
    for (size_t s = (size_t)part; s < SLICES; s += (size_t)pass->threads)
        run_slice(pass, &pass->slices[s], pass->first + pass->count * s / SLICES,
                  pass->first + pass->count * (s + 1) / SLICES);
}

/* Mean error over the pass; if `gradient` is given, its mean gradient. The slices are added in a fixed
 * order, so the result does not depend on the number of threads. */
static double run_pass(Pass *pass, TexelWeights *gradient)
{
    pass->threads = pass->threads < 1 ? 1 : pass->threads > SLICES ? SLICES : pass->threads;
    pass->with_gradient = gradient != NULL;
    parallel_for(pass->threads, run_part, pass);

    double error = 0;
    const double share = pass->count ? 1.0 / (double)pass->count : 0;
    if (gradient)
        memset(gradient, 0, sizeof *gradient);
    for (int s = 0; s < SLICES; s++) {
        error += pass->slices[s].error;
        for (int i = 0; gradient && i < WEIGHT_COUNT; i++) {
            gradient->mg[i] += pass->slices[s].gradient.mg[i] * share;
            gradient->eg[i] += pass->slices[s].gradient.eg[i] * share;
        }
    }
    return error * share;
}

/* Over the whole set; NAN if memory is short. */
double texel_error(const TexelSet *set, const TexelWeights *w, double unit, int threads)
{
    Slice *slices = malloc(SLICES * sizeof(Slice));
    if (!slices)
        return NAN;
    Pass pass = {.set = set,
                 .w = w,
                 .count = set->count,
                 .unit = unit,
                 .slices = slices,
                 .threads = threads};
    const double error = run_pass(&pass, NULL);
    free(slices);
    return error;
}

/* Over the whole set, for tests against differences. */
void texel_gradient(const TexelSet *set, const TexelWeights *w, int threads, TexelWeights *gradient)
{
    Slice *slices = malloc(SLICES * sizeof(Slice));
    memset(gradient, 0, sizeof *gradient);
    if (!slices)
        return;
    Pass pass = {.set = set,
                 .w = w,
                 .count = set->count,
                 .unit = TEXEL_UNIT,
                 .slices = slices,
                 .threads = threads};
    run_pass(&pass, gradient);
    free(slices);
}

/* Golden section: the error has one valley. */
double texel_fit_unit(const TexelSet *set, const TexelWeights *w, int threads)
{
    const double golden = 0.6180339887498949;
    double low = 50, high = 3000;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double error_a = texel_error(set, w, a, threads), error_b = texel_error(set, w, b, threads);
    while (high - low > 1) {
        if (error_a < error_b) {
            high = b, b = a, error_b = error_a;
            a = high - golden * (high - low);
            error_a = texel_error(set, w, a, threads);
        } else {
            low = a, a = b, error_a = error_b;
            b = low + golden * (high - low);
            error_b = texel_error(set, w, b, threads);
        }
    }
    return (low + high) / 2;
}

void texel_rescale(TexelWeights *w, double factor)
{
    for (int g = 0; g < WEIGHT_GROUP_COUNT; g++) {
        const WeightGroup *group = &weight_groups[g];
        for (int i = group->first; i < group->first + group->count; i++) {
            w->mg[i] *= group->kind == DANGER ? sqrt(factor) : factor;
            w->eg[i] *= factor;
        }
    }
}

/* --- tuning: Adam over shuffled batches --- */

typedef struct Adam {
    TexelWeights mean, square;
    int steps;
} Adam;

static double adam_step(double *mean, double *square, double gradient, int steps)
{
    const double keep_mean = 0.9, keep_square = 0.999;
    *mean = keep_mean * *mean + (1 - keep_mean) * gradient;
    *square = keep_square * *square + (1 - keep_square) * gradient * gradient;
    const double m = *mean / (1 - pow(keep_mean, steps)),
                 s = *square / (1 - pow(keep_square, steps));
    return m / (sqrt(s) + 1e-12);
}

static void adam_apply(Adam *adam, const TexelWeights *gradient, double rate, TexelWeights *w)
{
    adam->steps++;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        w->mg[i] -=
            rate * adam_step(&adam->mean.mg[i], &adam->square.mg[i], gradient->mg[i], adam->steps);
        w->eg[i] -=
            rate * adam_step(&adam->mean.eg[i], &adam->square.eg[i], gradient->eg[i], adam->steps);
    }
}

/* What one position typically says about one weight: half the second derivative of its squared
 * error at a doubtful result, for a coefficient of one in either half of the game. */
static const double typical_curvature = 0.2 * 0.2 / TEXEL_UNIT / TEXEL_UNIT / 4;

/* Pulls towards the start, as strongly as `prior` positions in the whole set would. */
static void add_prior(const TexelSet *set, double prior, const TexelWeights *start,
                      const TexelWeights *w, TexelWeights *gradient)
{
    const double pull = 2 * prior * typical_curvature / (double)set->count;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        gradient->mg[i] += pull * (w->mg[i] - start->mg[i]);
        gradient->eg[i] += pull * (w->eg[i] - start->eg[i]);
    }
}

static void shuffle(uint32_t *order, size_t count, Rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = rng_below(rng, i);
        const uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
}

typedef struct Workshop {
    uint32_t *order;
    Slice *slices;
    Adam *adam;
    TexelWeights *start, *gradient;
} Workshop;

static void workshop_free(Workshop *shop)
{
    free(shop->order);
    free(shop->slices);
    free(shop->adam);
    free(shop->start);
    free(shop->gradient);
}

static bool workshop_alloc(Workshop *shop, size_t positions)
{
    *shop = (Workshop){
        .order = malloc(positions * sizeof(uint32_t)),
        .slices = malloc(SLICES * sizeof(Slice)),
        .adam = calloc(1, sizeof(Adam)),
        .start = malloc(sizeof(TexelWeights)),
        .gradient = malloc(sizeof(TexelWeights)),
    };
    return shop->order && shop->slices && shop->adam && shop->start && shop->gradient;
}

/* One pass in batches; the step size falls linearly to zero over all epochs. */
static void run_epoch(const TexelSet *set, const TexelOptions *options, int epoch, Workshop *shop,
                      TexelWeights *w)
{
    const size_t batch = (size_t)options->batch;
    for (size_t first = 0; first < set->count; first += batch) {
        Pass pass = {.set = set, .w = w, .order = shop->order, .first = first, .unit = TEXEL_UNIT};
        pass.count = set->count - first < batch ? set->count - first : batch;
        pass.slices = shop->slices;
        pass.threads = options->threads;
        run_pass(&pass, shop->gradient);
        add_prior(set, options->prior, shop->start, w, shop->gradient);
        const double done = (epoch + (double)first / (double)set->count) / options->epochs;
        adam_apply(shop->adam, shop->gradient, options->rate * (1 - done), w);
    }
}

/* Adam on shuffled batches, pulled towards the old values where the positions say little. */
bool texel_tune(const TexelSet *set, const TexelOptions *options, TexelWeights *w, Error *err)
{
    if (set->count == 0 || set->count > UINT32_MAX)
        return error_set(err, "cannot tune with %zu positions", set->count);
    Workshop shop;
    const bool ok = workshop_alloc(&shop, set->count);
    if (ok) {
        Rng rng;
        rng_seed(&rng, options->seed);
        *shop.start = *w;
        for (size_t i = 0; i < set->count; i++)
            shop.order[i] = (uint32_t)i;
        for (int epoch = 0; epoch < options->epochs; epoch++) {
            shuffle(shop.order, set->count, &rng);
            run_epoch(set, options, epoch, &shop, w);
            if (options->progress)
                options->progress(options->user, epoch + 1, w);
        }
    }
    workshop_free(&shop);
    return ok || error_set(err, "not enough memory to tune with %zu positions", set->count);
}

/* --- the result --- */

/* How often the weights [first, first + count) are used, White's and Black's difference taken as it
 * is: enough for an average. */
static void average(const TexelSet *set, const TexelWeights *w, int first, int count, Pair *mean)
{
    double uses = 0;
    *mean = (Pair){0, 0};
    for (size_t i = 0; i < set->used; i++) {
        const Coefficient *c = &set->coefficients[i];
        if (c->weight < first || c->weight >= first + count)
            continue;
        const double n = abs(c->times);
        uses += n;
        mean->mg += n * w->mg[c->weight];
        mean->eg += n * w->eg[c->weight];
    }
    if (uses > 0)
        mean->mg /= uses, mean->eg /= uses;
}

/* Takes the average out of a group that every piece of a type uses exactly once; value -1 if no
 * value should get it. */
static void move_average(const TexelSet *set, TexelWeights *w, int first, int count, int value)
{
    Pair mean;
    average(set, w, first, count, &mean);
    for (int i = first; i < first + count; i++) {
        w->mg[i] -= mean.mg;
        w->eg[i] -= mean.eg;
    }
    if (value >= 0) {
        w->mg[value] += mean.mg;
        w->eg[value] += mean.eg;
    }
}

/* Mean values of mobility and placement go into the piece values: the scores stay and the numbers
 * can be read. */
void texel_tidy(const TexelSet *set, TexelWeights *w)
{
    static const struct {
        int first, last;
    } mobility[] = {
        {W_KNIGHT_MOBILITY, W_LAST_KNIGHT_MOBILITY},
        {W_BISHOP_MOBILITY, W_LAST_BISHOP_MOBILITY},
        {W_ROOK_MOBILITY, W_LAST_ROOK_MOBILITY},
        {W_QUEEN_MOBILITY, W_LAST_QUEEN_MOBILITY},
    };
    for (int i = 0; i < 4; i++)
        move_average(set, w, mobility[i].first, mobility[i].last - mobility[i].first + 1,
                     W_PIECE_VALUE + KNIGHT + i);
    for (PieceType t = PAWN; t <= QUEEN; t++) {
        move_average(set, w, W_PLACEMENT + t * 64, 64, W_PIECE_VALUE + t);
        move_average(set, w, W_PLACEMENT_ENEMY + t * 64, 64, W_PIECE_VALUE + t);
    }
    move_average(set, w, W_KING_PLACEMENT, 32, -1);
    /* Pawns never stand on the first or last rank; a nought reads better than an average taken
     * away. */
    for (int i = 0; i < 8; i++) {
        const int places[] = {W_PLACEMENT + i, W_PLACEMENT + 56 + i, W_PLACEMENT_ENEMY + i,
                              W_PLACEMENT_ENEMY + 56 + i};
        for (int j = 0; j < 4; j++)
            w->mg[places[j]] = w->eg[places[j]] = 0;
    }
}

/* The text of weights.def, ready to be compiled. */
void texel_write(const TexelWeights *w, Buffer *out)
{
    buffer_puts(out, "/* weights.def -- values of the weights in terms.def, V(middlegame, "
                     "endgame), in units of the evaluation\n"
                     " * (DANGER: in units of pressure). Written by `samara-train texel`: edit "
                     "terms.def, then tune. */\n");
    for (int g = 0; g < WEIGHT_GROUP_COUNT; g++) {
        const WeightGroup *group = &weight_groups[g];
        const int per_line = group->first == W_KING_PLACEMENT ? 4 : 8;
        buffer_printf(out, "VALUES(%s,", group->name);
        for (int i = 0; i < group->count; i++) {
            buffer_puts(out, i % per_line == 0 ? "\n       " : " ");
            buffer_printf(out, "V(%ld, %ld)%s", lround(w->mg[group->first + i]),
                          lround(w->eg[group->first + i]), i + 1 < group->count ? "," : ")\n");
        }
    }
}
