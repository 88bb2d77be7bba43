// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.h"

#include "base/memory.h"
#include "base/thread.h"
#include "chess/movegen.h"

uint64_t perft(Position *p, int depth)
{
    if (depth <= 1)
        return depth == 1 ? (uint64_t)gen_count(p) : 1;

    MoveList list;
    gen_legal(p, &list);
    uint64_t total = 0;
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        pos_make(p, list.moves[i], &undo, NULL);
        total += perft(p, depth - 1);
        pos_unmake(p, list.moves[i], &undo);
    }
    return total;
}

/* A count is stored with its key XORed by it: a torn pair of words then matches no position. */
typedef struct PerftSlot {
    AtomicU64 lock, count;
} PerftSlot;

typedef struct PerftRun {
    const Position *root;
    const MoveList *moves;
    uint64_t *counts; /* by root move */
    int depth;
    PerftSlot *slots; /* NULL: none */
    uint64_t slot_count;
    AtomicI32 next; /* root move that nobody has taken yet */
} PerftRun;

static uint64_t perft_hashed(Position *p, int depth, const PerftRun *run)
{
    if (depth <= 1)
        return perft(p, depth);

    /* The same position at another depth has another count. */
    const Key key = p->st.key ^ (uint64_t)depth * 0x9E3779B97F4A7C15ULL;
    PerftSlot *slot = &run->slots[mul_high(key, run->slot_count)];
    const uint64_t stored = relaxed_load(&slot->count);
    if (stored && (relaxed_load(&slot->lock) ^ stored) == key)
        return stored;

    MoveList list;
    gen_legal(p, &list);
    uint64_t total = 0;
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        pos_make(p, list.moves[i], &undo, NULL);
        total += perft_hashed(p, depth - 1, run);
        pos_unmake(p, list.moves[i], &undo);
    }
    relaxed_store(&slot->count, total);
    relaxed_store(&slot->lock, key ^ total);
    return total;
}

static void *perft_worker(void *arg)
{
    PerftRun *run = arg;
    Position p = *run->root;
    for (;;) {
        const int i = relaxed_add(&run->next, 1);
        if (i >= run->moves->count)
            return NULL;
        Undo undo;
        pos_make(&p, run->moves->moves[i], &undo, NULL);
        run->counts[i] =
            run->slots ? perft_hashed(&p, run->depth - 1, run) : perft(&p, run->depth - 1);
        pos_unmake(&p, run->moves->moves[i], &undo);
    }
}

/* The caller works too; threads that cannot be had are simply missing. */
static void perft_share(PerftRun *run, int threads)
{
    enum { MAX_HELPERS = 255 };
    Thread helpers[MAX_HELPERS];
    int started = 0;
    while (started < threads - 1 && started < MAX_HELPERS &&
           thread_start(&helpers[started], perft_worker, run))
        started++;
    perft_worker(run);
    while (started > 0)
        thread_join(helpers[--started]);
}

bool perft_run(const Position *p, const PerftOptions *options, uint64_t *total, Error *err)
{
    MoveList list;
    gen_legal(p, &list);
    uint64_t counts[MAX_MOVES] = {0};
    PerftRun run = {.root = p, .moves = &list, .counts = counts, .depth = options->depth};

    const size_t bytes = options->hash_mb << 20;
    if (bytes) {
        run.slots = memory_map(bytes);
        if (!run.slots)
            return error_code(err, "NO_MEMORY", 0, "no memory for a perft table of %zu MB",
                              options->hash_mb);
        run.slot_count = bytes / sizeof(PerftSlot);
    }
    perft_share(&run, options->threads);
    if (bytes)
        memory_unmap(run.slots, bytes);

    *total = 0;
    for (int i = 0; i < list.count; i++) {
        if (options->divide)
            options->divide(options->user, list.moves[i], counts[i]);
        *total += counts[i];
    }
    return true;
}
