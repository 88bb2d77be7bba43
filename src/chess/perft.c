// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "chess/movegen.h"

#include <stddef.h>

/* The last ply is counted without making the moves, which saves most of the work. */
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
    const PerftOptions *options;
    const Position *root;
    const MoveList *moves;
    uint64_t *counts; /* by root move */
    bool *finished;   /* by root move */
    PerftSlot *slots; /* NULL: none */
    uint64_t slot_count;
    AtomicI32 next; /* root move that nobody has taken yet */
    AtomicFlag stopped;
} PerftRun;

enum { WATCH_DEPTH = 4 }; /* from here up each move asks whether to go on: every few milliseconds */

static bool is_stopped(PerftRun *run)
{
    const PerftOptions *options = run->options;
    if (!relaxed_load(&run->stopped) && options->goes_on && !options->goes_on(options->user))
        relaxed_store(&run->stopped, true);
    return relaxed_load(&run->stopped);
}

/* The same position at another depth has another count. */
static Key slot_key(const Position *p, int depth)
{
    return p->st.key ^ (uint64_t)depth * 0x9E3779B97F4A7C15ULL;
}

/* As perft(), but looks at the clock and uses the table. The two words of a slot are combined by
 * xor, so a torn write by another thread is a miss and not a wrong count. */
static uint64_t perft_watched(Position *p, int depth, PerftRun *run)
{
    if (depth <= 1 || (!run->slots && depth < WATCH_DEPTH))
        return perft(p, depth);

    const Key key = slot_key(p, depth);
    PerftSlot *slot = run->slots ? &run->slots[mul_high(key, run->slot_count)] : NULL;
    const uint64_t stored = slot ? relaxed_load(&slot->count) : 0;
    if (stored && (relaxed_load(&slot->lock) ^ stored) == key)
        return stored;

    MoveList list;
    gen_legal(p, &list);
    uint64_t total = 0;
    for (int i = 0; i < list.count; i++) {
        if (depth >= WATCH_DEPTH && is_stopped(run))
            return total;
        Undo undo;
        pos_make(p, list.moves[i], &undo, NULL);
        total += perft_watched(p, depth - 1, run);
        pos_unmake(p, list.moves[i], &undo);
    }
    if (slot && !relaxed_load(&run->stopped)) {
        relaxed_store(&slot->count, total);
        relaxed_store(&slot->lock, key ^ total);
    }
    return total;
}

/* Takes root moves as long as there are any: moves differ in size, so nobody gets a fixed share. */
static void perft_worker(void *user, int part)
{
    PerftRun *run = user;
    Position p = *run->root;
    (void)part;
    for (;;) {
        const int i = relaxed_add(&run->next, 1);
        if (i >= run->moves->count || is_stopped(run))
            return;
        Undo undo;
        pos_make(&p, run->moves->moves[i], &undo, NULL);
        run->counts[i] = perft_watched(&p, run->options->depth - 1, run);
        run->finished[i] = !relaxed_load(&run->stopped);
        pos_unmake(&p, run->moves->moves[i], &undo);
    }
}

/* Shares the root moves out; the counts are reported in move order when all are done. */
bool perft_run(const Position *p, const PerftOptions *options, uint64_t *total, Error *err)
{
    MoveList list;
    gen_legal(p, &list);
    uint64_t counts[MAX_MOVES] = {0};
    bool finished[MAX_MOVES] = {false};
    PerftRun run = {
        .options = options, .root = p, .moves = &list, .counts = counts, .finished = finished};

    const size_t bytes = options->hash_mb << 20;
    if (bytes) {
        run.slots = memory_map(bytes);
        if (!run.slots)
            return error_code(err, "NO_MEMORY", 0, "no memory for a perft table of %zu MB",
                              options->hash_mb);
        run.slot_count = bytes / sizeof(PerftSlot);
    }
    parallel_for(options->threads < 1 ? 1 : options->threads, perft_worker, &run);
    if (bytes)
        memory_unmap(run.slots, bytes);

    *total = 0;
    for (int i = 0; i < list.count; i++) {
        if (options->divide && finished[i])
            options->divide(options->user, list.moves[i], counts[i]);
        *total += counts[i];
    }
    return !relaxed_load(&run.stopped) ||
           error_code(err, "STOPPED", 0, "perft was stopped after %llu positions",
                      (unsigned long long)*total);
}
