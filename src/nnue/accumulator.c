// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/accumulator.h"

#include "base/memory.h"
#include "nnue/features.h"
#include "nnue/kernels.h"

#include <assert.h>
#include <string.h>

enum { CACHES = 2 * NN_MAX_KINGS };
_Static_assert(NN_MAX_KINGS <= 4, "a View fits a byte");

typedef struct AccEntry {
    Delta delta;     /* of the move that led here */
    uint8_t view[2]; /* how each side sees the board here: a View */
    bool turned[2];  /* the move changed that: the parent's values are of no use */
    bool ready[2];   /* the values are computed */
} AccEntry;

/* What an accumulator was when a side last needed it made anew, by the king bucket and the half on
 * which its king stood. */
typedef struct AccCache {
    Bitboard by_type[6], by_color[2];
    int16_t *values;
} AccCache;

struct AccStack {
    const Net *net;
    uint64_t identity; /* of the net whose values the caches hold */
    int top, capacity;
    AccEntry *entries;
    int16_t *values;           /* [ply][side][hidden] */
    AccCache cache[2][CACHES]; /* [side][king bucket and half] */
    int16_t *cache_values;
};

/* One accumulator per ply and colour, plus two cached ones per colour for kings on either half of
 * the board. */
AccStack *acc_create(int max_plies)
{
    AccStack *stack = memory_alloc(sizeof *stack, CACHE_LINE);
    if (!stack)
        return NULL;
    const size_t entries = (size_t)max_plies + 1, width = NN_MAX_HIDDEN * sizeof(int16_t);
    stack->capacity = max_plies + 1;
    stack->entries = memory_alloc(entries * sizeof *stack->entries, CACHE_LINE);
    stack->values = memory_alloc(entries * 2 * width, CACHE_LINE);
    stack->cache_values = memory_alloc(2 * CACHES * width, CACHE_LINE);
    if (!stack->entries || !stack->values || !stack->cache_values) {
        acc_destroy(stack);
        return NULL;
    }
    for (int i = 0; i < 2 * CACHES; i++)
        stack->cache[i / CACHES][i % CACHES].values = stack->cache_values + i * NN_MAX_HIDDEN;
    return stack;
}

void acc_destroy(AccStack *stack)
{
    if (!stack)
        return;
    memory_free(stack->entries);
    memory_free(stack->values);
    memory_free(stack->cache_values);
    memory_free(stack);
}

static void clear_caches(AccStack *stack)
{
    for (int i = 0; i < 2 * CACHES; i++) {
        AccCache *cache = &stack->cache[i / CACHES][i % CACHES];
        memset(cache->by_type, 0, sizeof cache->by_type);
        memset(cache->by_color, 0, sizeof cache->by_color);
        memcpy(cache->values, stack->net->bias, (size_t)stack->net->shape.hidden * sizeof(int16_t));
    }
}

/* Begins a new line. The caches survive as long as the network is the same. */
void acc_reset(AccStack *stack, const Net *net, const Position *root)
{
    stack->net = net;
    if (stack->identity != net->identity) {
        stack->identity = net->identity;
        clear_caches(stack);
    }
    stack->top = 0;
    AccEntry *entry = &stack->entries[0];
    *entry = (AccEntry){0};
    for (Color side = WHITE; side <= BLACK; side++) {
        entry->view[side] = (uint8_t)view_from(side, pos_king(root, side), net->shape.kings);
        entry->turned[side] = true;
    }
}

/* Remembers what the move changed and computes nothing yet: many nodes are never evaluated. */
void acc_push(AccStack *stack, const Delta *delta)
{
    assert(stack->top + 1 < stack->capacity);
    const AccEntry *before = &stack->entries[stack->top++];
    AccEntry *entry = &stack->entries[stack->top];
    *entry = (AccEntry){.delta = *delta, .view = {before->view[WHITE], before->view[BLACK]}};
    for (int i = 0; i < delta->count; i++) {
        const Piece piece = delta->change[i].piece;
        if (piece_type(piece) != KING)
            continue;
        const Color side = piece_color(piece);
        const View view = view_from(side, delta->change[i].to, stack->net->shape.kings);
        entry->turned[side] = view != entry->view[side];
        entry->view[side] = (uint8_t)view;
    }
}

void acc_pop(AccStack *stack)
{
    assert(stack->top > 0);
    stack->top--;
}

static int16_t *entry_values(const AccStack *stack, int ply, Color side)
{
    return stack->values + (size_t)(2 * ply + side) * (size_t)stack->net->shape.hidden;
}

/* The rows of the first layer that come and go with a move, seen from one side. */
static void rows_of_delta(RowChange *rows, const Delta *delta, Color side, View view)
{
    rows->adds = rows->subs = 0;
    for (int i = 0; i < delta->count; i++) {
        const Piece piece = delta->change[i].piece;
        if (delta->change[i].to != NO_SQUARE)
            rows->add[rows->adds++] =
                (uint16_t)feature_index(side, view, piece, delta->change[i].to);
        if (delta->change[i].from != NO_SQUARE)
            rows->sub[rows->subs++] =
                (uint16_t)feature_index(side, view, piece, delta->change[i].from);
    }
}

static int rows_of_set(uint16_t *rows, int count, Bitboard men, Color side, View view, Piece piece)
{
    while (men)
        rows[count++] = (uint16_t)feature_index(side, view, piece, bb_pop(&men));
    return count;
}

/* From the board that the cache remembers to the one of `p`. */
static void rows_of_difference(RowChange *rows, const AccCache *cache, const Position *p,
                               Color side, View view)
{
    rows->adds = rows->subs = 0;
    for (Piece piece = 0; piece < PIECE_COUNT; piece++) {
        const Bitboard old =
            cache->by_type[piece_type(piece)] & cache->by_color[piece_color(piece)];
        const Bitboard new = pos_pieces(p, piece_color(piece), piece_type(piece));
        rows->adds = rows_of_set(rows->add, rows->adds, new & ~old, side, view, piece);
        rows->subs = rows_of_set(rows->sub, rows->subs, old & ~new, side, view, piece);
    }
}

/* When the king changes its half of the board all features change: the cached accumulator of that
 * half is closer than an empty one. */
static void remake(AccStack *stack, const Position *p, Color side)
{
    const Net *net = stack->net;
    const View view = view_from(side, pos_king(p, side), net->shape.kings);
    AccCache *cache = &stack->cache[side][2 * (view >> 6) + ((view & 7) != 0)];
    RowChange rows;
    rows_of_difference(&rows, cache, p, side, view);
    net->kernels->change(cache->values, cache->values, net->input, &rows);
    memcpy(cache->by_type, p->by_type, sizeof cache->by_type);
    memcpy(cache->by_color, p->by_color, sizeof cache->by_color);
    memcpy(entry_values(stack, stack->top, side), cache->values,
           (size_t)net->shape.hidden * sizeof(int16_t));
    stack->entries[stack->top].ready[side] = true;
}

/* Goes back to the last ply that is ready and forward again; a king that changed its half on the
 * way makes a remake necessary. */
static void bring_up_to_date(AccStack *stack, const Position *p, Color side)
{
    int ply = stack->top;
    while (!stack->entries[ply].ready[side]) {
        if (stack->entries[ply].turned[side]) {
            remake(stack, p, side);
            return;
        }
        ply--;
    }
    while (ply < stack->top) {
        AccEntry *next = &stack->entries[++ply];
        RowChange rows;
        rows_of_delta(&rows, &next->delta, side, next->view[side]);
        stack->net->kernels->change(entry_values(stack, ply, side),
                                    entry_values(stack, ply - 1, side), stack->net->input, &rows);
        next->ready[side] = true;
    }
}

static int output(const Net *net, const int16_t *own, const int16_t *enemy, int men)
{
    const int bucket = net->bucket[men];
    const int16_t *weights = net->output + (size_t)bucket * 2 * (size_t)net->shape.hidden;
    const int64_t sum = net->kernels->output(own, enemy, weights, net->qa) +
                        (int64_t)net->output_bias[bucket] * net->qa;
    const int64_t score = sum * net->multiplier / ((int64_t)1 << 32);
    return (int)(score > NN_EVAL_MAX ? NN_EVAL_MAX : score < -NN_EVAL_MAX ? -NN_EVAL_MAX : score);
}

int acc_evaluate(AccStack *stack, const Position *p)
{
    bring_up_to_date(stack, p, WHITE);
    bring_up_to_date(stack, p, BLACK);
    const int value =
        output(stack->net, entry_values(stack, stack->top, p->turn),
               entry_values(stack, stack->top, color_flip(p->turn)), bb_count(pos_occupied(p)));
    /* What the moves added up to is what the board says; every 16th position is looked at. */
    assert((p->st.key & 15) != 0 || value == net_evaluate(stack->net, p));
    return value;
}

int net_evaluate(const Net *net, const Position *p)
{
    _Alignas(64) int16_t values[2][NN_MAX_HIDDEN];
    static const AccCache empty;
    for (Color side = WHITE; side <= BLACK; side++) {
        RowChange rows;
        rows_of_difference(&rows, &empty, p, side,
                           view_from(side, pos_king(p, side), net->shape.kings));
        net->kernels->change(values[side], net->bias, net->input, &rows);
    }
    return output(net, values[p->turn], values[color_flip(p->turn)], bb_count(pos_occupied(p)));
}

int net_bucket(const Net *net, const Position *p) { return net->bucket[bb_count(pos_occupied(p))]; }
